package main

import (
	"cmp"
	"fmt"
	"maps"
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
// to it, operations a second of its tensor cores in fp16 products of 144 columns, and pairs
// a second in such products of 32 columns, which reading their signs binds, where hardly
// any pair is near.
const (
	linkRate     = 55.3e9
	matrixRate   = 645e12
	epilogueRate = 6.14e12
	leafPairs    = 64 * 64
)

// What the engine's counters and stages are called that limits need.
const (
	leavesCount  = "pairs of leaves"
	columnsCount = "columns"
	doubtCount   = "pairs in doubt"
	refineStage  = "refine"
	copyStage    = "copy in"
)

// The names of limits.
const (
	copyLimit     = "host copies"
	matrixLimit   = "matrix rate"
	epilogueLimit = "epilogue"
)

// limits are the times, in seconds, that the parts of counts take at the least: the copy
// of float32 numbers to the card and of counts back, the products of all pairs that
// pruning leaves, and reading their signs. The last two overlap.
type limits struct{ Copies, Matrix, Epilogue float64 }

func (s *set) limits(m *timed) limits {
	pairs := leafPairs * float64(m.Counts[leavesCount])
	return limits{
		Copies:   (4*float64(s.Rows)*float64(s.Dim) + 4*float64(s.Rows)) / linkRate,
		Matrix:   2 * float64(m.Counts[columnsCount]) * pairs / matrixRate,
		Epilogue: pairs / epilogueRate,
	}
}

// refine is the longer of what overlaps, and its name.
func (l limits) refine() (seconds float64, name string) {
	if l.Matrix > l.Epilogue {
		return l.Matrix, matrixLimit
	}
	return l.Epilogue, epilogueLimit
}

// binds says which stage takes longest, its share, and how far it is from its limit.
func (m *timed) binds(l limits) string {
	longest, sum := "", 0.0
	for _, name := range m.stageNames() {
		if longest == "" {
			longest = name
		}
		sum += m.Stages[name]
	}
	if longest == "" {
		return "–"
	}
	text := fmt.Sprintf("%s %.0f %%", longest, 100*m.Stages[longest]/sum)
	switch least, name := l.refine(); {
	case longest == refineStage && least > 0:
		text += fmt.Sprintf(", %.1f × %s", m.Stages[longest]/least, name)
	case longest == copyStage:
		text += fmt.Sprintf(", %.1f × %s", m.Stages[longest]/l.Copies, copyLimit)
	}
	return text
}

// stageNames returns the stages of a work, the longest first.
func (m *timed) stageNames() []string {
	return slices.SortedFunc(maps.Keys(m.Stages), func(a, b string) int {
		return cmp.Or(cmp.Compare(m.Stages[b], m.Stages[a]), cmp.Compare(a, b))
	})
}

// stages returns the stages of a work and their milliseconds.
func (m *timed) stages() string {
	names := m.stageNames()
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
	pairs, refine, doubt := leafPairs*float64(m.Counts[leavesCount]), m.Stages[refineStage], "–"
	if n, ok := m.Counts[doubtCount]; ok {
		doubt = fmt.Sprintf("%.2f %%", 100*float64(n)/(float64(m.Total-int64(s.Rows))/2))
	}
	l := s.limits(m)
	longer, _ := l.refine()
	least := l.Copies + longer
	return fmt.Sprintf("| %s | %.2f %% | %s | %d | %.2f | %s | %s | %s | %s | %.1f | %s |", s.Name,
		100*pairs/(float64(s.Rows)*float64(s.Rows)/2), doubt, m.Counts[columnsCount], pairs/max(refine, 1e-9)/1e12,
		milliseconds(l.Copies), milliseconds(l.Matrix), milliseconds(l.Epilogue), milliseconds(refine),
		measure.Median(m.endToEnd())/least, m.binds(l))
}
