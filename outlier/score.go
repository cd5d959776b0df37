package outlier

import (
	"context"
	"fmt"

	"rtcluster/join"
)

// Result is the scores of n rows.
type Result struct {
	// Scores has one score a row, higher for more outlying. Distances are in
	// the unit of the coordinates (or of Distance), LOF is a ratio. None is NaN.
	Scores []float64
	// Duplicates is the number of rows whose density is infinite or whose
	// score is, for [LOF]: those that a rule for duplicates decided.
	Duplicates int
	// Pairs is the number of unordered pairs of different rows within Eps, for
	// [Count].
	Pairs int64
}

// Score scores the points of idx, as the package comment defines it. An index
// of 0 rows gives an empty result. It returns an error if opt is not valid
// ([ErrTooFewRows] if there are no K other rows), ctx's error once that is
// done, and errors of the index as they are, wrapped.
func Score(ctx context.Context, idx join.Index, opt Options) (*Result, error) {
	n := idx.Points().Rows()
	if err := opt.check(n); err != nil {
		return nil, fmt.Errorf("outlier: %w", err)
	}
	opt.settle(idx.Points())
	res := &Result{Scores: make([]float64, n)}
	if n == 0 {
		return res, nil
	}
	var err error
	switch opt.Method {
	case KNN:
		err = scoreDistances(ctx, idx, &opt, res)
	case LOF:
		err = scoreFactors(ctx, idx, &opt, res)
	case Count:
		err = scoreCounts(ctx, idx, opt.Eps, res)
	}
	if err != nil {
		return nil, fmt.Errorf("outlier: method %s: %w", opt.Method, err)
	}
	return res, nil
}

func scoreDistances(ctx context.Context, idx join.Index, opt *Options, res *Result) error {
	dist := make([]float64, opt.K)
	return idx.KNN(ctx, nil, opt.K, func(row int, near []join.Neighbor) error {
		if len(near) != opt.K {
			return fmt.Errorf("the engine gives row %d %d neighbours, want %d", row, len(near), opt.K)
		}
		needed := 0
		if opt.Aggregate == Max || opt.Aggregate == "" {
			needed = opt.K - 1
		}
		for r := needed; r < opt.K; r++ {
			dist[r] = opt.Distance(near[r].D2)
		}
		res.Scores[row] = opt.Aggregate.of(dist)
		return nil
	})
}

// of aggregates distances in ascending order, of which there is one at least.
func (a Aggregate) of(dist []float64) float64 {
	k := len(dist)
	switch a {
	case Mean:
		return sum(dist) / float64(k)
	case Median:
		if k%2 == 1 {
			return dist[k/2]
		}
		return (dist[k/2-1] + dist[k/2]) / 2
	case Sum:
		return sum(dist)
	default:
		return dist[k-1]
	}
}

func sum(x []float64) float64 {
	var s float64
	for _, v := range x {
		s += v
	}
	return s
}

func scoreCounts(ctx context.Context, idx join.Index, eps float64, res *Result) error {
	counts := make([]int32, len(res.Scores))
	if err := idx.Counts(ctx, nil, eps, 0, counts); err != nil {
		return err
	}
	var ordered int64
	for i, c := range counts {
		ordered += int64(c) - 1 // without the row itself
		res.Scores[i] = float64(1 - c)
	}
	res.Pairs = ordered / 2
	return nil
}
