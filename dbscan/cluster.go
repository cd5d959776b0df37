package dbscan

import (
	"context"
	"fmt"
	"math"

	"rtcluster/join"
)

// noise is the label of rows in no cluster. [join.Componenter] marks rows in
// no component alike, which lets labels and components share a slice.
const noise = -1

// Result is a clustering of n rows.
type Result struct {
	// Labels has the cluster of each row, 0..Clusters−1, or −1 for noise.
	Labels []int32
	// Core tells which rows are core.
	Core []bool
	// Counts has the number of neighbours of each row, without the row itself
	// and without regard to weights; nil unless asked for.
	Counts []int32
	// Clusters is the number of clusters. Cores are their core rows, Borders their
	// other rows, and Noise the rows in none: Cores + Borders + Noise = n.
	Clusters, Cores, Borders, Noise int
	// Dropped tells what [Result.DropSmall] made noise.
	Dropped Dropped
	// Pairs is the number of unordered pairs of different rows within Eps. If
	// PairsExact is false, counting stopped at MinSamples and Pairs is what
	// the counts prove: a lower bound, which may differ with Options.Counts. With
	// weights, nothing is counted unless asked for.
	Pairs      int64
	PairsExact bool
}

// Cluster computes DBSCAN over the points of idx, as the package comment
// defines it. An index of 0 rows gives an empty result. It returns an error
// if opt is not valid ([WeightError] for a weight that is not finite), ctx's
// error once that is done, and errors of the index as they are, wrapped.
func Cluster(ctx context.Context, idx join.Index, opt Options) (*Result, error) {
	n := idx.Points().Rows()
	if err := opt.check(n); err != nil {
		return nil, fmt.Errorf("dbscan: %w", err)
	}
	res := &Result{Labels: make([]int32, n), Core: make([]bool, n), PairsExact: true}
	if n == 0 {
		if opt.Counts {
			res.Counts = []int32{}
		}
		return res, nil
	}
	if c, ok := idx.(join.Clusterer); ok && opt.plain() {
		if err := res.fill(ctx, c, &opt); err != nil {
			return nil, fmt.Errorf("dbscan: %w", err)
		}
		return res, nil
	}
	counts, err := findCores(ctx, idx, &opt, res)
	if err != nil {
		return nil, fmt.Errorf("dbscan: finding core rows: %w", err)
	}
	if err := labelCores(ctx, idx, opt.Eps, res); err != nil {
		return nil, fmt.Errorf("dbscan: uniting core rows: %w", err)
	}
	if err := labelBorders(ctx, idx, &opt, counts, res); err != nil {
		return nil, fmt.Errorf("dbscan: placing border rows: %w", err)
	}
	res.tally()
	if opt.Counts {
		for i := range counts {
			counts[i]--
		}
		res.Counts = counts
	}
	return res, nil
}

// plain reports whether a [join.Clusterer] does all that is asked for.
func (opt *Options) plain() bool {
	return !opt.Counts && opt.Border != BorderNearest && opt.MinSamples <= math.MaxInt32 && !opt.weighted()
}

// fill has the engine do all.
func (r *Result) fill(ctx context.Context, c join.Clusterer, opt *Options) error {
	found, err := c.Cluster(ctx, opt.Eps, int32(opt.MinSamples), opt.Border != BorderNoise, r.Core, r.Labels)
	if err != nil {
		return err
	}
	r.Clusters, r.Cores, r.Noise = found.Clusters, found.Cores, found.Noise
	r.Borders = len(r.Labels) - r.Cores - r.Noise
	r.PairsExact, r.Pairs = found.Cores == 0, (found.Ordered+1)/2
	return nil
}

// findCores sets Core, Pairs and PairsExact, and returns the number of
// neighbours of each row, itself included. The number is exact for rows that
// are not core; for core rows, counting may have stopped at MinSamples. With
// weights it returns nil unless counts are asked for.
func findCores(ctx context.Context, idx join.Index, opt *Options, res *Result) ([]int32, error) {
	weighted := opt.weighted()
	if weighted && !opt.Counts {
		res.PairsExact = false
		return nil, weighCores(ctx, idx, opt, res.Core)
	}
	counts := make([]int32, len(res.Core))
	limit := int32(min(opt.MinSamples, math.MaxInt32))
	if opt.Counts {
		limit = 0
	}
	if err := idx.Counts(ctx, nil, opt.Eps, limit, counts); err != nil {
		return nil, err
	}
	if weighted {
		res.Pairs = pairs(counts)
		return counts, weighCores(ctx, idx, opt, res.Core)
	}
	cores := 0
	for i, c := range counts {
		core := int(c) >= opt.MinSamples
		res.Core[i] = core
		cores += one(core)
	}
	// Where counting stops, the rows that reached the limit, which are core,
	// may have more neighbours.
	res.PairsExact = limit <= 0 || cores == 0
	res.Pairs = pairs(counts)
	return counts, nil
}

// one returns 1 for true. Loops over all rows add it up where a branch would be
// mispredicted every few rows.
func one(b bool) int {
	var n int
	if b {
		n = 1
	}
	return n
}

// pairs returns the number of unordered pairs that counts prove, the rows
// themselves included in them. Each pair is counted in two rows, so that half
// of the sum, rounded up, is exact for full counts and else a lower bound. The
// sum is below 2^62 for the largest number of rows.
func pairs(counts []int32) int64 {
	var ordered int64
	for _, c := range counts {
		ordered += int64(c) - 1
	}
	return (ordered + 1) / 2
}

// labelCores sets Clusters and the labels of core rows, and the label of all
// other rows to noise.
func labelCores(ctx context.Context, idx join.Index, eps float64, res *Result) error {
	if err := components(ctx, idx, eps, res.Core, res.Labels); err != nil {
		return err
	}
	var err error
	res.Clusters, err = numberComponents(res.Labels, res.Core)
	return err
}

// numberComponents turns the components of core rows, each named by its smallest
// row, into numbers from 0 in the order of these rows, and returns how many there
// are; other rows are noise and stay so. A component's smallest row comes first:
// its number is known when the other rows ask for it.
func numberComponents(labels []int32, core []bool) (int, error) {
	next := int32(0)
	for i, root := range labels {
		at := root
		if root < 0 {
			at = int32(i)
		}
		if (root >= 0) != core[i] || int(at) > i {
			return 0, componentError(i, root)
		}
		label := labels[at]
		if int(root) == i {
			label = next
		}
		if (label >= 0) != core[i] {
			return 0, componentError(i, root)
		}
		labels[i] = label
		next += int32(one(int(root) == i))
	}
	return int(next), nil
}

func componentError(row int, component int32) error {
	return fmt.Errorf("the engine puts row %d into component %d, want the smallest core row of it, or %d if it is not core", row, component, noise)
}

// components sets dst[i] to the smallest row of the component of row i in the
// graph of member rows and their pairs within eps, and to −1 for other rows.
func components(ctx context.Context, idx join.Index, eps float64, member []bool, dst []int32) error {
	if c, ok := idx.(join.Componenter); ok {
		return c.Components(ctx, eps, member, dst)
	}
	forest := newUnionFind(dst, member)
	err := idx.Pairs(ctx, nil, eps, func(batch []join.Pair) error {
		for _, p := range batch {
			if member[p.I] && member[p.J] {
				forest.unite(p.I, p.J)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	forest.flatten()
	return nil
}

// tally counts core, border and noise rows.
func (r *Result) tally() {
	cores, clustered := 0, 0
	for i, label := range r.Labels {
		in := one(label != noise)
		cores += in & one(r.Core[i])
		clustered += in
	}
	r.Cores, r.Borders, r.Noise = cores, clustered-cores, len(r.Labels)-clustered
}
