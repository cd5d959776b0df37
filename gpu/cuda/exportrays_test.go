//go:build cuda

package cuda

import "rtcluster/gpu/kernels"

// Cells are the rays of groups of leaves.
type Cells struct {
	Rays  []kernels.Ray
	First []int64
	Whole []float32
	Reach [kernels.Space]float64
}

// NewCells makes the rays of groups of leaves.
func NewCells(lo, hi []float32, leaves, axes, group int) Cells {
	c := newCells(lo, hi, leaves, axes, group)
	return Cells{c.rays, c.first, c.whole, c.reach}
}

// SceneReach is how far boxes of a scene reach beyond their leaves.
func SceneReach(apart float64, cell [kernels.Space]float64, reachQ, reachT float64) [kernels.Space]float64 {
	return sceneReach(apart, cell, reachQ, reachT)
}

// WithDoubt leaves room for so many pairs in doubt a list of rays of rows.
func WithDoubt(opt Options, room int64) Options {
	opt.doubt = room
	return opt
}
