package chart

import (
	"math"

	"github.com/dustin/go-humanize"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// bins is into how many bars a histogram parts the range of the scores, about.
const bins = 80

// Histogram is a picture of how many rows have which score.
type Histogram struct {
	scores    Range
	limit     Line // of the scores that are flagged; at NaN for none
	log       bool
	low, step float64 // of the bins, as logarithms if log

	below, flagged []int64 // rows by bin
	sum            [2]int64
}

// NewHistogram returns a picture of scores of that range, and of those that are flagged
// beyond a limit; one at NaN is none.
func NewHistogram(scores Range, limit Line) *Histogram {
	const wide = 1000 // ratio of the ends, from which on an axis is logarithmic
	h := &Histogram{scores: scores, limit: limit}
	h.log = scores.Count > 0 && scores.Min > 0 && scores.Max/scores.Min >= wide
	least, most := scores.padded()
	if scores.Count > 0 && scores.Max > scores.Min && most-least < 2*(scores.Max-scores.Min) {
		least, most = scores.Min, scores.Max
	}
	h.low, h.step = h.axis(least), (h.axis(most)-h.axis(least))/bins
	if at := h.axis(limit.At); at > h.low && at < h.axis(most) {
		h.low = at - math.Ceil((at-h.low)/h.step)*h.step // an edge of bins at the limit
	}
	h.below, h.flagged = make([]int64, bins+2), make([]int64, bins+2)
	return h
}

// axis is a score as the bins have it.
func (h *Histogram) axis(score float64) float64 {
	if h.log {
		return math.Log10(score)
	}
	return score
}

// edge is where bin i begins.
func (h *Histogram) edge(i int) float64 {
	if at := h.low + float64(i)*h.step; h.log {
		return math.Pow(10, at)
	} else {
		return at
	}
}

// Add takes a row. Scores that are not finite are counted by the range alone.
func (h *Histogram) Add(score float64, flagged bool) {
	if math.IsNaN(score) || math.IsInf(score, 0) {
		return
	}
	i := int((h.axis(score) - h.low) / h.step)
	if math.Abs(score-h.limit.At) == 0 {
		i = int(math.Round((h.axis(score) - h.low) / h.step))
	}
	i = max(0, min(i, len(h.below)-1))
	if flagged {
		h.flagged[i]++
		h.sum[1]++
	} else {
		h.below[i]++
		h.sum[0]++
	}
}

// Picture returns the drawing, with a name for the axis of scores.
func (h *Histogram) Picture(title, x string) *Picture {
	p := newPicture(title)
	p.label(x, "rows")
	all := bars{}
	most, least := int64(0), int64(math.MaxInt64)
	for i := range h.below {
		n := h.below[i] + h.flagged[i]
		if n == 0 {
			continue
		}
		most, least = max(most, n), min(least, n)
		gap := (h.edge(i+1) - h.edge(i)) * 0.04
		all = append(all,
			bar{h.edge(i) + gap, h.edge(i+1) - gap, 0, float64(h.below[i]), clusterColor(0)},
			bar{h.edge(i) + gap, h.edge(i+1) - gap, float64(h.below[i]), float64(n), clusterColor(4)})
	}
	p.scoreAxis(h)
	p.countAxis(least, most)
	p.gridLines()
	p.plot.Add(all)
	if !math.IsNaN(h.limit.At) {
		p.limit(h.limit.At)
		p.note("rows (number)")
		p.note("not flagged ("+humanize.Comma(h.sum[0])+")", mark{clusterColor(0), 1})
		p.note("flagged ("+humanize.Comma(h.sum[1])+")", mark{clusterColor(4), 1})
		p.note(h.limit.Name, limitMark{})
	}
	if n := h.scores.Infinite; n > 0 {
		p.note(humanize.Comma(n) + " infinite, not drawn")
	}
	return p
}

func (p *Picture) scoreAxis(h *Histogram) {
	axis := &p.plot.X
	axis.Min, axis.Max = h.edge(0), h.edge(len(h.below))
	axis.Tick.Marker = evenTicks{}
	if h.log {
		axis.Scale, axis.Tick.Marker = plot.LogScale{}, logTicks{}
	}
	if at := h.limit.At; !math.IsNaN(at) {
		axis.Min, axis.Max = min(axis.Min, at), max(axis.Max, at)
	}
}

// limit draws a line down from the top.
func (p *Picture) limit(at float64) {
	p.plot.Add(drawing(func(c draw.Canvas, p *plot.Plot) {
		x, _ := p.Transforms(&c)
		c.StrokeLine2(limitStyle(), x(at), c.Min.Y, x(at), c.Max.Y)
	}))
}

func limitStyle() draw.LineStyle {
	return draw.LineStyle{Color: darker(clusterColor(4), 0.4), Width: vg.Points(1), Dashes: []vg.Length{4, 2}}
}

// limitMark is the thumbnail of the limit.
type limitMark struct{}

// Thumbnail implements [plot.Thumbnailer].
func (limitMark) Thumbnail(c *draw.Canvas) {
	(&plotter.Line{LineStyle: limitStyle()}).Thumbnail(c)
}
