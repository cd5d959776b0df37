package cpu

import (
	"context"
	"math"
	"math/bits"

	"rtcluster/join/internal/dist"
)

// fanLevels is the number of levels of the tree from a node to the children of its
// fan: 2^5 are dist.Lanes.
const fanLevels = 5

// fan is an inner node with its descendants some levels down side by side, so
// that one look tells which of them are apart from a box. They cover the leaves
// of the node, in order; what is a leaf of the tree further up is among them.
type fan struct {
	n     int
	nodes [dist.Lanes]int32
	from  [dist.Lanes + 1]int32 // child j covers leaves from[j] to from[j+1]
	below [dist.Lanes]int32     // the fan of each child, −1 for a leaf, or leaves searched as one
	point uint32                // the inner nodes among the children all whose rows are equal
}

// fans are the fans of a tree, that of the root first.
//
// Boxes are kept in float32, relative to the middle of the root's, on the axes
// of the basis, scaled, and wider than the exact ones by rounding: for rows x
// and z in two of them, the axes k of both obey |y_k(x) − y_k(z)| ≥ gap_k. So
// what package dist shows for Near holds here with δ = 0: if d2 ≤ L, the sum of
// the squares of the gaps is at most the hit limit that guard.limits gives. Gaps
// along some axes are enough: splits run along the leading ones.
type fans struct {
	dim    int // boxed axes
	origin []float64
	list   []fan
	low    []float32 // a block of dim·Lanes for each fan
	high   []float32
}

// newFans returns the fans of a tree whose boxes are made.
func newFans(ctx context.Context, t *tree, threads int) (*fans, error) {
	f := &fans{dim: t.basis.boxed, origin: make([]float64, t.basis.boxed)}
	if t.leaves <= t.group {
		return f, nil
	}
	for k := range f.origin {
		low, high := t.axisBounds(0, k)
		if middle := low + (high-low)/2; !math.IsNaN(middle) && !math.IsInf(middle, 0) {
			f.origin[k] = middle
		}
	}
	// The fan of the root takes the levels that are left over: there is one of
	// it, and many at the bottom, which shall be full.
	groups := (t.leaves + t.group - 1) / t.group
	levels := bits.Len(uint(groups - 1))
	f.list = make([]fan, 0, groups/(dist.Lanes/2)+levels)
	f.add(node{0, 0, t.leaves}, (levels-1)%fanLevels+1, t.group)
	size := f.dim * dist.Lanes
	f.low, f.high = make([]float32, len(f.list)*size), make([]float32, len(f.list)*size)
	return f, forEach(ctx, threads, len(f.list), func(int) func(at int) error {
		box := make([]float32, 2*f.dim)
		return func(at int) error { f.fill(t, at, box); return nil }
	})
}

// add makes the fan of a node, and those below it, down to nodes of so many leaves, and
// returns its number.
func (f *fans) add(n node, levels, group int) int32 {
	at := len(f.list)
	f.list = append(f.list, fan{})
	children := appendBelow(make([]node, 0, dist.Lanes), n, levels, group)
	fan := fan{n: len(children)}
	for j, c := range children {
		fan.nodes[j], fan.from[j], fan.from[j+1], fan.below[j] = int32(c.v), int32(c.a), int32(c.b), -1
		if c.leaves() > group {
			fan.below[j] = f.add(c, fanLevels, group)
		}
	}
	f.list[at] = fan
	return int32(at)
}

// fill sets the boxes of a fan; box is room for one.
func (f *fans) fill(t *tree, at int, box []float32) {
	size := f.dim * dist.Lanes
	low, high := f.low[at*size:(at+1)*size], f.high[at*size:(at+1)*size]
	fan := &f.list[at]
	for j, v := range fan.nodes[:fan.n] {
		f.narrow(box, t, int(v))
		for k := range f.dim {
			low[k*dist.Lanes+j], high[k*dist.Lanes+j] = box[k], box[f.dim+k]
		}
		if fan.below[j] >= 0 && t.isPoint(int(v)) {
			fan.point |= 1 << j
		}
	}
}

// narrow sets box to that of node v of a tree on the same basis, in float32.
func (f *fans) narrow(box []float32, t *tree, v int) {
	for k := range f.dim {
		low, high := t.axisBounds(v, k)
		low, high = low-f.origin[k], high-f.origin[k]
		// A float32 is off by 2^-24 of its value, the difference before by
		// 2^-53, and what underflows by 2^-150.
		const huge = math.MaxFloat32 / 2
		box[k] = float32(min(low, huge) - (math.Abs(low)*0x1p-22 + 0x1p-140))
		box[f.dim+k] = float32(max(high, -huge) + (math.Abs(high)*0x1p-22 + 0x1p-140))
	}
}

// gaps sets dst to the squared distances of the boxes in a fan from a box, and
// returns the mask of those within limit.
func (f *fans) gaps(dst *[dist.Lanes]float32, at int32, box []float32, limit float32) uint32 {
	size := f.dim * dist.Lanes
	from, to := int(at)*size, (int(at)+1)*size
	near := dist.Gaps(dst[:], f.low[from:to], f.high[from:to], box, limit)
	return near & (1<<f.list[at].n - 1)
}
