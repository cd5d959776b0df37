package cpu

import (
	"math"
	"slices"

	"rtcluster/join"
)

// metricNearest finds the k nearest of one row after the other.
type metricNearest struct {
	w    *metricWalker
	k    int
	near []join.Neighbor // in order

	row  []float64
	self int // position to leave out, −1 for none
}

func (s *metricNearest) run() {
	s.near = s.near[:0]
	s.w.low, s.w.high, s.w.bound = s.row, s.row, math.Inf(1)
	s.w.run()
}

// pass passes over nodes that are as far as the last neighbour and whose rows
// come after it: among many equal rows, those with greater numbers.
func (s *metricNearest) pass(v int, least float64) bool {
	if len(s.near) < s.k {
		return false
	}
	last := s.near[s.k-1]
	return least == last.D2 && s.w.t.lowest[v] > last.Row
}

func (s *metricNearest) meet(b int) {
	from, to := s.w.t.span(b, b+1)
	s.w.candidates += int64(to - from)
	for at := from; at < to; at++ {
		n := join.Neighbor{D2: s.w.metric.Measure(s.row, s.w.t.row(at)), Row: s.w.t.rows[at]}
		if at == s.self || len(s.near) == s.k && !n.Less(s.near[s.k-1]) {
			continue
		}
		place, _ := slices.BinarySearchFunc(s.near, n, func(a, b join.Neighbor) int {
			if a.Less(b) {
				return -1
			}
			return 1
		})
		s.near = slices.Insert(s.near, place, n)
		s.near = s.near[:min(len(s.near), s.k)]
		if len(s.near) == s.k {
			s.w.bound = s.near[s.k-1].D2
		}
	}
}
