package cpu

import (
	"context"
	"math/bits"

	"rtcluster/join"
)

// batchPairs is the number of pairs that a goroutine gathers before it emits
// them: 128 KiB.
const batchPairs = 1 << 14

// Pairs takes each leaf of queries through the tree, in a self-join through the
// leaves from its own on, and streams the pairs in batches.
func (x *index) Pairs(ctx context.Context, q *join.Points, eps float64, emit func([]join.Pair) error) error {
	queries, err := x.queries(ctx, q, eps)
	if err != nil {
		return err
	}
	m := newMeter(ctx, join.StagePairs, len(queries.rows))
	out := gate{ctx: ctx}
	send := func(pairs []join.Pair) error {
		return out.pass(func() error { return emit(pairs) })
	}
	pairers := make([]*pairer, min(x.threads, queries.leaves))
	err = forEach(ctx, x.threads, queries.leaves, func(id int) func(leaf int) error {
		p := newPairer(queries, x.tree, join.Squared(eps), send)
		done := m.hand(&p.effort)
		pairers[id] = p
		return func(leaf int) error {
			p.run(leaf)
			done.add(queries.size(leaf))
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
	guard   guard
	self    bool
	send    func([]join.Pair) error
	err     error // the first one of send
	pending []join.Pair
	rows    []int32 // of the leaf of queries
}

func newPairer(q, t *tree, eps2 float64, send func([]join.Pair) error) *pairer {
	p := &pairer{
		guard: newGuard(t.basis, eps2), self: q == t,
		send: send, pending: make([]join.Pair, 0, batchPairs),
	}
	p.walker = newWalker(q, t)
	p.setLimit(eps2, &p.guard)
	p.accepts, p.enter, p.leaf = true, p.enterNode, p.meetLeaf
	return p
}

func (p *pairer) run(leaf int) {
	from, to := p.q.span(leaf, leaf+1)
	p.rows = p.q.rows[from:to]
	if p.self {
		p.from = leaf
	}
	p.walker.run(leaf)
}

// enter accepts nodes that are within, but goes on to the leaf of the queries
// itself, which has its own order.
func (p *pairer) enterNode(v, a, b int, within bool) bool {
	if !within || p.self && a <= p.a {
		return true
	}
	from, to := p.t.span(a, b)
	lanes := p.inside(v, p.q.full(p.a))
	p.effort.Accepted += int64(bits.OnesCount32(lanes)) * int64(to-from)
	for ; lanes != 0; lanes &= lanes - 1 {
		for _, j := range p.t.rows[from:to] {
			p.add(p.rows[bits.TrailingZeros32(lanes)], j)
		}
		if p.stop {
			break
		}
	}
	return false
}

func (p *pairer) meetLeaf(b int) {
	from, _ := p.t.span(b, b+1)
	for i, lane := range p.test(b, p.q.full(p.a), &p.guard) {
		hits := p.hits[i]
		if p.self && b == p.a {
			hits &= ^uint32(0) << lane << 1 // the lanes after this one
		}
		hits = p.decide(b, lane, hits, p.sure[i], p.limit)
		for ; hits != 0; hits &= hits - 1 {
			p.add(p.rows[lane], p.t.rows[from+bits.TrailingZeros32(hits)])
		}
	}
}

// add notes a pair, in a self-join the smaller row first.
func (p *pairer) add(i, j int32) {
	if p.self && j < i {
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
