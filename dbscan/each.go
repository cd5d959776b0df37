package dbscan

import (
	"context"
	"fmt"
	"slices"

	"rtcluster/join"
)

// ClusterEach clusters the points of idx with each eps in turn, as [Cluster] does
// with opt and that eps; opt.Eps is not used. It calls each with the place of the eps
// in the list and its result, which is the callee's to keep or to let go: memory is
// that of one Cluster and of what is kept. An error of each ends the work and is
// returned as it is. What is wrong with opt or any eps is found before the first is
// clustered.
//
// Each eps is a run of its own over the one index. That core rows stay core as eps
// grows would spare counting them again; counting all together with their
// neighbours costs about as much as singling out the others.
func ClusterEach(ctx context.Context, idx join.Index, opt Options, eps []float64, each func(i int, res *Result) error) error {
	for _, opt.Eps = range eps {
		if err := join.CheckEps(opt.Eps); err != nil {
			return fmt.Errorf("dbscan: %w", err)
		}
	}
	for i := range eps {
		opt.Eps = eps[i]
		res, err := Cluster(ctx, idx, opt)
		if err != nil {
			return err
		}
		if err := each(i, res); err != nil {
			return err
		}
	}
	return nil
}

// Parents returns, for each cluster of inner, the cluster of outer that all its core
// rows are in, or −1 if there is none. Both are results for the same rows.
//
// If they differ in eps alone, the smaller one is that of inner, and no weight is
// negative, then there is always one: a core row stays core as eps grows, and what
// is within the smaller eps is within the larger.
func Parents(inner, outer *Result) []int32 {
	const unknown = noise - 1
	parents := slices.Repeat([]int32{unknown}, inner.Clusters)
	for i, label := range inner.Labels {
		if !inner.Core[i] || label == noise {
			continue
		}
		switch at := outer.Labels[i]; parents[label] {
		case at:
		case unknown:
			parents[label] = at
		default:
			parents[label] = noise
		}
	}
	for c, parent := range parents {
		parents[c] = max(parent, noise)
	}
	return parents
}
