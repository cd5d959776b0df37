package outlier

import (
	"context"
	"math"

	"rtcluster/join"
)

// innerDistances is the method [LDOF], Zhang, Hutter and Jin 2009,
// https://doi.org/10.1007/978-3-642-01307-2_84. It keeps nothing of the reference.
type innerDistances struct{ opt *Options }

func (m *innerDistances) fit(ctx context.Context, t *task) (*Result, error) { return m.score(ctx, t) }

func (m *innerDistances) score(ctx context.Context, t *task) (*Result, error) {
	res := &Result{Scores: make([]float64, t.near.n)}
	pts := t.near.at.idx.Points()
	ruled := newTally(t.near)
	err := eachHood(ctx, m.opt, t.near, func(i int, h *hood) {
		outer, inner := sumOf(h, m.opt.Distance), m.opt.inner(h, pts)
		res.Scores[i] = ldof(outer, inner, h.size)
		if inner == 0 {
			ruled.add(i)
		}
	})
	if err != nil {
		return nil, err
	}
	ruled.settle(res)
	return res, nil
}

// inner returns the sum of the distances of all pairs of rows in a hood: of each, by
// rank, from those before it.
func (opt *Options) inner(h *hood, pts *join.Points) float64 {
	metric := pts.Metric()
	return h.sum(func(r int) float64 {
		x := pts.Row(int(h.rows[r]))
		before := hood{rows: h.rows[:r], times: h.times, own: h.own}
		return before.sum(func(b int) float64 {
			return opt.Distance(metric.Measure(x, pts.Row(int(h.rows[b]))))
		})
	})
}

// ldof returns the quotient of the mean of size distances and the mean of those
// between their rows. Where the latter are 0, all rows are in one place: the score is
// +Inf away from it, and 1 there.
func ldof(outer, inner float64, size int) float64 {
	pairs := float64(size) * float64(size-1) / 2
	mean, of := outer/float64(size), inner/pairs
	if mean == of || math.IsInf(mean, 1) && math.IsInf(of, 1) {
		return 1
	}
	return mean / of
}
