package cpu

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"rtcluster/join"
	"rtcluster/join/internal/dist"
)

// Options are the settings of an [Engine]. The zero value is ready for use. Results are
// the same for all; those behind Basis are variants of the method, to be measured, which
// points under another metric than the Euclidean don't have.
type Options struct {
	Threads int    // goroutines at work; 0 means GOMAXPROCS
	Basis   Basis  // axes of the tree
	Seed    uint64 // of BasisRandom

	// LeafRows is the number of rows that the search takes together, in a leaf that has
	// a box; 0 leaves it to the engine: 32. Beyond 32 it is rounded up to a multiple, and
	// nodes may have down to half as many. Components search the tree by a way of
	// their own, which leaves of 32 or more don't change.
	LeafRows int

	// IndexDims is the number of axes, the first ones of the basis, along which the
	// tree is split and its boxes tell what is apart; 0 leaves it to the engine: splits
	// along up to 4, boxes along all, or those that lead. Boxes within ε of each other,
	// and those of Components, have all axes.
	IndexDims  int
	Primitives Primitives // what has a box of its own
	Refine     Refine     // what is a tile when leaves are compared; nearest rows have one way
	Result     Result     // what Pairs writes to
	BatchBytes int        // memory of the results of a batch, unless one leaf needs more; 0 means 64 MiB
}

// Engine builds indexes on the processor. It implements [join.Engine].
type Engine struct{ opt Options }

// New returns an engine. It panics if opt has a negative number or a name that there
// is not, or chooses tiles of points.
func New(opt Options) *Engine {
	opt.check()
	if opt.Threads == 0 {
		opt.Threads = runtime.GOMAXPROCS(0)
	}
	return &Engine{opt: opt}
}

// Name returns "cpu".
func (e *Engine) Name() string { return "cpu" }

// Index groups pts in a tree.
func (e *Engine) Index(ctx context.Context, pts *join.Points) (join.Index, error) {
	progress := join.ReportTo(ctx)
	rows := int64(pts.Rows())
	progress(join.StageIndex, 0, rows)
	if !pts.Metric().IsZero() {
		x, err := newMetricIndex(ctx, pts, e.opt.Threads)
		if err == nil {
			progress(join.StageIndex, rows, rows)
		}
		return x, err
	}
	b, err := newBasis(ctx, pts, e.opt)
	if err != nil {
		return nil, err
	}
	t, err := newTree(ctx, pts, b, e.opt.Threads)
	if err != nil {
		return nil, err
	}
	progress(join.StageIndex, rows, rows)
	return &index{tree: t, threads: e.opt.Threads}, nil
}

// index implements [join.Index] and the optional interfaces.
type index struct {
	tree    *tree
	threads int

	touching atomic.Pointer[touching] // what the last count with a limit found
}

// The optional roads, which callers find by type assertion.
var (
	_ join.Componenter = (*index)(nil)
	_ join.Attacher    = (*index)(nil)
	_ join.Lister      = (*index)(nil)
	_ join.Clusterer   = (*index)(nil)
	_ join.Weigher     = (*index)(nil)
	_ join.Weigher     = (*metricIndex)(nil)
)

func (x *index) Points() *join.Points { return x.tree.pts }

func (x *index) Close() error { return nil }

// checkMembers returns an error unless eps and the slices fit the index.
func (x *index) checkMembers(eps float64, member []bool, slices ...[]int32) error {
	n := len(x.tree.rows)
	if len(member) != n {
		return fmt.Errorf("cpu: %d members, the index has %d rows", len(member), n)
	}
	for _, s := range slices {
		if len(s) != n {
			return fmt.Errorf("cpu: room for %d results, the index has %d rows", len(s), n)
		}
	}
	if err := join.CheckEps(eps); err != nil {
		return fmt.Errorf("cpu: %w", err)
	}
	return nil
}

// Instructions names the instruction set that the inner loops use on this
// machine.
func Instructions() string { return dist.Instructions() }

var errMetric = errors.New("cpu: query points have another metric than the index")

// queries returns the tree of the query points: the index's own for a
// self-join, else one built on the same basis, so that boxes of both compare.
func (x *index) queries(ctx context.Context, q *join.Points, eps float64) (*tree, error) {
	if err := join.CheckEps(eps); err != nil {
		return nil, fmt.Errorf("cpu: %w", err)
	}
	if q == nil {
		return x.tree, nil
	}
	if q.Dim() != x.tree.dim {
		return nil, fmt.Errorf("cpu: query points have %d coordinates, the index %d", q.Dim(), x.tree.dim)
	}
	if !q.Metric().IsZero() {
		return nil, errMetric
	}
	return newTree(ctx, q, x.tree.basis, x.threads)
}
