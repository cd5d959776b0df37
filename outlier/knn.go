package outlier

import "context"

// distances is the method [KNN].
type distances struct{ opt *Options }

func (m *distances) fit(ctx context.Context, t *task) (*Result, error) { return m.score(ctx, t) }

func (m *distances) score(ctx context.Context, t *task) (*Result, error) {
	return t.near.collect(ctx, m.opt.Threads, m.opt.K, m.collect(t.rows()))
}

func (m *distances) collect(rows int) collection {
	return &aggregates{opt: m.opt, res: &Result{Scores: make([]float64, rows)}}
}

// aggregates are the scores of [KNN].
type aggregates struct {
	opt *Options
	res *Result
}

func (a *aggregates) take(row int, h *hood) {
	a.res.Scores[row] = a.opt.Aggregate.of(h, a.opt.Distance)
}

func (a *aggregates) result() *Result { return a.res }

// of aggregates the distances of a hood.
func (a Aggregate) of(h *hood, distance func(d2 float64) float64) float64 {
	k := len(h.d2)
	switch a {
	case Mean:
		return sum(h, distance) / float64(k)
	case Median:
		if k%2 == 1 {
			return distance(h.d2[k/2])
		}
		return (distance(h.d2[k/2-1]) + distance(h.d2[k/2])) / 2
	case Sum:
		return sum(h, distance)
	default:
		return distance(h.d2[k-1])
	}
}

// sum returns the sum of the distances of a hood, by rank.
func sum(h *hood, distance func(d2 float64) float64) float64 {
	var s float64
	for _, d2 := range h.d2 {
		s += distance(d2)
	}
	return s
}
