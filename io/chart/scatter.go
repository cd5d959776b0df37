package chart

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Scatter is a picture of clusters over two coordinates.
type Scatter struct {
	tally                  *Tally
	field                  *field
	xMin, xMax, yMin, yMax float64
}

// NewScatter returns a picture of rows with these ranges and clusters.
func NewScatter(x, y Range, t *Tally) *Scatter {
	s := &Scatter{tally: t, field: newField(t.Rows(), fieldWidth, fieldHeight)}
	s.xMin, s.xMax = x.padded()
	s.yMin, s.yMax = y.padded()
	return s
}

// Add draws a row. One without a label or a coordinate is left out.
func (s *Scatter) Add(x, y, label float64) {
	if math.IsNaN(label) || math.IsNaN(x-x) || math.IsNaN(y-y) { // its cluster may have no rank
		return
	}
	s.field.add((x-s.xMin)/(s.xMax-s.xMin), (y-s.yMin)/(s.yMax-s.yMin), s.tally.Rank(label))
}

// Picture returns the drawing, with names for the axes.
func (s *Scatter) Picture(title, x, y string) *Picture {
	p := newPicture(title)
	p.label(x, y)
	p.plot.X.Min, p.plot.X.Max, p.plot.Y.Min, p.plot.Y.Max = s.xMin, s.xMax, s.yMin, s.yMax
	p.grid()
	p.plot.Add(drawing(func(c draw.Canvas, _ *plot.Plot) {
		s.field.drawNoise(c, c.Rectangle)
		s.field.drawClusters(c, c.Rectangle)
	}))
	p.listClusters(s.tally)
	return p
}

// drawing is a function that draws into the rectangle of the data.
type drawing func(c draw.Canvas, p *plot.Plot)

// Plot implements [plot.Plotter].
func (d drawing) Plot(c draw.Canvas, p *plot.Plot) { d(c, p) }

// grid sets even ticks, and lines at them.
func (p *Picture) grid() {
	p.plot.X.Tick.Marker, p.plot.Y.Tick.Marker = evenTicks{}, evenTicks{}
	p.gridLines()
}

func (p *Picture) gridLines() { p.crossLines(true) }

// crossLines draws lines at the ticks, also upright ones if asked to.
func (p *Picture) crossLines(upright bool) {
	g := plotter.NewGrid()
	for _, style := range []*draw.LineStyle{&g.Horizontal, &g.Vertical} {
		style.Color, style.Width, style.Dashes = gridColor(), vg.Points(0.5), nil
	}
	if !upright {
		g.Vertical.Color = nil
	}
	p.plot.Add(g)
}
