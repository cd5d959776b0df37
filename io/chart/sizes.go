package chart

import (
	"strconv"

	"github.com/dustin/go-humanize"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	// mostBars is how many clusters have bars of their own, with their numbers below.
	mostBars = 40
	// mostSized is how many have their sizes above.
	mostSized = 16
	// leastBars is for how many there is room at least, so that bars are not too wide.
	leastBars = 8
)

// SizesPicture draws the sizes of clusters, the largest first: as bars, or as a curve
// if there are many.
func SizesPicture(title string, t *Tally) *Picture {
	p := newPicture(title)
	n := t.Clusters()
	p.label("cluster", "rows")
	if n > mostBars {
		p.label("place by size", "rows")
	}
	most, least := int64(0), int64(0)
	if n > 0 {
		_, most = t.ranked(0)
		_, least = t.ranked(n - 1)
	}
	room := max(0, float64(leastBars-n)/2) // on either side
	p.plot.X.Min, p.plot.X.Max = -room, float64(n)+room
	p.countAxis(least, most)
	if n > mostBars {
		p.plot.X.Min, p.plot.X.Max = 1, float64(n)
		p.plot.X.Tick.Marker = logTicks{}
		p.plot.X.Scale = plot.LogScale{}
		p.gridLines()
		p.plot.Add(drawing(func(c draw.Canvas, plt *plot.Plot) { drawRanks(c, plt, t) }))
	} else {
		p.rankBars(t)
	}
	p.note(clustersText(n))
	if t.noise > 0 {
		p.note("noise (" + humanize.Comma(t.noise) + ")")
	}
	return p
}

func clustersText(n int) string {
	if n == 1 {
		return "1 cluster"
	}
	return humanize.Comma(int64(n)) + " clusters"
}

// rankBars draws a bar for each cluster, in its colour.
func (p *Picture) rankBars(t *Tally) {
	all := bars{}
	var ticks plot.ConstantTicks
	for rank := range t.Clusters() {
		number, rows := t.ranked(rank)
		all = append(all, bar{float64(rank) + 0.12, float64(rank) + 0.88, 0, float64(rows), clusterColor(rank)})
		ticks = append(ticks, plot.Tick{Value: float64(rank) + 0.5, Label: strconv.Itoa(number)})
	}
	p.plot.X.Tick.Marker = ticks
	p.plot.X.Tick.Length = 0
	p.crossLines(false)
	p.plot.Add(all)
	if t.Clusters() <= mostSized {
		p.plot.Add(drawing(func(c draw.Canvas, plt *plot.Plot) { p.writeSizes(c, plt, t) }))
	}
}

// writeSizes writes the number of rows above each bar.
func (p *Picture) writeSizes(c draw.Canvas, plt *plot.Plot, t *Tally) {
	x, y := plt.Transforms(&c)
	style := p.smallText()
	style.YAlign = draw.YBottom
	for rank := range t.Clusters() {
		_, rows := t.ranked(rank)
		c.FillText(style, vg.Point{X: x(float64(rank) + 0.5), Y: y(float64(rows)) + 2}, humanize.Comma(rows))
	}
}

// drawRanks draws sizes over places, of many clusters some.
func drawRanks(c draw.Canvas, p *plot.Plot, t *Tally) {
	x, y := p.Transforms(&c)
	style := draw.LineStyle{Color: clusterColor(0), Width: vg.Points(1.5)}
	var line []vg.Point
	for rank := 0; rank < t.Clusters(); {
		_, rows := t.ranked(rank)
		line = append(line, vg.Point{X: x(float64(rank + 1)), Y: y(float64(rows))})
		if next := rank + 1 + rank/200; next >= t.Clusters() && rank < t.Clusters()-1 {
			rank = t.Clusters() - 1
		} else {
			rank = next
		}
	}
	c.StrokeLines(style, line)
}
