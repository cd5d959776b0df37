package outlier

import (
	"context"
	"sync/atomic"
)

// degrees is the method [ODIN], Hautamäki, Kärkkäinen and Fränti 2004,
// https://doi.org/10.1109/ICPR.2004.1334558. For new rows it keeps a second index of
// the reference, in parts.
type degrees struct {
	opt     *Options
	reverse *reverse
}

func (m *degrees) fit(ctx context.Context, t *task) (*Result, error) {
	return collectLists(ctx, m.opt, t, m.collect(t))
}

func (m *degrees) collect(t *task) collection {
	d := &inDegrees{method: m, at: t.search.at, of: make([]atomic.Int32, t.search.at.nodes())}
	if t.keep {
		d.far = make([]float64, len(d.of))
	}
	return d
}

// score counts the reference's rows that have a new row among their k nearest, where it
// stands after all that are equally far, or under [TiesAll] that have it in N.
func (m *degrees) score(ctx context.Context, t *task) (*Result, error) {
	degrees, err := m.reverse.counts(ctx, t.q)
	if err != nil {
		return nil, err
	}
	res := &Result{Scores: make([]float64, len(degrees))}
	for i, degree := range degrees {
		res.Scores[i] = float64(0 - degree)
	}
	return res, nil
}

// Close frees the indexes for new rows.
func (m *degrees) Close() error {
	if m.reverse == nil {
		return nil
	}
	return m.reverse.close()
}

// inDegrees counts how many rows have a row, of each place, among their neighbours.
type inDegrees struct {
	method *degrees
	at     *space
	of     []atomic.Int32
	far    []float64 // the squared k-th distances, if they are kept
}

func (d *inDegrees) take(row int, h *hood) {
	times := int32(d.at.count(row))
	for _, j := range h.rows {
		if int(j) == row {
			d.of[j].Add(times - 1) // each row of a place has the others
		} else {
			d.of[j].Add(times)
		}
	}
	if d.far != nil {
		d.far[row] = h.d2[len(h.d2)-1]
	}
}

func (d *inDegrees) result(ctx context.Context) (*Result, error) {
	res := &Result{Scores: make([]float64, len(d.of))}
	for i := range d.of {
		res.Scores[i] = float64(0 - d.of[i].Load())
	}
	if d.far == nil {
		return res, nil
	}
	var err error
	d.method.reverse, err = newReverse(ctx, d.method.opt.Engine, d.at, d.far)
	return res, err
}
