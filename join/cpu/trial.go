package cpu

import (
	"context"
	"math/bits"
	"sync/atomic"

	"rtcluster/join"
)

// A count with a limit has two ways: to take each leaf through the tree and stop
// at the limit, or to look at each pair of leaves once, for both, and never stop.
// Which costs less depends on how many rows reach the limit, how soon, and how
// far their counts go beyond; so a few leaves try.

const (
	trialStride = 64 // every 64th leaf tries
	trialExcess = 4  // a trial ends at this many times the limit; to go on is taken to cost as many times more

	// What a pair of leaves costs, about, in cycles of a processor with AVX-512:
	// to bring them together and, for each row that is not apart, its distances.
	pairCycles, pairAxisCycles    = 200, 6
	rowCycles, rowAxisCycles      = 10, 2
	bothPairCycles, bothRowCycles = 200, 8 // more to count the other side
)

// halvesPay reports whether looking at each pair of leaves once costs less than
// stopping at the limit.
func (c *counting) halvesPay(ctx context.Context) bool {
	t := c.queries
	if t.leaves < 2*trialStride {
		return false
	}
	var atLimit, whole atomic.Int64
	err := forEach(ctx, c.x.threads, t.leaves/trialStride, func(int) func(task int) error {
		w := newTrial(t, c.eps2, c.limit)
		return func(task int) error {
			w.atLimit, w.whole = 0, 0
			w.run(task*trialStride, c.dst)
			if w.stop {
				w.whole *= trialExcess
			}
			atLimit.Add(w.atLimit)
			whole.Add(w.whole)
			return nil
		}
	})
	return err == nil && whole.Load() < 2*atLimit.Load()
}

// trial counts beyond the limit, and notes what it costs to go to the limit, and
// to go on.
type trial struct {
	*counter
	limit          int32
	atLimit, whole int64 // cycles
}

func newTrial(t *tree, eps2 float64, limit int32) *trial {
	w := &trial{counter: newCounter(t, t, eps2, min(limit, join.MaxRows/trialExcess)*trialExcess, nil, nil), limit: limit}
	w.leaf = w.tryLeaf
	return w
}

func (w *trial) tryLeaf(b int) {
	below := 0
	for rest := w.live; rest != 0; rest &= rest - 1 {
		if w.count[bits.TrailingZeros32(rest)] < w.limit {
			below++
		}
	}
	live := bits.OnesCount32(w.live)
	w.meetLeaf(b)
	d := int64(w.t.dim)
	pair, row := pairCycles+pairAxisCycles*d, rowCycles+rowAxisCycles*d
	w.whole += pair + bothPairCycles + int64(w.tested)*(row+bothRowCycles)
	if below > 0 {
		w.atLimit += pair + int64(w.tested)*row*int64(below)/int64(live)
	}
}
