package paper

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"rtcluster/join"
)

// brute is an engine without an index: it holds each pair of rows against the contract's
// predicate, once. Of the works of an index it has those of a self-join that experiments
// ask for.
type brute struct{ threads int }

func (brute) Name() string { return "brute" }

func (b brute) Index(_ context.Context, pts *join.Points) (join.Index, error) {
	return &bruteIndex{pts: pts, threads: b.threads}, nil
}

type bruteIndex struct {
	pts     *join.Points
	threads int
}

func (x *bruteIndex) Points() *join.Points { return x.pts }
func (x *bruteIndex) Close() error         { return nil }

func (x *bruteIndex) KNN(context.Context, *join.Points, int, func(int, []join.Neighbor) error) error {
	return fmt.Errorf("brute force, nearest rows: %w", errors.ErrUnsupported)
}

// Counts counts what Pairs finds.
func (x *bruteIndex) Counts(ctx context.Context, q *join.Points, eps float64, limit int32, dst []int32) error {
	for i := range dst {
		dst[i] = 1
	}
	err := x.Pairs(ctx, q, eps, func(batch []join.Pair) error {
		for _, p := range batch {
			dst[p.I]++
			dst[p.J]++
		}
		return nil
	})
	for i := range dst {
		if limit > 0 {
			dst[i] = min(dst[i], limit)
		}
	}
	return err
}

// bruteBatch is how many pairs are handed over at once.
const bruteBatch = 1 << 14

// Pairs compares each row with those after it, rows side by side.
func (x *bruteIndex) Pairs(ctx context.Context, q *join.Points, eps float64, emit func([]join.Pair) error) error {
	if q != nil {
		return fmt.Errorf("brute force, two tables: %w", errors.ErrUnsupported)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var emitting sync.Mutex
	hand := func(batch []join.Pair) {
		emitting.Lock()
		defer emitting.Unlock()
		if len(batch) > 0 && ctx.Err() == nil {
			if err := emit(batch); err != nil {
				cancel(err)
			}
		}
	}
	progress, n := join.ReportTo(ctx), x.pts.Rows()
	progress(join.StagePairs, 0, int64(n))
	var workers sync.WaitGroup
	for range max(1, x.threads) {
		workers.Go(func() {
			var found []join.Pair
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if found = x.near(found, i, join.Squared(eps)); len(found) >= bruteBatch {
					hand(found)
					found = found[:0]
				}
				if i%1024 == 0 && i > 0 {
					progress(join.StagePairs, int64(i), int64(n))
				}
			}
			hand(found)
		})
	}
	workers.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	progress(join.StagePairs, int64(n), int64(n))
	return nil
}

// near appends the pairs of row i and those after it.
func (x *bruteIndex) near(found []join.Pair, i int, eps2 float64) []join.Pair {
	row := x.pts.Row(i)
	for j := i + 1; j < x.pts.Rows(); j++ {
		if join.Within(row, x.pts.Row(j), eps2) {
			found = append(found, join.Pair{I: int32(i), J: int32(j)})
		}
	}
	return found
}
