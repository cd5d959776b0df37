package main

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"rtcluster/io/table"
)

const (
	plotWidth  = 16 * vg.Centimeter
	plotHeight = 11 * vg.Centimeter
	plotDPI    = 200
	// plotPoints is how many points of a curve are drawn at most: more than a
	// printer resolves.
	plotPoints = 2000
)

// plotFormat is the format that the name of a plot asks for.
func plotFormat(path string) (string, error) {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".svg", ".png":
		return ext[1:], nil
	}
	return "", fmt.Errorf("--plot %q: end its name in .svg or .png, which says what to draw", path)
}

// draw writes a plot of the curve, with a line for each eps, to a file.
func (a *epsAccount) draw(path string) error {
	format, err := plotFormat(path)
	if err != nil {
		return err
	}
	p := plot.New()
	p.Title.Text = a.plotTitle()
	p.X.Label.Text = "rows by k-distance"
	p.Y.Label.Text = fmt.Sprintf("distance to the %s nearest other row%s", ordinal(a.K), a.inUnit())
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, a.plotTop()
	p.X.Tick.Marker = stepTicks{step: 0.1, label: func(at int) string { return percent(float64(at) / 10) }}
	p.Y.Tick.Marker = distanceTicks(p.Y.Max)
	p.Add(plotter.NewGrid())
	p.Legend.Top, p.Legend.Left = true, true
	if a.curve != nil {
		if err := a.addCurve(p); err != nil {
			return fmt.Errorf("plot: %w", err)
		}
	}
	var content bytes.Buffer
	if _, err := canvas(p, format).WriteTo(&content); err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	if err := table.ReplaceFile(path, content.Bytes()); err != nil {
		return fmt.Errorf("the plot is not written: %w", err)
	}
	return nil
}

func (a *epsAccount) plotTitle() string {
	if a.curve == nil {
		return "no rows"
	}
	return fmt.Sprintf("k-distances of %s, k = %d", a.rowsText, a.K)
}

// addCurve adds the curve and the suggestions.
func (a *epsAccount) addCurve(p *plot.Plot) error {
	curve, err := plotter.NewLine(a.points(p.Y.Max))
	if err != nil {
		return err
	}
	curve.Width = vg.Points(1.5)
	p.Add(curve)
	for i, s := range a.Suggestions {
		if s.Eps == nil || *s.Eps > p.Y.Max {
			continue
		}
		line, err := plotter.NewLine(plotter.XYs{{X: 0, Y: *s.Eps}, {X: 1, Y: *s.Eps}})
		if err != nil {
			return err
		}
		line.Color, line.Dashes = plotutil.Color(i), plotutil.Dashes(i+1)
		p.Add(line)
		p.Legend.Add(fmt.Sprintf("%s: eps %.6g%s", s.rule(), *s.Eps, strings.TrimSuffix(s.EpsUnit, cosineUnit)), line)
	}
	return nil
}

// plotTop is where the axis of distances ends: a little above the suggestions and
// all but the farthest hundredth of the rows, which would flatten the rest.
func (a *epsAccount) plotTop() float64 {
	top := 0.
	if a.curve != nil {
		if n := a.curve.Finite(); n > 0 {
			top = min(a.curve.Distances[n-1], 2*a.curve.At(0.99))
		}
	}
	for _, s := range a.Suggestions {
		if s.Eps != nil {
			top = max(top, *s.Eps)
		}
	}
	if top *= 1.05; top > 0 && !math.IsInf(top, 1) {
		return top
	}
	return 1
}

// points are those of the curve up to top.
func (a *epsAccount) points(top float64) plotter.XYs {
	n := len(a.curve.Distances)
	step := max(1, float64(n)/plotPoints)
	points := plotter.XYs{{X: 0, Y: min(a.curve.Distances[0], top)}}
	for at := 0.; int(at) < n; at += step {
		i := int(at)
		if a.curve.Distances[i] > top {
			break
		}
		points = append(points, plotter.XY{X: float64(i+1) / float64(n), Y: a.curve.Distances[i]})
	}
	if last := a.curve.Distances[n-1]; last <= top {
		points = append(points, plotter.XY{X: 1, Y: last})
	}
	return points
}

// canvas draws a plot.
func canvas(p *plot.Plot, format string) io.WriterTo {
	if format == "svg" {
		c := vgsvg.New(plotWidth, plotHeight)
		p.Draw(draw.New(c))
		return c
	}
	c := vgimg.NewWith(vgimg.UseWH(plotWidth, plotHeight), vgimg.UseDPI(plotDPI), vgimg.UseBackgroundColor(color.White))
	p.Draw(draw.New(c))
	return vgimg.PngCanvas{Canvas: c}
}

// stepTicks are ticks from 0 on, every second one with a label.
type stepTicks struct {
	step  float64
	label func(at int) string // of tick number at
}

// Ticks implements [plot.Ticker].
func (t stepTicks) Ticks(_, most float64) []plot.Tick {
	var ticks []plot.Tick
	for at := 0; float64(at)*t.step <= most*(1+1e-9); at++ {
		tick := plot.Tick{Value: float64(at) * t.step}
		if at%2 == 0 {
			tick.Label = t.label(at)
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// distanceTicks are 5 to 14 ticks at multiples of a power of ten, of half of one or
// of a fifth.
func distanceTicks(top float64) stepTicks {
	step := math.Pow(10, math.Floor(math.Log10(top/5)))
	for _, factor := range []float64{5, 2} {
		if step*factor <= top/5 {
			step *= factor
			break
		}
	}
	return stepTicks{step: step, label: func(at int) string { return fmt.Sprintf("%.6g", float64(at)*step) }}
}
