package cpu

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"

	"rtcluster/join"
	"rtcluster/join/internal/dist"
)

// Counts with a limit takes each leaf of queries through the tree; rows that
// have reached the limit drop out, and the walk ends when none is left. Without
// a limit a self-join looks at each pair of leaves once and counts for both.
func (x *index) Counts(ctx context.Context, q *join.Points, eps float64, limit int32, dst []int32) error {
	queries, err := x.queries(ctx, q, eps)
	if err != nil {
		return err
	}
	if len(dst) != len(queries.rows) {
		return fmt.Errorf("cpu: room for %d counts, there are %d query rows", len(dst), len(queries.rows))
	}
	m := newMeter(ctx, join.StageCounts, len(queries.rows))
	counts, err := x.count(ctx, queries, join.Squared(eps), limit, m)
	if err == nil {
		err = queries.scatter(ctx, x.threads, dst, counts)
	}
	if err != nil {
		return err
	}
	m.end()
	return nil
}

// count returns the counts of query rows, by position, and remembers what was found
// near them.
func (x *index) count(ctx context.Context, queries *tree, eps2 float64, limit int32, m *meter) ([]int32, error) {
	c := counting{x: x, queries: queries, eps2: eps2, limit: limit, dst: make([]int32, len(queries.rows))}
	self := queries == x.tree
	if self && limit > 0 {
		c.touching = newTouching(x.tree, eps2)
	}
	var err error
	if self && !x.tree.isHeavy() && (limit <= 0 || c.halvesPay(ctx)) {
		m.groups = pairsOf(queries, x.tree, true)
		err = c.both(ctx, m)
	} else {
		m.groups = pairsOf(queries, x.tree, false)
		err = c.each(ctx, m)
	}
	if err != nil {
		return nil, err
	}
	if c.touching.enough() {
		x.touching.Store(c.touching)
	}
	return c.dst, nil
}

// pairsOf returns the number of pairs of leaves of two trees, or of one tree, each once.
func pairsOf(q, t *tree, once bool) int64 {
	n := int64(t.leaves)
	if once {
		return n * (n + 1) / 2
	}
	return int64(q.leaves) * n
}

// counting is one count of all query rows.
type counting struct {
	x       *index
	queries *tree
	eps2    float64
	limit   int32
	dst     []int32 // by position

	touching *touching // what to remember, or nil
}

// each counts for each leaf of queries alone.
func (c *counting) each(ctx context.Context, m *meter) error {
	return forEach(ctx, c.x.threads, c.queries.leaves, func(int) func(leaf int) error {
		w := newCounter(c.queries, c.x.tree, c.eps2, c.limit, nil, c.touching)
		done := m.hand(&w.effort)
		return func(leaf int) error {
			if c.queries != c.x.tree || !w.isEnough(leaf) {
				w.run(leaf, c.dst)
			} else {
				w.fill(leaf, c.dst)
			}
			done.add(c.queries.size(leaf))
			return nil
		}
	})
}

// both counts the self-join in full, each pair of leaves once for both.
func (c *counting) both(ctx context.Context, m *meter) error {
	shared := newSharedCounts(c.x.tree)
	err := forEach(ctx, c.x.threads, c.queries.leaves, func(int) func(leaf int) error {
		w := newCounter(c.queries, c.x.tree, c.eps2, 0, shared, c.touching)
		done := m.hand(&w.effort)
		return func(leaf int) error {
			w.run(leaf, c.dst)
			done.add(c.queries.size(leaf))
			return nil
		}
	})
	if err != nil {
		return err
	}
	if err := shared.addTo(ctx, c.x.threads, c.dst, c.limit); err != nil {
		return err
	}
	if c.touching != nil && !c.touching.mirror() {
		c.touching = nil
	}
	return nil
}

// sharedCounts gathers what goroutines count for rows and nodes that are not
// their own.
type sharedCounts struct {
	t     *tree
	rows  []atomic.Int32 // by position
	nodes []atomic.Int32 // for every row of a node
}

func newSharedCounts(t *tree) *sharedCounts {
	return &sharedCounts{t: t, rows: make([]atomic.Int32, t.leaves*leafRows), nodes: make([]atomic.Int32, max(0, 2*t.leaves-1))}
}

// addTo adds the counts to dst, by position, and cuts them off at a limit, if there is
// one.
func (s *sharedCounts) addTo(ctx context.Context, threads int, dst []int32, limit int32) error {
	if limit <= 0 {
		limit = math.MaxInt32
	}
	above := make([]int32, s.t.leaves)
	s.above(above, node{0, 0, s.t.leaves}, 0)
	return forEach(ctx, threads, s.t.leaves, func(int) func(leaf int) error {
		return func(leaf int) error {
			from, to := s.t.span(leaf, leaf+1)
			for p := from; p < to; p++ {
				dst[p] = min(dst[p]+s.rows[p].Load()+above[leaf], limit)
			}
			return nil
		}
	})
}

// above sets dst to what was counted for all rows of a leaf, of the leaves of a
// node for which so much was counted above it.
func (s *sharedCounts) above(dst []int32, n node, count int32) {
	if n.leaves() == 0 {
		return
	}
	count += s.nodes[n.v].Load()
	if n.leaves() == 1 {
		dst[n.a] = count
		return
	}
	left, right := n.children()
	s.above(dst, left, count)
	s.above(dst, right, count)
}

// counter counts the neighbours of one leaf of queries after the other.
type counter struct {
	walker
	guard guard
	both  *sharedCounts // not nil: count for the other leaf, too
	touch *toucher
	most  int32 // the limit on counts, or the largest int32
	count [leafRows]int32
	live  uint32 // lanes below the limit
}

func newCounter(q, t *tree, eps2 float64, limit int32, both *sharedCounts, m *touching) *counter {
	c := &counter{guard: newGuard(t.basis, eps2), both: both, touch: m.hand(), most: limit}
	if limit <= 0 {
		c.most = join.MaxRows
	}
	c.walker = newWalker(q, t)
	c.setLimit(eps2, &c.guard)
	c.accepts, c.enter, c.leaf = t.accepts(), c.enterNode, c.meetLeaf
	return c
}

func (c *counter) run(leaf int, dst []int32) {
	if c.both != nil {
		c.from = leaf
	} else if c.q.isPoint(int(c.q.nodes[leaf])) {
		c.runPoint(leaf, dst)
		return
	}
	c.count = [leafRows]int32{}
	c.live = c.q.full(leaf)
	c.walker.run(leaf)
	c.touch.keep(leaf, c.live)
	from, to := c.q.span(leaf, leaf+1)
	for lane := range dst[from:to] {
		dst[from+lane] = min(c.count[lane], c.most)
	}
}

// runPoint counts for a leaf of equal rows: for one of them, if they aren't those of
// the leaf before.
func (c *counter) runPoint(leaf int, dst []int32) {
	from, to := c.q.span(leaf, leaf+1)
	others := to - from
	if c.repeats(leaf) {
		c.touch.repeat(leaf)
	} else {
		others--
		c.count[0], c.live = 0, 1
		c.walker.run(leaf)
		c.touch.keepPoint(leaf, c.live != 0)
	}
	c.effort.Accepted += int64(others) * int64(c.count[0])
	for p := from; p < to; p++ {
		dst[p] = min(c.count[0], c.most)
	}
}

// isEnough reports whether a leaf's rows reach the limit by themselves: where ε is
// large, most do, and need no walk.
func (c *counter) isEnough(leaf int) bool {
	v := int(c.t.nodes[leaf])
	return int32(c.t.size(leaf)) >= c.most && nodesWithin(c.t, v, c.t, v, c.limit)
}

// fill sets the counts of a leaf's rows to the limit.
func (c *counter) fill(leaf int, dst []int32) {
	from, to := c.t.span(leaf, leaf+1)
	c.effort.Accepted += int64(to-from) * int64(to-from)
	for p := from; p < to; p++ {
		dst[p] = c.most
	}
}

func (c *counter) enterNode(v, a, b int, within bool) bool {
	if !within || c.both != nil && a <= c.a {
		return true // a node that holds the leaf itself is no other node
	}
	lanes := c.inside(v, c.live)
	c.settle(b - a)
	if lanes == 0 {
		return false
	}
	c.touch.note(^int32(v))
	from, to := c.t.span(a, b)
	c.effort.Accepted += int64(bits.OnesCount32(lanes)) * int64(to-from)
	for rest := lanes; rest != 0; rest &= rest - 1 {
		c.count[bits.TrailingZeros32(rest)] += int32(to - from)
	}
	if c.both != nil {
		c.both.nodes[v].Add(int32(bits.OnesCount32(lanes)))
	}
	c.drop()
	return false
}

func (c *counter) meetLeaf(b int) {
	var others [leafRows]int32
	lanes := c.test(b, c.live, &c.guard)
	var any uint32
	for i, lane := range lanes {
		hits := c.decide(b, lane, c.hits[i], c.sure[i], c.limit)
		any |= hits
		c.count[lane] += int32(bits.OnesCount32(hits))
		if c.both != nil && hits != 0 {
			dist.AddBits(others[:], hits)
		}
	}
	if any != 0 {
		c.touch.note(int32(b))
	}
	if c.both != nil {
		if b != c.a {
			from := c.t.first(b)
			for ; any != 0; any &= any - 1 {
				lane := bits.TrailingZeros32(any)
				c.both.rows[from+lane].Add(others[lane])
			}
		}
		return
	}
	c.drop()
}

// drop takes out the lanes that have reached the limit.
func (c *counter) drop() {
	for rest := c.live; rest != 0; rest &= rest - 1 {
		if lane := bits.TrailingZeros32(rest); c.count[lane] >= c.most {
			c.live &^= 1 << lane
		}
	}
	c.stop = c.live == 0
}
