package cpu

import (
	"context"
	"math/bits"

	"rtcluster/join"
)

// Attach takes each leaf with rows that are no members through the tree, past
// nodes that have no member or no smaller label than all of its rows have
// found.
func (x *index) Attach(ctx context.Context, eps float64, member []bool, label, dst []int32) error {
	t := x.tree
	if err := x.checkMembers(eps, member, label, dst); err != nil {
		return err
	}
	m := newMeter(ctx, join.StageAttach, len(t.rows))
	l := newNodeLabels(t, member, label)
	err := forEach(ctx, x.threads, t.leaves, func(int) func(leaf int) error {
		w := newAttacher(l, join.Squared(eps))
		done := m.hand()
		return func(leaf int) error {
			w.run(leaf, dst)
			done.add(t.size(leaf))
			return nil
		}
	})
	if err != nil {
		return err
	}
	m.end()
	return nil
}

// noLabel stands for no member: greater than any label that the contract allows.
const noLabel = join.MaxRows

// nodeLabels holds the labels of members by position, noLabel for other rows,
// and the smallest of each node.
type nodeLabels struct {
	t     *tree
	rows  []int32
	nodes []int32
}

func newNodeLabels(t *tree, member []bool, label []int32) *nodeLabels {
	l := &nodeLabels{t: t, rows: make([]int32, len(t.rows)), nodes: make([]int32, max(0, 2*t.leaves-1))}
	for p, row := range t.rows {
		l.rows[p] = noLabel
		if member[row] {
			l.rows[p] = label[row]
		}
	}
	if t.leaves > 0 {
		l.findSmallest(0, 0, t.leaves)
	}
	return l
}

func (l *nodeLabels) findSmallest(v, a, b int) int32 {
	if b-a == 1 {
		from, to := l.t.span(a, b)
		l.nodes[v] = noLabel
		for _, label := range l.rows[from:to] {
			l.nodes[v] = min(l.nodes[v], label)
		}
		return l.nodes[v]
	}
	m := middle(a, b)
	l.nodes[v] = min(l.findSmallest(v+1, a, m), l.findSmallest(v+2*(m-a), m, b))
	return l.nodes[v]
}

// attacher finds the smallest label near the rows of one leaf after the other.
type attacher struct {
	walker
	l     *nodeLabels
	guard guard
	open  uint32          // the lanes that are no members
	best  [leafRows]int32 // the smallest label found
	worst int32           // the greatest of best over open lanes
}

func newAttacher(l *nodeLabels, eps2 float64) *attacher {
	w := &attacher{l: l, guard: newGuard(l.t.basis, eps2)}
	w.walker = newWalker(l.t, l.t)
	w.setLimit(eps2, &w.guard)
	w.accepts, w.enter, w.leaf = true, w.enterNode, w.meetLeaf
	return w
}

func (w *attacher) run(leaf int, dst []int32) {
	from, to := w.t.span(leaf, leaf+1)
	w.open = 0
	for lane, label := range w.l.rows[from:to] {
		w.best[lane] = label
		if label == noLabel {
			w.open |= 1 << lane
		}
	}
	w.worst = noLabel
	if w.open != 0 {
		w.walker.run(leaf)
	}
	for lane, row := range w.t.rows[from:to] {
		dst[row] = w.best[lane]
		if w.best[lane] == noLabel {
			dst[row] = -1
		}
	}
}

func (w *attacher) enterNode(v, _, _ int, within bool) bool {
	if w.l.nodes[v] >= w.worst {
		return false
	}
	if !within {
		return true
	}
	for rest := w.open; rest != 0; rest &= rest - 1 {
		lane := bits.TrailingZeros32(rest)
		w.best[lane] = min(w.best[lane], w.l.nodes[v])
	}
	w.lowerWorst()
	return false
}

func (w *attacher) meetLeaf(b int) {
	smallest := w.l.nodes[w.t.nodes[b]]
	live := w.open
	for rest := live; rest != 0; rest &= rest - 1 {
		if lane := bits.TrailingZeros32(rest); w.best[lane] <= smallest {
			live &^= 1 << lane
		}
	}
	if live == 0 {
		return
	}
	labels := w.l.rows[b*leafRows:]
	for i, lane := range w.test(b, live, &w.guard) {
		for rest := w.hits[i]; rest != 0; rest &= rest - 1 {
			j := bits.TrailingZeros32(rest)
			if labels[j] >= w.best[lane] {
				continue
			}
			if w.sure[i]>>j&1 != 0 || join.Within(w.t.row(w.a*leafRows+int(lane)), w.t.row(b*leafRows+j), w.limit) {
				w.best[lane] = labels[j]
			}
		}
	}
	w.lowerWorst()
}

// lowerWorst sets worst, and ends the walk when no node can lower a label.
func (w *attacher) lowerWorst() {
	w.worst = 0
	for rest := w.open; rest != 0; rest &= rest - 1 {
		w.worst = max(w.worst, w.best[bits.TrailingZeros32(rest)])
	}
	w.stop = w.worst <= w.l.nodes[0]
}
