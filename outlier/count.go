package outlier

import "context"

// counts is the method [Count].
type counts struct{ eps float64 }

func (m *counts) fit(ctx context.Context, t *task) (*Result, error) {
	res, err := m.score(ctx, t)
	if err != nil {
		return nil, err
	}
	var ordered int64
	for i := range res.Scores {
		res.Scores[i]++ // the row itself
		ordered -= int64(res.Scores[i])
	}
	res.Pairs = ordered / 2
	return res, nil
}

func (m *counts) score(ctx context.Context, t *task) (*Result, error) {
	within, err := t.within(ctx, m.eps, 0)
	if err != nil {
		return nil, err
	}
	res := &Result{Scores: make([]float64, len(within))}
	for i, c := range within {
		res.Scores[i] = float64(0 - c)
		res.Pairs += int64(c)
	}
	return res, nil
}

// within counts the rows of the reference within eps of each row to score, a row of
// the reference itself among them; it may stop at limit, unless that is 0.
func (t *task) within(ctx context.Context, eps float64, limit int32) ([]int32, error) {
	counts := make([]int32, t.rows())
	return counts, t.idx.Counts(ctx, t.q, eps, limit, counts)
}
