package main

import (
	"fmt"
	"slices"
	"strings"

	"rtcluster/bench/internal/measure"
)

// target is what counts of a set must take at most, end to end, in milliseconds, and
// what is wished.
type target struct{ Floor, Goal, Further float64 }

// targetOf returns what is asked of a set, by its name.
func targetOf(name string) (target, bool) {
	t, ok := map[string]target{
		"S1": {100, 66, 40},
		"S2": {30, 18, 0},
		"S3": {90, 65, 0},
		"S4": {45, 29, 18},
		"F1": {1000, 750, 0},
		"F2": {600, 440, 0},
		"F3": {5000, 3800, 2000},
	}[name]
	return t, ok
}

// What else is asked, in times of the counts, end to end.
const (
	dbscanMost = 2.0
	wideMost   = 1.3
)

// What an H200 gives, as measured on one: bytes a second over the link from the host and
// to it, operations a second of its tensor cores in a plain fp16 product with nothing but
// a sign test behind it, and pairs a second for which other units can read the signs.
const (
	linkRate     = 55.3e9
	matrixRate   = 650e12
	epilogueRate = 3.3e12 // 176 instructions for 1024 pairs, 60 % of the issue slots of 528 schedulers at 1.79 GHz
	leafPairs    = 64 * 64
)

// What the engine's counters and stages are called that limits need.
const (
	leavesCount  = "pairs of leaves"
	columnsCount = "columns"
	doubtCount   = "pairs in doubt"
	refineStage  = "refine"
)

// limit is a time, in seconds, that something takes at the least.
type limit struct {
	Name    string
	Seconds float64
}

// limits returns what binds counts of a set, the longest first: the copy of float32
// numbers to the card and of counts back, the products, and what follows them. The last
// two overlap. They are empty if the engine told too little.
func (s *set) limits() []limit {
	m := s.done(countsWork)
	if m == nil {
		return nil
	}
	list := []limit{{"host copies", (4*float64(s.Rows)*float64(s.Dim) + 4*float64(s.Rows)) / linkRate}}
	if pairs := leafPairs * float64(m.Counts[leavesCount]); pairs > 0 {
		list = append(list, limit{"epilogue", pairs / epilogueRate})
		if columns := float64(m.Counts[columnsCount]); columns > 0 {
			list = append(list, limit{"matrix rate", 2 * columns * pairs / matrixRate})
		}
	}
	slices.SortFunc(list, func(a, b limit) int { return -int(1e9 * (a.Seconds - b.Seconds)) })
	return list
}

// stages returns the stages of a work, the longest first, in milliseconds.
func (m *timed) stages() string {
	names := make([]string, 0, len(m.Stages))
	for name := range m.Stages {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if m.Stages[a] != m.Stages[b] {
			return -int(1e9 * (m.Stages[a] - m.Stages[b]))
		}
		return strings.Compare(a, b)
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %s", name, milliseconds(m.Stages[name]))
		if n := m.Rounds[name]; n > 1 {
			names[i] += fmt.Sprintf(" (%d)", n)
		}
	}
	return strings.Join(names, ", ")
}

// limitRow returns the cells that say what binds counts of a set, and how far it is.
func (s *set) limitRow() string {
	m := s.done(countsWork)
	if m == nil {
		return ""
	}
	list := s.limits()
	of := map[string]string{"host copies": "–", "epilogue": "–", "matrix rate": "–"}
	for _, l := range list {
		of[l.Name] = milliseconds(l.Seconds)
	}
	pairs, refine := leafPairs*float64(m.Counts[leavesCount]), m.Stages[refineStage]
	share, rate, doubt := "–", "–", "–"
	if pairs > 0 {
		share = fmt.Sprintf("%.2f %%", 100*pairs/(float64(s.Rows)*float64(s.Rows)/2))
	}
	if n, ok := m.Counts[doubtCount]; ok {
		doubt = fmt.Sprintf("%.2f %%", 100*float64(n)/(float64(m.Total-int64(s.Rows))/2))
	}
	if refine > 0 {
		rate = fmt.Sprintf("%.2f", pairs/refine/1e12)
	}
	binds := list[0]
	return fmt.Sprintf("| %s | %s | %d | %s | %s | %s | %s | %s | %s | %s, %.1f × |", s.Name, share, m.Counts[columnsCount], rate, doubt,
		of["host copies"], of["matrix rate"], of["epilogue"], milliseconds(refine), binds.Name, measure.Median(m.endToEnd())/binds.Seconds)
}
