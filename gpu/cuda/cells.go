//go:build cuda

package cuda

import (
	"math"
	"slices"

	"rtcluster/gpu/kernels"
)

// cells are the rays of groups of leaves, in the first axes: the box of a group is cut into
// cells, whose middles are rays. Boxes of a scene must reach as far beyond leaves as cells
// are large, so groups far larger than others are cut, lest these find too much.
type cells struct {
	rays  []kernels.Ray
	first []int64   // groups, and one more: the first ray of each
	whole []float32 // see Rays.Whole
	// reach is at least how far a point of a group's box is from the ray of its cell, along
	// each axis.
	reach [kernels.Space]float64
}

const (
	// mostRays is how many rays a group has, on average, at most.
	mostRays = 2
	// usual is the share of groups that are no larger than the first try of a cell, and
	// smallest the part of the largest that a cell has at least.
	usual    = 0.75
	smallest = 0x1p-20
)

// newCells makes the rays of groups of so many leaves, whose boxes along axis k are lo and
// hi at k·leaves on; axes is up to 3.
func newCells(lo, hi []float32, leaves, axes, group int) *cells {
	groups := (leaves + group - 1) / group
	c := &cells{whole: make([]float32, 2*kernels.Space*groups), first: make([]int64, groups+1)}
	var half [kernels.Space]float64 // of a cell
	extents := make([]float64, groups)
	for k := range axes {
		for g := range groups {
			from, to := k*leaves+g*group, k*leaves+min((g+1)*group, leaves)
			least, most := slices.Min(lo[from:to]), slices.Max(hi[from:to])
			c.whole[2*kernels.Space*g+k], c.whole[2*kernels.Space*g+kernels.Space+k] = least, most
			extents[g] = float64(most) - float64(least)
		}
		slices.Sort(extents)
		half[k] = max(extents[int(usual*float64(groups-1))], smallest*extents[groups-1]) / 2
	}
	for c.count(half) > mostRays*float64(groups) {
		for k := range half {
			half[k] *= 1.5
		}
	}
	for g := range groups {
		c.first[g] = int64(len(c.rays))
		c.cut(g, half)
	}
	c.first[groups] = int64(len(c.rays))
	return c
}

// box is that of a group along an axis.
func (c *cells) box(g, k int) (least, most float64) {
	at := 2*kernels.Space*g + k
	return float64(c.whole[at]), float64(c.whole[at+kernels.Space])
}

// parts is how many cells of half a width a group has along an axis.
func (c *cells) parts(g, k int, half float64) float64 {
	least, most := c.box(g, k)
	if most == least {
		return 1
	}
	return math.Ceil((most - least) / (2 * half))
}

// count is how many rays there would be.
func (c *cells) count(half [kernels.Space]float64) (n float64) {
	for g := range len(c.first) - 1 {
		product := 1.0
		for k := range half {
			product *= c.parts(g, k, half[k])
		}
		n += product
	}
	return n
}

// cut makes the rays of a group.
func (c *cells) cut(g int, half [kernels.Space]float64) {
	var middles [kernels.Space][]float32
	for k := range middles {
		n := c.parts(g, k, half[k])
		least, most := c.box(g, k)
		width := (most - least) / n
		for i := range int(n) {
			middles[k] = append(middles[k], float32(least+(float64(i)+0.5)*width))
		}
		// A middle is rounded here, and by float32 at most by 2⁻²⁴ of itself, or 2⁻¹⁵⁰.
		far := width/2*(1+0x1p-40) + 0x1p-23*max(math.Abs(least), math.Abs(most)) + 0x1p-149
		c.reach[k] = max(c.reach[k], far)
	}
	for _, x := range middles[0] {
		for _, y := range middles[1] {
			for _, z := range middles[2] {
				c.rays = append(c.rays, kernels.Ray{X: x, Y: y, Z: z, Group: int32(g)})
			}
		}
	}
}
