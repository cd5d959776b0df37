package cpu

import (
	"context"
	"fmt"
	"slices"

	"rtcluster/join"
	"rtcluster/join/internal/dist"
)

// metricIndex is the index of points under any metric. It never uses what
// only squared distances in open space allow: rotated axes, float32, fans.
type metricIndex struct {
	tree    *tree // rows, nodes, lowest and boxes only
	metric  join.Metric
	threads int
}

func newMetricIndex(ctx context.Context, pts *join.Points, threads int) (*metricIndex, error) {
	t, err := newMetricTree(ctx, pts, threads)
	if err != nil {
		return nil, err
	}
	return &metricIndex{tree: t, metric: pts.Metric(), threads: threads}, nil
}

// newMetricTree builds what a metricIndex uses of a tree.
func newMetricTree(ctx context.Context, pts *join.Points, threads int) (*tree, error) {
	n := pts.Rows()
	t := &tree{pts: pts, dim: pts.Dim(), held: leafRows, group: 1, leaves: (n + leafRows - 1) / leafRows}
	if n == 0 {
		return t, nil
	}
	b, err := newBasis(ctx, pts, Options{Threads: threads, Basis: BasisVariance})
	if err != nil {
		return nil, err
	}
	s, err := leafOrder(ctx, pts, b, threads)
	if err != nil {
		return nil, err
	}
	t.rows = s.rows
	nodes := 2*t.leaves - 1
	t.nodes = make([]int32, t.leaves)
	t.lowest = make([]int32, nodes)
	t.boxes = make([]float64, nodes*2*t.dim)
	t.numberLeaves(0, 0, t.leaves)
	err = forEach(ctx, threads, t.leaves, func(int) func(leaf int) error {
		x := make([]float64, leafRows*t.dim)
		return func(leaf int) error {
			from, to := t.span(leaf, leaf+1)
			v := int(t.nodes[leaf])
			t.gather(x[:(to-from)*t.dim], leaf)
			dist.Bounds(t.box(v), x[:(to-from)*t.dim], t.dim)
			t.lowest[v] = slices.Min(t.rows[from:to])
			return nil
		}
	})
	if err == nil {
		err = t.upward(ctx, threads, func(n node) {
			left, right := n.children()
			t.lowest[n.v] = min(t.lowest[left.v], t.lowest[right.v])
			uniteBox(t.box(n.v), t.box(left.v), t.box(right.v))
		})
	}
	if err == nil {
		err = t.order(ctx, threads)
	}
	return t, err
}

func (x *metricIndex) Points() *join.Points { return x.tree.pts }

func (x *metricIndex) Close() error { return nil }

// queries returns the tree of the query points.
func (x *metricIndex) queries(ctx context.Context, q *join.Points, eps float64) (*tree, error) {
	if err := join.CheckEps(eps); err != nil {
		return nil, fmt.Errorf("cpu: %w", err)
	}
	switch {
	case q == nil:
		return x.tree, nil
	case q.Dim() != x.tree.dim:
		return nil, fmt.Errorf("cpu: query points have %d coordinates, the index %d", q.Dim(), x.tree.dim)
	case !q.Metric().Equal(x.metric):
		return nil, errMetric
	}
	return newMetricTree(ctx, q, x.threads)
}

// metricWalker takes queries down a tree, near nodes first. It is used by one
// goroutine.
type metricWalker struct {
	metric     join.Metric
	q, t       *tree
	bound      float64   // on measures; a callback may lower it
	low, high  []float64 // the box of the queries
	stop       bool      // ends the walk
	from       int       // leaves before from are passed over
	candidates int64

	// accept is told of leaves [a, b) all whose rows are within bound of all
	// queries, and returns whether that is all there is to do about them.
	accept func(a, b int) bool
	leaf   func(b int)
	// pass reports whether a node at the least measure can be passed over; nil
	// for no other reason than the bound.
	pass func(v int, least float64) bool
}

func (w *metricWalker) run() {
	w.stop = false
	if w.t.leaves > 0 {
		root := node{0, 0, w.t.leaves}
		least, most := w.bounds(root)
		w.visit(root, least, most)
	}
}

func (w *metricWalker) bounds(n node) (least, most float64) {
	low, high := halves(w.t.box(n.v))
	return measureBounds(w.metric, w.low, w.high, low, high)
}

func (w *metricWalker) visit(n node, least, most float64) {
	switch {
	case w.stop, least > w.bound, n.b <= w.from, w.pass != nil && w.pass(n.v, least):
		return
	case most <= w.bound && w.accept(n.a, n.b):
		return
	case n.leaves() == 1:
		w.leaf(n.a)
		return
	}
	first, second := n.children()
	least1, most1 := w.bounds(first)
	least2, most2 := w.bounds(second)
	if least2 < least1 {
		first, least1, most1, second, least2, most2 = second, least2, most2, first, least1, most1
	}
	w.visit(first, least1, most1)
	w.visit(second, least2, most2)
}

// within calls hit with the positions of the rows of leaf b that are within
// bound of row x.
func (w *metricWalker) within(x []float64, b int, hit func(at int)) {
	from, to := w.t.span(b, b+1)
	low, high := halves(w.t.box(int(w.t.nodes[b])))
	least, most := measureBounds(w.metric, x, x, low, high)
	if least > w.bound {
		return
	}
	w.candidates += int64(to - from)
	for at := from; at < to; at++ {
		if most <= w.bound || w.metric.Measure(x, w.t.row(at)) <= w.bound {
			hit(at)
		}
	}
}
