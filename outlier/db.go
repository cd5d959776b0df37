package outlier

import (
	"context"
	"math/big"
	"strconv"
)

// shares is the method [DB].
type shares struct{ opt *Options }

func (m *shares) fit(ctx context.Context, t *task) (*Result, error) { return m.among(ctx, t, 0) }

func (m *shares) score(ctx context.Context, t *task) (*Result, error) { return m.among(ctx, t, 1) }

// among scores each row as one of the reference's rows and more others: 1, the row
// itself, if it is new.
func (m *shares) among(ctx context.Context, t *task, more int) (*Result, error) {
	within, err := t.within(ctx, m.opt.Eps, 0)
	if err != nil {
		return nil, err
	}
	n := t.idx.Points().Rows() + more
	res := &Result{Scores: make([]float64, len(within))}
	for i, c := range within {
		res.Scores[i] = beyond(int(c)+more, n)
	}
	if m.opt.Fraction > 0 {
		res.Outlier = m.opt.beyondLimit(n).Flag(res.Scores).Outlier
	}
	return res, nil
}

// beyond returns the share of n rows that are not among those within Eps.
func beyond(within, n int) float64 { return 1 - float64(within)/float64(n) }

// beyondLimit returns the least score of outliers among n rows: that of the most
// rows within Eps which are a share of 1 − Fraction at most. Fraction is taken for
// the decimal that it is written as, so that of 10 rows (1 − 0.9)·10 is 1. Scores of
// different numbers of rows within Eps differ, since n is below 2³¹.
func (opt *Options) beyondLimit(n int) Limit {
	share, _ := new(big.Rat).SetString(strconv.FormatFloat(opt.Fraction, 'g', -1, 64))
	share.Sub(big.NewRat(1, 1), share)
	share.Mul(share, big.NewRat(int64(n), 1))
	most := new(big.Int).Quo(share.Num(), share.Denom())
	return Limit{Score: beyond(int(most.Int64()), n), Inclusive: true}
}
