package cpu

import (
	"context"

	"rtcluster/join"
)

// batchPairs is the number of pairs that a goroutine gathers before it emits
// them: 128 KiB.
const batchPairs = 1 << 14

// Pairs takes each leaf of queries through the tree, in a self-join through the
// leaves from its own on, and streams the pairs in batches.
func (x *index) Pairs(ctx context.Context, q *join.Points, eps float64, emit func([]join.Pair) error) error {
	queries, err := x.queries(ctx, q)
	if err != nil {
		return err
	}
	m := newMeter(ctx, join.StagePairs, len(queries.rows))
	out := gate{ctx: ctx}
	send := func(pairs []join.Pair) error {
		return out.pass(func() error { return emit(pairs) })
	}
	pairers := make([]*pairer, x.threads)
	err = forEach(ctx, x.threads, queries.leaves, func(id int) func(leaf int) error {
		p := newPairer(queries, x.tree, join.Squared(eps), send)
		pairers[id] = p
		return func(leaf int) error {
			p.run(leaf)
			m.add(queries.size(leaf))
			return p.err
		}
	})
	for _, p := range pairers {
		if p != nil && err == nil {
			p.flush()
			err = p.err
		}
	}
	if err != nil {
		return err
	}
	m.end()
	return nil
}

// pairer lists the pairs of one leaf of queries after the other.
type pairer struct {
	walker
	send    func([]join.Pair) error
	err     error // the first one of send
	pending []join.Pair

	a     int // the leaf of queries
	rows  []int32
	block []float64
	d2    [leafRows]float64
}

func newPairer(q, t *tree, eps2 float64, send func([]join.Pair) error) *pairer {
	p := &pairer{send: send, pending: make([]join.Pair, 0, batchPairs)}
	p.walker = walker{q: q, t: t, limit: eps2, accepts: true, enter: p.enter, leaf: p.leaf}
	return p
}

func (p *pairer) run(leaf int) {
	p.a = leaf
	p.block = p.q.block(leaf)
	from, to := p.q.span(leaf, leaf+1)
	p.rows = p.q.rows[from:to]
	if p.q == p.t {
		p.from = leaf
	}
	p.walker.run(leaf, p.q.leafNode(leaf))
}

// enter accepts nodes that are within, but goes on to the leaf of the queries
// itself, which has its own order.
func (p *pairer) enter(_, a, b int, within bool) bool {
	if !within || p.q == p.t && a <= p.a {
		return true
	}
	from, to := p.t.span(a, b)
	for _, i := range p.rows {
		for _, j := range p.t.rows[from:to] {
			p.add(i, j)
		}
	}
	return false
}

func (p *pairer) leaf(v, a int) {
	box, block := p.t.box(v), p.t.block(a)
	from, _ := p.t.span(a, a+1)
	self := p.q == p.t && a == p.a
	for lane, i := range p.rows {
		if laneDistance2(p.block, lane, box, p.limit) > p.limit {
			continue
		}
		tile(&p.d2, p.block, lane, block, p.limit)
		first := 0
		if self {
			first = lane + 1
		}
		for other := first; other < leafRows; other++ {
			if p.d2[other] <= p.limit {
				p.add(i, p.t.rows[from+other])
			}
		}
	}
}

// add notes a pair, in a self-join the smaller row first.
func (p *pairer) add(i, j int32) {
	if p.q == p.t && j < i {
		i, j = j, i
	}
	p.pending = append(p.pending, join.Pair{I: i, J: j})
	if len(p.pending) == batchPairs {
		p.flush()
	}
}

// flush emits what is pending. After an error it only ends the walk.
func (p *pairer) flush() {
	if p.err == nil && len(p.pending) > 0 {
		p.err = p.send(p.pending)
	}
	p.pending = p.pending[:0]
	p.stop = p.err != nil
}
