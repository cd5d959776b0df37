package cpu

import (
	"context"
	"math"
	"slices"

	"rtcluster/join"
	"rtcluster/join/internal/dist"
)

// leafRows is the number of rows in a leaf; the last leaf may have fewer.
const leafRows = dist.Lanes

// orderedDims is the number of coordinates up to which a tree keeps them in its
// own order.
const orderedDims = 8

// tree is a balanced kd-tree over rows. Nodes stand in preorder:
//
//	node v covers leaves [a, b); one with b−a > 1 has
//	left child  v+1       over [a, m),  m = middle(a, b)
//	right child v+2(m−a)  over [m, b)
//
// Leaf a holds positions a·leafRows and up; rows[p] is the row at position p.
type tree struct {
	pts    *join.Points
	basis  *basis
	dim    int
	leaves int
	rows   []int32
	nodes  []int32 // leaf → node
	lowest []int32 // the smallest row of each node

	// ordered holds the coordinates of the rows by position, for few
	// coordinates, where a row is less than a cache line; else nil.
	ordered []float64

	// boxes holds dim lows, then dim highs, of each node in the coordinates
	// of the points: exact.
	boxes  []float64
	widths []float64 // the squared diagonal of each node's box
	// turned holds the same on the axes of a rotated basis, widened by
	// rounding errors; nil for a permutation.
	turned []float64

	fans *fans // the nodes, for walks

	// blocks holds the rows on the axes of the basis by leaf, transposed and
	// relative to the leaf's center: axis k of lane j of leaf a is
	// blocks[(a·dim+k)·leafRows+j]. Lanes beyond the last row are NaN, so that
	// no comparison accepts them.
	blocks  []float32
	inner   []float32 // a leaf's box in its block: dim lows, dim highs
	centers []float64 // dim a leaf
	spread  []leafSpread
}

// leafSpread bounds what rows of a leaf have in common: the norms in the block
// and the norm of the errors of basis.apply.
type leafSpread struct{ radius, err float64 }

func middle(a, b int) int { return a + (b-a+1)/2 }

// newTree builds a tree over pts.
func newTree(ctx context.Context, pts *join.Points, b *basis, threads int) (*tree, error) {
	n := pts.Rows()
	t := &tree{pts: pts, basis: b, dim: pts.Dim(), leaves: (n + leafRows - 1) / leafRows}
	if n == 0 {
		t.fans = new(fans)
		return t, nil
	}
	var err error
	if t.rows, err = leafOrder(ctx, pts, b, threads); err != nil {
		return nil, err
	}
	nodes := 2*t.leaves - 1
	t.nodes = make([]int32, t.leaves)
	t.lowest = make([]int32, nodes)
	t.numberLeaves(0, 0, t.leaves)
	if t.dim <= orderedDims {
		t.ordered = make([]float64, n*t.dim)
	}
	t.boxes = make([]float64, nodes*2*t.dim)
	t.widths = make([]float64, nodes)
	if b.rotated() {
		t.turned = make([]float64, nodes*2*t.dim)
	}
	t.blocks = make([]float32, t.leaves*leafRows*t.dim)
	t.inner = make([]float32, t.leaves*2*t.dim)
	t.centers = make([]float64, t.leaves*t.dim)
	t.spread = make([]leafSpread, t.leaves)
	err = forEach(ctx, threads, t.leaves, func(int) func(leaf int) error {
		f := newLeafFiller(t)
		return func(leaf int) error { f.fill(leaf); return nil }
	})
	if err != nil {
		return nil, err
	}
	t.joinBoxes(0, 0, t.leaves)
	t.fans = newFans(t)
	return t, nil
}

// size returns the number of rows in leaf a.
func (t *tree) size(a int) int { return min(leafRows, len(t.rows)-a*leafRows) }

// full returns the lanes of leaf a that hold a row, as bits.
func (t *tree) full(a int) uint32 { return ^uint32(0) >> (leafRows - t.size(a)) }

// span returns the positions [from, to) of the rows in leaves [a, b).
func (t *tree) span(a, b int) (from, to int) {
	return a * leafRows, min(len(t.rows), b*leafRows)
}

// row returns the coordinates of the row at position p.
func (t *tree) row(p int) []float64 {
	if t.ordered != nil {
		return t.ordered[p*t.dim : (p+1)*t.dim : (p+1)*t.dim]
	}
	return t.pts.Row(int(t.rows[p]))
}

// block returns the coordinates of leaf a.
func (t *tree) block(a int) []float32 {
	stride := t.dim * leafRows
	return t.blocks[a*stride : (a+1)*stride : (a+1)*stride]
}

// box returns the box of node v: lows, then highs.
func (t *tree) box(v int) []float64 {
	return t.boxes[v*2*t.dim : (v+1)*2*t.dim : (v+1)*2*t.dim]
}

// turnedBox returns the rotated box of node v: lows, then highs.
func (t *tree) turnedBox(v int) []float64 {
	return t.turned[v*2*t.dim : (v+1)*2*t.dim : (v+1)*2*t.dim]
}

// axisBounds returns the bounds of node v along axis k of the basis, scaled.
func (t *tree) axisBounds(v, k int) (low, high float64) {
	if t.turned != nil {
		box := t.turnedBox(v)
		return box[k], box[t.dim+k]
	}
	box, c := t.box(v), t.basis.coords[k]
	return box[c] * t.basis.sigma, box[t.dim+c] * t.basis.sigma
}

// innerBox returns the box of leaf a in its block.
func (t *tree) innerBox(a int) []float32 {
	return t.inner[a*2*t.dim : (a+1)*2*t.dim : (a+1)*2*t.dim]
}

func (t *tree) center(a int) []float64 { return t.centers[a*t.dim : (a+1)*t.dim] }

func (t *tree) numberLeaves(v, a, b int) {
	if b-a == 1 {
		t.nodes[a] = int32(v)
		return
	}
	m := middle(a, b)
	t.numberLeaves(v+1, a, m)
	t.numberLeaves(v+2*(m-a), m, b)
}

// joinBoxes sets the boxes of the inner nodes under node v.
func (t *tree) joinBoxes(v, a, b int) {
	if b-a == 1 {
		return
	}
	m := middle(a, b)
	left, right := v+1, v+2*(m-a)
	t.joinBoxes(left, a, m)
	t.joinBoxes(right, m, b)
	t.lowest[v] = min(t.lowest[left], t.lowest[right])
	uniteBox(t.box(v), t.box(left), t.box(right))
	if t.turned != nil {
		uniteBox(t.turnedBox(v), t.turnedBox(left), t.turnedBox(right))
	}
	t.widths[v] = t.width2(v)
}

// width2 returns the squared diagonal of the smaller box of node v.
func (t *tree) width2(v int) float64 {
	upright := boxReach2(t.box(v), t.box(v), math.Inf(1))
	if t.turned == nil {
		return upright
	}
	return min(upright, dist.Reach2(t.turnedBox(v), t.turnedBox(v))*t.basis.high)
}

func uniteBox(dst, a, b []float64) {
	half := len(dst) / 2
	for k := range half {
		dst[k] = min(a[k], b[k])
		dst[half+k] = max(a[half+k], b[half+k])
	}
}

// leafFiller computes leaves, one at a time.
type leafFiller struct {
	t    *tree
	x, y []float64 // the leaf's rows, in the points' coordinates and on the axes
	box  []float64 // their box on the axes, where the tree doesn't keep it
}

func newLeafFiller(t *tree) *leafFiller {
	return &leafFiller{
		t: t, x: make([]float64, leafRows*t.dim), y: make([]float64, leafRows*t.dim),
		box: make([]float64, 2*t.dim),
	}
}

func (f *leafFiller) fill(a int) {
	t := f.t
	from, to := t.span(a, a+1)
	n, v := to-from, int(t.nodes[a])
	t.lowest[v] = slices.Min(t.rows[from:to])
	var err float64
	for i, row := range t.rows[from:to] {
		x := t.pts.Row(int(row))
		y := f.x[i*t.dim : (i+1)*t.dim]
		for k := range y { // mostly few: a call of copy would cost more
			y[k] = x[k]
		}
		err = max(err, t.basis.errorOf(x))
	}
	if t.ordered != nil {
		copy(t.ordered[from*t.dim:], f.x[:n*t.dim])
	}
	boxOf(t.box(v), f.x, n)
	t.basis.apply(f.y, f.x, n, t.dim)
	center := t.center(a)
	box := f.box
	if t.turned != nil {
		box = t.turnedBox(v)
	}
	boxOf(box, f.y, n)
	for k := range center {
		center[k] = box[k] + (box[t.dim+k]-box[k])/2
	}
	for k := range center {
		if math.IsInf(err, 1) || math.IsNaN(err) { // a NaN bound would bound nothing
			box[k], box[t.dim+k] = math.Inf(-1), math.Inf(1)
			continue
		}
		box[k] -= err
		box[t.dim+k] += err
	}
	t.widths[v] = t.width2(v)
	t.spread[a] = leafSpread{radius: f.fillBlock(a, n), err: math.Sqrt(float64(t.dim)) * 1.0001 * err}
}

// fillBlock writes the offsets of the leaf's n rows from its center, and their
// box, and returns a bound of their norms.
func (f *leafFiller) fillBlock(a, n int) float64 {
	t := f.t
	block, inner, center := t.block(a), t.innerBox(a), t.center(a)
	var norm2 [leafRows]float64
	for k, c := range center {
		lanes := block[k*leafRows : (k+1)*leafRows : (k+1)*leafRows]
		for i := range n {
			o := float32(f.y[i*t.dim+k] - c)
			lanes[i] = o
			norm2[i] += float64(o) * float64(o)
		}
		for i := n; i < leafRows; i++ {
			lanes[i] = float32(math.NaN())
		}
	}
	dist.MinMax(inner[:t.dim], inner[t.dim:], block)
	return math.Sqrt(slices.Max(norm2[:])) * (1 + 1e-9)
}

// boxOf sets box to the least one around n rows, row-major.
func boxOf(box, x []float64, n int) {
	dim := len(box) / 2
	copy(box[:dim], x)
	copy(box[dim:], x)
	for i := 1; i < n; i++ {
		for k, v := range x[i*dim : (i+1)*dim] {
			if v < box[k] { // cheaper than min, which minds NaN and zeros
				box[k] = v
			}
			if v > box[dim+k] {
				box[dim+k] = v
			}
		}
	}
}
