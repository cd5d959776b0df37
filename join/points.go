package join

import (
	"fmt"
	"math"
)

// MaxRows is the largest number of rows in one Points: row numbers and counts
// of neighbours are int32.
const MaxRows = math.MaxInt32

// Points is a set of Rows points with Dim coordinates each, all finite, under a
// [Metric]: Euclidean, unless WithMetric says otherwise. It is read-only and safe for use by several goroutines.
type Points struct {
	data []float64 // row-major, rows × dim
	rows int
	dim  int

	metric Metric
}

// NewPoints wraps data, row-major with dim coordinates a row, without copying
// it; the caller must not change it afterwards. It returns an error if data is
// no whole number of rows, if there are more than [MaxRows], or if a value is
// not finite.
func NewPoints(data []float64, dim int) (*Points, error) {
	switch {
	case dim < 1:
		return nil, fmt.Errorf("join: %d coordinates a row, want at least 1", dim)
	case len(data)%dim != 0:
		return nil, fmt.Errorf("join: %d values are no whole number of rows of %d", len(data), dim)
	case len(data)/dim > MaxRows:
		return nil, fmt.Errorf("join: %d rows, at most %d are supported", len(data)/dim, MaxRows)
	}
	for i, x := range data {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("join: row %d, coordinate %d is %v, want a finite number", i/dim, i%dim, x)
		}
	}
	return &Points{data: data, rows: len(data) / dim, dim: dim}, nil
}

// Rows returns the number of points.
func (p *Points) Rows() int { return p.rows }

// Dim returns the number of coordinates of each point.
func (p *Points) Dim() int { return p.dim }

// Row returns the coordinates of row i, a view that must not be changed.
func (p *Points) Row(i int) []float64 {
	return p.data[i*p.dim : (i+1)*p.dim : (i+1)*p.dim]
}

// Data returns all coordinates, row-major, a view that must not be changed.
func (p *Points) Data() []float64 { return p.data }

// Subset returns the given rows, in that order, as points of their own under the
// same metric.
func (p *Points) Subset(rows []int32) *Points {
	data := make([]float64, 0, len(rows)*p.dim)
	for _, r := range rows {
		data = append(data, p.Row(int(r))...)
	}
	return &Points{data: data, rows: len(rows), dim: p.dim, metric: p.metric}
}
