package cpu

import (
	"context"
	"math"
	"sync/atomic"

	"rtcluster/join"
	"rtcluster/join/internal/dist"
)

// leafRows is the number of rows that a leaf has, unless the options say fewer; the last
// leaf may have fewer.
const leafRows = dist.Lanes

// orderedDims is the number of coordinates up to which a tree may keep them in its
// own order.
const orderedDims = 8

// tree is a balanced kd-tree over rows. Nodes stand in preorder:
//
//	node v covers leaves [a, b); one with b−a > 1 has
//	left child  v+1       over [a, m),  m = middle(a, b)
//	right child v+2(m−a)  over [m, b)
//
// Leaf a holds positions a·held and up; rows[p] is the row at position p.
type tree struct {
	pts    *join.Points
	basis  *basis
	dim    int
	leaves int
	held   int // rows of a leaf: leafRows, or fewer
	group  int // leaves up to which a node is searched as one: 1, or more
	rows   []int32
	nodes  []int32      // leaf → node
	lowest []int32      // the smallest row of each node
	points atomic.Int32 // how many leaves have equal rows only
	varied bool         // leaves are compared in another way than the usual one

	// ordered holds the coordinates of the rows by position, once order was
	// called, for few coordinates, where a row is less than a cache line.
	ordered atomic.Pointer[[]float64]

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
	inner   []float32 // a leaf's box in its block along the boxed axes: lows, highs
	centers []float64 // dim a leaf
	spread  []leafSpread
	tails   []float64 // by leaf, where axes lead, else nil

	// halves holds half of the squared norm of each lane of each leaf, where the
	// basis is flat, else nil.
	halves [][leafRows]float32
}

// leafSpread bounds what rows of a leaf have in common: the norms in the block
// and the norm of the errors of basis.apply.
type leafSpread struct{ radius, err float64 }

// newTree builds a tree over pts.
func newTree(ctx context.Context, pts *join.Points, b *basis, threads int) (*tree, error) {
	n := pts.Rows()
	t := &tree{pts: pts, basis: b, dim: pts.Dim(), varied: b.opt.varied()}
	t.held, t.group = b.opt.leaf()
	t.leaves = (n + t.held - 1) / t.held
	if n == 0 {
		t.fans = new(fans)
		return t, nil
	}
	wait := beside(threads, t.makeRoom)
	s, err := leafOrder(ctx, pts, b, threads)
	if wait(); err != nil {
		return nil, err
	}
	if t.rows = s.rows; t.blocks == nil {
		t.blocks = s.spare
	}
	if b.lead == 0 {
		b.lead = chooseLead(t)
		b.boxed = b.lead
		if b.opt.IndexDims > 0 {
			b.boxed = b.opt.indexAxes(t.dim)
			b.lead = max(b.lead, b.boxed)
		}
	}
	t.inner = make([]float32, t.leaves*2*b.boxed)
	if b.lead < t.dim {
		t.tails = make([]float64, t.leaves)
	}
	err = forEach(ctx, threads, t.leaves, func(int) func(leaf int) error {
		f := newLeafFiller(t, s)
		return func(leaf int) error { f.fill(leaf); return nil }
	})
	if err != nil {
		return nil, err
	}
	if err := t.upward(ctx, threads, t.joinBoxes); err != nil {
		return nil, err
	}
	t.fans, err = newFans(ctx, t, threads)
	return t, err
}

// makeRoom makes what the leaves and nodes of the tree are written to, and numbers the
// leaves, all of which needs no row: to clear large slices takes a while. Blocks of so
// few coordinates that keys are of all use room that the keys have left.
func (t *tree) makeRoom(threads int) {
	nodes, b := 2*t.leaves-1, t.basis
	together(threads, func() {
		if t.dim > b.keyed() {
			t.blocks = make([]float32, t.leaves*leafRows*t.dim)
		}
	}, func() {
		if b.rotated() {
			t.turned = make([]float64, nodes*2*t.dim)
		}
	}, func() {
		t.boxes = make([]float64, nodes*2*t.dim)
	}, func() {
		t.centers = make([]float64, t.leaves*t.dim)
	})
	t.nodes, t.lowest = make([]int32, t.leaves), make([]int32, nodes)
	t.widths, t.spread = make([]float64, nodes), make([]leafSpread, t.leaves)
	if b.flat && b.opt.IndexDims == 0 && !t.varied {
		t.halves = make([][leafRows]float32, t.leaves)
	}
	t.numberLeaves(0, 0, t.leaves)
}

// upward calls do for each inner node, for its children before it, and for nodes
// side by side at the same time.
func (t *tree) upward(ctx context.Context, threads int, do func(n node)) error {
	if t.leaves == 0 {
		return nil
	}
	const partsLevels = 6 // enough parts to share, and few nodes above them
	root := node{0, 0, t.leaves}
	parts := appendBelow(nil, root, partsLevels, 1)
	err := forEach(ctx, threads, len(parts), func(int) func(part int) error {
		return func(part int) error { parts[part].upward(-1, do); return nil }
	})
	if err == nil {
		root.upward(partsLevels, do)
	}
	return err
}

// accepts reports whether boxes decide that all rows of a node are within a limit.
func (t *tree) accepts() bool { return t.basis.opt.Primitives == PrimitiveLeaves }

// first returns the position of the first row of leaf a.
func (t *tree) first(a int) int { return a * t.held }

// size returns the number of rows in leaf a.
func (t *tree) size(a int) int { return min(t.held, len(t.rows)-t.first(a)) }

// full returns the lanes of leaf a that hold a row, as bits.
func (t *tree) full(a int) uint32 { return ^uint32(0) >> (leafRows - t.size(a)) }

// span returns the positions [from, to) of the rows in leaves [a, b).
func (t *tree) span(a, b int) (from, to int) {
	return t.first(a), min(len(t.rows), t.first(b))
}

// scatter sets dst, by row, to values by position.
func (t *tree) scatter(ctx context.Context, threads int, dst, values []int32) error {
	return forEach(ctx, threads, t.leaves, func(int) func(leaf int) error {
		return func(leaf int) error {
			from, to := t.span(leaf, leaf+1)
			for i, row := range t.rows[from:to] {
				dst[row] = values[from+i]
			}
			return nil
		}
	})
}

// row returns the coordinates of the row at position p.
func (t *tree) row(p int) []float64 {
	if x := t.ordered.Load(); x != nil {
		return (*x)[p*t.dim : (p+1)*t.dim : (p+1)*t.dim]
	}
	return t.pts.Row(int(t.rows[p]))
}

// order makes ready for a method that asks for many rows.
func (t *tree) order(ctx context.Context, threads int) error {
	if t.dim > orderedDims || t.ordered.Load() != nil {
		return nil
	}
	x := make([]float64, len(t.rows)*t.dim)
	err := forEach(ctx, threads, t.leaves, func(int) func(leaf int) error {
		return func(leaf int) error {
			from, to := t.span(leaf, leaf+1)
			t.gather(x[from*t.dim:to*t.dim], leaf)
			return nil
		}
	})
	if err == nil {
		t.ordered.Store(&x)
	}
	return err
}

// gather copies the coordinates of leaf a's rows to dst, and asks for those of the
// next leaf, which the same goroutine likely takes next.
func (t *tree) gather(dst []float64, a int) {
	from, to := t.span(a, a+1)
	_, next := t.span(a+1, min(a+2, t.leaves))
	dist.Rows(dst, t.pts.Data(), t.rows[from:to], t.rows[to:max(to, next)], t.dim)
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

// innerBox returns the box of leaf a in its block, along the axes that are boxed.
func (t *tree) innerBox(a int) []float32 {
	size := 2 * t.basis.boxed
	return t.inner[a*size : (a+1)*size : (a+1)*size]
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

// joinBoxes sets the boxes of an inner node whose children have theirs.
func (t *tree) joinBoxes(n node) {
	left, right := n.children()
	t.lowest[n.v] = min(t.lowest[left.v], t.lowest[right.v])
	uniteBox(t.box(n.v), t.box(left.v), t.box(right.v))
	if t.turned != nil {
		uniteBox(t.turnedBox(n.v), t.turnedBox(left.v), t.turnedBox(right.v))
	}
	t.widths[n.v] = t.width2(n.v)
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
