package jointest

import (
	"context"
	"errors"
	"fmt"
	"math"

	"rtcluster/join"
	"rtcluster/join/synth"
)

// This file checks [join.Lists], over an index's own road, if it has one, and over
// its KNN.

// plainIndex hides all that an index has beyond [join.Index].
type plainIndex struct{ join.Index }

// checkNearest compares KNN with the truth, and also Lists where the index has a
// road of its own.
func (tr *truth) checkNearest(ctx context.Context, idx join.Index, k int) error {
	err := tr.checkKNN(ctx, idx, k)
	if _, ok := idx.(join.Lister); ok && err == nil {
		err = tr.checkLists(ctx, idx, k)
	}
	return err
}

// checkLists compares Lists with the truth, distances to the bit.
func (tr *truth) checkLists(ctx context.Context, idx join.Index, k int) error {
	rows, rowsIntact := guarded[int32](tr.rows * k)
	d2, d2Intact := guarded[float64](tr.rows * k)
	if err := join.Lists(ctx, idx, tr.q, k, rows, d2); err != nil {
		return tr.errorf("Lists with k %d: %w", k, err)
	}
	if !rowsIntact() || !d2Intact() {
		return tr.errorf("Lists with k %d wrote beyond a slice", k)
	}
	var near []join.Neighbor
	for at := range rows {
		i, r := at/k, at%k
		if r == 0 {
			near = tr.near(near[:0], i, k)
		}
		want := join.Neighbor{D2: math.Inf(1), Row: -1}
		if r < len(near) {
			want = near[r]
		}
		if rows[at] != want.Row || math.Float64bits(d2[at]) != math.Float64bits(want.D2) {
			return tr.errorf("Lists with k %d: row %d, place %d: got row %d with d2 %v, want row %d with d2 %v",
				k, i, r, rows[at], d2[at], want.Row, want.D2)
		}
	}
	return nil
}

// checkListCalls checks Lists on few, equal and no rows, over both roads, and
// what it must refuse.
func checkListCalls(ctx context.Context, e join.Engine) error {
	sets := map[string]*join.Points{
		"no rows": points(3), "one row": points(2, 5, -7), "equal rows": points(1, make([]float64, 40)...),
		"uniform": must(synth.Make("uniform", 70, 3, seed)),
	}
	for name, pts := range sets {
		err := withIndex(ctx, e, pts, func(idx join.Index) error {
			for _, road := range []join.Index{idx, plainIndex{idx}} {
				for _, q := range []*join.Points{nil, others(pts), points(pts.Dim())} {
					tr := newTruth("lists of "+name, pts, q)
					for _, k := range []int{1, 5, pts.Rows() + 3} {
						if err := tr.checkLists(ctx, road, k); err != nil {
							return fmt.Errorf("%T: %w", road, err)
						}
					}
					if err := checkListRefusals(ctx, road, q, tr.rows); err != nil {
						return fmt.Errorf("%T: lists of %s, self-join %t: %w", road, name, q == nil, err)
					}
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkListRefusals asks for lists of n query rows into slices that do not fit.
func checkListRefusals(ctx context.Context, idx join.Index, q *join.Points, n int) error {
	type request struct{ k, rows, d2 int }
	refused := []request{
		{0, 0, 0},
		{0, n, n},
		{-1, n, n},
		{math.MinInt, n, n},
		{2, 2*n + 1, 2*n + 1},
		{2, 2*n + 2, 2*n + 2},
		{2, 2*n + 1, 2 * n},
		{2, 2 * n, 2*n + 1},
		{2, 2 * n, 2*n + 2},
		{3, 3*n + 3, 3 * n},
		{2, max(0, 2*n-2), 2*n + 2},
		{math.MaxInt, n + 1, n + 1},
	}
	if n > 0 {
		refused = append(refused, request{math.MaxInt/2 + 1, 0, 0}) // times 40 rows it is 0
	}
	for _, c := range refused {
		rows, rowsIntact := guarded[int32](c.rows)
		d2, d2Intact := guarded[float64](c.d2)
		if err := join.Lists(ctx, idx, q, c.k, rows, d2); err == nil {
			return fmt.Errorf("join.Lists with k %d for %d query rows, %d places and %d distances: got no error", c.k, n, c.rows, c.d2)
		}
		if !rowsIntact() || !d2Intact() {
			return errors.New("join.Lists wrote beyond a slice that it refused")
		}
	}
	return nil
}

// lawLists checks the lists of some rows.
func lawLists(ctx context.Context, idx join.Index, k int, sampled []int32, check func(row int, near []join.Neighbor) error) error {
	if _, ok := idx.(join.Lister); !ok {
		return nil
	}
	n := idx.Points().Rows()
	rows, d2 := make([]int32, n*k), make([]float64, n*k)
	if err := join.Lists(ctx, idx, nil, k, rows, d2); err != nil {
		return fmt.Errorf("join.Lists with k %d: %w", k, err)
	}
	for _, row := range sampled {
		near := make([]join.Neighbor, k)
		for r := range near {
			at := int(row)*k + r
			near[r] = join.Neighbor{D2: d2[at], Row: rows[at]}
		}
		if err := check(int(row), near); err != nil {
			return fmt.Errorf("join.Lists: %w", err)
		}
	}
	return nil
}
