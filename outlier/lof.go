package outlier

import (
	"context"
	"math"
)

// factors is the methods [LOF], Breunig et al. 2000,
// https://doi.org/10.1145/335191.335388, and [SimplifiedLOF], Schubert, Zimek and
// Kriegel 2014, https://doi.org/10.1007/s10618-012-0300-z, from the sums R of the
// package comment. Of the reference it keeps 16 bytes a row at most, and 4 more
// under [TiesAll].
type factors struct {
	opt  *Options
	far  []float64 // the k-th distance of each row, for LOF
	sums crowd     // R of each row
}

// crowd is what LOF needs to know of rows: R, and |N| where that is not K.
type crowd struct {
	reach []float64
	sizes []int32
}

func (m *factors) fit(ctx context.Context, t *task) (*Result, error) {
	if m.opt.Method == LOF {
		m.far = make([]float64, t.near.n)
		err := eachHood(ctx, m.opt, t.near, func(i int, h *hood) {
			m.far[i] = m.opt.Distance(h.d2[len(h.d2)-1])
		})
		if err != nil {
			return nil, err
		}
	}
	var err error
	if m.sums, err = m.crowd(ctx, t.near); err != nil {
		return nil, err
	}
	return m.quotients(ctx, t.near, m.sums)
}

func (m *factors) score(ctx context.Context, t *task) (*Result, error) {
	own, err := m.crowd(ctx, t.near)
	if err != nil {
		return nil, err
	}
	return m.quotients(ctx, t.near, own)
}

// crowd returns R and |N| of all rows to score.
func (m *factors) crowd(ctx context.Context, near *lists) (crowd, error) {
	c := crowd{reach: make([]float64, near.n)}
	if near.at.ties {
		c.sizes = make([]int32, near.n)
	}
	return c, eachHood(ctx, m.opt, near, func(i int, h *hood) {
		c.reach[i] = m.opt.reach(h, func(j int32) float64 { return m.far[j] })
		if c.sizes != nil {
			c.sizes[i] = int32(h.size)
		}
	})
}

// quotients returns the result for rows of the sums own.
func (m *factors) quotients(ctx context.Context, near *lists, own crowd) (*Result, error) {
	res := &Result{Scores: make([]float64, near.n)}
	ruled := newTally(near)
	err := eachHood(ctx, m.opt, near, func(i int, h *hood) {
		res.Scores[i] = factor(own.reach[i], h, func(j int32) (reach float64, size int) {
			if m.sums.sizes == nil {
				return m.sums.reach[j], m.opt.K
			}
			return m.sums.reach[j], int(m.sums.sizes[j])
		})
		if own.reach[i] == 0 || math.IsInf(res.Scores[i], 1) {
			ruled.add(i)
		}
	})
	if err != nil {
		return nil, err
	}
	ruled.settle(res)
	return res, nil
}

// reach returns R, the sum of the reachability distances of a row from its nearest
// rows, or of its plain distances for [SimplifiedLOF]; farthest has the k-th distance
// of a row.
func (opt *Options) reach(h *hood, farthest func(int32) float64) float64 {
	if opt.Method == SimplifiedLOF {
		return sumOf(h, opt.Distance)
	}
	var s float64
	for r, j := range h.rows {
		s += float64(float64(h.weight(r)) * max(farthest(j), opt.Distance(h.d2[r])))
	}
	return s
}

// factor returns the mean of lrd(j)/lrd(i) = own/R(j) · |N(j)|/|N(i)|, the LOF of a row
// whose R is own. Where that is 0/0 or Inf/Inf it is 1.
func factor(own float64, h *hood, of func(int32) (reach float64, size int)) float64 {
	var s float64
	for r, j := range h.rows {
		other, size := of(j)
		ratio := own / other
		switch {
		case math.IsNaN(ratio):
			ratio = 1
		case size != h.size:
			ratio *= float64(size) / float64(h.size)
		}
		s += float64(float64(h.weight(r)) * ratio)
	}
	return s / float64(h.size)
}
