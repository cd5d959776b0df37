package main

import (
	"math"
	"slices"

	"rtcluster/io/table"
	"rtcluster/join"
)

// This file warns of an eps that is too large or too small for the rows: one that
// spans them all, and one that numbers of their size are too coarse for.

// warnEps looks at an eps, given or found, for the join of the sources, whose
// points are ready.
func (j *job) warnEps(eps radius, in *inputOptions, metric *metricOptions, sources ...*source) {
	rows, sets := 0, make([]*join.Points, len(sources))
	for i, s := range sources {
		sets[i] = s.points
		rows += s.points.Rows()
	}
	if rows < 2 {
		return
	}
	for _, s := range sources {
		j.warnCoarse(s, eps, in, metric)
	}
	measure := join.DiameterBound(sets...)
	if metric.sky() || metric.Metric == metricCosine {
		measure = min(measure, join.Squared(2)) // chords of the unit sphere
	}
	switch {
	case measure == 0:
		j.allNear = true
		j.warn("all rows have the same coordinates, so every row is a neighbour of every other")
	case measure <= sources[0].points.Metric().Bound(eps.join()):
		j.allNear = true
		j.warn("eps %s spans all rows, which are at most %s apart%s, so every row is a neighbour of every other: try a smaller --eps",
			eps, metric.apart(measure), scaledText(in.Scale))
	}
}

// scaledText says that distances are not in the unit of the columns, if they are not.
func scaledText(scale string) string {
	if scale == "none" {
		return ""
	}
	return " (after --scale " + scale + ")"
}

// coarseness is how many steps between numbers of a column eps is to have at least.
const coarseness = 4

// warnCoarse warns of columns whose numbers are so large that the steps between
// them, as they are stored, are about as large as eps.
func (j *job) warnCoarse(s *source, eps radius, in *inputOptions, metric *metricOptions) {
	reach := eps.Value
	_, plain := metric.norm()
	switch {
	case metric.sky():
		reach = eps.degrees()
	case !plain || in.Scale != "none" || metric.Weights != nil:
		return // what the columns were is not what eps is compared with
	}
	if reach == 0 {
		return // equal rows are wanted
	}
	for k, values := range s.sample {
		size := usualSize(values)
		if size == 0 {
			continue
		}
		digits, as := 52, ""
		if s.narrow(k) {
			digits, as = 23, " in 32 bits"
		}
		_, exponent := math.Frexp(size)
		if step := math.Ldexp(1, exponent-1-digits); reach < coarseness*step {
			j.warn("eps %s is too small for column %s: numbers such as its %.6g are %.2g apart%s, so that hardly any but equal ones are within eps; "+
				"try a larger --eps, or make the column less an offset", eps, s.columns[k], size, step, as)
		}
	}
}

// narrow reports whether a coordinate is stored as float32.
func (s *source) narrow(k int) bool {
	return slices.ContainsFunc(s.table.Columns(), func(c table.Column) bool { return c.Name == s.columns[k] && c.Type == "float" })
}

// usualSize returns the absolute value that three quarters of the values have at
// least, and 0 where all are one number.
func usualSize(values []float64) float64 {
	if len(values) == 0 || slices.Min(values) == slices.Max(values) {
		return 0
	}
	sizes := make([]float64, len(values))
	for i, x := range values {
		sizes[i] = math.Abs(x)
	}
	slices.Sort(sizes)
	return sizes[len(sizes)/4]
}
