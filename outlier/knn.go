package outlier

import (
	"context"
	"math"
)

// distances is the method [KNN].
type distances struct{ opt *Options }

func (m *distances) fit(ctx context.Context, t *task) (*Result, error) { return m.score(ctx, t) }

func (m *distances) score(ctx context.Context, t *task) (*Result, error) {
	return collectLists(ctx, m.opt, t, m.collect(t))
}

func (m *distances) collect(t *task) collection {
	return &aggregates{opt: m.opt, res: &Result{Scores: make([]float64, t.search.from().Rows())}}
}

// aggregates are the scores of [KNN].
type aggregates struct {
	opt *Options
	res *Result
}

func (a *aggregates) take(row int, h *hood) {
	a.res.Scores[row] = a.opt.Aggregate.of(h, a.opt.Distance)
}

func (a *aggregates) result(context.Context) (*Result, error) { return a.res, nil }

// of aggregates the distances of a hood.
func (a Aggregate) of(h *hood, distance func(d2 float64) float64) float64 {
	switch a {
	case Mean:
		return meanOf(h, distance)
	case Median:
		if h.size%2 == 1 {
			return distance(h.d2[h.at(h.size/2)])
		}
		low, high := distance(h.d2[h.at(h.size/2-1)]), distance(h.d2[h.at(h.size/2)])
		if sum := low + high; !math.IsInf(sum, 1) {
			return sum / 2
		}
		return low/2 + high/2
	case Sum:
		return sumOf(h, distance)
	default:
		return distance(h.d2[len(h.d2)-1])
	}
}

// meanOf returns the mean of the distances of a hood. Numbers have a mean, though
// their sum overflow.
func meanOf(h *hood, distance func(d2 float64) float64) float64 {
	size := float64(h.size)
	if sum := sumOf(h, distance); !math.IsInf(sum, 1) {
		return sum / size
	}
	return h.sum(func(r int) float64 { return distance(h.d2[r]) / size })
}

// sumOf returns the sum of the distances of a hood.
func sumOf(h *hood, distance func(d2 float64) float64) float64 {
	return h.sum(func(r int) float64 { return distance(h.d2[r]) })
}
