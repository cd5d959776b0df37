package jointest

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"rtcluster/join"
)

// This file has the laws that compare a join with one of other points, and the
// sample of rows by brute force.

// lawDiagonal checks A ⋈ A against the self-join.
func lawDiagonal(ctx context.Context, idx join.Index, list []join.Pair, eps float64) error {
	var want []join.Pair
	for i := range int32(idx.Points().Rows()) {
		want = append(want, join.Pair{I: i, J: i})
	}
	for _, p := range list {
		want = append(want, p, join.Pair{I: p.J, J: p.I})
	}
	sortPairs(want)
	got, err := collect(ctx, idx, affine(idx.Points(), 1, 0), eps)
	if err != nil {
		return err
	}
	if err := same(got, want); err != nil {
		return fmt.Errorf("the join A ⋈ A at eps %v against the self-join: %w", eps, err)
	}
	return nil
}

// lawPermuted checks the rows in another order.
func lawPermuted(ctx context.Context, e join.Engine, pts *join.Points, want []join.Pair, eps float64) error {
	mixed, perm := permuted(pts)
	return withIndex(ctx, e, mixed, func(idx join.Index) error {
		got, err := collect(ctx, idx, nil, eps)
		if err != nil {
			return err
		}
		for at, p := range got {
			i, j := perm[p.I], perm[p.J]
			got[at] = join.Pair{I: min(i, j), J: max(i, j)}
		}
		sortPairs(got)
		if err := same(got, want); err != nil {
			return fmt.Errorf("rows in another order, eps %v: %w", eps, err)
		}
		return nil
	})
}

// lawScaled checks −2 times the coordinates: all operations of the predicate
// scale without another rounding.
func lawScaled(ctx context.Context, e join.Engine, pts *join.Points, want []join.Pair, eps float64) error {
	return withIndex(ctx, e, affine(pts, -2, 0), func(idx join.Index) error {
		got, err := collect(ctx, idx, nil, 2*eps)
		if err != nil {
			return err
		}
		if err := same(got, want); err != nil {
			return fmt.Errorf("-2 times the coordinates, eps %v: %w", 2*eps, err)
		}
		return nil
	})
}

// lawTurned checks A ⋈ B against B ⋈ A for two parts of pts.
func lawTurned(ctx context.Context, e join.Engine, pts *join.Points, eps float64) error {
	var left, right []int32
	for i := range int32(pts.Rows()) {
		if i%4 == 0 {
			left = append(left, i)
		} else {
			right = append(right, i)
		}
	}
	a, b := pts.Subset(left), pts.Subset(right)
	var lists [2][]join.Pair
	for at, sides := range [2][2]*join.Points{{a, b}, {b, a}} {
		err := withIndex(ctx, e, sides[1], func(idx join.Index) (err error) {
			lists[at], err = collect(ctx, idx, sides[0], eps)
			return err
		})
		if err != nil {
			return err
		}
	}
	for at, p := range lists[1] {
		lists[1][at] = join.Pair{I: p.J, J: p.I}
	}
	sortPairs(lists[1])
	if err := same(lists[1], lists[0]); err != nil {
		return fmt.Errorf("the join B ⋈ A at eps %v against A ⋈ B: %w", eps, err)
	}
	return nil
}

// lawSample compares some rows with a brute force.
func lawSample(ctx context.Context, idx join.Index, eps float64) error {
	pts := idx.Points()
	var rows []int
	var sampled []int32
	for i := 0; i < pts.Rows(); i += pts.Rows()/40 + 1 {
		rows, sampled = append(rows, i), append(sampled, int32(i))
	}
	check := join.NewPairCheck(nil, pts, eps, rows)
	err := idx.Pairs(ctx, nil, eps, func(pairs []join.Pair) error {
		check.See(pairs)
		return nil
	})
	if err != nil {
		return fmt.Errorf("Pairs at eps %v: %w", eps, err)
	}
	if err := check.Err(); err != nil {
		return fmt.Errorf("Pairs at eps %v: %w", eps, err)
	}
	return lawSampledNearest(ctx, idx, sampled)
}

// lawSampledNearest compares the nearest rows of the sampled rows, found in
// the self-join, with the truth of A ⋈ B, where the row itself must be taken
// out.
func lawSampledNearest(ctx context.Context, idx join.Index, sampled []int32) error {
	const k = 8
	tr := newTruth("sample", idx.Points(), idx.Points().Subset(sampled))
	slot := map[int]int{}
	for at, row := range sampled {
		slot[int(row)] = at
	}
	check := func(row int, near []join.Neighbor) error {
		want := slices.DeleteFunc(tr.near(nil, slot[row], k+1), func(n join.Neighbor) bool { return int(n.Row) == row })
		return tr.checkNear(row, k, near, want[:k])
	}
	var first error
	err := idx.KNN(ctx, nil, k, func(row int, near []join.Neighbor) error {
		if _, ok := slot[row]; ok && first == nil {
			first = check(row, near)
		}
		return nil
	})
	return cmp.Or(first, err, lawLists(ctx, idx, k, sampled, check))
}
