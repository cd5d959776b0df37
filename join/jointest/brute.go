package jointest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"rtcluster/join"
)

// batchPairs is the most pairs that Brute emits at once. It is small, so that
// a caller that keeps a batch, or thinks there is only one, is found out.
const batchPairs = 64

// Brute returns the engine that compares every row with every other by
// [join.Scan], under any metric, in one goroutine: O(Rows²·Dim) time
// a join. It is not a [join.Componenter], so that callers' fallbacks are
// tested through it. It checks its arguments and returns an error where they
// break the contract.
func Brute() join.Engine { return brute{} }

type brute struct{}

func (brute) Name() string { return "brute" }

func (brute) Index(ctx context.Context, pts *join.Points) (join.Index, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	report, rows := join.ReportTo(ctx), int64(pts.Rows())
	report(join.StageIndex, 0, rows)
	report(join.StageIndex, rows, rows)
	return &bruteIndex{pts: pts}, nil
}

type bruteIndex struct{ pts *join.Points }

func (x *bruteIndex) Points() *join.Points { return x.pts }

func (x *bruteIndex) Close() error { return nil }

func (x *bruteIndex) Counts(ctx context.Context, q *join.Points, eps float64, limit int32, dst []int32) error {
	queries := x.queries(q)
	if len(dst) != queries.Rows() {
		return fmt.Errorf("jointest: %d counts for %d query rows", len(dst), queries.Rows())
	}
	if err := join.CheckEps(eps); err != nil {
		return fmt.Errorf("jointest: %w", err)
	}
	return x.eachRow(ctx, join.StageCounts, queries, func(i int) error {
		var count int32
		join.Scan(x.pts, queries.Row(i), x.pts.Metric().Bound(eps), func(int, float64) { count++ })
		if limit > 0 {
			count = min(count, limit)
		}
		dst[i] = count
		return nil
	})
}

func (x *bruteIndex) Pairs(ctx context.Context, q *join.Points, eps float64, emit func([]join.Pair) error) error {
	if err := join.CheckEps(eps); err != nil {
		return fmt.Errorf("jointest: %w", err)
	}
	queries := x.queries(q)
	batch := make([]join.Pair, 0, batchPairs)
	err := x.eachRow(ctx, join.StagePairs, queries, func(i int) error {
		var err error
		join.Scan(x.pts, queries.Row(i), x.pts.Metric().Bound(eps), func(j int, _ float64) {
			if err != nil || q == nil && j <= i {
				return
			}
			if batch = append(batch, join.Pair{I: int32(i), J: int32(j)}); len(batch) == batchPairs {
				err = emit(batch)
				batch = batch[:0]
			}
		})
		return err
	})
	if err != nil || len(batch) == 0 {
		return err
	}
	return emit(batch)
}

func (x *bruteIndex) KNN(ctx context.Context, q *join.Points, k int, emit func(row int, near []join.Neighbor) error) error {
	if k < 1 {
		return fmt.Errorf("jointest: k is %d, want at least 1", k)
	}
	queries := x.queries(q)
	all := make([]join.Neighbor, 0, x.pts.Rows())
	return x.eachRow(ctx, join.StageKNN, queries, func(i int) error {
		all = all[:0]
		join.Scan(x.pts, queries.Row(i), math.Inf(1), func(j int, d2 float64) {
			if q != nil || j != i {
				all = append(all, join.Neighbor{D2: d2, Row: int32(j)})
			}
		})
		slices.SortFunc(all, func(a, b join.Neighbor) int {
			if a.Less(b) {
				return -1
			}
			return 1 // rows differ, so no two are equal
		})
		return emit(i, all[:min(k, len(all))])
	})
}

// queries returns the query points: the indexed ones for a self-join.
func (x *bruteIndex) queries(q *join.Points) *join.Points {
	if q == nil {
		return x.pts
	}
	return q
}

// eachRow calls visit for each query row, until ctx is done or visit fails.
func (x *bruteIndex) eachRow(ctx context.Context, stage join.Stage, queries *join.Points, visit func(i int) error) error {
	if queries.Dim() != x.pts.Dim() {
		return fmt.Errorf("jointest: query rows have %d coordinates, indexed rows %d", queries.Dim(), x.pts.Dim())
	}
	if !queries.Metric().Equal(x.pts.Metric()) {
		return errors.New("jointest: query rows and indexed rows have different metrics")
	}
	report, rows := join.ReportTo(ctx), int64(queries.Rows())
	report(stage, 0, rows)
	for i := range queries.Rows() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := visit(i); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	report(stage, rows, rows)
	return nil
}
