package dbscan_test

import (
	"math/big"

	"rtcluster/dbscan"
	"rtcluster/join"
)

// textbook is DBSCAN as the paper tells it: all neighbourhoods first, then each
// cluster grown from its first core row through a list of rows to visit. It
// shares no code and no idea with the package but the definition.
func textbook(pts *join.Points, opt dbscan.Options) (labels []int32, core []bool) {
	n := pts.Rows()
	near := make([][]int, n)
	labels, core = make([]int32, n), make([]bool, n)
	for i := range n {
		labels[i] = -1
		weight := new(big.Rat)
		for j := range n {
			if !join.Within(pts.Row(i), pts.Row(j), join.Squared(opt.Eps)) {
				continue
			}
			near[i] = append(near[i], j)
			if opt.Weights != nil {
				weight.Add(weight, new(big.Rat).SetFloat64(opt.Weights[j]))
			}
		}
		core[i] = len(near[i]) >= opt.MinSamples
		if opt.Weights != nil {
			core[i] = weight.Cmp(big.NewRat(int64(opt.MinSamples), 1)) >= 0
		}
	}
	next := int32(0)
	for i := range n {
		if !core[i] || labels[i] >= 0 {
			continue
		}
		for visit := []int{i}; len(visit) > 0; {
			at := visit[len(visit)-1]
			visit = visit[:len(visit)-1]
			if labels[at] >= 0 {
				continue
			}
			labels[at] = next
			if core[at] {
				visit = append(visit, near[at]...)
			}
		}
		next++
	}
	for i := range n {
		if !core[i] {
			labels[i] = borderLabel(pts, opt, core, labels, near[i], i)
		}
	}
	return labels, core
}

// borderLabel applies the border rule to row i; growing has given it the first
// cluster that reached it.
func borderLabel(pts *join.Points, opt dbscan.Options, core []bool, labels []int32, near []int, i int) int32 {
	switch opt.Border {
	case dbscan.BorderNoise:
		return -1
	case dbscan.BorderNearest:
		best, bestD2 := -1, 0.0
		for _, j := range near {
			d2 := join.SquaredDistance(pts.Row(i), pts.Row(j))
			if core[j] && (best < 0 || d2 < bestD2) {
				best, bestD2 = j, d2
			}
		}
		if best < 0 {
			return -1
		}
		return labels[best]
	default:
		return labels[i]
	}
}
