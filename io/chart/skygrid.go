package chart

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// This file draws what the grids of degrees have in common, and that of the whole sky.

// skyGrid are lines of equal right ascension and declination, which lie below clusters, and
// their names, which lie above.
type skyGrid interface {
	room() room // that the names take around the map
	lines(c draw.Canvas)
	names(c draw.Canvas)
}

// grid is the one for a view.
func (v *skyView) grid(p *Picture) skyGrid {
	style := p.smallText()
	switch {
	case v.whole:
		return &wholeGrid{v, style}
	case v.polar:
		return newPolarGrid(v, style)
	default:
		return newPartGrid(v, style)
	}
}

// lineSteps is by how many lines a line of the grid is drawn.
const lineSteps = 90

// line draws a line of the sphere, t being 0 to 1 along it.
func (v *skyView) line(c draw.Canvas, style draw.LineStyle, at func(t float64) (ra, dec float64)) {
	points := make([]vg.Point, lineSteps+1)
	for i := range points {
		ra, dec := at(float64(i) / lineSteps)
		points[i] = v.point(c, ra, dec)
	}
	c.StrokeLines(style, c.ClipLinesXY(points)...)
}

// point is where a position is on the canvas.
func (v *skyView) point(c draw.Canvas, ra, dec float64) vg.Point {
	x, y := v.unit(v.project(ra, dec))
	return vg.Point{X: c.X(x), Y: c.Y(y)}
}

// skyLine is a line of the grid, which is seen on paper and among rows.
func skyLine() draw.LineStyle {
	return draw.LineStyle{Color: color.NRGBA{0x70, 0x70, 0x70, 0x60}, Width: vg.Points(0.5)}
}

// frameLine is the edge of a map.
func frameLine() draw.LineStyle { return draw.LineStyle{Color: frameColor(), Width: vg.Points(0.7)} }

// onGround writes small text on a light ground, so that it can be read among rows.
func onGround(c draw.Canvas, style text.Style, at vg.Point, name string) {
	size := style.Rectangle(name).Size()
	ground := vg.Rectangle{
		Min: vg.Point{X: at.X - size.X/2 - 1.5, Y: at.Y - size.Y/2},
		Max: vg.Point{X: at.X + size.X/2 + 1.5, Y: at.Y + size.Y/2},
	}
	c.SetColor(color.NRGBA{0xff, 0xff, 0xff, 0xc8})
	c.Fill(ground.Path())
	c.FillText(style, at, name)
}

// degreesText writes an angle.
func degreesText(angle float64, digits int) string {
	return strconv.FormatFloat(angle, 'f', digits, 64) + "°"
}

// decText writes a declination, with its sign.
func decText(dec float64, digits int) string {
	if math.Abs(dec) < math.Pow(10, -float64(digits))/2 {
		return degreesText(0, digits)
	}
	sign := "+"
	if dec < 0 {
		sign = "−"
	}
	return sign + degreesText(math.Abs(dec), digits)
}

// wholeGrid is the grid of the whole sky.
type wholeGrid struct {
	*skyView
	style text.Style
}

const (
	// wholeStep is the step of the grid of a whole sky, in degrees.
	wholeStep = 30
	// limbAt is where the sky is cut, in degrees from its middle.
	limbAt = 180 - 1e-9
)

func (g *wholeGrid) room() room { return room{left: 28, bottom: 4, right: 28} }

// lines draws the limb and the grid.
func (g *wholeGrid) lines(c draw.Canvas) {
	for dec := -90. + wholeStep; dec < 90; dec += wholeStep {
		g.line(c, skyLine(), func(t float64) (ra, d float64) { return g.center + limbAt*(2*t-1), dec })
	}
	for ra := 0.; ra < 360; ra += wholeStep {
		g.line(c, skyLine(), func(t float64) (r, dec float64) { return ra, 180*t - 90 })
	}
	for _, side := range []float64{-limbAt, limbAt} {
		g.line(c, frameLine(), func(t float64) (ra, dec float64) { return g.center + side, 180*t - 90 })
	}
}

// names writes declinations outside of the limb, and right ascensions along the equator, which
// has no name of its own: it would stand among theirs.
func (g *wholeGrid) names(c draw.Canvas) {
	style := g.style
	for dec := -90. + wholeStep; dec < 90; dec += wholeStep {
		if dec == 0 {
			continue
		}
		for _, side := range []float64{-limbAt, limbAt} {
			at := g.point(c, g.center+side, dec)
			style.XAlign = draw.XRight
			out := vg.Length(-4)
			if side < 0 { // to the right, since right ascension grows to the left
				style.XAlign, out = draw.XLeft, 4
			}
			lift := vg.Length(6 * math.Sin(dec*degree)) // away from the limb, which leans
			c.FillText(style, vg.Point{X: at.X + out, Y: at.Y + lift}, decText(dec, 0))
		}
	}
	for ra := 0.; ra < 360; ra += 2 * wholeStep {
		if off := math.Abs(math.Remainder(ra-g.center, 360)); off < 180-wholeStep/2 { // not over the limb
			onGround(c, g.style, g.point(c, ra, 0), degreesText(ra, 0))
		}
	}
}
