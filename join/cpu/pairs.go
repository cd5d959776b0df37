package cpu

import (
	"context"
	"math/bits"

	"rtcluster/join"
)

// pairBytes is the size of a pair.
const pairBytes = 8

// batchPairs is the number of pairs that a goroutine gathers before it emits
// them: 128 KiB.
const batchPairs = 1 << 14

// Pairs takes each leaf of queries through the tree, in a self-join through the
// leaves from its own on, and streams the pairs in batches; or it goes by the way that
// Options.Result names (result.go).
func (x *index) Pairs(ctx context.Context, q *join.Points, eps float64, emit func([]join.Pair) error) error {
	queries, err := x.queries(ctx, q, eps)
	if err != nil {
		return err
	}
	p := &pairing{x: x, queries: queries, eps2: join.Squared(eps), m: newMeter(ctx, join.StagePairs, len(queries.rows))}
	p.m.groups = pairsOf(queries, x.tree, q == nil)
	out := gate{ctx: ctx}
	p.send = func(pairs []join.Pair) error {
		return out.pass(func() error { return emit(pairs) })
	}
	p.pairers = make([]*pairer, min(x.threads, queries.leaves))
	if x.tree.basis.opt.Result == ResultStream {
		err = p.stream(ctx)
	} else {
		err = p.inBatches(ctx)
	}
	for _, pairer := range p.pairers {
		if pairer != nil && err == nil {
			pairer.flush()
			err = pairer.err
		}
	}
	if err != nil {
		return err
	}
	p.m.end()
	return nil
}

// pairing is one call of Pairs.
type pairing struct {
	x       *index
	queries *tree
	eps2    float64
	m       *meter
	send    func([]join.Pair) error
	pairers []*pairer // of each goroutine
}

// stream sends pairs as they are found.
func (p *pairing) stream(ctx context.Context) error {
	return forEach(ctx, p.x.threads, p.queries.leaves, func(id int) func(leaf int) error {
		w := p.pairer(id)
		done := p.m.hand(&w.effort)
		return func(leaf int) error {
			w.run(leaf)
			done.add(p.queries.size(leaf))
			return w.err
		}
	})
}

// pairer returns that of a goroutine.
func (p *pairing) pairer(id int) *pairer {
	if p.pairers[id] == nil {
		p.pairers[id] = newPairer(p.queries, p.x.tree, p.eps2, p.send)
	}
	return p.pairers[id]
}

// pairer lists the pairs of one leaf of queries after the other.
type pairer struct {
	walker
	guard   guard
	self    bool
	send    func([]join.Pair) error
	err     error // the first one of send
	pending []join.Pair
	streams bool    // what is sent is a batch
	rows    []int32 // of the leaf of queries
}

func newPairer(q, t *tree, eps2 float64, send func([]join.Pair) error) *pairer {
	p := &pairer{
		guard: newGuard(t.basis, eps2), self: q == t, streams: t.basis.opt.Result == ResultStream,
		send: send, pending: make([]join.Pair, 0, batchPairs),
	}
	p.walker = newWalker(q, t)
	p.setLimit(eps2, &p.guard)
	p.accepts, p.enter, p.leaf = t.accepts(), p.enterNode, p.meetLeaf
	return p
}

func (p *pairer) run(leaf int) {
	p.take(leaf)
	p.walker.run(leaf)
}

// take makes a leaf the one at work.
func (p *pairer) take(leaf int) {
	from, to := p.q.span(leaf, leaf+1)
	p.rows = p.q.rows[from:to]
	if p.self {
		p.from = leaf
	}
}

// enter accepts nodes that are within, but goes on to the leaf of the queries
// itself, which has its own order.
func (p *pairer) enterNode(v, a, b int, within bool) bool {
	if !within || p.self && a <= p.a {
		return true
	}
	from, to := p.t.span(a, b)
	lanes := p.inside(v, p.q.full(p.a))
	p.settle(b - a)
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
		for hits := p.near(b, i, lane); hits != 0; hits &= hits - 1 {
			p.add(p.rows[lane], p.t.rows[from+bits.TrailingZeros32(hits)])
		}
	}
}

// near returns the lanes of leaf b that make a pair with a lane, the i-th of those that
// were tested.
func (p *pairer) near(b, i int, lane uint8) uint32 {
	hits := p.hits[i]
	if p.self && b == p.a {
		hits &= ^uint32(0) << lane << 1 // the lanes after this one
	}
	return p.decide(b, lane, hits, p.sure[i], p.limit)
}

// pair returns that of two rows, in a self-join the smaller one first.
func (p *pairer) pair(i, j int32) join.Pair {
	if p.self && j < i {
		i, j = j, i
	}
	return join.Pair{I: i, J: j}
}

// add notes the pair of two rows.
func (p *pairer) add(i, j int32) { p.addPair(p.pair(i, j)) }

func (p *pairer) addPair(pair join.Pair) {
	p.pending = append(p.pending, pair)
	if len(p.pending) == batchPairs {
		p.flush()
	}
}

// flush emits what is pending. After an error it only ends the walk.
func (p *pairer) flush() {
	if p.err == nil && len(p.pending) > 0 {
		if p.streams {
			p.effort.Method.Batches++
			p.effort.Method.Bytes += int64(len(p.pending)) * pairBytes
		}
		p.err = p.send(p.pending)
	}
	p.pending = p.pending[:0]
	p.stop = p.err != nil
}
