package jointest

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"rtcluster/join"
	"rtcluster/join/synth"
)

// clusterResult is what [join.Clusterer] gives.
type clusterResult struct {
	core  []bool
	label []int32
	all   join.Clustered
}

// clusterOf returns the clustering of n rows by the list of their pairs.
func clusterOf(n int, list []join.Pair, least int32, attach bool) *clusterResult {
	r := &clusterResult{core: make([]bool, n), label: make([]int32, n)}
	degree := make([]int32, n)
	for _, p := range list {
		degree[p.I]++
		degree[p.J]++
	}
	for i, others := range degree {
		r.core[i] = others >= least-1
		r.all.Ordered += int64(min(others, least-1))
	}
	find := united(list, r.core)
	for i := range r.label {
		r.label[i] = -1
		if !r.core[i] {
			continue
		}
		r.all.Cores++
		first := find(int32(i))
		if r.label[i] = r.label[first]; int(first) == i {
			r.label[i] = int32(r.all.Clusters)
			r.all.Clusters++
		}
	}
	if attach {
		for _, p := range list {
			r.offer(p.I, p.J)
			r.offer(p.J, p.I)
		}
	}
	for _, label := range r.label {
		if label < 0 {
			r.all.Noise++
		}
	}
	return r
}

// offer gives row i the label of row j if that is core, i is not, and it has none that
// is smaller.
func (r *clusterResult) offer(i, j int32) {
	if to := &r.label[i]; !r.core[i] && r.core[j] && (*to < 0 || r.label[j] < *to) {
		*to = r.label[j]
	}
}

// checkClusterer compares what an index gives with the clustering of n rows by the list
// of their pairs.
func checkClusterer(ctx context.Context, c join.Clusterer, n int, list []join.Pair, eps float64, least int32, attach bool) error {
	want := clusterOf(n, list, least, attach)
	label, intact := guarded[int32](n)
	core := make([]bool, n+1)
	for i := range core {
		core[i] = i%2 == 0
	}
	after := core[n]
	what := fmt.Sprintf("Cluster at eps %v, least %d, attach %t", eps, least, attach)
	all, err := c.Cluster(ctx, eps, least, attach, core[:n:n], label)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", what, err)
	case !intact() || core[n] != after:
		return fmt.Errorf("%s wrote beyond a slice", what)
	case all != want.all:
		return fmt.Errorf("%s: got %+v, want %+v", what, all, want.all)
	}
	for i := range label {
		if core[i] != want.core[i] || label[i] != want.label[i] {
			return fmt.Errorf("%s: row %d: got core %t, label %d, want %t, %d", what, i, core[i], label[i], want.core[i], want.label[i])
		}
	}
	return nil
}

// leasts returns what to try as the number of rows that make a core row.
func leasts() []int32 { return []int32{1, 2, 3, 5, 12, math.MaxInt32} }

// checkCluster compares Cluster with the truth, of a self-join, for two numbers of
// rows that make a core row: which ones depends on the bits of eps, so that many bounds
// try them all.
func (tr *truth) checkCluster(ctx context.Context, c join.Clusterer, eps float64) error {
	var list []join.Pair
	for i := range tr.rows {
		for j := range i {
			if tr.paired(j, i, tr.bound(eps)) {
				list = append(list, join.Pair{I: int32(j), J: int32(i)})
			}
		}
	}
	all := leasts()
	which := int(math.Float64bits(eps+float64(tr.rows)) * 0x9e3779b97f4a7c15 >> 40)
	for _, at := range []int{which, which + 1} {
		if err := checkClusterer(ctx, c, tr.rows, list, eps, all[at%len(all)], which/len(all)%2 == 0 || at == which); err != nil {
			return tr.errorf("%w", err)
		}
	}
	return nil
}

// lawCluster compares Cluster, where the index has it, with one by the pairs.
func lawCluster(ctx context.Context, idx join.Index, list []join.Pair, eps float64) error {
	c, ok := idx.(join.Clusterer)
	if !ok {
		return nil
	}
	return cmp.Or(
		checkClusterer(ctx, c, idx.Points().Rows(), list, eps, 3, false),
		checkClusterer(ctx, c, idx.Points().Rows(), list, eps, 12, true))
}

// checkClusterCalls checks that Cluster refuses what does not fit.
func checkClusterCalls(ctx context.Context, e join.Engine) error {
	const rows = 7
	pts := must(synth.Make("uniform", rows, 2, seed))
	return withIndex(ctx, e, pts, func(idx join.Index) error {
		c, ok := idx.(join.Clusterer)
		if !ok {
			return nil
		}
		for _, call := range []struct {
			name         string
			cores, place int
			least        int32
			eps          float64
		}{
			{"room for too few cores", rows - 1, rows, 1, 1},
			{"room for too many cores", rows + 1, rows, 1, 1},
			{"room for too few labels", rows, rows - 1, 1, 1},
			{"room for too many labels", rows, rows + 1, 1, 1},
			{"no rows that make a core row", rows, rows, 0, 1},
			{"an eps below 0", rows, rows, 1, -1},
			{"an infinite eps", rows, rows, 1, math.Inf(1)},
		} {
			if _, err := c.Cluster(ctx, call.eps, call.least, true, make([]bool, call.cores), make([]int32, call.place)); err == nil {
				return fmt.Errorf("clustered with %s: got no error", call.name)
			}
		}
		return nil
	})
}
