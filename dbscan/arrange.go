package dbscan

import "slices"

// Dropped tells of the clusters that [Result.DropSmall] made noise.
type Dropped struct {
	// Clusters is how many they were, Rows the rows that they had, and Cores
	// those of the rows that are core.
	Clusters, Rows, Cores int
}

// Sizes returns the number of rows of each cluster, border rows included.
func (r *Result) Sizes() []int {
	sizes := make([]int, r.Clusters)
	for _, label := range r.Labels {
		if label != noise {
			sizes[label]++
		}
	}
	return sizes
}

// DropSmall makes noise of all clusters that have fewer than least rows, border
// rows included; weights make no difference. The other clusters keep their rows
// and their order, and their numbers close up. A border row is noise if the
// cluster that it was in is, even where core rows of others are near.
//
// Core stays as it is: it tells how dense the rows stand, so that after this a
// core row may have the label −1. Such rows are counted by Noise and in Dropped,
// no longer by Cores. [Predict] wants them with their label, see there.
func (r *Result) DropSmall(least int) {
	rows, cores := len(r.Labels)-r.Noise, r.Cores
	names, next := make([]int32, r.Clusters), int32(0)
	for label, size := range r.Sizes() {
		names[label] = noise
		if size >= least {
			names[label] = next
			next++
		}
	}
	r.Dropped.Clusters += r.Clusters - int(next)
	r.rename(names)
	r.Clusters = int(next)
	r.tally()
	r.Dropped.Rows += rows - (len(r.Labels) - r.Noise)
	r.Dropped.Cores += cores - r.Cores
}

// SortBySize numbers the clusters by their rows, border rows included, the
// largest first; of several of one size, the one with the smallest core row.
func (r *Result) SortBySize() {
	first := make([]int, r.Clusters)
	for i := len(r.Labels) - 1; i >= 0; i-- {
		if r.Core[i] && r.Labels[i] != noise {
			first[r.Labels[i]] = i
		}
	}
	order, sizes := make([]int, r.Clusters), r.Sizes()
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if sizes[a] != sizes[b] {
			return sizes[b] - sizes[a]
		}
		return first[a] - first[b]
	})
	names := make([]int32, r.Clusters)
	for to, from := range order {
		names[from] = int32(to)
	}
	r.rename(names)
}

// rename gives each row in a cluster the name of the cluster.
func (r *Result) rename(names []int32) {
	for i, label := range r.Labels {
		if label != noise {
			r.Labels[i] = names[label]
		}
	}
}
