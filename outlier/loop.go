package outlier

import (
	"context"
	"math"
)

// probabilities is the method [LoOP], Kriegel, Kröger, Schubert and Zimek 2009,
// https://doi.org/10.1145/1645953.1646195. Of the reference it keeps 8 bytes a row.
type probabilities struct {
	opt   *Options
	pdist []float64 // of each row, less the factor λ, which cancels out
	scale float64   // nPLOF
}

func (m *probabilities) fit(ctx context.Context, t *task) (*Result, error) {
	var err error
	if m.pdist, err = m.pdists(ctx, t.near); err != nil {
		return nil, err
	}
	res, err := m.plofs(ctx, t.near, m.pdist)
	if err != nil {
		return nil, err
	}
	m.scale = m.opt.deviation(res.Scores, t.near.at.count)
	res.Deviation = m.scale
	return m.probable(res), nil
}

func (m *probabilities) score(ctx context.Context, t *task) (*Result, error) {
	own, err := m.pdists(ctx, t.near)
	if err != nil {
		return nil, err
	}
	res, err := m.plofs(ctx, t.near, own)
	if err != nil {
		return nil, err
	}
	res.Deviation = m.scale
	return m.probable(res), nil
}

func (m *probabilities) pdists(ctx context.Context, near *lists) ([]float64, error) {
	own := make([]float64, near.n)
	return own, eachHood(ctx, m.opt, near, func(i int, h *hood) { own[i] = m.opt.pdist(h) })
}

// plofs returns PLOF of rows whose pdist is own.
func (m *probabilities) plofs(ctx context.Context, near *lists, own []float64) (*Result, error) {
	res := &Result{Scores: make([]float64, near.n)}
	ruled := newTally(near)
	err := eachHood(ctx, m.opt, near, func(i int, h *hood) {
		res.Scores[i] = plof(own[i], h, func(j int32) float64 { return m.pdist[j] })
		if own[i] == 0 || math.IsInf(res.Scores[i], 1) {
			ruled.add(i)
		}
	})
	if err != nil {
		return nil, err
	}
	ruled.settle(res)
	return res, nil
}

// probable turns PLOF into scores.
func (m *probabilities) probable(res *Result) *Result {
	for i, plof := range res.Scores {
		res.Scores[i] = probability(plof, m.scale)
	}
	return res
}

// pdist returns the root of the mean of the squared distances of a hood.
func (opt *Options) pdist(h *hood) float64 {
	// least is a sum of squares below which they may have lost digits.
	const least = 0x1p-900
	sum := h.sum(func(r int) float64 { return square(opt.Distance(h.d2[r]), 0) })
	if sum >= least && !math.IsInf(sum, 1) {
		return math.Sqrt(sum / float64(h.size))
	}
	_, exponent := math.Frexp(opt.Distance(h.d2[len(h.d2)-1])) // of 0 and +Inf it is 0
	sum = h.sum(func(r int) float64 { return square(opt.Distance(h.d2[r]), -exponent) })
	return math.Ldexp(math.Sqrt(sum/float64(h.size)), exponent)
}

// square returns the square of d·2^exponent.
func square(d float64, exponent int) float64 {
	if exponent != 0 {
		d = math.Ldexp(d, exponent)
	}
	return float64(d * d)
}

// plof returns own over the mean pdist of a hood, less 1. Equals have PLOF 0, which
// 0/0 and Inf/Inf need. The mean of numbers that are all the same may round to another:
// nothing else may be in nPLOF, and scores would be made of that.
func plof(own float64, h *hood, pdist func(int32) float64) float64 {
	same := true
	mean := h.sum(func(r int) float64 {
		of := pdist(h.rows[r])
		same = same && of == own
		return of
	}) / float64(h.size)
	if same || own == mean {
		return 0
	}
	return own/mean - 1
}

// deviation returns nPLOF, λ times the root of the mean of the squares of PLOF that
// are finite, those below 0 taken as 0 unless [Options].AllPLOF. rows says how many rows
// share each of plofs.
func (opt *Options) deviation(plofs []float64, rows func(i int) int) float64 {
	most := 0.0
	for _, plof := range plofs {
		if !math.IsInf(plof, 1) {
			most = max(most, math.Abs(plof))
		}
	}
	_, exponent := math.Frexp(most) // squares of great ones would overflow
	var sum float64
	n := 0
	for i, plof := range plofs {
		if math.IsInf(plof, 1) {
			continue
		}
		n += rows(i)
		if plof > 0 || opt.AllPLOF {
			sum += float64(float64(rows(i)) * square(plof, -exponent))
		}
	}
	if n == 0 {
		return 0
	}
	return opt.Lambda * math.Ldexp(math.Sqrt(sum/float64(n)), exponent)
}

// probability returns the score of a PLOF.
func probability(plof, deviation float64) float64 {
	if !(plof > 0) {
		return 0
	}
	if math.IsInf(plof, 1) {
		return 1
	}
	return math.Erf(plof / float64(deviation*math.Sqrt2)) // of x/0 it is 1
}
