package chart

import (
	"image/color"
	"math"

	"github.com/dustin/go-humanize"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// bar is a rectangle from low to high over a part of the x axis.
type bar struct {
	left, right float64
	low, high   float64
	color       color.Color
}

// bars draws bars, cut at the bottom of the axis, which may be logarithmic.
type bars []bar

// Plot implements [plot.Plotter].
func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, bar := range b {
		low, high := max(bar.low, p.Y.Min), min(bar.high, p.Y.Max)
		if high <= low {
			continue
		}
		r := vg.Rectangle{Min: vg.Point{X: x(bar.left), Y: y(low)}, Max: vg.Point{X: x(bar.right), Y: y(high)}}
		c.SetColor(bar.color)
		c.Fill(r.Path())
	}
}

// countAxis sets the axis of counts: logarithmic if they differ much, so that one row
// is seen beside thousands.
func (p *Picture) countAxis(least, most int64) {
	const much = 50
	y := &p.plot.Y
	if most > 0 && float64(most)/float64(max(1, least)) >= much {
		y.Min, y.Max = 0.7, math.Pow(float64(most), 1.03)
		y.Scale, y.Tick.Marker = plot.LogScale{}, countTicks{}
		return
	}
	y.Min, y.Max, y.Tick.Marker = 0, 1.05*float64(max(1, most)), wholeTicks{}
}

// wholeTicks are even ticks at whole numbers.
type wholeTicks struct{}

// Ticks implements [plot.Ticker].
func (wholeTicks) Ticks(least, most float64) []plot.Tick {
	step := max(1, evenStep(most-least))
	var ticks []plot.Tick
	for i := math.Ceil(least / step); i*step <= most; i++ {
		ticks = append(ticks, plot.Tick{Value: i * step, Label: humanize.Comma(int64(i * step))})
	}
	return ticks
}

// countTicks are logTicks from 1 on, since there is no part of a row.
type countTicks struct{}

// Ticks implements [plot.Ticker].
func (countTicks) Ticks(_, most float64) []plot.Tick { return logTicks{}.Ticks(1, most) }
