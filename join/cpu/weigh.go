package cpu

import (
	"context"
	"fmt"
	"math/bits"

	"rtcluster/join"
)

// Weigh takes each leaf through the tree, as Counts does with a limit, and adds up
// weights where that counts rows. A node that is within counts for the sum of its
// rows. Where no weight is negative, rows that have reached the threshold drop
// out.
func (x *index) Weigh(ctx context.Context, eps float64, w *join.Weights, dst []bool) error {
	if err := checkWeights(x.tree, eps, w, dst); err != nil {
		return err
	}
	m := newMeter(ctx, join.StageCounts, len(x.tree.rows))
	m.groups = pairsOf(x.tree, x.tree, false)
	sums, err := newLeafWeights(ctx, x.tree, x.threads, w)
	if err != nil {
		return err
	}
	touching := newTouching(x.tree, join.Squared(eps))
	err = forEach(ctx, x.threads, x.tree.leaves, func(int) func(leaf int) error {
		g := newWeigher(x.tree, sums, join.Squared(eps), touching)
		done := m.hand(&g.effort)
		return func(leaf int) error {
			g.run(leaf, dst)
			done.add(x.tree.size(leaf))
			return nil
		}
	})
	if err != nil {
		return err
	}
	if touching.enough() {
		x.touching.Store(touching)
	}
	m.end()
	return nil
}

// checkWeights returns an error unless the arguments of Weigh fit the tree.
func checkWeights(t *tree, eps float64, w *join.Weights, dst []bool) error {
	if n := len(t.rows); w.Rows() != n || len(dst) != n {
		return fmt.Errorf("cpu: %d weights and room for %d results, the index has %d rows", w.Rows(), len(dst), n)
	}
	if err := join.CheckEps(eps); err != nil {
		return fmt.Errorf("cpu: %w", err)
	}
	return nil
}

// leafWeights are weights by position, and sums over leaves.
type leafWeights struct {
	*join.Weights
	t     *tree
	words int
	rows  []uint64 // by position
	ahead []uint64 // by leaf: the sum of all rows before it; one more at the end
}

func newLeafWeights(ctx context.Context, t *tree, threads int, w *join.Weights) (*leafWeights, error) {
	l := &leafWeights{Weights: w, t: t, words: w.Words()}
	l.rows, l.ahead = make([]uint64, len(t.rows)*l.words), make([]uint64, (t.leaves+1)*l.words)
	err := forEach(ctx, threads, t.leaves, func(int) func(leaf int) error {
		return func(leaf int) error {
			from, to := t.span(leaf, leaf+1)
			for p := from; p < to; p++ {
				copy(l.at(p), w.Row(int(t.rows[p])))
				join.AddWords(l.before(leaf+1), l.at(p))
			}
			return nil
		}
	})
	for leaf := range t.leaves {
		join.AddWords(l.before(leaf+1), l.before(leaf))
	}
	return l, err
}

// at returns the weight of position p.
func (l *leafWeights) at(p int) []uint64 { return l.rows[p*l.words : (p+1)*l.words] }

// before returns the sum of the weights before a leaf.
func (l *leafWeights) before(leaf int) []uint64 {
	return l.ahead[leaf*l.words : (leaf+1)*l.words]
}

// addLeaves adds the weights of leaves [a, b) to a sum.
func (l *leafWeights) addLeaves(sum []uint64, a, b int) {
	join.AddWords(sum, l.before(b))
	join.SubtractWords(sum, l.before(a))
}

// addLanes adds the weights of some lanes of leaf b to a sum.
func (l *leafWeights) addLanes(sum []uint64, b int, lanes uint32) {
	rows := l.rows[l.t.first(b)*l.words:]
	switch l.words {
	case 1:
		s := sum[0]
		for ; lanes != 0; lanes &= lanes - 1 {
			s += rows[bits.TrailingZeros32(lanes)]
		}
		sum[0] = s
	case 2: // as most weights need that are no whole numbers
		low, high := sum[0], sum[1]
		for ; lanes != 0; lanes &= lanes - 1 {
			at := 2 * bits.TrailingZeros32(lanes)
			var carry uint64
			low, carry = bits.Add64(low, rows[at], 0)
			high, _ = bits.Add64(high, rows[at+1], carry)
		}
		sum[0], sum[1] = low, high
	default:
		for ; lanes != 0; lanes &= lanes - 1 {
			at := l.words * bits.TrailingZeros32(lanes)
			join.AddWords(sum, rows[at:at+l.words])
		}
	}
}

// weigher adds up the weights of the neighbours of one leaf after the other.
type weigher struct {
	walker
	guard  guard
	touch  *toucher
	w      *leafWeights
	sums   []uint64 // by lane
	node   []uint64 // of the node at work
	misses []uint64 // of lanes of a leaf
	live   uint32   // lanes that are still added to
}

func newWeigher(t *tree, w *leafWeights, eps2 float64, m *touching) *weigher {
	g := &weigher{
		guard: newGuard(t.basis, eps2), touch: m.hand(), w: w,
		sums: make([]uint64, leafRows*w.words), node: make([]uint64, w.words), misses: make([]uint64, w.words),
	}
	g.walker = newWalker(t, t)
	g.setLimit(eps2, &g.guard)
	g.accepts, g.enter, g.leaf = t.accepts(), g.enterNode, g.meetLeaf
	return g
}

func (g *weigher) run(leaf int, dst []bool) {
	if g.t.isPoint(int(g.t.nodes[leaf])) {
		g.runPoint(leaf, dst)
		return
	}
	clear(g.sums)
	g.live = g.t.full(leaf)
	if !g.areEnough(leaf) {
		g.walker.run(leaf)
	}
	var open uint32
	from, to := g.t.span(leaf, leaf+1)
	for lane, row := range g.t.rows[from:to] {
		dst[row] = g.w.Reached(g.sum(lane))
		if !dst[row] {
			open |= 1 << lane
		}
	}
	g.touch.keep(leaf, open)
}

// runPoint weighs for a leaf of equal rows: for one of them, if they aren't those of
// the leaf before.
func (g *weigher) runPoint(leaf int, dst []bool) {
	repeated := g.repeats(leaf)
	if !repeated {
		clear(g.sum(0))
		g.live = 1
		g.walker.run(leaf)
	}
	reached := g.w.Reached(g.sum(0))
	if repeated {
		g.touch.repeat(leaf)
	} else {
		g.touch.keepPoint(leaf, !reached)
	}
	from, to := g.t.span(leaf, leaf+1)
	for _, row := range g.t.rows[from:to] {
		dst[row] = reached
	}
}

func (g *weigher) sum(lane int) []uint64 { return g.sums[lane*g.w.words : (lane+1)*g.w.words] }

// areEnough reports whether a leaf's rows reach the threshold by themselves, and
// sets their sums to what they weigh together.
func (g *weigher) areEnough(leaf int) bool {
	if g.w.Signed() {
		return false
	}
	clear(g.node)
	g.w.addLeaves(g.node, leaf, leaf+1)
	v := int(g.t.nodes[leaf])
	if !g.w.Reached(g.node) || !nodesWithin(g.t, v, g.t, v, g.limit) {
		return false
	}
	size := g.t.size(leaf)
	g.effort.Accepted += int64(size) * int64(size)
	for lane := range size {
		copy(g.sum(lane), g.node)
	}
	return true
}

func (g *weigher) enterNode(v, a, b int, within bool) bool {
	if !within {
		return true
	}
	lanes := g.inside(v, g.live)
	g.settle(b - a)
	if lanes == 0 {
		return false
	}
	g.touch.note(^int32(v))
	from, to := g.t.span(a, b)
	g.effort.Accepted += int64(bits.OnesCount32(lanes)) * int64(to-from)
	clear(g.node)
	g.w.addLeaves(g.node, a, b)
	for rest := lanes; rest != 0; rest &= rest - 1 {
		join.AddWords(g.sum(bits.TrailingZeros32(rest)), g.node)
	}
	g.drop(lanes)
	return false
}

func (g *weigher) meetLeaf(b int) {
	var any, changed uint32
	clear(g.node)
	g.w.addLeaves(g.node, b, b+1)
	full := g.t.full(b)
	for i, lane := range g.test(b, g.live, &g.guard) {
		hits := g.decide(b, lane, g.hits[i], g.sure[i], g.limit)
		any |= hits
		switch {
		case hits == 0:
			continue
		case bits.OnesCount32(hits) <= leafRows/2:
			g.w.addLanes(g.sum(int(lane)), b, hits)
		default: // all but the others
			clear(g.misses)
			g.w.addLanes(g.misses, b, full&^hits)
			join.AddWords(g.sum(int(lane)), g.node)
			join.SubtractWords(g.sum(int(lane)), g.misses)
		}
		changed |= 1 << lane
	}
	if any != 0 {
		g.touch.note(int32(b))
	}
	g.drop(changed)
}

// drop takes out those of some lanes that have reached the threshold, if they
// can't fall below it again.
func (g *weigher) drop(lanes uint32) {
	if g.w.Signed() {
		return
	}
	for ; lanes != 0; lanes &= lanes - 1 {
		if lane := bits.TrailingZeros32(lanes); g.w.Reached(g.sum(lane)) {
			g.live &^= 1 << lane
		}
	}
	g.stop = g.live == 0
}
