package outlier

import "context"

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
		return sumOf(h, distance) / float64(h.size)
	case Median:
		if h.size%2 == 1 {
			return distance(h.d2[h.at(h.size/2)])
		}
		return (distance(h.d2[h.at(h.size/2-1)]) + distance(h.d2[h.at(h.size/2)])) / 2
	case Sum:
		return sumOf(h, distance)
	default:
		return distance(h.d2[len(h.d2)-1])
	}
}

// sumOf returns the sum of the distances of a hood.
func sumOf(h *hood, distance func(d2 float64) float64) float64 {
	return h.sum(func(r int) float64 { return distance(h.d2[r]) })
}
