package cpu

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"rtcluster/join"
)

// Attach takes each leaf with query rows that are no members through the tree,
// past nodes that have no member or no smaller label than all of its rows have
// found.
func (x *index) Attach(ctx context.Context, q *join.Points, eps float64, member []bool, label, dst []int32) error {
	t := x.tree
	if err := x.checkMembers(eps, member, label); err != nil {
		return err
	}
	queries, err := x.queries(ctx, q, eps)
	if err != nil {
		return err
	}
	if len(dst) != len(queries.rows) {
		return fmt.Errorf("cpu: room for %d labels, there are %d query rows", len(dst), len(queries.rows))
	}
	m := newMeter(ctx, join.StageAttach, len(queries.rows))
	at := make([]int32, len(t.rows))
	if err := t.gatherLabels(ctx, x.threads, at, member, label); err != nil {
		return err
	}
	a := attaching{x: x, eps2: join.Squared(eps), m: m}
	if err := a.attach(ctx, queries, at, dst); err != nil {
		return err
	}
	m.end()
	return nil
}

// attaching is one call of attach.
type attaching struct {
	x      *index
	labels *nodeLabels
	eps2   float64
	m      *meter
	mark   bool // write −2 less the label of a member
	again  bool // for rows that were counted as done
}

// attach sets dst, by row, to the smallest label near each query row. Labels are by
// position, noLabel for rows that are no members.
func (a *attaching) attach(ctx context.Context, queries *tree, labels, dst []int32) (err error) {
	if a.labels, err = newNodeLabels(ctx, a.x.tree, a.x.threads, labels); err != nil {
		return err
	}
	if queries == a.x.tree && a.x.tree.halves != nil {
		return a.inTwo(ctx, dst)
	}
	return a.all(ctx, queries, dst, nil)
}

// all attaches all rows of a tree, but for those that leaves give up, if left is not
// nil: their positions are added to it.
func (a *attaching) all(ctx context.Context, queries *tree, dst []int32, left *leftRows) error {
	return forEach(ctx, a.x.threads, queries.leaves, func(int) func(leaf int) error {
		w := newAttacher(queries, a.labels, a.eps2, a.x.touching.Load())
		w.left, w.mark = left, a.mark
		done := a.m.hand(&w.effort)
		return func(leaf int) error {
			w.run(leaf, dst)
			if !a.again {
				done.add(queries.size(leaf))
			}
			return nil
		}
	})
}

// leftBytes bounds the coordinates of rows that are put together at a time.
const leftBytes = 8 << 20

// inTwo attaches where boxes tell little. What has no member near it has to be held
// against all leaves, and so is what few rows of a leaf have in common with many
// others: such rows are left, and put together in leaves of their own.
func (a *attaching) inTwo(ctx context.Context, dst []int32) error {
	t, left := a.x.tree, &leftRows{}
	if err := a.all(ctx, t, dst, left); err != nil {
		return err
	}
	a.again = true
	slices.Sort(left.at) // near rows are near each other
	for chunk := range slices.Chunk(left.at, max(leafRows, leftBytes/(8*t.dim))) {
		for i, p := range chunk {
			chunk[i] = t.rows[p]
		}
		queries, err := newTree(ctx, t.pts.Subset(chunk), t.basis, a.x.threads)
		if err != nil {
			return err
		}
		found := make([]int32, len(chunk))
		if err := a.all(ctx, queries, found, nil); err != nil {
			return err
		}
		for i, row := range chunk {
			dst[row] = found[i]
		}
	}
	return nil
}

// leftRows gathers positions of rows.
type leftRows struct {
	lock sync.Mutex
	at   []int32
}

func (l *leftRows) add(from int, lanes uint32) {
	l.lock.Lock()
	defer l.lock.Unlock()
	for ; lanes != 0; lanes &= lanes - 1 {
		l.at = append(l.at, int32(from+bits.TrailingZeros32(lanes)))
	}
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

func newNodeLabels(ctx context.Context, t *tree, threads int, rows []int32) (*nodeLabels, error) {
	l := &nodeLabels{t: t, rows: rows, nodes: make([]int32, max(0, 2*t.leaves-1))}
	err := forEach(ctx, threads, t.leaves, func(int) func(leaf int) error {
		return func(leaf int) error {
			from, to := t.span(leaf, leaf+1)
			l.nodes[t.nodes[leaf]] = slices.Min(rows[from:to])
			return nil
		}
	})
	if err != nil {
		return nil, err
	}
	return l, t.upward(ctx, threads, l.findSmallest)
}

// gatherLabels sets dst to the labels of members by position, and to noLabel for other
// rows.
func (t *tree) gatherLabels(ctx context.Context, threads int, dst []int32, member []bool, label []int32) error {
	return forEach(ctx, threads, t.leaves, func(int) func(leaf int) error {
		return func(leaf int) error {
			from, to := t.span(leaf, leaf+1)
			for i, row := range t.rows[from:to] {
				dst[from+i] = noLabel
				if member[row] {
					dst[from+i] = label[row]
				}
			}
			return nil
		}
	})
}

// findSmallest sets the label of an inner node.
func (l *nodeLabels) findSmallest(n node) {
	left, right := n.children()
	l.nodes[n.v] = min(l.nodes[left.v], l.nodes[right.v])
}

// attacher finds the smallest label near the rows of one leaf after the other.
type attacher struct {
	walker
	l     *nodeLabels
	guard guard
	open  uint32          // the lanes that are no members
	best  [leafRows]int32 // the smallest label found
	worst int32           // the greatest of best over open lanes
	known *touching       // what is near the leaves, or nil

	mark bool      // write −2 less the label of a member
	left *leftRows // not nil: takes the rows of leaves of which few are open
	met  int       // leaves
}

const (
	// fewOpen are so few open lanes that they go on among those of other leaves,
	// when as many leaves were met as firstLeaves.
	fewOpen     = 6
	firstLeaves = 64
)

func newAttacher(q *tree, l *nodeLabels, eps2 float64, m *touching) *attacher {
	w := &attacher{l: l, guard: newGuard(l.t.basis, eps2)}
	w.walker = newWalker(q, l.t)
	if m != nil && m.eps2 == eps2 && q == l.t {
		w.known = m
	}
	w.setLimit(eps2, &w.guard)
	w.accepts, w.enter, w.leaf = l.t.accepts(), w.enterNode, w.meetLeaf
	return w
}

func (w *attacher) run(leaf int, dst []int32) {
	from, to := w.q.span(leaf, leaf+1)
	w.open = 0
	for lane := range to - from {
		w.best[lane] = noLabel
		if w.q == w.t {
			w.best[lane] = w.l.rows[from+lane]
		}
		if w.best[lane] == noLabel {
			w.open |= 1 << lane
		}
	}
	w.worst = noLabel
	w.met = 0
	if w.open != 0 {
		w.find(leaf)
	}
	for lane, row := range w.q.rows[from:to] {
		best := w.best[lane]
		switch {
		case best == noLabel:
			best = -1
		case w.mark && w.open>>lane&1 == 0:
			best = -2 - best
		}
		dst[row] = best
	}
}

// find goes to all that is near a leaf: by what is remembered, if that is
// complete for the open rows, else down the tree.
func (w *attacher) find(leaf int) {
	if w.known == nil || w.open&^w.known.full[leaf] != 0 {
		w.walker.run(leaf)
		return
	}
	w.a, w.stop = leaf, false
	for _, entry := range w.known.lists[leaf] {
		if entry < 0 {
			w.point = w.t.isPoint(int(^entry))
			w.enterNode(int(^entry), 0, 0, true)
		} else if b := int(entry); w.l.nodes[w.t.nodes[b]] < w.worst {
			w.meetLeaf(b)
		}
		if w.stop {
			return
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
	for rest := w.inside(v, w.open); rest != 0; rest &= rest - 1 {
		lane := bits.TrailingZeros32(rest)
		w.best[lane] = min(w.best[lane], w.l.nodes[v])
		w.effort.Accepted++ // the pair with the smallest label
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
	labels := w.l.rows[w.t.first(b):]
	for i, lane := range w.test(b, live, &w.guard) {
		for rest := w.hits[i]; rest != 0; rest &= rest - 1 {
			j := bits.TrailingZeros32(rest)
			if labels[j] >= w.best[lane] {
				continue
			}
			if w.sure[i]>>j&1 != 0 || w.recheck(lane, w.t.first(b)+j, w.limit) {
				w.best[lane] = labels[j]
			}
		}
	}
	w.lowerWorst()
	if w.met++; w.left != nil && !w.stop && w.met >= firstLeaves {
		w.leave()
	}
}

// leave ends the walk if few lanes may still find a lower label, and leaves those
// for later.
func (w *attacher) leave() {
	var open uint32
	for rest := w.open; rest != 0; rest &= rest - 1 {
		if lane := bits.TrailingZeros32(rest); w.best[lane] > w.l.nodes[0] {
			open |= 1 << lane
		}
	}
	if bits.OnesCount32(open) <= fewOpen {
		w.left.add(w.q.first(w.a), open)
		w.stop = true
	}
}

// lowerWorst sets worst, and ends the walk when no node can lower a label.
func (w *attacher) lowerWorst() {
	w.worst = 0
	for rest := w.open; rest != 0; rest &= rest - 1 {
		w.worst = max(w.worst, w.best[bits.TrailingZeros32(rest)])
	}
	w.stop = w.worst <= w.l.nodes[0]
}
