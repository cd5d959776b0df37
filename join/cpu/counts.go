package cpu

import (
	"context"

	"rtcluster/join"
)

// Counts takes each leaf of queries through the tree; rows that have reached
// the limit drop out, and the walk ends when none is left.
func (x *index) Counts(ctx context.Context, q *join.Points, eps float64, limit int32, dst []int32) error {
	queries, err := x.queries(ctx, q)
	if err != nil {
		return err
	}
	m := newMeter(ctx, join.StageCounts, len(queries.rows))
	err = forEach(ctx, x.threads, queries.leaves, func(int) func(leaf int) error {
		c := newCounter(queries, x.tree, join.Squared(eps), limit)
		return func(leaf int) error {
			c.run(leaf, dst)
			m.add(queries.size(leaf))
			return nil
		}
	})
	if err != nil {
		return err
	}
	m.end()
	return nil
}

// counter counts the neighbours of one leaf of queries after the other.
type counter struct {
	walker
	most  int32 // the limit on counts, or the largest int32
	block []float64
	count [leafRows]int32
	live  []int // lanes below the limit
	d2    [leafRows]float64
}

func newCounter(q, t *tree, eps2 float64, limit int32) *counter {
	c := &counter{most: limit}
	if limit <= 0 {
		c.most = join.MaxRows
	}
	c.walker = walker{q: q, t: t, limit: eps2, accepts: true, enter: c.enter, leaf: c.leaf}
	return c
}

func (c *counter) run(leaf int, dst []int32) {
	c.block = c.q.block(leaf)
	c.count = [leafRows]int32{}
	c.live = c.live[:0]
	for lane := range c.q.size(leaf) {
		c.live = append(c.live, lane)
	}
	c.walker.run(leaf, c.q.leafNode(leaf))
	from, to := c.q.span(leaf, leaf+1)
	for lane, row := range c.q.rows[from:to] {
		dst[row] = min(c.count[lane], c.most)
	}
}

func (c *counter) enter(_, a, b int, within bool) bool {
	if !within {
		return true
	}
	from, to := c.t.span(a, b)
	for _, lane := range c.live {
		c.count[lane] += int32(to - from)
	}
	c.drop()
	return false
}

func (c *counter) leaf(v, a int) {
	box, block := c.t.box(v), c.t.block(a)
	for _, lane := range c.live {
		if laneDistance2(c.block, lane, box, c.limit) > c.limit {
			continue
		}
		tile(&c.d2, c.block, lane, block, c.limit)
		var hits int32
		for _, d2 := range c.d2 {
			if d2 <= c.limit {
				hits++
			}
		}
		c.count[lane] += hits
	}
	c.drop()
}

// drop takes out the lanes that have reached the limit.
func (c *counter) drop() {
	kept := c.live[:0]
	for _, lane := range c.live {
		if c.count[lane] < c.most {
			kept = append(kept, lane)
		}
	}
	c.live = kept
	c.stop = len(kept) == 0
}
