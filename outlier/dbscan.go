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

// result tells border from noise among the rows of pts that are not core. They have
// less than MinSamples neighbours each, so that their pairs are few.
func (m *kinds) result(ctx context.Context, t *task, pts *join.Points, own []bool) (*Result, error) {
	const most = 1 << 18 // rows at a time, which are copied
	res := &Result{Scores: make([]float64, len(own))}
	var others []int32
	flush := func() error {
		if len(others) == 0 {
			return nil
		}
		err := t.idx.Pairs(ctx, pts.Subset(others), m.opt.Eps, func(pairs []join.Pair) error {
			for _, p := range pairs {
				if m.core[p.J] {
					res.Scores[others[p.I]] = Border
				}
			}
			return nil
		})
		others = others[:0]
		return err
	}
	for i, is := range own {
		if is {
			res.Scores[i] = Core
			continue
		}
		res.Scores[i] = Noise
		if others = append(others, int32(i)); len(others) == most {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	if err := flush(); err != nil {
		return nil, err
	}
	return res, nil
}
