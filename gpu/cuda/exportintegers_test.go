//go:build cuda

package cuda

import (
	"cmp"
	"context"

	"rtcluster/gpu/kernels"
	"rtcluster/join"
)

// TakesIntegers tells whether a join takes the road of small integers, and whether the
// card has kernels for that.
func TakesIntegers(ctx context.Context, e *Engine, pts, q *join.Points, eps float64) (takes, ok bool, err error) {
	idx, err := e.Index(ctx, pts)
	if err != nil {
		return false, false, err
	}
	x := idx.(*index)
	_, ok = kernels.Integer(pts.Dim(), x.capability)
	err = x.join(ctx, q, eps, func(j *joining) error {
		takes = j.layout.Integers
		return nil
	})
	return takes, ok, cmp.Or(err, x.Close())
}

// IntegerProducts multiplies two leaves of small integers by the kernels for a compute
// capability, and adds beside of the second leaf's lanes to each result. It isn't ok if
// the card has no tensor cores that we use.
func IntegerProducts(dim, capability int, a, b [][]int8, beside []int32) (got []int32, ok bool, err error) {
	c, err := openCard(Options{Capability: capability})
	if err != nil {
		return nil, false, err
	}
	layout, ok := kernels.Integer(dim, c.capability)
	if !ok {
		return nil, false, nil
	}
	s, err := c.dev.Stream()
	if err != nil {
		return nil, false, err
	}
	first, second := make([]int8, kernels.Leaf*32*layout.Steps), make([]int8, layout.LeafBytes())
	for lane := range kernels.Leaf {
		for i := range 4 {
			second[4*lane+i] = int8(beside[lane] >> (8 * i)) // as little-endian numbers lie
		}
		for k := range dim {
			first[layout.InRow(lane, k)] = a[lane][k]
			second[layout.InLeaf(lane, k)] = b[lane][k]
		}
	}
	got = make([]int32, kernels.Leaf*kernels.Leaf)
	err = multiplyLeaves(c, s, layout, first, second, got)
	return got, true, cmp.Or(err, s.Close())
}

// MayBeIntegers is mayBeIntegers.
func MayBeIntegers(data []float64) bool { return mayBeIntegers(data) }
