package jointest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"rtcluster/join"
	"rtcluster/join/synth"
)

// This file checks how the methods are called and return: errors of emit,
// cancelled contexts, several goroutines, progress.

func callSteps() []step {
	return []step{
		{"emit errors", checkEmitErrors},
		{"done contexts", checkDone},
		{"cancelling in emit", checkCancelInEmit},
		{"cancelling from outside", checkCancelOutside},
		{"concurrent calls", checkConcurrent},
		{"progress", checkProgress},
		{"lists", checkListCalls},
		{"weights", checkWeighCalls},
		{"clustering", checkClusterCalls},
	}
}

// errEmit is what the emit functions of the checks return.
var errEmit = errors.New("emit has had enough")

// checkEmitErrors checks that an error of emit ends the join and is returned.
func checkEmitErrors(ctx context.Context, e join.Engine) error {
	pts := must(synth.Make("blobs", 300, 3, seed))
	return withIndex(ctx, e, pts, func(idx join.Index) error {
		for _, q := range []*join.Points{nil, pts} {
			for _, after := range []int{1, 2} {
				for name, run := range emitters(q) {
					if err := checkEmitError(ctx, idx, run, after); err != nil {
						return fmt.Errorf("%s, self-join %t, an error at the call %d of emit: %w", name, q == nil, after, err)
					}
				}
			}
		}
		return nil
	})
}

// emitters returns the joins of idx that emit, all pairs and 3 nearest rows of
// q, as functions that call emit with the number of results.
func emitters(q *join.Points) map[string]func(context.Context, join.Index, func(n int) error) error {
	return map[string]func(context.Context, join.Index, func(int) error) error{
		"Pairs": func(ctx context.Context, idx join.Index, emit func(int) error) error {
			return idx.Pairs(ctx, q, math.MaxFloat64, func(pairs []join.Pair) error { return emit(len(pairs)) })
		},
		"KNN": func(ctx context.Context, idx join.Index, emit func(int) error) error {
			return idx.KNN(ctx, q, 3, func(int, []join.Neighbor) error { return emit(1) })
		},
	}
}

func checkEmitError(ctx context.Context, idx join.Index, run func(context.Context, join.Index, func(int) error) error, after int) error {
	var g gate
	calls := 0
	err := run(ctx, idx, func(int) error {
		return g.pass(func() error {
			if calls++; calls >= after {
				return errEmit
			}
			return nil
		})
	})
	if closed := g.close(); closed != nil {
		return closed
	}
	switch {
	case calls < after: // one batch held it all
		return err
	case !errors.Is(err, errEmit):
		return fmt.Errorf("got %w, want the error of emit", orNone(err))
	case calls > after:
		return fmt.Errorf("emit was called %d times more after its error", calls-after)
	}
	return nil
}

// orNone stands in for a missing error in messages.
func orNone(err error) error {
	return cmp.Or(err, errors.New("no error"))
}

// checkDone checks that nothing is done under a context that is done.
func checkDone(ctx context.Context, e join.Engine) error {
	pts := must(synth.Make("uniform", 200, 3, seed))
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := e.Index(done, pts); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("Index under a cancelled context: got %w, want context.Canceled", orNone(err))
	}
	late, cancel := context.WithTimeout(ctx, 0)
	defer cancel()
	return withIndex(ctx, e, pts, func(idx join.Index) error {
		for _, q := range []*join.Points{nil, pts} {
			for name, call := range methods(idx, q) {
				if err := call(done); !errors.Is(err, context.Canceled) {
					return fmt.Errorf("%s under a cancelled context: got %w, want context.Canceled", name, orNone(err))
				}
				if err := call(late); !errors.Is(err, context.DeadlineExceeded) {
					return fmt.Errorf("%s past its deadline: got %w, want context.DeadlineExceeded", name, orNone(err))
				}
			}
		}
		return nil
	})
}

// methods returns calls of each method of idx with query points q, which do
// nothing with the results.
func methods(idx join.Index, q *join.Points) map[string]func(context.Context) error {
	n := idx.Points().Rows()
	rows := n
	if q != nil {
		rows = q.Rows()
	}
	all := map[string]func(context.Context) error{
		"Counts": func(ctx context.Context) error {
			return idx.Counts(ctx, q, 0.3, 0, make([]int32, rows))
		},
		"Pairs": func(ctx context.Context) error {
			return idx.Pairs(ctx, q, 0.3, func([]join.Pair) error { return nil })
		},
		"KNN": func(ctx context.Context) error {
			return idx.KNN(ctx, q, 5, func(int, []join.Neighbor) error { return nil })
		},
	}
	all["Lists"] = func(ctx context.Context) error {
		return join.Lists(ctx, idx, q, 5, make([]int32, 5*rows), make([]float64, 5*rows))
	}
	if c, ok := idx.(join.Componenter); ok && q == nil {
		all["Components"] = func(ctx context.Context) error {
			member := make([]bool, n)
			for i := range member {
				member[i] = true
			}
			return c.Components(ctx, 0.3, member, make([]int32, n))
		}
	}
	if w, ok := idx.(join.Weigher); ok && q == nil {
		all["Weigh"] = func(ctx context.Context) error {
			return w.Weigh(ctx, 0.3, weighings()[0].weights(n, 2), make([]bool, n))
		}
	}
	if c, ok := idx.(join.Clusterer); ok && q == nil {
		all["Cluster"] = func(ctx context.Context) error {
			_, err := c.Cluster(ctx, 0.3, 2, true, make([]bool, n), make([]int32, n))
			return err
		}
	}
	if a, ok := idx.(join.Attacher); ok {
		all["Attach"] = func(ctx context.Context) error {
			member := make([]bool, n)
			for i := range member {
				member[i] = i%2 == 0
			}
			return a.Attach(ctx, q, 0.3, member, make([]int32, n), make([]int32, rows))
		}
	}
	return all
}

// checkCancelInEmit cancels a join of millions of results in its first batch.
// It must stop soon: with an error, and with results left out.
func checkCancelInEmit(ctx context.Context, e join.Engine) error {
	const rows = 2500
	pts := must(synth.Make("uniform", rows, 2, seed))
	total := map[string]int{"Pairs": rows * (rows - 1) / 2, "KNN": rows}
	return withIndex(ctx, e, pts, func(idx join.Index) error {
		for name, run := range emitters(nil) {
			var g gate
			inner, cancel := context.WithCancel(ctx)
			results := 0
			err := run(inner, idx, func(n int) error {
				return g.pass(func() error {
					results += n
					cancel()
					return nil
				})
			})
			cancel()
			if closed := g.close(); closed != nil {
				return fmt.Errorf("%s: %w", name, closed)
			}
			if !errors.Is(err, context.Canceled) || results >= total[name] {
				return fmt.Errorf("%s, cancelled in the first call of emit: got %w after %d of %d results, want context.Canceled soon",
					name, orNone(err), results, total[name])
			}
		}
		return nil
	})
}

// checkCancelOutside cancels at some moment: a method returns either the error
// of the context or all of its result.
func checkCancelOutside(ctx context.Context, e join.Engine) error {
	tr := newTruth("cancelled from outside", must(synth.Make("uniform", 400, 3, seed)), nil)
	return withIndex(ctx, e, tr.pts, func(idx join.Index) error {
		for spins := range 12 {
			for _, check := range []func(context.Context) error{
				func(ctx context.Context) error { return tr.checkCounts(ctx, idx, 0.5, 0) },
				func(ctx context.Context) error { return tr.checkPairs(ctx, idx, 0.5) },
				func(ctx context.Context) error { return tr.checkNearest(ctx, idx, 5) },
			} {
				inner, cancel := context.WithCancel(ctx)
				var wait sync.WaitGroup
				wait.Go(func() {
					for range 1 << spins {
						_ = inner.Err() // passes a little time
					}
					cancel()
				})
				err := check(inner)
				wait.Wait()
				cancel()
				if err != nil && !errors.Is(err, context.Canceled) {
					return err
				}
			}
		}
		return nil
	})
}

// checkConcurrent runs all methods at once on one index.
func checkConcurrent(ctx context.Context, e join.Engine) error {
	pts := must(synth.Make("latent", 130, 6, seed))
	self, other := newTruth("concurrent calls", pts, nil), newTruth("concurrent calls", pts, others(pts))
	member := make([]bool, pts.Rows())
	for i := range member {
		member[i] = i%5 != 0
	}
	return withIndex(ctx, e, pts, func(idx join.Index) error {
		var wait sync.WaitGroup
		var first atomic.Pointer[error]
		try := func(check func() error) {
			wait.Go(func() {
				for range 3 {
					if err := check(); err != nil {
						first.CompareAndSwap(nil, &err)
					}
				}
			})
		}
		for _, tr := range []*truth{self, other} {
			for _, eps := range tr.attained(0.1, 0.3) {
				try(func() error { return tr.checkCounts(ctx, idx, eps, 0) })
				try(func() error { return tr.checkPairs(ctx, idx, eps) })
			}
			try(func() error { return tr.checkNearest(ctx, idx, 1) })
			try(func() error { return tr.checkNearest(ctx, idx, 9) })
		}
		if a, ok := idx.(join.Attacher); ok {
			try(func() error { return self.checkAttach(ctx, a, 0.2, member) })
			try(func() error { return other.checkAttach(ctx, a, 0.2, member) })
		}
		if w, ok := idx.(join.Weigher); ok {
			try(func() error { return self.checkWeigh(ctx, w, 0.2) })
		}
		if c, ok := idx.(join.Clusterer); ok {
			try(func() error { return self.checkCluster(ctx, c, 0.1) })
			try(func() error { return self.checkCluster(ctx, c, 0.2) })
		}
		if c, ok := idx.(join.Componenter); ok {
			try(func() error { return self.checkComponents(ctx, c, 0.1, member) })
			try(func() error { return self.checkComponents(ctx, c, 0.2, member) })
		}
		wait.Wait()
		if err := first.Load(); err != nil {
			return fmt.Errorf("several goroutines: %w", *err)
		}
		return nil
	})
}
