package cpu

import (
	"context"
	"fmt"
	"sync"

	"rtcluster/join"
)

// Counts takes each leaf of queries through the tree; with a limit, rows that
// have reached it drop out.
func (x *metricIndex) Counts(ctx context.Context, q *join.Points, eps float64, limit int32, dst []int32) error {
	queries, err := x.queries(ctx, q, eps)
	if err != nil {
		return err
	}
	if len(dst) != len(queries.rows) {
		return fmt.Errorf("cpu: room for %d counts, there are %d query rows", len(dst), len(queries.rows))
	}
	if limit <= 0 {
		limit = join.MaxRows
	}
	m := newMeter(ctx, join.StageCounts, len(queries.rows))
	err = x.eachLeaf(ctx, m, queries, eps, func(w *metricWalker) func(leaf int) error {
		var count [leafRows]int32
		var first, size, live int
		settle := func() {
			live = 0
			for i := range size {
				if count[i] < limit {
					live++
				}
			}
			w.stop = live == 0
		}
		w.accept = func(a, b int) bool {
			from, to := w.t.span(a, b)
			for i := range size {
				count[i] += min(int32(to-from), limit-count[i])
			}
			settle()
			return true
		}
		w.leaf = func(b int) {
			for i := range size {
				if count[i] < limit {
					w.within(queries.row(first+i), b, func(int) { count[i] = min(count[i]+1, limit) })
				}
			}
			settle()
		}
		return func(leaf int) error {
			first, size = queries.first(leaf), queries.size(leaf)
			count = [leafRows]int32{}
			w.run()
			for i := range size {
				dst[queries.rows[first+i]] = count[i]
			}
			return nil
		}
	})
	if err == nil {
		m.end()
	}
	return err
}

// Pairs takes each leaf of queries through the tree, in a self-join through the
// leaves from its own on, and streams the pairs in batches.
func (x *metricIndex) Pairs(ctx context.Context, q *join.Points, eps float64, emit func([]join.Pair) error) error {
	queries, err := x.queries(ctx, q, eps)
	if err != nil {
		return err
	}
	out := gate{ctx: ctx}
	var ends sync.Mutex
	var rest []func() error // what each goroutine has left
	m := newMeter(ctx, join.StagePairs, len(queries.rows))
	err = x.eachLeaf(ctx, m, queries, eps, func(w *metricWalker) func(leaf int) error {
		var failed error
		batch := make([]join.Pair, 0, batchPairs)
		flush := func() {
			if failed == nil && len(batch) > 0 {
				failed = out.pass(func() error { return emit(batch) })
			}
			batch, w.stop = batch[:0], failed != nil
		}
		ends.Lock()
		rest = append(rest, func() error { flush(); return failed })
		ends.Unlock()
		first, size, home := 0, 0, -1
		add := func(at, to int) {
			i, j := queries.rows[at], w.t.rows[to]
			if home >= 0 {
				i, j = min(i, j), max(i, j)
			}
			if batch = append(batch, join.Pair{I: i, J: j}); len(batch) == batchPairs {
				flush()
			}
		}
		w.accept = func(a, b int) bool {
			if a <= home {
				return false // the leaf itself has its own order
			}
			from, to := w.t.span(a, b)
			for at := first; at < first+size && !w.stop; at++ {
				for other := from; other < to; other++ {
					add(at, other)
				}
			}
			return true
		}
		w.leaf = func(b int) {
			for at := first; at < first+size && !w.stop; at++ {
				w.within(queries.row(at), b, func(other int) {
					if b != home || other > at {
						add(at, other)
					}
				})
			}
		}
		return func(leaf int) error {
			first, size = queries.first(leaf), queries.size(leaf)
			if q == nil {
				home, w.from = leaf, leaf
			}
			w.run()
			return failed
		}
	})
	for _, end := range rest {
		if err == nil {
			err = end()
		}
	}
	if err == nil {
		m.end()
	}
	return err
}

// eachLeaf makes a walker for each goroutine, and takes each leaf of queries
// with it. start sets the callbacks, and returns what takes one leaf.
func (x *metricIndex) eachLeaf(ctx context.Context, m *meter, queries *tree, eps float64, start func(*metricWalker) func(leaf int) error) error {
	return forEach(ctx, x.threads, queries.leaves, func(int) func(leaf int) error {
		var effort join.Effort
		w := &metricWalker{metric: x.metric, q: queries, t: x.tree, bound: x.metric.Bound(eps)}
		hand, take := m.hand(&effort), start(w)
		return func(leaf int) error {
			w.low, w.high = halves(queries.box(int(queries.nodes[leaf])))
			err := take(leaf)
			effort.Candidates, effort.Refined = w.candidates, w.candidates
			hand.add(queries.size(leaf))
			return err
		}
	})
}

// KNN takes each query row through the tree, with the measure of its k-th
// neighbour so far as the bound.
func (x *metricIndex) KNN(ctx context.Context, q *join.Points, k int, emit func(row int, near []join.Neighbor) error) error {
	if k < 1 {
		return fmt.Errorf("cpu: k is %d, want at least 1", k)
	}
	queries, err := x.queries(ctx, q, 0)
	if err != nil {
		return err
	}
	k = min(k, max(len(x.tree.rows), 1))
	out := gate{ctx: ctx}
	m := newMeter(ctx, join.StageKNN, len(queries.rows))
	err = x.eachLeaf(ctx, m, queries, 0, func(w *metricWalker) func(leaf int) error {
		s := &metricNearest{w: w, k: k, near: make([]join.Neighbor, 0, k+1)}
		w.accept = func(int, int) bool { return false }
		w.leaf, w.pass = s.meet, s.pass
		return func(leaf int) error {
			first := queries.first(leaf)
			for at := first; at < first+queries.size(leaf); at++ {
				s.row, s.self = queries.row(at), -1
				if q == nil {
					s.self = at
				}
				s.run()
				if err := out.pass(func() error { return emit(int(queries.rows[at]), s.near) }); err != nil {
					return err
				}
			}
			return nil
		}
	})
	if err == nil {
		m.end()
	}
	return err
}
