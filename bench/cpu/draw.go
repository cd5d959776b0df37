package main

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
)

// draw writes a plot of the curves as SVG, with logarithmic axes.
func (all *results) draw(spec plotSpec, path string) error {
	p := plot.New()
	p.Title.Text = spec.Title
	p.X.Label.Text = spec.X
	p.Y.Label.Text = "seconds"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	if spec.Name == epsPlot {
		p.X.Tick.Marker = doublings(0.5, 8)
	}
	p.Legend.Top, p.Legend.Left = true, true
	p.Add(plotter.NewGrid())
	for i, c := range all.plotted(spec.Name) {
		line, dots, err := plotter.NewLinePoints(c.xys())
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		line.Color, dots.Color = plotutil.Color(i), plotutil.Color(i)
		line.Dashes = plotutil.Dashes(i)
		dots.Shape = plotutil.Shape(i)
		p.Add(line, dots)
		p.Legend.Add(c.Name, line, dots)
	}
	return p.Save(16*vg.Centimeter, 11*vg.Centimeter, path)
}

// doublings returns ticks at low and its doubles up to high, where powers of ten
// are too few.
func doublings(low, high float64) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for x := low; x <= high; x *= 2 {
		ticks = append(ticks, plot.Tick{Value: x, Label: fmt.Sprintf("%g", x)})
	}
	return ticks
}

// xys returns the points; a logarithm needs times above 0.
func (c *curve) xys() plotter.XYs {
	xys := make(plotter.XYs, len(c.Points))
	for i, p := range c.Points {
		xys[i].X, xys[i].Y = p.X, max(p.Seconds, 1e-6)
	}
	return xys
}
