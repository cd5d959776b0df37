package chart

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// What tests see of the inside.

// Points are those of the curve up to top.
func (k *Curve) Points(top float64) plotter.XYs { return k.points(top) }

// Top is where the axis of distances ends.
func (k *Curve) Top() float64 { return k.top() }

// Arc is the smallest arc of right ascension with all rows.
func (e *Extent) Arc() (middle, length float64) { return e.arc() }

// Azimuthal is the projection of a part of the sky around a latitude.
func Azimuthal(lat float64) interface {
	Project(lon, lat float64) (x, y float64)
	Invert(x, y float64) (lon, lat float64)
} {
	return newAzimuthal(lat)
}

// Padded are the ends of an axis.
func (r *Range) Padded() (least, most float64) { return r.padded() }

// EvenTicks, LogTicks and WholeTicks are the labels of ticks.
func EvenTicks(least, most float64) []string { return labels(evenTicks{}.Ticks(least, most)) }

func LogTicks(least, most float64) []string { return labels(logTicks{}.Ticks(least, most)) }

func WholeTicks(least, most float64) []string { return labels(wholeTicks{}.Ticks(least, most)) }

// Bins are the counts of a histogram and the edges of its bins.
func (h *Histogram) Bins() (edges []float64, below, flagged []int64) {
	for i := range len(h.below) + 1 {
		edges = append(edges, h.edge(i))
	}
	return edges, h.below, h.flagged
}

// CurvePoints is how many points of a curve are drawn at most.
const CurvePoints = curvePoints

func labels(ticks []plot.Tick) []string {
	var texts []string
	for _, t := range ticks {
		if t.Label != "" {
			texts = append(texts, t.Label)
		}
	}
	return texts
}
