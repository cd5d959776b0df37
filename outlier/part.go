package outlier

import "math/bits"

// Part returns the result of rows from to to−1 as a part of r: their scores, which it
// shares, as it does Outlier, and how many of them a rule for duplicates decided. Pairs
// are left at 0.
func (r *Result) Part(from, to int) *Result {
	part := &Result{Scores: r.Scores[from:to:to], Deviation: r.Deviation}
	if r.Outlier != nil {
		part.Outlier = r.Outlier[from:to:to]
	}
	if r.ruled != nil {
		for row := from; row < to; row++ {
			part.Duplicates += int(r.ruled[row/64] >> (row % 64) & 1)
		}
	}
	return part
}

// tally notes rows that a rule for duplicates decided, a bit each: of places, where
// rows are taken by those.
type tally struct {
	near *lists
	bits []uint64
}

func newTally(near *lists) *tally { return &tally{near: near, bits: make([]uint64, (near.n+63)/64)} }

// add notes row or place i. Goroutines of [eachRows] may add side by side, since the
// parts that they take begin with a word.
func (t *tally) add(i int) { t.bits[i/64] |= 1 << (i % 64) }

// settle puts into res which rows were noted, and how many.
func (t *tally) settle(res *Result) {
	ruled := t.bits
	if place := t.near.at.place; t.near.q == nil && place != nil {
		ruled = make([]uint64, (len(place)+63)/64)
		for i, p := range place {
			ruled[i/64] |= t.bits[p/64] >> (p % 64) & 1 << (i % 64)
		}
	}
	for _, word := range ruled {
		res.Duplicates += bits.OnesCount64(word)
	}
	if res.Duplicates > 0 {
		res.ruled = ruled
	}
}
