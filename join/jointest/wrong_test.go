package jointest_test

import (
	"context"
	"errors"
	"slices"
	"sync"

	"rtcluster/join"
)

// wrong is an engine by brute force with places where faults can be planted.
// Without any it is right.
type wrong struct {
	d2      func(a, b []float64) float64 // but for KNN
	near    func(d2, eps float64) bool
	less    func(a, b join.Neighbor) bool
	counts  func(x *wrongIndex, q *join.Points, limit int32, dst []int32)
	pairs   func(x *wrongIndex, q *join.Points, eps float64, all []join.Pair) []join.Pair
	nearest func(x *wrongIndex, q *join.Points, row, k int, all []join.Neighbor) []join.Neighbor
	labels  func(member []bool, dst []int32)
	better  func(found, best int32) bool // for Attach: whether found replaces best
	lists   func(k int, rows []int32, d2 []float64)
	weigh   func(x *wrongIndex, eps float64, w *join.Weights, dst []bool)
	cluster func(core []bool, label []int32, all *join.Clustered)

	as        func(join.Metric) join.Metric // what the metric is taken for
	anyMetric bool                          // takes query points under another metric

	strangers bool // Attach takes the rows of the index for those of the queries

	isSelf   func(x *wrongIndex, q *join.Points) bool
	deaf     bool // to the context
	careless bool // of errors from emit
	insists  bool // goes on after an error of emit, but returns it
	overlaps bool // calls emit in two goroutines
	silent   bool // never reports the end of a stage
	spoils   bool // changes the points
	late     bool // returns before emit is done
	apart    bool // Lists has a context of its own, without cancellation and progress
	lax      bool // Lists, Weigh and Cluster take slices of any length
}

func (e *wrong) Name() string { return "wrong" }

func (e *wrong) Index(ctx context.Context, pts *join.Points) (join.Index, error) {
	if err := ctx.Err(); err != nil && !e.deaf {
		return nil, err
	}
	if e.spoils && pts.Rows() > 0 {
		pts.Data()[0]++
	}
	x := &wrongIndex{wrong: e, pts: pts}
	return x, x.stage(ctx, join.StageIndex, func() error { return nil })
}

type wrongIndex struct {
	*wrong
	pts *join.Points
}

func (x *wrongIndex) Points() *join.Points { return x.pts }
func (x *wrongIndex) Close() error         { return nil }

func (x *wrongIndex) stage(ctx context.Context, stage join.Stage, work func() error) error {
	report := join.ReportTo(ctx)
	report(stage, 0, 1)
	if err := ctx.Err(); err != nil && !x.deaf {
		return err
	}
	if err := work(); err != nil {
		return err
	}
	if !x.silent {
		report(stage, 1, 1)
	}
	return nil
}

// self reports whether q asks for the self-join.
func (x *wrongIndex) self(q *join.Points) bool {
	if x.isSelf != nil {
		return x.isSelf(x, q)
	}
	return q == nil
}

func (x *wrongIndex) within(a, b []float64, eps float64) bool {
	d2 := x.metric().Measure(a, b)
	if x.d2 != nil {
		d2 = x.d2(a, b)
	}
	if x.near != nil {
		return x.near(d2, eps)
	}
	return d2 <= x.metric().Bound(eps)
}

func (x *wrongIndex) metric() join.Metric {
	if x.as != nil {
		return x.as(x.pts.Metric())
	}
	return x.pts.Metric()
}

// check refuses query points under another metric.
func (x *wrongIndex) check(q *join.Points) error {
	if q != nil && !q.Metric().Equal(x.pts.Metric()) && !x.anyMetric {
		return errors.New("another metric")
	}
	return nil
}

func (x *wrongIndex) queries(q *join.Points) *join.Points {
	if q == nil {
		return x.pts
	}
	return q
}

func (x *wrongIndex) Counts(ctx context.Context, q *join.Points, eps float64, limit int32, dst []int32) error {
	if err := x.check(q); err != nil {
		return err
	}
	return x.stage(ctx, join.StageCounts, func() error {
		for i := range dst {
			dst[i] = 0
			for j := range x.pts.Rows() {
				if (limit <= 0 || dst[i] < limit) && x.within(x.queries(q).Row(i), x.pts.Row(j), eps) {
					dst[i]++
				}
			}
		}
		if x.counts != nil {
			x.counts(x, q, limit, dst)
		}
		return nil
	})
}

func (x *wrongIndex) Pairs(ctx context.Context, q *join.Points, eps float64, emit func([]join.Pair) error) error {
	if err := x.check(q); err != nil {
		return err
	}
	return x.stage(ctx, join.StagePairs, func() error {
		var all []join.Pair
		for i := range x.queries(q).Rows() {
			for j := range x.pts.Rows() {
				if (!x.self(q) || i < j) && x.within(x.queries(q).Row(i), x.pts.Row(j), eps) {
					all = append(all, join.Pair{I: int32(i), J: int32(j)})
				}
			}
		}
		if x.pairs != nil {
			all = x.pairs(x, q, eps, all)
		}
		return x.emitAll(ctx, slices.Collect(slices.Chunk(all, 100)), emit)
	})
}

// emitAll calls emit with each batch, as the engine's faults will have it.
func (x *wrongIndex) emitAll(ctx context.Context, batches [][]join.Pair, emit func([]join.Pair) error) error {
	var wait sync.WaitGroup
	var failed error
	for _, batch := range batches {
		if x.overlaps || x.late {
			wait.Go(func() { _ = emit(batch) })
			continue
		}
		if err := emit(batch); err != nil && !x.careless {
			if failed = err; !x.insists {
				return err
			}
		}
		if err := ctx.Err(); err != nil && !x.deaf {
			return err
		}
	}
	if !x.late {
		wait.Wait()
	}
	return failed
}

func (x *wrongIndex) KNN(ctx context.Context, q *join.Points, k int, emit func(int, []join.Neighbor) error) error {
	if err := x.check(q); err != nil {
		return err
	}
	return x.stage(ctx, join.StageKNN, func() error {
		for i := range x.queries(q).Rows() {
			var all []join.Neighbor
			for j := range x.pts.Rows() {
				if !x.self(q) || i != j {
					all = append(all, join.Neighbor{D2: x.metric().Measure(x.queries(q).Row(i), x.pts.Row(j)), Row: int32(j)})
				}
			}
			slices.SortFunc(all, func(a, b join.Neighbor) int {
				if x.less == nil && a.Less(b) || x.less != nil && x.less(a, b) {
					return -1
				}
				return 1
			})
			near := all[:min(k, len(all))]
			if x.nearest != nil {
				near = x.nearest(x, q, i, k, all)
			}
			if err := emit(i, near); err != nil && !x.careless {
				return err
			}
			if err := ctx.Err(); err != nil && !x.deaf {
				return err
			}
		}
		return nil
	})
}

func (x *wrongIndex) Lists(ctx context.Context, q *join.Points, k int, rows []int32, d2 []float64) error {
	if x.apart {
		ctx = context.Background()
	}
	if err := join.CheckLists(x.queries(q).Rows(), k, rows, d2); err != nil {
		if x.lax {
			return nil
		}
		return err
	}
	err := x.KNN(ctx, q, k, func(row int, near []join.Neighbor) error {
		join.SetList(rows[row*k:(row+1)*k], d2[row*k:(row+1)*k], near)
		return nil
	})
	if x.lists != nil && err == nil {
		x.lists(k, rows, d2)
	}
	return err
}

func (x *wrongIndex) Weigh(ctx context.Context, eps float64, w *join.Weights, dst []bool) error {
	if n := x.pts.Rows(); w.Rows() != n || len(dst) != n {
		if x.lax {
			return nil
		}
		return errors.New("weights of another length")
	}
	if err := join.CheckEps(eps); err != nil {
		return err
	}
	return x.stage(ctx, join.StageCounts, func() error {
		sum := make([]uint64, w.Words())
		for i := range dst {
			clear(sum)
			for j := range dst {
				if x.within(x.pts.Row(i), x.pts.Row(j), eps) {
					join.AddWords(sum, w.Row(j))
				}
			}
			dst[i] = w.Reached(sum)
		}
		if x.weigh != nil {
			x.weigh(x, eps, w, dst)
		}
		return nil
	})
}
