package jointest

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"rtcluster/join"
)

// This file joins every multiset of up to 5 points of the 3 × 3 lattice
//
//	6 7 8
//	3 4 5
//	0 1 2
//
// at every distance attained there and next to it. Faults in ties, duplicates
// and tiny leaves have nowhere to hide here.

// exhaustiveSteps returns one step for each number of points.
func exhaustiveSteps(short bool) []step {
	var all []step
	for n := 1; n <= pick(short, 4, 5); n++ {
		all = append(all, step{fmt.Sprintf("all multisets of %d lattice points", n), func(ctx context.Context, e join.Engine) error {
			return eachMultiset(make([]int, 0, n), n, func(cells []int) error {
				return checkMultiset(ctx, e, cells)
			})
		}})
	}
	return all
}

// eachMultiset calls visit for each ascending sequence of n cells, of which
// cells is the beginning.
func eachMultiset(cells []int, n int, visit func(cells []int) error) error {
	if len(cells) == n {
		return visit(cells)
	}
	from := 0
	if len(cells) > 0 {
		from = cells[len(cells)-1]
	}
	for cell := from; cell < 9; cell++ {
		if err := eachMultiset(append(cells, cell), n, visit); err != nil {
			return err
		}
	}
	return nil
}

// checkMultiset checks one multiset in ascending order, and in another at some
// of the bounds.
func checkMultiset(ctx context.Context, e join.Engine, cells []int) error {
	data := make([]float64, 0, 2*len(cells))
	for _, cell := range cells {
		data = append(data, float64(cell%3), float64(cell/3))
	}
	pts := points(2, data...)
	bounds := latticeBounds()
	if err := checkSmall(ctx, e, newTruth(fmt.Sprint("lattice points ", cells), pts, nil), bounds); err != nil {
		return err
	}
	mixed, perm := permuted(pts)
	at := (cells[0] + 2*cells[len(cells)-1]) % len(bounds)
	return checkSmall(ctx, e, newTruth(fmt.Sprint("lattice points ", cells, " in the order ", perm), mixed, nil), bounds[at:at+1])
}

// checkSmall checks the self-join of at most 5 lattice points.
func checkSmall(ctx context.Context, e join.Engine, tr *truth, bounds []float64) error {
	member := make([]bool, tr.cols)
	for i := range member {
		member[i] = i != tr.cols/2
	}
	return withIndex(ctx, e, tr.pts, func(idx join.Index) error {
		for _, eps := range bounds {
			err := cmp.Or(tr.checkCounts(ctx, idx, eps, 0), tr.checkCounts(ctx, idx, eps, 2), tr.checkPairs(ctx, idx, eps))
			if err == nil {
				err = tr.checkRoads(ctx, idx, eps, member)
			}
			if err != nil {
				return err
			}
		}
		return cmp.Or(tr.checkNearest(ctx, idx, 1), tr.checkNearest(ctx, idx, 2), tr.checkNearest(ctx, idx, len(member)))
	})
}

// latticeBounds returns the distances of the 3 × 3 lattice; the irrational
// ones rounded both ways, since the squares lie on both sides.
func latticeBounds() []float64 {
	eps := []float64{0, 1, 2}
	for _, d2 := range []float64{2, 5, 8} {
		root := math.Sqrt(d2)
		eps = append(eps, root, math.Nextafter(root, 0))
	}
	return eps
}
