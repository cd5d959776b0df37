package outlier

import (
	"context"
	"math"
	"sync/atomic"
)

// factors is the method [LOF], Breunig et al. 2000,
// https://doi.org/10.1145/335191.335388, from the sums R of the package
// comment. Of the reference it keeps 16 bytes a row.
type factors struct {
	opt   *Options
	far   []float64 // the k-th distance of each row
	reach []float64 // the sum R of each row
}

func (m *factors) fit(ctx context.Context, t *task) (*Result, error) {
	n, k := t.rows(), m.opt.K
	m.far = make([]float64, n)
	err := eachRows(ctx, m.opt.Threads, n, func(from, to int) {
		for i := from; i < to; i++ {
			m.far[i] = m.opt.Distance(t.near.far(i, k))
		}
	})
	if err != nil {
		return nil, err
	}
	if m.reach, err = m.reachabilities(ctx, t); err != nil {
		return nil, err
	}
	return m.quotients(ctx, t, m.reach)
}

func (m *factors) score(ctx context.Context, t *task) (*Result, error) {
	own, err := m.reachabilities(ctx, t)
	if err != nil {
		return nil, err
	}
	return m.quotients(ctx, t, own)
}

// reachabilities returns R of all rows to score.
func (m *factors) reachabilities(ctx context.Context, t *task) ([]float64, error) {
	own := make([]float64, t.rows())
	return own, eachRows(ctx, m.opt.Threads, len(own), func(from, to int) {
		for i := from; i < to; i++ {
			h := t.near.hood(i, m.opt.K)
			own[i] = reachability(&h, m.opt.Distance, func(j int32) float64 { return m.far[j] })
		}
	})
}

// quotients returns the result for rows of the sums own.
func (m *factors) quotients(ctx context.Context, t *task, own []float64) (*Result, error) {
	res := &Result{Scores: make([]float64, len(own))}
	var duplicates atomic.Int64
	err := eachRows(ctx, m.opt.Threads, len(own), func(from, to int) {
		var found int64
		for i := from; i < to; i++ {
			h := t.near.hood(i, m.opt.K)
			res.Scores[i] = factor(own[i], &h, func(j int32) float64 { return m.reach[j] })
			if own[i] == 0 || math.IsInf(res.Scores[i], 1) {
				found++
			}
		}
		duplicates.Add(found)
	})
	if err != nil {
		return nil, err
	}
	res.Duplicates = int(duplicates.Load())
	return res, nil
}

// reachability returns R, the sum of the reachability distances of a row from
// its nearest rows; farthest has the k-th distance of a row.
func reachability(h *hood, distance func(d2 float64) float64, farthest func(int32) float64) float64 {
	var s float64
	for r, j := range h.rows {
		s += max(farthest(j), distance(h.d2[r]))
	}
	return s
}

// factor returns the mean of own/reach(j), the LOF of a row whose R is own and
// whose nearest rows are given. Equal sums have ratio 1, which rounding would
// not change and which 0/0 and Inf/Inf need: no other quotient is NaN.
func factor(own float64, h *hood, reach func(int32) float64) float64 {
	var s float64
	for _, j := range h.rows {
		if other := reach(j); other == own {
			s++
		} else {
			s += own / other
		}
	}
	return s / float64(len(h.rows))
}
