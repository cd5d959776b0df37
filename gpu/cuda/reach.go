//go:build cuda

package cuda

import (
	"math"

	"rtcluster/gpu/kernels"
)

// sceneReach returns how far the boxes of a scene must reach beyond the leaves of t, along
// each axis, so that the rays of a group of leaves are in the box of every leaf that turned
// boxes do not tell apart from it: apart is the limit of boxLimits, cell how far points of
// groups are from the nearest of their rays, along each axis, and reachQ and reachT are at
// least the norms of turned rows. The numbers are float32.
//
// Let u = 2⁻²⁴, and A and B be a group's box and a leaf's, in float32. Search.cu leaves
// them open if a float32 sum of squared gaps, one an axis, is at most apart. A gap is a
// difference, rounded once, and a sum of what is not negative never falls, so for each axis
// fl(g²) ≤ apart, g² ≤ apart·(1+u) + 2⁻¹⁵⁰, and the true gap G ≤ g·(1+u), as differences do
// not underflow:
//
//	G ≤ gap = √(apart·(1+2u) + 2⁻¹⁴⁹)·(1+2u)
//
// So A has a point p of which each coordinate is within gap of B's interval along the
// axis: those of different axes are chosen alone, and a box has every choice of them. The
// ray r of p's cell is within cell of p, along each axis, so
//
//	lo − (gap + cell) ≤ r ≤ hi + (gap + cell)
//
// for B = [lo, hi]. No more than reachQ + reachT is ever needed, since |r| ≤ reachQ and lo
// and hi are at most reachT in size. Boxes are rounded outwards (scene.cu), and hold that.
//
// OptiX tests rays and boxes by arithmetic of its own, in float32 or coarser numbers that
// are rounded outwards. Lest it lose a ray that is on a face, boxes reach further by
//
//	margin = 2⁻²⁰·(1 + reachQ + reachT + need),  need = min(gap + cell, reachQ + reachT)
//
// so that rays are off the faces by 16u times the size of all that is there: differences
// of lo, hi and r, rounded a few times, keep their signs, and a ray is in a box from below
// −2⁻²⁰ to above 2⁻²⁰ of its length, which is 1e-16. The margin is no part of what is
// proved: a traversal that errs by more than that would be OptiX's fault.
//
// A row of queries, of few coordinates, is a group with one ray at the row, and cell 0.
func sceneReach(apart float64, cell [kernels.Space]float64, reachQ, reachT float64) [kernels.Space]float64 {
	const u = 0x1p-24
	gap := math.Sqrt(apart*(1+2*u)+0x1p-149) * (1 + 2*u)
	var by [kernels.Space]float64
	for k := range by {
		need := min(gap+cell[k], reachQ+reachT) * (1 + 0x1p-40) // for the roundings here
		by[k] = above32(need + 0x1p-20*(1+reachQ+reachT+need))
	}
	return by
}
