package chart

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// ScatterOptions say how the axes of a [Scatter] are.
type ScatterOptions struct {
	Equal        bool // a step along one is as long as along the other, where that is no strip
	FlipX, FlipY bool // values grow to the left, or downwards
	LogX, LogY   bool // logarithmic, with rows above 0 alone
}

// Scatter is a picture of clusters over two coordinates.
type Scatter struct {
	tally *Tally
	field *field
	x, y  scatterAxis
	ratio vg.Length // 0: free
}

// scatterAxis is one of two axes.
type scatterAxis struct {
	min, max  float64
	log, flip bool
}

func newScatterAxis(values Range, log, flip bool) scatterAxis {
	a := scatterAxis{log: log, flip: flip}
	if log && values.Count > 0 {
		powers := Range{Min: math.Log10(values.Min), Max: math.Log10(values.Max), Count: values.Count}
		least, most := powers.padded()
		a.min, a.max = math.Pow(10, least), math.Pow(10, most)
		return a
	}
	a.log = false // of no values
	a.min, a.max = values.padded()
	return a
}

// at is where a value is along the axis, 0 to 1; NaN where it has none.
func (a *scatterAxis) at(x float64) float64 {
	share := (x - a.min) / (a.max - a.min)
	if a.log {
		share = math.Log(x/a.min) / math.Log(a.max/a.min)
	}
	if a.flip {
		return 1 - share
	}
	return share
}

// set sets an axis of a plot.
func (a *scatterAxis) set(axis *plot.Axis) {
	axis.Min, axis.Max = a.min, a.max
	axis.Tick.Marker = evenTicks{}
	if a.log {
		axis.Scale, axis.Tick.Marker = plot.LogScale{}, logTicks{}
	}
	if a.flip {
		axis.Scale = plot.InvertedScale{Normalizer: axis.Scale}
	}
}

// NewScatter returns a picture of rows with these ranges and clusters. The range of a
// logarithmic axis is above 0.
func NewScatter(x, y Range, t *Tally, opt ScatterOptions) *Scatter {
	const strip = 4 // ratio from which on equal axes would leave little to be seen
	s := &Scatter{tally: t, x: newScatterAxis(x, opt.LogX, opt.FlipX), y: newScatterAxis(y, opt.LogY, opt.FlipY)}
	width, height := fieldWidth, fieldHeight
	if ratio := (s.x.max - s.x.min) / (s.y.max - s.y.min); opt.Equal && ratio >= 1./strip && ratio <= strip {
		s.ratio = vg.Length(ratio)
		width = min(width, height*s.ratio)
		height = width / s.ratio
	}
	s.field = newField(t.Rows(), width, height)
	return s
}

// Add draws a row. One without a label or a coordinate is left out.
func (s *Scatter) Add(x, y, label float64) {
	across, up := s.x.at(x), s.y.at(y)
	if math.IsNaN(label) || math.IsNaN(across-across) || math.IsNaN(up-up) { // its cluster may have no rank
		return
	}
	s.field.add(across, up, s.tally.Rank(label))
}

// Picture returns the drawing, with names for the axes.
func (s *Scatter) Picture(title, x, y string) *Picture {
	p := newPicture(title)
	p.label(x, y)
	p.ratio = s.ratio
	s.x.set(&p.plot.X)
	s.y.set(&p.plot.Y)
	p.gridLines()
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
