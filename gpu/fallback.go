package gpu

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"rtcluster/join"
)

// Fallback is an engine that works as one does until that fails, and then, for good,
// as another. Since all engines give the same results, nobody sees the difference,
// with one exception: pairs that were handed on cannot be taken back, so that a
// [join.Index.Pairs] that fails behind its first batch returns the error.
type Fallback struct {
	first, second join.Engine
	tell          func(err error)

	mu     sync.Mutex
	failed bool
}

// WithFallback returns the engine first, in whose place second goes on after an error
// that [IsFault]. tell is called with the first such error.
func WithFallback(first, second join.Engine, tell func(err error)) *Fallback {
	return &Fallback{first: first, second: second, tell: tell}
}

// Name is that of the engine that would make the next index.
func (f *Fallback) Name() string {
	if f.hasFailed() {
		return f.second.Name()
	}
	return f.first.Name()
}

// Index implements [join.Engine].
func (f *Fallback) Index(ctx context.Context, pts *join.Points) (join.Index, error) {
	if !f.hasFailed() {
		idx, err := f.first.Index(ctx, pts)
		if err == nil {
			return f.wrap(idx, pts), nil
		}
		if err := final(ctx, err); err != nil {
			return nil, err
		}
		f.giveUp(err)
	}
	return f.second.Index(ctx, pts)
}

func (f *Fallback) hasFailed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failed
}

// giveUp goes on with the second engine.
func (f *Fallback) giveUp(err error) {
	f.mu.Lock()
	first := !f.failed
	f.failed = true
	f.mu.Unlock()
	if first {
		f.tell(err)
	}
}

// final is the error to return where no other engine might do better, else nil. A fault
// in a call that was cancelled meanwhile is no matter any more.
func final(ctx context.Context, err error) error {
	if IsFault(err) {
		return ctx.Err()
	}
	return err
}

// wrap returns an index with the fast roads of DBSCAN, if idx has all three; further
// ones are left out.
func (f *Fallback) wrap(idx join.Index, pts *join.Points) join.Index {
	x := &fallbackIndex{engine: f, pts: pts, first: idx}
	if _, ok := idx.(clusterRoads); ok {
		return &fallbackRoads{x}
	}
	return x
}

// fallbackIndex is an index of the first engine. It makes one of the second when that
// is needed, and keeps both until it is closed: other goroutines may be at work.
type fallbackIndex struct {
	engine *Fallback
	pts    *join.Points
	first  join.Index

	mu     sync.Mutex
	second join.Index
}

// do does a join by the first index, or by the second if that fails, unless the error,
// or lost of it, if not nil, is final.
func (x *fallbackIndex) do(ctx context.Context, work func(idx join.Index) error, lost func(err error) error) error {
	if !x.engine.hasFailed() {
		err := work(x.first)
		if err == nil {
			return nil
		}
		if err := final(ctx, err); err != nil {
			return err
		}
		if lost != nil {
			if err := lost(err); err != nil {
				return err
			}
		}
		x.engine.giveUp(err)
	}
	idx, err := x.other(ctx)
	if err != nil {
		return err
	}
	return work(idx)
}

// other is the index of the second engine.
func (x *fallbackIndex) other(ctx context.Context) (join.Index, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.second == nil {
		idx, err := x.engine.second.Index(ctx, x.pts)
		if err != nil {
			return nil, err
		}
		x.second = idx
	}
	return x.second, nil
}

func (x *fallbackIndex) Points() *join.Points { return x.pts }

// Close frees both. That the card has failed is no matter any more.
func (x *fallbackIndex) Close() error {
	err := x.first.Close()
	if IsFault(err) {
		err = nil
	}
	if x.second != nil {
		if second := x.second.Close(); err == nil {
			err = second
		}
	}
	return err
}

func (x *fallbackIndex) Counts(ctx context.Context, q *join.Points, eps float64, limit int32, dst []int32) error {
	return x.do(ctx, func(idx join.Index) error { return idx.Counts(ctx, q, eps, limit, dst) }, nil)
}

func (x *fallbackIndex) Pairs(ctx context.Context, q *join.Points, eps float64, emit func([]join.Pair) error) error {
	var given int64
	var refused error
	return x.do(ctx, func(idx join.Index) error {
		return idx.Pairs(ctx, q, eps, func(pairs []join.Pair) error {
			given += int64(len(pairs))
			refused = emit(pairs)
			return refused
		})
	}, func(err error) error {
		switch {
		case refused != nil:
			return err
		case given > 0:
			return fmt.Errorf("%w; %d pairs were handed on before, so that this run cannot go on: start it again with --engine %s", err, given, x.engine.second.Name())
		}
		return nil
	})
}

// KNN remembers which rows were handed on, a bit each, and leaves them out where it
// starts again.
func (x *fallbackIndex) KNN(ctx context.Context, q *join.Points, k int, emit func(row int, near []join.Neighbor) error) error {
	queries := x.pts
	if q != nil {
		queries = q
	}
	given := make([]uint64, (queries.Rows()+63)/64)
	var refused error
	return x.do(ctx, func(idx join.Index) error {
		return idx.KNN(ctx, q, k, func(row int, near []join.Neighbor) error {
			if given[row/64]>>(row%64)&1 != 0 {
				return nil
			}
			given[row/64] |= 1 << (row % 64)
			refused = emit(row, near)
			return refused
		})
	}, func(err error) error {
		if refused != nil {
			return err
		}
		return nil
	})
}

// clusterRoads is an index with the fast roads of DBSCAN.
type clusterRoads interface {
	join.Index
	join.Componenter
	join.Attacher
	join.Clusterer
}

// fallbackRoads are the fast roads. Where the second index lacks them, nothing is
// there to do them by: it must have what the first has.
type fallbackRoads struct{ *fallbackIndex }

// road does a join on a fast road.
func (x *fallbackRoads) road(ctx context.Context, work func(idx clusterRoads) error) error {
	return x.do(ctx, func(idx join.Index) error {
		roads, ok := idx.(clusterRoads)
		if !ok {
			return fmt.Errorf("gpu: engine %s cannot stand in for %s, whose fast roads it lacks", x.engine.second.Name(), x.engine.first.Name())
		}
		return work(roads)
	}, nil)
}

func (x *fallbackRoads) Components(ctx context.Context, eps float64, member []bool, dst []int32) error {
	return x.road(ctx, func(idx clusterRoads) error { return idx.Components(ctx, eps, member, dst) })
}

// Attach keeps the labels, where they stand in the place of the result, for another
// start.
func (x *fallbackRoads) Attach(ctx context.Context, q *join.Points, eps float64, member []bool, label, dst []int32) error {
	if len(label) > 0 && len(dst) > 0 && &label[0] == &dst[0] {
		label = slices.Clone(label)
	}
	return x.road(ctx, func(idx clusterRoads) error { return idx.Attach(ctx, q, eps, member, label, dst) })
}

func (x *fallbackRoads) Cluster(ctx context.Context, eps float64, least int32, attach bool, core []bool, label []int32) (found join.Clustered, err error) {
	err = x.road(ctx, func(idx clusterRoads) error {
		found, err = idx.Cluster(ctx, eps, least, attach, core, label)
		return err
	})
	return found, err
}
