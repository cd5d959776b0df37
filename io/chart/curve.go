package chart

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// curvePoints is how many points of a curve are drawn at most: more than a printer
// resolves.
const curvePoints = 2000

// Curve is a picture of sorted distances, such as those to the k-th nearest row.
type Curve struct {
	Distances []float64 // ascending; infinite ones last, which are not drawn
	Lines     []Line
}

// Line is a value to be marked by a line across the picture, such as an ε or a limit.
type Line struct {
	Name string
	At   float64
}

// Picture returns the drawing, with names for the axes. A distance of NaN is an
// error.
func (k *Curve) Picture(title, x, y string) (*Picture, error) {
	p := newPicture(title)
	p.label(x, y)
	p.plot.X.Min, p.plot.X.Max, p.plot.Y.Min, p.plot.Y.Max = 0, 1, 0, k.top()
	if len(k.Distances) > 0 && k.Distances[0] == 0 {
		p.plot.Y.Min = -0.04 * p.plot.Y.Max // the axis would hide the curve
	}
	p.grid()
	p.plot.X.Tick.Marker = percentTicks{}
	if points := k.points(p.plot.Y.Max); len(points) > 1 {
		curve, err := plotter.NewLine(points)
		if err != nil {
			return nil, fmt.Errorf("chart: the curve: %w", err)
		}
		curve.Width, curve.Color = vg.Points(1.5), frameColor()
		p.plot.Add(curve)
	}
	for i, l := range k.Lines {
		if !(l.At <= p.plot.Y.Max) {
			continue
		}
		line, err := plotter.NewLine(plotter.XYs{{X: 0, Y: l.At}, {X: 1, Y: l.At}})
		if err != nil {
			return nil, fmt.Errorf("chart: line %s: %w", l.Name, err)
		}
		line.LineStyle = lineStyle(i)
		p.plot.Add(line)
		p.note(l.Name, line)
	}
	return p, nil
}

// lineStyle tells lines apart, also by their dashes.
func lineStyle(i int) draw.LineStyle {
	style := draw.LineStyle{Color: clusterColor(i), Width: vg.Points(1.2)}
	style.Dashes = [][]vg.Length{nil, {5, 2}, {2, 2}, {7, 2, 2, 2}}[i%4]
	return style
}

// top is where the axis of distances ends: a little above the lines and all but the
// farthest hundredth of the rows, which would flatten the rest.
func (k *Curve) top() float64 {
	n := len(k.Distances)
	for n > 0 && math.IsInf(k.Distances[n-1], 1) {
		n--
	}
	top := 0.
	if n > 0 {
		nearly := k.Distances[max(0, int(math.Ceil(0.99*float64(len(k.Distances))))-1)]
		top = min(k.Distances[n-1], 2*nearly)
	}
	for _, l := range k.Lines {
		top = max(top, l.At)
	}
	if top *= 1.05; top > 0 && top < largest {
		return top
	}
	return 1
}

// points are those of the curve up to top.
func (k *Curve) points(top float64) plotter.XYs {
	n := len(k.Distances)
	if n == 0 {
		return nil
	}
	step := max(1, float64(n)/curvePoints)
	points := plotter.XYs{{X: 0, Y: min(k.Distances[0], top)}}
	for at := 0.; int(at) < n; at += step {
		i := int(at)
		if k.Distances[i] > top {
			break
		}
		points = append(points, plotter.XY{X: float64(i+1) / float64(n), Y: k.Distances[i]})
	}
	if last := k.Distances[n-1]; last <= top {
		points = append(points, plotter.XY{X: 1, Y: last})
	}
	return points
}
