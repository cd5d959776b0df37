package chart

import (
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// This file draws the grids of parts of the sky.

// degreeSteps are the steps that a grid can have, in degrees, the largest first.
func degreeSteps() []float64 {
	steps := []float64{90, 60, 45, 30, 20, 15, 10, 5, 2.5, 2, 1}
	for power := -1; power >= -9; power-- {
		for _, factor := range []float64{5, 2.5, 2, 1} {
			steps = append(steps, factor*math.Pow(10, float64(power)))
		}
	}
	return steps
}

// digitsOf is how many digits tell multiples of a step apart.
func digitsOf(step float64) int {
	digits := 0
	for digits < 12 && math.Abs(step-math.Round(step)) > 1e-6 {
		step *= 10
		digits++
	}
	return digits
}

// crossing is where a line of the grid meets an edge of the map.
type crossing struct {
	at    float64 // 0 to 1 along the edge
	value float64 // degrees
}

// sphereAt is the place on the sphere of one in the unit square of what is seen, in degrees,
// right ascension within 180 of the middle.
func (v *skyView) sphereAt(x, y float64) (ra, dec float64) {
	lon, lat := v.part.Invert(-(v.xMin + x*(v.xMax-v.xMin)), v.yMin+y*(v.yMax-v.yMin))
	return v.center + lon/degree, lat / degree
}

// crossings are where multiples of a step are along an edge, by the value there.
func crossings(step float64, value func(at float64) float64) []crossing {
	const parts = 256
	var found []crossing
	before := value(0)
	for i := 1; i <= parts; i++ {
		here := value(float64(i) / parts)
		if math.Abs(here-before) < 180 { // no jump from +180 to -180
			low, high := min(before, here), max(before, here)
			for k := math.Ceil(low / step); k*step < high; k++ {
				share := (k*step - before) / (here - before)
				found = append(found, crossing{(float64(i) - 1 + share) / parts, k * step})
			}
		}
		before = here
	}
	return found
}

// fewest and most are how many names an edge shall have.
const fewest, most = 4, 6

// bestStep is the step whose number of names is best, those without room being none: the
// largest of equals.
func bestStep(names func(step float64) (n int, room bool)) float64 {
	best, least := 0., math.Inf(1)
	for _, step := range degreeSteps() {
		n, room := names(step)
		if !room || n > 2*most {
			break
		}
		worth := 3*max(0, fewest-float64(n)) + max(0, float64(n)-most)
		if worth < least {
			best, least = step, worth
		}
	}
	return best
}

// partGrid is the grid of a part of the sky. Declinations stand to the left, and right ascensions
// below, or above in the far south, where lines part upwards.
type partGrid struct {
	*skyView
	style   text.Style
	decStep float64
	above   bool
}

func newPartGrid(v *skyView, style text.Style) *partGrid {
	g := &partGrid{skyView: v, style: style, above: v.part.lat < -60*degree}
	g.decStep = bestStep(func(step float64) (int, bool) { return len(g.decCrossings(step)), true })
	return g
}

func (g *partGrid) decCrossings(step float64) []crossing {
	return crossings(step, func(at float64) float64 {
		_, dec := g.sphereAt(0, at)
		return dec
	})
}

func (g *partGrid) raCrossings(step float64) []crossing {
	y := 0.
	if g.above {
		y = 1
	}
	return crossings(step, func(at float64) float64 {
		ra, _ := g.sphereAt(at, y)
		return ra
	})
}

// raStep is the step of right ascensions whose names have room along a width.
func (g *partGrid) raStep(width vg.Length) float64 {
	return bestStep(func(step float64) (int, bool) {
		all := g.raCrossings(step)
		each := g.style.Width(raText(all, step)) + 8
		for i := 1; i < len(all); i++ {
			if vg.Length(math.Abs(all[i].at-all[i-1].at))*width < each {
				return len(all), false
			}
		}
		return len(all), true
	})
}

// raText is the name of one of them.
func raText(all []crossing, step float64) string {
	if len(all) == 0 {
		return ""
	}
	return raName(all[0].value, step)
}

// raName writes a multiple of a step of right ascension, which shall not become 360 by rounding.
func raName(ra, step float64) string {
	return degreesText(math.Abs(turned(ra+step*1e-3)-step*1e-3), digitsOf(step))
}

func (g *partGrid) room() room {
	widest := vg.Length(0)
	for _, at := range g.decCrossings(g.decStep) {
		widest = max(widest, g.style.Width(decText(at.value, digitsOf(g.decStep))))
	}
	r := room{left: widest + 8, bottom: 16, right: 12}
	if g.above {
		r.bottom, r.top = 4, 16
	}
	return r
}

// seen are the right ascensions and declinations in the map.
func (g *partGrid) seen() (ra, dec Range) {
	const parts = 64
	for i := range parts + 1 {
		t := float64(i) / parts
		for _, at := range [][2]float64{{t, 0}, {t, 1}, {0, t}, {1, t}} {
			r, d := g.sphereAt(at[0], at[1])
			ra.Add(r)
			dec.Add(d)
		}
	}
	pole := math.Copysign(90, g.part.lat) // the other one is far away
	if x, y := g.unit(g.project(0, pole)); x >= 0 && x <= 1 && y >= 0 && y <= 1 {
		ra.Min, ra.Max = g.center-180, g.center+180
		dec.Add(pole)
	}
	return ra, dec
}

func (g *partGrid) lines(c draw.Canvas) {
	ra, dec := g.seen()
	raStep := g.raStep(c.Size().X)
	for k := math.Ceil(dec.Min / g.decStep); k*g.decStep <= dec.Max; k++ {
		g.line(c, skyLine(), func(t float64) (r, d float64) { return ra.Min + t*(ra.Max-ra.Min), k * g.decStep })
	}
	for k := math.Ceil(ra.Min / raStep); k*raStep <= ra.Max; k++ {
		g.line(c, skyLine(), func(t float64) (r, d float64) { return k * raStep, dec.Min + t*(dec.Max-dec.Min) })
	}
	c.SetLineStyle(frameLine())
	c.Stroke(c.Path())
}

func (g *partGrid) names(c draw.Canvas) {
	style := g.style
	style.XAlign = draw.XRight
	for _, at := range g.decCrossings(g.decStep) {
		c.FillText(style, vg.Point{X: c.Min.X - 4, Y: c.Y(at.at)}, decText(at.value, digitsOf(g.decStep)))
	}
	y := c.Min.Y - 4
	style.XAlign, style.YAlign = draw.XCenter, draw.YTop
	if g.above {
		y, style.YAlign = c.Max.Y+4, draw.YBottom
	}
	step := g.raStep(c.Size().X)
	for _, at := range g.raCrossings(step) {
		c.FillText(style, vg.Point{X: c.X(at.at), Y: y}, raName(at.value, step))
	}
}

// polarGrid is the grid around a pole, which is in the middle of a square.
type polarGrid struct {
	*skyView
	style text.Style
	step  float64 // of declination
	sign  float64 // of the pole's declination
}

func newPolarGrid(v *skyView, style text.Style) *polarGrid {
	g := &polarGrid{skyView: v, style: style, sign: math.Copysign(1, v.part.lat)}
	g.step = bestStep(func(step float64) (int, bool) { return len(g.circles(step, 1)), true })
	return g
}

// circles are the declinations of circles around the pole, up to so much of the way to the edge.
func (g *polarGrid) circles(step, share float64) []float64 {
	var all []float64
	reach := 2 * math.Asin(min(1, share*g.yMax/2)) / degree
	for k := 1.; k*step < reach; k++ {
		all = append(all, g.sign*(90-k*step))
	}
	return all
}

func (g *polarGrid) room() room { return room{left: 30, bottom: 16, right: 30, top: 16} }

func (g *polarGrid) lines(c draw.Canvas) {
	for _, dec := range g.circles(g.step, math.Sqrt2) {
		g.line(c, skyLine(), func(t float64) (r, d float64) { return 360 * t, dec })
	}
	edge := g.sign * (90 - 2*math.Asin(min(1, g.yMax*math.Sqrt2/2))/degree)
	for ra := 0.; ra < 360; ra += wholeStep {
		g.line(c, skyLine(), func(t float64) (r, d float64) { return ra, g.sign*90 + t*(edge-g.sign*90) })
	}
	c.SetLineStyle(frameLine())
	c.Stroke(c.Path())
}

// names writes right ascensions where their lines leave the map, and declinations along one of
// them.
func (g *polarGrid) names(c draw.Canvas) {
	const out = 4
	half := c.Size().X / 2
	for ra := 0.; ra < 360; ra += wholeStep {
		sin, cos := math.Sincos(ra * degree)
		across, up := vg.Length(-sin), vg.Length(-cos*g.sign)
		far := half / max(vg.Length(math.Abs(sin)), vg.Length(math.Abs(cos)))
		at := vg.Point{X: c.Center().X + across*far, Y: c.Center().Y + up*far}
		style := g.style
		switch {
		case math.Abs(sin) > math.Abs(cos) && across < 0:
			style.XAlign, at.X = draw.XRight, at.X-out
		case math.Abs(sin) > math.Abs(cos):
			style.XAlign, at.X = draw.XLeft, at.X+out
		case up < 0:
			style.YAlign, at.Y = draw.YTop, at.Y-out
		default:
			style.YAlign, at.Y = draw.YBottom, at.Y+out
		}
		c.FillText(style, at, degreesText(ra, 0))
	}
	for _, dec := range g.circles(g.step, 0.95) {
		onGround(c, g.style, g.point(c, 0, dec), decText(dec, digitsOf(g.step)))
	}
}
