package cpu

import (
	"context"

	"rtcluster/join"
)

// LeafRows is the number of rows in a leaf.
const LeafRows = leafRows

// Tile and UnionFind are the internals of those names.
var Tile = tile

type UnionFind = unionFind

func NewUnionFind(n int) *UnionFind { return newUnionFind(n) }

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
	Turned  []float64
}

// Tree gives tests a look at a tree.
type Tree struct{ t *tree }

// NewTree builds the tree of an index.
func NewTree(pts *join.Points, basis Basis, threads int) (*Tree, error) {
	t, err := newTree(context.Background(), pts, newBasis(pts, basis), threads)
	return &Tree{t}, err
}

// Nodes returns all nodes in preorder.
func (x *Tree) Nodes() []Node {
	var nodes []Node
	var visit func(v, a, b int)
	visit = func(v, a, b int) {
		from, to := x.t.span(a, b)
		nodes = append(nodes, Node{v, a, b, x.t.rows[from:to], x.t.box(v), x.t.turnedBox(v)})
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
// nodes, and between lane 0 of u's first leaf and the rows of v.
func (x *Tree) Bounds(u, v Node, limit float64) (low, lane, high float64) {
	return nodeDistance2(x.t, u.V, x.t, v.V, limit),
		laneDistance2(x.t.block(u.A), 0, v.Box, limit),
		boxReach2(u.Box, v.Box, limit)
}

// RotatedAxes returns the number of axes of the rotated boxes.
func (x *Tree) RotatedAxes() int { return x.t.m }

// ScaleRotated multiplies the factor of the rotated bound, to break it.
func (x *Tree) ScaleRotated(f float64) { x.t.factor *= f }
