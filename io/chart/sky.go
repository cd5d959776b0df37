package chart

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// SkyOptions say how the sky is drawn.
type SkyOptions struct {
	Projection Projection // of the whole sky; default: the first of Projections
	Center     float64    // right ascension in the middle of the whole sky, in degrees
	Whole      bool       // draw all of the sky, also where the rows are in a part of it
}

// Sky is a picture of clusters on the sky, right ascension increasing to the left. Rows
// in a part of it fill the picture, which is a map around their middle, or around a pole.
type Sky struct {
	tally *Tally
	field *field
	view  skyView
}

// skyView is what of the sky is seen: a rectangle of the plane.
type skyView struct {
	whole      bool
	projection Projection // of the whole
	part       azimuthal  // of a part
	polar      bool       // a part around a pole
	center     float64    // right ascension in the middle, in degrees

	xMin, xMax, yMin, yMax float64
}

// NewSky returns a picture of rows with this extent and these clusters.
func NewSky(e *Extent, t *Tally, opt SkyOptions) *Sky {
	s := &Sky{tally: t, view: newView(e, opt)}
	width := s.view.size()
	s.field = newField(t.Rows(), width.X, width.Y)
	return s
}

const (
	// wholeFrom is how many degrees across rows are on the whole sky.
	wholeFrom = 100
	// narrowest and widest are the ratios of width and height that a part of the sky has.
	narrowest, widest = 0.6, 2.4

	degree = math.Pi / 180
)

func newView(e *Extent, opt SkyOptions) skyView {
	middle, length := e.arc()
	low, high := e.dec.Min, e.dec.Max
	if opt.Whole || e.dec.Count == 0 || across(length, low, high) > wholeFrom {
		v := skyView{whole: true, projection: opt.Projection, center: opt.Center}
		if v.projection == "" {
			v.projection = Projections()[0]
		}
		v.xMax, v.yMax = v.projection.Limits()
		v.xMin, v.yMin = -v.xMax, -v.yMax
		return v
	}
	v := skyView{center: middle, part: newAzimuthal((low + high) / 2 * degree)}
	if length > 180 {
		v = skyView{polar: true, part: newAzimuthal(math.Copysign(90, low) * degree)}
	}
	var x, y Range
	const steps = 32
	for i := range steps + 1 {
		for k := range steps + 1 {
			ra := middle + length*(float64(i)/steps-0.5)
			at := v.project(ra, low+(high-low)*float64(k)/steps)
			x.Add(at[0])
			y.Add(at[1])
		}
	}
	if v.polar { // in the middle
		far := max(-x.Min, x.Max, -y.Min, y.Max)
		x, y = Range{Min: -far, Max: far}, Range{Min: -far, Max: far}
	}
	v.frame(x, y)
	return v
}

// across is how many degrees across rows are that fill an arc of right ascension between
// two declinations. More than half of a round is the cap around a pole.
func across(length, low, high float64) float64 {
	near := max(0, low, -high) // the least distance from the equator
	if length > 180 {
		return 2 * (90 - near)
	}
	width := 2 * math.Asin(math.Cos(near*degree)*math.Sin(length/2*degree)) / degree
	return max(width, high-low)
}

// frame takes a rectangle around some ranges, neither too narrow nor too wide.
func (v *skyView) frame(x, y Range) {
	const (
		margin = 1.08
		least  = 1e-6 // radians
	)
	width, height := max(x.Max-x.Min, least)*margin, max(y.Max-y.Min, least)*margin
	width, height = max(width, height*narrowest), max(height, width/widest)
	xMid, yMid := (x.Min+x.Max)/2, (y.Min+y.Max)/2
	v.xMin, v.xMax, v.yMin, v.yMax = xMid-width/2, xMid+width/2, yMid-height/2, yMid+height/2
}

// ratio is that of the width and the height of what is seen.
func (v *skyView) ratio() float64 { return (v.xMax - v.xMin) / (v.yMax - v.yMin) }

// project maps a position in degrees to the plane, right ascension to the left.
func (v *skyView) project(ra, dec float64) [2]float64 {
	lon := turned(ra - v.center)
	if lon > 180 {
		lon -= 360
	}
	project := v.part.Project
	if v.whole {
		project = v.projection.Project
	}
	x, y := project(lon*degree, dec*degree)
	return [2]float64{-x, y}
}

// unit maps the plane to the unit square of what is seen.
func (v *skyView) unit(at [2]float64) (x, y float64) {
	return (at[0] - v.xMin) / (v.xMax - v.xMin), (at[1] - v.yMin) / (v.yMax - v.yMin)
}

// size is about that of the map in a page.
func (v *skyView) size() vg.Point {
	ratio := vg.Length(v.ratio())
	width := min(fieldWidth, fieldHeight*ratio)
	return vg.Point{X: width, Y: width / ratio}
}

// Add draws a row at a position in degrees, which the extent has. One without a label
// or a coordinate is left out.
func (s *Sky) Add(ra, dec, label float64) {
	if math.IsNaN(label) || math.IsNaN(ra) || math.IsNaN(dec) {
		return
	}
	x, y := s.view.unit(s.view.project(ra, dec))
	s.field.add(x, y, s.tally.Rank(label))
}

// Picture returns the drawing.
func (s *Sky) Picture(title string) *Picture {
	p := newPicture(title)
	p.plot.HideAxes()
	p.listClusters(s.tally)
	grid := s.view.grid(p)
	p.ratio, p.room = vg.Length(s.view.ratio()), grid.room()
	p.plot.Add(drawing(func(c draw.Canvas, _ *plot.Plot) {
		c.Rectangle = p.inside(c.Rectangle)
		s.field.drawNoise(c, c.Rectangle)
		grid.lines(c)
		s.field.drawClusters(c, c.Rectangle)
		grid.names(c)
	}))
	return p
}
