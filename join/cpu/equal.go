package cpu

import (
	"math/bits"
	"slices"

	"rtcluster/join"
)

// This file saves work where many rows are equal. Nodes of equal rows are points:
// what holds of one row holds of all, since the predicate sees coordinates only
// (and no difference between 0 and −0, whose differences from others are the
// same). As targets, they need one comparison a query row; as queries, leaves of
// equal rows need one row, and none if the leaf before has the same.

// isPoint reports whether all rows of node v are equal.
func (t *tree) isPoint(v int) bool {
	low, high := halves(t.box(v))
	return slices.Equal(low, high)
}

// isHeavy reports whether a third of the leaves or more hold equal rows. Then it
// costs less to ask for each leaf alone, which most of those need not, than to look
// at each pair of leaves once.
func (t *tree) isHeavy() bool { return 3*int(t.points.Load()) >= t.leaves }

// inside returns those of some lanes of the queries that node v is within the limit
// of, when enter is told that it is.
func (w *walker) inside(v int, lanes uint32) uint32 {
	if !w.point {
		return lanes
	}
	row := w.t.pts.Row(int(w.t.lowest[v]))
	w.effort.Rechecked += int64(bits.OnesCount32(lanes))
	for rest := lanes; rest != 0; rest &= rest - 1 {
		lane := bits.TrailingZeros32(rest)
		if !join.Within(w.q.row(w.q.first(w.a)+lane), row, w.limit) {
			lanes &^= 1 << lane
		}
	}
	return lanes
}

// settle notes that the pairs of the leaf of queries with so many leaves needed no search
// below their node: all were within, or each query row decided about rows that are equal.
func (w *walker) settle(leaves int) {
	if w.point {
		w.effort.Method.Mixed += int64(leaves)
	} else {
		w.effort.Method.Within += int64(leaves)
	}
}

// decided is what the exact predicate said of a row of leaf a at x and of some lanes
// of leaf b: of an equal row it would say the same.
type decided struct {
	a, b int
	open uint32 // the lanes
	x    []float64
	near uint32
}

func (d *decided) is(a, b int, open uint32, x []float64) bool {
	return d.open == open && d.a == a && d.b == b && slices.Equal(d.x, x)
}

// repeats reports whether a leaf of equal rows has those of the leaf before, for
// which it was asked last.
func (w *walker) repeats(leaf int) bool {
	before := w.lastPoint
	w.lastPoint = leaf
	if before < 0 || before != leaf-1 {
		return false
	}
	mine, others := w.q.box(int(w.q.nodes[leaf])), w.q.box(int(w.q.nodes[before]))
	return slices.Equal(mine[:w.q.dim], others[:w.q.dim])
}

// keepPoint ends the list at work: that of leaf a, complete for all of its equal
// rows or, if full is false, for none.
func (h *toucher) keepPoint(a int, full bool) {
	var lanes uint32
	if full {
		lanes = ^uint32(0)
	}
	h.keep(a, lanes)
}

// repeat keeps the list of the leaf before for leaf a.
func (h *toucher) repeat(a int) {
	if h != nil {
		h.m.lists[a], h.m.full[a] = h.m.lists[a-1], h.m.full[a-1]
	}
}
