package main

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// This file warns of coordinates that were hardly meant, by what their values
// are: one column that alone decides who is near, times among them.

var timeName = regexp.MustCompile(`(?i)^((obs|start|end|mid|event)_?)?(time(_?stamp)?|date(_?time)?|epoch|[mbh]?jd)(_.*)?$|_(time(_?stamp)?|date|epoch|m?jd)$`)

const (
	dominance     = 1000 // times the spread of every other column: that column alone decides
	timeDominance = 100  // the same of a column that is a time by its name
	sampledRows   = 4096
)

// sampled returns, before coordinates are changed, the values of each column in
// rows spread evenly over those used.
func (s *source) sampled() [][]float64 {
	dim := len(s.columns)
	rows := len(s.data) / dim
	step := max(1, (rows+sampledRows-1)/sampledRows)
	columns := make([][]float64, dim)
	for i := 0; i < rows; i += step {
		for k := range columns {
			columns[k] = append(columns[k], s.data[i*dim+k])
		}
	}
	return columns
}

// warnValues looks at the values of columns that are taken as they are; suspects
// are those that names gave away already.
func (j *job) warnValues(s *source, in *inputOptions, metric *metricOptions, suspects []string) {
	if _, plain := metric.norm(); len(s.data) == 0 || len(s.columns) < 2 || !plain {
		return
	}
	spreads := make([]float64, len(s.columns)) // 0 for columns that are warned of otherwise
	for k, values := range s.sample {
		if !slices.Contains(suspects, s.columns[k]) {
			spreads[k] = spread(values)
		}
	}
	if in.Scale == "none" && metric.Weights == nil && metric.Box == nil {
		j.warnDominant(s.columns, spreads)
	}
}

// warnDominant warns of columns whose values spread so far that the others do not
// count: times, one or several, beside what is none, or one column beside all others.
func (j *job) warnDominant(columns []string, spreads []float64) {
	var times []string
	var timeSpread, otherSpread float64
	for k, name := range columns {
		if isTime(name) && spreads[k] > 0 {
			times, timeSpread = append(times, name), max(timeSpread, spreads[k])
		} else {
			otherSpread = max(otherSpread, spreads[k])
		}
	}
	const remedy = "--scale standard evens the columns out, --column-weights sets what each counts"
	if otherSpread > 0 && timeSpread/otherSpread >= timeDominance {
		j.warn("%s: a time among the coordinates, which spreads %s times as far as any other: rows are near only if their times are; %s",
			strings.Join(times, ", "), rounded(timeSpread/otherSpread), remedy)
		return
	}
	most := slices.Index(spreads, slices.Max(spreads))
	others := slices.Max(slices.Concat(spreads[:most], spreads[most+1:]))
	if others > 0 && spreads[most]/others >= dominance {
		j.warn("%s: spreads %s times as far as any other coordinate, so that it alone decides which rows are near; %s",
			columns[most], rounded(spreads[most]/others), remedy)
	}
}

// isTime reports whether a column holds times, by its name or by what it is cast to.
func isTime(name string) bool {
	return timeName.MatchString(name) || strings.HasSuffix(name, ":epoch")
}

// spread returns half of how far the middle half of values goes, or all of them where
// the middle half is one number: the whole of it may be more than a number can be.
func spread(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	last := len(sorted) - 1
	if middle := sorted[last-last/4]/2 - sorted[last/4]/2; middle > 0 {
		return middle
	}
	return sorted[last]/2 - sorted[0]/2
}

// rounded is a factor of a hundred or more for people, with its first two digits.
func rounded(factor float64) string {
	factor = min(factor, math.MaxFloat64)
	if factor >= math.MaxInt32 {
		return exact(math.Pow10(int(math.Log10(factor))))
	}
	unit := math.Pow10(int(math.Log10(factor)) - 1)
	return grouped(int(math.Floor(factor/unit) * unit))
}
