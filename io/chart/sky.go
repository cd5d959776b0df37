package chart

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// SkyOptions say how the sky is drawn.
type SkyOptions struct {
	Projection Projection // default: the first of Projections
	Center     float64    // right ascension in the middle of a whole sky, in degrees
	Whole      bool       // draw all of the sky, also where the rows are in a part of it
}

// Sky is a picture of clusters on the sky, right ascension increasing to the left. Rows
// in a small part of it fill the picture.
type Sky struct {
	tally *Tally
	field *field
	view  skyView
}

// skyView is what of the sky is seen: a rectangle of the plane.
type skyView struct {
	projection Projection
	center     float64 // degrees of right ascension
	whole      bool

	xMin, xMax, yMin, yMax float64

	decMin, decMax float64 // of the rows, for the grid
}

// NewSky returns a picture of rows with this extent and these clusters.
func NewSky(e *Extent, t *Tally, opt SkyOptions) *Sky {
	s := &Sky{tally: t, view: newView(e, opt)}
	width := s.view.size()
	s.field = newField(t.Rows(), width.X, width.Y)
	return s
}

const (
	// wholeFrom is from which arc of right ascension or declination on the whole sky
	// is drawn, in degrees.
	wholeFrom = 100
	// partRatio is the width of a part of the sky over its height.
	partRatio = 1.35
)

func newView(e *Extent, opt SkyOptions) skyView {
	v := skyView{projection: opt.Projection, center: opt.Center}
	if v.projection == "" {
		v.projection = Projections()[0]
	}
	middle, length := e.arc()
	v.decMin, v.decMax = e.dec.Min, e.dec.Max
	v.whole = opt.Whole || e.dec.Count == 0 || length > wholeFrom || v.decMax-v.decMin > wholeFrom
	if v.whole {
		v.xMax, v.yMax = v.projection.Limits()
		v.xMin, v.yMin = -v.xMax, -v.yMax
		return v
	}
	v.center = middle
	var x, y Range
	const steps = 32
	for i := range steps + 1 {
		for k := range steps + 1 {
			ra := middle + length*(float64(i)/steps-0.5)
			at := v.project(ra, v.decMin+(v.decMax-v.decMin)*float64(k)/steps)
			x.Add(at[0])
			y.Add(at[1])
		}
	}
	v.frame(x, y)
	return v
}

// frame takes a rectangle around some ranges, of the ratio partRatio.
func (v *skyView) frame(x, y Range) {
	const (
		margin = 1.08
		least  = 1e-6 // radians
	)
	width, height := max(x.Max-x.Min, least)*margin, max(y.Max-y.Min, least)*margin
	width, height = max(width, height*partRatio), max(height, width/partRatio)
	xMid, yMid := (x.Min+x.Max)/2, (y.Min+y.Max)/2
	v.xMin, v.xMax, v.yMin, v.yMax = xMid-width/2, xMid+width/2, yMid-height/2, yMid+height/2
}

// project maps a position in degrees to the plane, right ascension to the left.
func (v *skyView) project(ra, dec float64) [2]float64 {
	lon := turned(ra - v.center)
	if lon > 180 {
		lon -= 360
	}
	x, y := v.projection.Project(lon*math.Pi/180, dec*math.Pi/180)
	return [2]float64{-x, y}
}

// unit maps the plane to the unit square of what is seen.
func (v *skyView) unit(at [2]float64) (x, y float64) {
	return (at[0] - v.xMin) / (v.xMax - v.xMin), (at[1] - v.yMin) / (v.yMax - v.yMin)
}

// size is about that of the map in a page.
func (v *skyView) size() vg.Point {
	width := fieldWidth
	return vg.Point{X: width, Y: width * vg.Length((v.yMax-v.yMin)/(v.xMax-v.xMin))}
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
	p.plot.Add(drawing(func(c draw.Canvas, _ *plot.Plot) {
		c.Rectangle = s.view.fit(c.Rectangle)
		s.field.drawNoise(c, c.Rectangle)
		if s.view.whole {
			s.view.drawWhole(p, c)
		} else {
			s.view.drawPart(p, c)
		}
		s.field.drawClusters(c, c.Rectangle)
		if s.view.whole {
			s.view.nameMeridians(p, c, false)
		}
	}))
	p.listClusters(s.tally)
	if s.view.whole {
		p.height = 9.2 * vg.Centimeter
	}
	return p
}

// fit is the largest rectangle of the view's ratio within another, less the room
// for the names of the grid around it.
func (v *skyView) fit(r vg.Rectangle) vg.Rectangle {
	const bottom = 16
	left := vg.Length(28)
	if !v.whole {
		_, _, _, digits := v.partGrid()
		left += vg.Length(5 * digits)
	}
	r.Min.X, r.Min.Y, r.Max.X = r.Min.X+left, r.Min.Y+bottom, r.Max.X-4
	if v.whole {
		r.Max.X -= left - 4
	}
	size, ratio := r.Size(), vg.Length((v.xMax-v.xMin)/(v.yMax-v.yMin))
	width, height := min(size.X, size.Y*ratio), min(size.Y, size.X/ratio)
	r.Min.X += (size.X - width) / 2
	r.Max.Y -= (size.Y - height) / 2
	return vg.Rectangle{Min: vg.Point{X: r.Min.X, Y: r.Max.Y - height}, Max: vg.Point{X: r.Min.X + width, Y: r.Max.Y}}
}
