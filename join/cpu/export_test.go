package cpu

import (
	"context"

	"rtcluster/join"
	"rtcluster/join/internal/dist"
)

// LeafRows is the number of rows in a leaf.
const LeafRows = leafRows

// UnionFind is the forest.
type UnionFind = unionFind

// NewUnionFind, Find and Unite are its parts.
func NewUnionFind(n int) *UnionFind {
	u := &unionFind{make([]int32, n)}
	u.reset(0, n)
	return u
}

func (u *unionFind) Find(i int32) int32 { return u.find(i) }
func (u *unionFind) Unite(i, j int32)   { u.unite(i, j) }

// ForEach is the parallel loop.
func ForEach(ctx context.Context, threads, n int, worker func(id int) func(task int) error) error {
	return forEach(ctx, threads, n, worker)
}

// Node is a node of a tree as tests see it.
type Node struct {
	V, A, B int
	Rows    []int32
	Box     []float64
}

// Tree gives tests a look at a tree.
type Tree struct{ t *tree }

// NewTree builds the tree of an index.
func NewTree(pts *join.Points, opt Options) (*Tree, error) {
	ctx := context.Background()
	b, err := newBasis(ctx, pts, opt)
	if err != nil {
		return nil, err
	}
	t, err := newTree(ctx, pts, b, opt.Threads)
	return &Tree{t}, err
}

// Nodes returns all nodes in preorder.
func (x *Tree) Nodes() []Node {
	var nodes []Node
	var visit func(v, a, b int)
	visit = func(v, a, b int) {
		from, to := x.t.span(a, b)
		nodes = append(nodes, Node{v, a, b, x.t.rows[from:to], x.t.box(v)})
		if b-a > 1 {
			m := middle(a, b)
			visit(v+1, a, m)
			visit(v+2*(m-a), m, b)
		}
	}
	if x.t.leaves > 0 {
		visit(0, 0, x.t.leaves)
	}
	return nodes
}

// Bounds returns the bounds of the squared distances between the rows of two
// nodes, and whether all are within limit.
func (x *Tree) Bounds(u, v Node, limit float64) (low float64, within bool) {
	return nodeDistance2(x.t, u.V, x.t, v.V, limit), nodesWithin(x.t, u.V, x.t, v.V, limit)
}

// Child is a child in a fan: its node, and its box in float32.
type Child struct {
	V, A, B int
	Box     []float32
}

// Fans returns the children of all fans, by the node that each fan is of.
func (x *Tree) Fans() map[int][]Child {
	out := map[int][]Child{}
	var visit func(v int, at int32)
	visit = func(v int, at int32) {
		f := &x.t.fans.list[at]
		base := int(at) * x.t.basis.boxed * dist.Lanes
		for j := range f.n {
			c := Child{V: int(f.nodes[j]), A: int(f.from[j]), B: int(f.from[j+1])}
			for _, side := range [][]float32{x.t.fans.low, x.t.fans.high} {
				for k := range x.t.basis.boxed {
					c.Box = append(c.Box, side[base+k*dist.Lanes+j])
				}
			}
			out[v] = append(out[v], c)
			if f.below[j] >= 0 {
				visit(c.V, f.below[j])
			}
		}
	}
	if len(x.t.fans.list) > 0 {
		visit(0, 0)
	}
	return out
}

// AxisBounds returns the bounds of a node along axis k, and the origin of fans.
func (x *Tree) AxisBounds(v, k int) (low, high, origin float64) {
	low, high = x.t.axisBounds(v, k)
	return low, high, x.t.fans.origin[k]
}

// Coords returns the coordinates in the order of the axes, nil for rotated ones.
func (x *Tree) Coords() []int { return x.t.basis.coords }

// Lead returns the number of leading axes.
func (x *Tree) Lead() int { return x.t.basis.lead }

// Rotated reports whether the tree has rotated boxes.
func (x *Tree) Rotated() bool { return x.t.turned != nil }

// ScaleBounds multiplies the factors of the rotated bounds, to break them.
func (x *Tree) ScaleBounds(low, high float64) {
	x.t.basis.low *= low
	x.t.basis.high *= high
}

// Verdict is what float32 says of the rows of two leaves: maybe and sure hold
// pairs of positions in the leaves.
func (x *Tree) Verdict(a, b int, limit float64) (maybe, sure map[[2]int]bool) {
	p := newLeafPair(x.t, x.t)
	p.a = a
	g := newGuard(x.t.basis, limit)
	maybe, sure = map[[2]int]bool{}, map[[2]int]bool{}
	for i, lane := range p.test(b, x.t.full(a), &g) {
		for j := range leafRows {
			if p.hits[i]>>j&1 != 0 {
				maybe[[2]int{int(lane), j}] = true
			}
			if p.sure[i]>>j&1 != 0 {
				sure[[2]int{int(lane), j}] = true
			}
		}
	}
	return maybe, sure
}

// NearestByGroups calls emit with the k nearest rows of each row, found for at most
// so many rows of a leaf at a time.
func NearestByGroups(idx join.Index, k, group int, emit func(row int, near []join.Neighbor)) error {
	t := idx.(*index).tree
	if err := t.order(context.Background(), 1); err != nil {
		return err
	}
	s := newNearest(t, t, k)
	s.group = min(s.group, group)
	for leaf := range t.leaves {
		for lane := 0; lane < t.size(leaf); lane += s.group {
			s.run(leaf, lane)
			for i, row := range s.rows {
				emit(int(row), s.found.nearest(i))
			}
		}
	}
	return nil
}

// SumBounds are the bounds of scaled distances that float32 sums of a tree's leaves
// prove, and those of the distortion by its axes.
type SumBounds struct {
	Reach     func(sum float32, delta, tail2 float64) float64
	HitLimit  func(reach, delta float64) float32
	Near, Far float64
}

// SumBounds returns the bounds for the tree's rows.
func (x *Tree) SumBounds() SumBounds {
	s := newSumBounds(x.t.basis)
	return SumBounds{Reach: s.reach, HitLimit: s.hitLimit, Near: x.t.basis.near, Far: x.t.basis.far}
}

// Remembers reports whether an index remembers what a count found.
func Remembers(idx join.Index) bool { return idx.(*index).touching.Load() != nil }

// MeasureBounds bounds the measures of pairs of rows in two boxes.
var MeasureBounds = measureBounds
