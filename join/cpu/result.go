package cpu

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"rtcluster/join"
)

// This file has the ways of Pairs that write comparisons to a result of their own before
// they hand pairs over, in batches (RT-HiSS, "Batching Queries" and "Result
// Representation").
//
// A first search finds for each leaf of queries the leaves that it is to be compared with,
// and so how many comparisons there will be. A batch is as many leaves of queries, one
// after the other, as have room for the results of all comparisons. Each leaf has a part of
// it, so that no two goroutines write to the same place:
//
//	leaf a   comparison  met        leaf it is compared with, and its rows that are
//	         result      32 places  for each of these rows, a place for each row of the other leaf
//	leaf a+1 …

// mostBatched is the number of indexed rows up to which positions of a leaf's
// comparisons, 32 rows with each of these, are below 2^32.
const mostBatched = 1 << 27

// comparison says which rows of a leaf of queries are compared with leaf b.
type comparison struct {
	b     int32
	lanes uint32
}

// batch holds the results of some leaves of queries.
type batch struct {
	kind     Result
	from, to int         // leaves
	parts    []batchPart // of each leaf

	met   []comparison
	masks []uint32    // by compared row: the rows of the other leaf that are near
	bytes []byte      // by comparison: 1 if the rows are near
	pairs []join.Pair // by comparison, those in front are in use
	ones  []uint32    // of each leaf: the positions of the bits that are set in its masks
}

// batchPart is the part that a leaf of queries has in a batch: leaves that it is compared
// with, and its rows that are.
type batchPart struct {
	mostMet, mostRows     int // how many comparisons and compared rows there may be
	metAt, rowsAt, onesAt int // where they begin, and the positions of bits
	met, rows, near       int // how many there are, and how many pairs
}

// comparedRows returns, for each leaf of queries, how many leaves it is compared with and
// how many of its rows that makes.
func (p *pairing) comparedRows(ctx context.Context) ([]batchPart, error) {
	parts := make([]batchPart, p.queries.leaves)
	return parts, forEach(ctx, p.x.threads, p.queries.leaves, func(int) func(leaf int) error {
		w := newPairer(p.queries, p.x.tree, p.eps2, nil)
		var part *batchPart
		w.enter = func(_, a, _ int, within bool) bool { return !within || w.self && a <= w.a }
		w.leaf = func(b int) {
			w.approach(b, tailShare*w.guard.above*w.guard.above)
			w.move(w.t.basis.boxed)
			lanes, _, _, _ := w.search(b, w.q.full(w.a), &w.guard)
			part.mostMet++
			part.mostRows += len(lanes)
		}
		return func(leaf int) error {
			part = &parts[leaf]
			w.run(leaf)
			return nil
		}
	})
}

// rowBytes is the memory that a compared row takes in a result: 32 comparisons.
func (r Result) rowBytes() int {
	switch r {
	case ResultBytes:
		return leafRows
	case ResultPairs:
		return leafRows * pairBytes
	default:
		return leafRows / 8
	}
}

// inBatches finds the pairs of a batch of leaves after the other.
func (p *pairing) inBatches(ctx context.Context) error {
	if len(p.x.tree.rows) > mostBatched {
		return fmt.Errorf("cpu: results in batches of more than %d rows: %w", mostBatched, errors.ErrUnsupported)
	}
	parts, err := p.comparedRows(ctx)
	if err != nil {
		return err
	}
	opt := &p.x.tree.basis.opt
	room := opt.BatchBytes
	if room == 0 {
		room = defaultBatch
	}
	hands := make([]*meterHand, len(p.pairers))
	for id := range hands {
		hands[id] = p.m.hand(&p.pairer(id).effort)
	}
	b := &batch{kind: opt.Result}
	for b.to < len(parts) {
		b.next(parts, room/b.kind.rowBytes())
		err := p.eachOf(ctx, b, func(w *pairer, leaf, id int) {
			w.leaf = func(other int) { b.compare(w, other, &b.parts[leaf-b.from]) }
			w.run(leaf)
			hands[id].add(p.queries.size(leaf))
		})
		if err == nil && b.kind == ResultCompressed {
			b.makeRoomForOnes()
			err = p.eachOf(ctx, b, func(_ *pairer, leaf, _ int) { b.compress(&b.parts[leaf-b.from]) })
		}
		if err == nil {
			err = p.eachOf(ctx, b, func(w *pairer, leaf, _ int) {
				w.take(leaf)
				b.handOver(w, &b.parts[leaf-b.from])
			})
		}
		if err != nil {
			return err
		}
		p.pairers[0].effort.Method.Batches++
		p.pairers[0].effort.Method.Bytes += b.size()
	}
	return nil
}

// eachOf calls do for each leaf of a batch.
func (p *pairing) eachOf(ctx context.Context, b *batch, do func(w *pairer, leaf, id int)) error {
	return forEach(ctx, p.x.threads, b.to-b.from, func(id int) func(leaf int) error {
		w := p.pairer(id)
		return func(leaf int) error {
			do(w, b.from+leaf, id)
			return w.err
		}
	})
}

// next goes on to the leaves that have room for so many compared rows, at least one.
func (b *batch) next(parts []batchPart, room int) {
	b.from = b.to
	met, rows := 0, 0
	for b.to < len(parts) && (b.to == b.from || rows+parts[b.to].mostRows <= room) {
		part := &parts[b.to]
		part.metAt, part.rowsAt = met, rows
		met += part.mostMet
		rows += part.mostRows
		b.to++
	}
	b.parts = parts[b.from:b.to]
	b.met = grown(b.met, met)
	switch b.kind {
	case ResultBytes:
		b.bytes = grown(b.bytes, rows*leafRows)
	case ResultPairs:
		b.pairs = grown(b.pairs, rows*leafRows)
	default:
		b.masks = grown(b.masks, rows)
	}
}

// grown returns a slice of length n, which may be s with what is in it.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// compare writes the results of a leaf of queries and leaf other to its part.
func (b *batch) compare(w *pairer, other int, part *batchPart) {
	var compared uint32
	first := w.t.first(other)
	for i, lane := range w.test(other, w.q.full(w.a), &w.guard) {
		compared |= 1 << lane
		hits := w.near(other, i, lane)
		at := part.rowsAt + part.rows
		part.rows++
		if b.kind != ResultPairs {
			part.near += bits.OnesCount32(hits)
		}
		switch b.kind {
		case ResultBytes:
			for j := range leafRows {
				b.bytes[at*leafRows+j] = byte(hits >> j & 1)
			}
		case ResultPairs:
			for ; hits != 0; hits &= hits - 1 {
				b.pairs[part.rowsAt*leafRows+part.near] = w.pair(w.rows[lane], w.t.rows[first+bits.TrailingZeros32(hits)])
				part.near++
			}
		default:
			b.masks[at] = hits
		}
	}
	b.met[part.metAt+part.met] = comparison{int32(other), compared}
	part.met++
}

// makeRoomForOnes gives each leaf a part of ones.
func (b *batch) makeRoomForOnes() {
	n := 0
	for i := range b.parts {
		b.parts[i].onesAt = n
		n += b.parts[i].near
	}
	b.ones = grown(b.ones, n)
}

// compress writes the positions of the bits that are set in a leaf's masks.
func (b *batch) compress(part *batchPart) {
	at := part.onesAt
	for i, hits := range b.masks[part.rowsAt : part.rowsAt+part.rows] {
		for ; hits != 0; hits &= hits - 1 {
			b.ones[at] = uint32(i*leafRows + bits.TrailingZeros32(hits))
			at++
		}
	}
}

// handOver sends the pairs of a leaf of queries.
func (b *batch) handOver(w *pairer, part *batchPart) {
	if b.kind == ResultPairs {
		for _, pair := range b.pairs[part.rowsAt*leafRows:][:part.near] {
			w.addPair(pair)
		}
		return
	}
	ones, row := b.ones, part.rowsAt
	if b.kind == ResultCompressed {
		ones = b.ones[part.onesAt : part.onesAt+part.near]
	}
	for _, c := range b.met[part.metAt : part.metAt+part.met] {
		others := w.t.rows[w.t.first(int(c.b)):]
		for rest := c.lanes; rest != 0; rest &= rest - 1 {
			x := w.rows[bits.TrailingZeros32(rest)]
			switch b.kind {
			case ResultCompressed:
				before := uint32(row-part.rowsAt) * leafRows
				for len(ones) > 0 && ones[0] < before+leafRows {
					w.add(x, others[ones[0]-before])
					ones = ones[1:]
				}
			case ResultBytes:
				for j, one := range b.bytes[row*leafRows : (row+1)*leafRows] {
					if one != 0 {
						w.add(x, others[j])
					}
				}
			default:
				for hits := b.masks[row]; hits != 0; hits &= hits - 1 {
					w.add(x, others[bits.TrailingZeros32(hits)])
				}
			}
			row++
		}
	}
}

// size returns what the results take that are handed over, in bytes.
func (b *batch) size() int64 {
	near, rows := 0, 0
	for i := range b.parts {
		near, rows = near+b.parts[i].near, rows+b.parts[i].rows
	}
	switch b.kind {
	case ResultCompressed:
		return int64(near) * 4
	case ResultPairs:
		return int64(near) * pairBytes
	default:
		return int64(rows) * int64(b.kind.rowBytes())
	}
}
