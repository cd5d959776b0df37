package cpu

import (
	"math"
	"math/bits"
)

// pointNearest finds the neighbours of leaves of equal rows: once for all of a leaf,
// and for the leaves after it that go on with the same row.
//
// Let L be the first k + 1 rows of all by (d2, row), as seen from there. In a
// self-join a row's neighbours are those of L but for itself: if the row is not in
// L, L has k + 1 others before it.
type pointNearest struct {
	one *nearest // for one row, the row itself not left out
	k   int
}

func newPointNearest(q, t *tree, k int) *pointNearest {
	more := k
	if q == t {
		more++
	}
	p := &pointNearest{one: newNearest(q, t, more), k: k}
	p.one.group, p.one.withSelf = 1, true
	return p
}

// run sets found, some of whose lists are for the given rows of a leaf of equal rows,
// to their neighbours.
func (p *pointNearest) run(leaf int, rows []int32, found *candidates) {
	if !p.one.repeats(leaf) {
		p.one.run(leaf, 0)
	}
	all := p.one.found.nearest(0)
	for i, row := range rows {
		near, n := found.near[i*p.k:(i+1)*p.k], 0
		for _, next := range all {
			if n < p.k && (next.Row != row || p.one.q != p.one.t) {
				near[n] = next
				n++
			}
		}
		found.counts[i] = int32(n)
	}
}

// mayGain leaves out those of some lanes of the queries that have k exact neighbours
// before all rows of leaf b, as among many equal rows they soon have.
func (s *nearest) mayGain(b int, lanes uint32) uint32 {
	v := int(s.t.nodes[b])
	for rest := lanes; rest != 0; rest &= rest - 1 {
		lane := bits.TrailingZeros32(rest)
		worst := s.found.worst[lane-s.lane]
		if math.IsInf(worst.D2, 1) || s.t.lowest[v] <= worst.Row {
			continue
		}
		// d2 is no less than that of the row and the box (bounds.go).
		if rowDistance2(s.q.row(s.q.first(s.a)+lane), s.t.box(v)) >= worst.D2 {
			lanes &^= 1 << lane
		}
	}
	return lanes
}

// rowDistance2 returns boxDistance2 of a box of one row.
func rowDistance2(x, box []float64) float64 {
	low, high := halves(box)
	var sum float64
	for k, at := range x {
		if gap := max(low[k]-at, at-high[k]); gap > 0 {
			sum += float64(gap * gap)
		}
	}
	return sum
}
