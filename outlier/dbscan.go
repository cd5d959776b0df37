package outlier

import (
	"context"

	"rtcluster/join"
)

// The scores of [DBSCAN].
const (
	Core   = 0.0
	Border = 0.5
	Noise  = 1.0
)

// kinds is the method [DBSCAN]. Of the reference it keeps a byte a row.
type kinds struct {
	opt  *Options
	core []bool
}

func (m *kinds) fit(ctx context.Context, t *task) (*Result, error) {
	within, err := t.within(ctx, m.opt.Eps, int32(m.opt.MinSamples))
	if err != nil {
		return nil, err
	}
	m.core = make([]bool, len(within))
	for i, c := range within {
		m.core[i] = int(c) >= m.opt.MinSamples
	}
	return m.result(ctx, t, t.idx.Points(), m.core)
}

func (m *kinds) score(ctx context.Context, t *task) (*Result, error) {
	enough := m.opt.MinSamples - 1 // beside the row itself
	within, err := t.within(ctx, m.opt.Eps, int32(max(enough, 1)))
	if err != nil {
		return nil, err
	}
	own := make([]bool, len(within))
	for i, c := range within {
		own[i] = int(c) >= enough
	}
	return m.result(ctx, t, t.q, own)
}

// result tells border from noise among the rows of pts that are not core.
func (m *kinds) result(ctx context.Context, t *task, pts *join.Points, own []bool) (*Result, error) {
	res := &Result{Scores: make([]float64, len(own))}
	for i, is := range own {
		if !is {
			res.Scores[i] = Noise
		}
	}
	if a, ok := t.idx.(join.Attacher); ok {
		return res, m.attach(ctx, a, t, own, res)
	}
	const most = 1 << 18 // rows at a time: they are copied
	var others []int32
	for i, is := range own {
		if !is {
			others = append(others, int32(i))
		}
		if len(others) == most || i == len(own)-1 {
			if err := m.pairs(ctx, t, pts, others, res); err != nil {
				return nil, err
			}
			others = others[:0]
		}
	}
	return res, nil
}

// attach finds border rows by the faster road.
func (m *kinds) attach(ctx context.Context, a join.Attacher, t *task, own []bool, res *Result) error {
	labels, near := make([]int32, len(m.core)), make([]int32, len(own)) // labels are all 0
	if err := a.Attach(ctx, t.q, m.opt.Eps, m.core, labels, near); err != nil {
		return err
	}
	for i, label := range near {
		if !own[i] && label >= 0 {
			res.Scores[i] = Border
		}
	}
	return nil
}

// pairs finds border rows among others, which are not core. They have fewer
// than MinSamples neighbours each, so that their pairs are few.
func (m *kinds) pairs(ctx context.Context, t *task, pts *join.Points, others []int32, res *Result) error {
	if len(others) == 0 {
		return nil
	}
	return t.idx.Pairs(ctx, pts.Subset(others), m.opt.Eps, func(pairs []join.Pair) error {
		for _, p := range pairs {
			if m.core[p.J] {
				res.Scores[others[p.I]] = Border
			}
		}
		return nil
	})
}
