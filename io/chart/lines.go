package chart

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Lines is a picture of measured values: points of several series, those of each joined by
// a line.
type Lines struct {
	Series     []Series
	LogX, LogY bool
	// Names are those of the places 0, 1, 2 along the picture, where X is no number.
	Names []string
}

// Series is points of one kind, in their order. One with a NaN is left out, and ends the
// line.
type Series struct {
	Name   string
	X, Y   []float64
	Marked []int // points in a ring
	Bounds []int // points whose Y is a lower bound: they have an arrow upwards
}

// Picture returns the drawing, with names for the axes. It returns an error for values
// that an axis cannot have, such as 0 on a logarithmic one, and for lists of different
// lengths.
func (l *Lines) Picture(title, x, y string) (*Picture, error) {
	var across, upright Range
	for _, s := range l.Series {
		if len(s.X) != len(s.Y) {
			return nil, fmt.Errorf("chart: series %s has %d places and %d values", s.Name, len(s.X), len(s.Y))
		}
		for i := range s.X {
			if s.has(i) {
				across.Add(s.X[i])
				upright.Add(s.Y[i])
			}
		}
	}
	p := newPicture(title)
	p.label(x, y)
	if err := errors.Join(
		setAxis(&p.plot.X, &across, l.LogX), setAxis(&p.plot.Y, &upright, l.LogY),
	); err != nil {
		return nil, err
	}
	if !l.LogY && upright.Min >= 0 {
		p.plot.Y.Min = 0
	}
	if len(l.Names) > 0 {
		l.namePlaces(p)
	}
	p.gridLines()
	for i, s := range l.Series {
		line := plotter.Line{LineStyle: lineStyle(i)}
		p.plot.Add(drawing(func(c draw.Canvas, plt *plot.Plot) { s.draw(c, plt, i) }))
		p.note(s.Name, &line, mark{clusterColor(i), i})
	}
	return p, nil
}

// setAxis sets the ends and the ticks of an axis.
func setAxis(axis *plot.Axis, values *Range, log bool) error {
	if err := values.Check(); err != nil {
		return fmt.Errorf("chart: %w", err)
	}
	if !log {
		axis.Min, axis.Max = values.padded()
		axis.Tick.Marker = evenTicks{}
		return nil
	}
	if values.Count == 0 {
		values.Add(1)
	}
	if values.Min < 1e-300 {
		return fmt.Errorf("chart: %g is not above 0, as a logarithmic axis wants it", values.Min)
	}
	axis.Min, axis.Max = roundDown(values.Min), -1
	for axis.Max = axis.Min; axis.Max < values.Max || axis.Max == axis.Min; {
		axis.Max = roundUp(axis.Max)
	}
	axis.Scale, axis.Tick.Marker = plot.LogScale{}, logTicks{}
	return nil
}

// roundDown is the greatest of 1, 2 or 5 times a power of ten that is no more than x.
func roundDown(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)+1e-9))
	for _, factor := range []float64{5, 2} {
		if factor*power <= x*(1+1e-9) {
			return factor * power
		}
	}
	return power
}

// roundUp is the next of those after x, which is one.
func roundUp(x float64) float64 {
	if down := roundDown(x); math.Round(x/math.Pow(10, math.Floor(math.Log10(down)+1e-9))) == 2 {
		return 2.5 * down
	}
	return 2 * roundDown(x)
}

// namePlaces sets names below the picture in the place of numbers, turned if they are many.
func (l *Lines) namePlaces(p *Picture) {
	var ticks plot.ConstantTicks
	for i, name := range l.Names {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: clean(name, 24)})
	}
	p.plot.X.Min, p.plot.X.Max = -0.5, float64(len(l.Names))-0.5
	p.plot.X.Tick.Marker = ticks
	if len(l.Names) > 4 {
		p.plot.X.Tick.Label.Rotation = math.Pi / 4
		p.plot.X.Tick.Label.XAlign, p.plot.X.Tick.Label.YAlign = draw.XRight, draw.YTop
	}
}

// has reports whether a point can be drawn.
func (s *Series) has(i int) bool {
	return !math.IsNaN(s.X[i]-s.X[i]) && !math.IsNaN(s.Y[i]-s.Y[i])
}

// draw draws the series of a number.
func (s *Series) draw(c draw.Canvas, p *plot.Plot, number int) {
	x, y := p.Transforms(&c)
	at := func(i int) vg.Point { return vg.Point{X: x(s.X[i]), Y: y(s.Y[i])} }
	style := lineStyle(number)
	var line []vg.Point
	for i := range s.X {
		if s.has(i) {
			line = append(line, at(i))
		}
		if !s.has(i) || i == len(s.X)-1 {
			c.StrokeLines(style, line)
			line = nil
		}
	}
	style.Dashes = nil
	var marks vg.Path
	for i := range s.X {
		if s.has(i) {
			addMark(&marks, number, at(i), 2.4)
		}
	}
	c.SetColor(style.Color)
	c.Fill(marks)
	for _, i := range s.Marked {
		if s.has(i) {
			var ring vg.Path
			addMark(&ring, 0, at(i), 6)
			c.SetLineStyle(style)
			c.Stroke(ring)
		}
	}
	for _, i := range s.Bounds {
		if s.has(i) {
			from := at(i)
			tip := vg.Point{X: from.X, Y: from.Y + 11}
			c.StrokeLines(style, []vg.Point{from, tip}, []vg.Point{{X: tip.X - 3, Y: tip.Y - 4}, tip, {X: tip.X + 3, Y: tip.Y - 4}})
		}
	}
}
