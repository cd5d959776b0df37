package epsilon

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"rtcluster/join"
)

// drawing draws null fields: each coordinate from the kernel density estimate of
// its own values, independent of the others.
type drawing struct {
	field  *join.Points
	unit   Unit
	dim    int       // of values
	values []float64 // row-major: coordinates, or with Degrees those of aboutMean
	width  []float64 // of the kernel, for each coordinate
}

func newDrawing(pts *join.Points, unit Unit) (*drawing, error) {
	d := &drawing{field: pts, unit: unit, dim: pts.Dim(), values: pts.Data()}
	if unit == Degrees {
		if pts.Dim() != 3 {
			return nil, fmt.Errorf("points of %d coordinates are no unit vectors", pts.Dim())
		}
		d.values, d.dim = aboutMean(pts), 2
	}
	d.width = make([]float64, d.dim)
	column := make([]float64, pts.Rows())
	for k := range d.width {
		for i := range column {
			column[i] = d.values[i*d.dim+k]
		}
		var err error
		if d.width[k], err = kernelWidth(column, d.period(k)); err != nil {
			return nil, fmt.Errorf("coordinate %d: %w", k, err)
		}
	}
	return d, nil
}

// period is the length along which coordinate k wraps, 0 for none.
func (d *drawing) period(k int) float64 {
	if d.unit == Degrees {
		return 0 // longitudes are about their mean, and may run over
	}
	return d.field.Metric().Period(k)
}

// kernelWidth is Scott's bandwidth for a column, one value at least; it changes the
// column where that wraps.
func kernelWidth(column []float64, period float64) (float64, error) {
	if period > 0 {
		center := circularMean(column, period)
		for i, x := range column {
			column[i] = math.Remainder(x-center, period)
		}
	}
	constant := true
	for _, x := range column {
		constant = constant && x == column[0]
	}
	if constant { // where FitScaling says 1
		return 0, nil
	}
	scaling, err := join.FitScaling("standard", column, 1)
	var large *join.ScaleError
	if errors.As(err, &large) {
		return 0, nonef("null field: the values of a coordinate are too large for a standard deviation")
	}
	if err != nil {
		return 0, err
	}
	return scaling.Width[0] * math.Pow(float64(len(column)), -1./5), nil
}

// circularMean is the mean direction of values on a circle of that length.
func circularMean(column []float64, period float64) float64 {
	var sines, cosines float64
	for _, x := range column {
		sin, cos := math.Sincos(x / period * (2 * math.Pi))
		sines, cosines = sines+sin, cosines+cos
	}
	return math.Atan2(sines, cosines) / (2 * math.Pi) * period
}

// draw draws as many points as there are rows, under the metric of the field.
func (d *drawing) draw(random *rand.Rand) (*join.Points, error) {
	rows := d.field.Rows()
	data := make([]float64, len(d.values))
	for i := range data {
		k := i % d.dim
		x := d.values[random.IntN(rows)*d.dim+k] + float64(d.width[k]*random.NormFloat64())
		data[i] = wrap(min(max(x, -math.MaxFloat64), math.MaxFloat64), d.period(k))
	}
	var err error
	switch d.unit {
	case Degrees:
		data = fromMean(data)
	case Cosine:
		err = join.Directions(data, d.dim) // no row is 0: what varies is smoothed
	}
	if err != nil {
		return nil, err
	}
	pts, err := join.NewPoints(data, d.field.Dim())
	if err != nil {
		return nil, err
	}
	return pts.WithMetric(d.field.Metric())
}

// wrap puts x into the box from 0 to below a length, if that is not 0.
func wrap(x, length float64) float64 {
	if length == 0 {
		return x
	}
	x -= float64(length * math.Floor(x/length))
	if x >= length || x < 0 { // rounded so
		return 0
	}
	return x
}
