package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// This file draws the grid of degrees.

// lineSteps is by how many lines a line of the grid is drawn.
const lineSteps = 90

// wholeStep is the step of the grid of a whole sky, in degrees.
const wholeStep = 30

// drawWhole draws the limb of a whole sky and its grid, over noise and below clusters. The
// names of declinations are outside of the limb, those of right ascensions along the equator.
func (v *skyView) drawWhole(p *Picture, c draw.Canvas) {
	grid := skyLine()
	edge := 180 - 1e-9 // the sky is cut there
	for dec := -90. + wholeStep; dec < 90; dec += wholeStep {
		v.line(c, grid, func(t float64) (ra, d float64) { return v.center + edge*(2*t-1), dec })
	}
	for ra := -180. + wholeStep; ra < 180; ra += wholeStep {
		v.line(c, grid, func(t float64) (r, dec float64) { return v.center + ra, 180*t - 90 })
	}
	limb := draw.LineStyle{Color: frameColor(), Width: vg.Points(0.7)}
	for _, side := range []float64{-edge, edge} {
		v.line(c, limb, func(t float64) (ra, dec float64) { return v.center + side, 180*t - 90 })
	}
	style := p.smallText()
	for dec := -90. + wholeStep; dec < 90; dec += wholeStep {
		for _, side := range []float64{-edge, edge} {
			at := v.point(c, v.center+side, dec)
			style.XAlign = draw.XRight
			out := vg.Length(-4)
			if side < 0 { // to the right, since right ascension grows to the left
				style.XAlign, out = draw.XLeft, 4
			}
			lift := vg.Length(6 * math.Sin(dec*math.Pi/180)) // away from the limb, which leans
			c.FillText(style, vg.Point{X: at.X + out, Y: at.Y + lift}, decText(dec, 0))
		}
	}
	v.nameMeridians(p, c, true)
}

// nameMeridians writes the names of right ascensions along the equator: on a ground below
// clusters, which it would hide, and once more over those that lie there.
func (v *skyView) nameMeridians(p *Picture, c draw.Canvas, ground bool) {
	for ra := -180. + wholeStep; ra < 180; ra += 2 * wholeStep {
		at, text := v.point(c, v.center+ra, 0), degreesText(turned(v.center+ra), 0)
		if ground {
			v.ground(c, p, at, text)
		} else {
			c.FillText(p.smallText(), at, text)
		}
	}
}

// ground draws a light ground for small text, so that it can be read among noise.
func (v *skyView) ground(c draw.Canvas, p *Picture, at vg.Point, text string) {
	style := p.smallText()
	size := style.Rectangle(text).Size()
	ground := vg.Rectangle{
		Min: vg.Point{X: at.X - size.X/2 - 1.5, Y: at.Y - size.Y/2},
		Max: vg.Point{X: at.X + size.X/2 + 1.5, Y: at.Y + size.Y/2},
	}
	c.SetColor(color.NRGBA{0xff, 0xff, 0xff, 0xb0})
	c.Fill(ground.Path())
}

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

// drawPart draws the frame and the grid of a part of the sky, with the names where lines
// leave it: declinations to the left, right ascensions below.
func (v *skyView) drawPart(p *Picture, c draw.Canvas) {
	grid := skyLine()
	style := p.smallText()
	raLines, decLines, raDigits, decDigits := v.partGrid()
	for _, dec := range decLines {
		v.line(c, grid, func(t float64) (ra, d float64) { return v.center + 2*wholeFrom*(t-0.5), dec })
		if y, ok := v.crossing(func(t float64) [2]float64 { return v.project(v.center+wholeFrom*t, dec) }, 0, v.xMin); ok {
			style.XAlign, style.YAlign = draw.XRight, draw.YCenter
			_, u := v.unit([2]float64{0, y})
			c.FillText(style, vg.Point{X: c.Min.X - 4, Y: c.Y(u)}, decText(dec, decDigits))
		}
	}
	for _, ra := range raLines {
		v.line(c, grid, func(t float64) (r, dec float64) { return ra, 180*t - 90 })
		if x, ok := v.crossing(func(t float64) [2]float64 { return v.project(ra, 180*t-90) }, 1, v.yMin); ok {
			style.XAlign, style.YAlign = draw.XCenter, draw.YTop
			u, _ := v.unit([2]float64{x, 0})
			c.FillText(style, vg.Point{X: c.X(u), Y: c.Min.Y - 4}, degreesText(turned(ra), raDigits))
		}
	}
	frame := c.Path()
	c.SetLineStyle(draw.LineStyle{Color: frameColor(), Width: vg.Points(0.7)})
	c.Stroke(frame)
}

// crossing is where a line meets an edge of the frame, at which its coordinate axis is
// at: the other coordinate, if it is in the frame.
func (v *skyView) crossing(line func(t float64) [2]float64, axis int, at float64) (other float64, ok bool) {
	low, high := 0., 1.
	below := line(low)[axis] < at
	if below == (line(high)[axis] < at) {
		return 0, false
	}
	for range 60 {
		if middle := (low + high) / 2; (line(middle)[axis] < at) == below {
			low = middle
		} else {
			high = middle
		}
	}
	other = line(low)[1-axis]
	if axis == 0 {
		return other, v.yMin <= other && other <= v.yMax
	}
	return other, v.xMin <= other && other <= v.xMax
}

// partGrid are the lines of the grid of a part of the sky, and how many digits tell
// them apart.
func (v *skyView) partGrid() (ra, dec []float64, raDigits, decDigits int) {
	height := (v.yMax - v.yMin) * 180 / math.Pi
	if v.projection == Mollweide {
		height *= math.Pi / 2 / math.Sqrt2
	}
	middle := (v.decMin + v.decMax) / 2
	step := degreeStep(height / 4)
	for i := math.Ceil(max(-90, middle-height) / step); i*step <= min(90, middle+height); i++ {
		dec = append(dec, i*step)
	}
	width := height * partRatio / max(0.1, math.Cos(middle*math.Pi/180))
	raStep := degreeStep(width / 5)
	for i := math.Ceil((v.center - width) / raStep); i*raStep <= v.center+width; i++ {
		ra = append(ra, i*raStep)
	}
	return ra, dec, digitsOf(raStep), digitsOf(step)
}

// degreeStep is the step of a grid, of at least so many degrees.
func degreeStep(least float64) float64 {
	if least > 1 {
		steps := []float64{2, 5, 10, 15, 30}
		at, _ := slices.BinarySearch(steps, least)
		return steps[min(at, len(steps)-1)]
	}
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, factor := range []float64{1, 2, 5} {
		if power*factor >= least {
			return power * factor
		}
	}
	return power * 10
}

func digitsOf(step float64) int { return int(max(0, -math.Floor(math.Log10(step)+1e-9))) }

func degreesText(angle float64, digits int) string {
	return strconv.FormatFloat(angle, 'f', digits, 64) + "°"
}

func decText(dec float64, digits int) string {
	if math.Abs(dec) < math.Pow(10, -float64(digits))/2 {
		return degreesText(0, digits)
	}
	sign := "+"
	if dec < 0 {
		sign = "−"
	}
	return fmt.Sprintf("%s%s", sign, degreesText(math.Abs(dec), digits))
}
