package dbscan_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"rtcluster/dbscan"
	"rtcluster/join"
	"rtcluster/join/jointest"
)

// axiomFaults returns how labels and core flags break the definition of the
// package comment; none if they keep it. It asks only for what must hold, and
// computes no clustering of its own.
func axiomFaults(pts *join.Points, opt dbscan.Options, labels []int32, core []bool) (faults []string) {
	n := pts.Rows()
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	near := neighborhoods(pts, opt.Eps)
	for i := range n {
		weight := new(big.Rat)
		coreNear := 0
		for _, j := range near[i] {
			if opt.Weights == nil {
				weight.Add(weight, big.NewRat(1, 1))
			} else {
				weight.Add(weight, new(big.Rat).SetFloat64(opt.Weights[j]))
			}
			if core[j] {
				coreNear++
			}
		}
		if want := weight.Cmp(big.NewRat(int64(opt.MinSamples), 1)) >= 0; core[i] != want {
			fault("core: row %d has flag %v, want %v", i, core[i], want)
		}
		switch {
		case core[i] && labels[i] < 0:
			fault("core rows are in clusters: row %d has label %d", i, labels[i])
		case core[i] || opt.Border == dbscan.BorderNoise && labels[i] == -1:
		case coreNear == 0 && labels[i] != -1:
			fault("noise: row %d has no core neighbour, but label %d", i, labels[i])
		case coreNear > 0 && labels[i] == -1:
			fault("border: row %d has core neighbours, but is noise", i)
		case coreNear > 0 && labels[i] != borderByRule(pts, opt, labels, core, near[i], i):
			fault("border rule %q: row %d has label %d", opt.Border, i, labels[i])
		}
		for _, j := range near[i] {
			if core[i] && core[j] && labels[i] != labels[j] {
				fault("connected: core rows %d and %d have labels %d and %d", i, j, labels[i], labels[j])
			}
		}
	}
	return append(faults, clusterFaults(near, labels, core)...)
}

func neighborhoods(pts *join.Points, eps float64) [][]int {
	near := make([][]int, pts.Rows())
	for i := range near {
		for j := range near {
			var d2 float64
			for k, x := range pts.Row(i) {
				diff := x - pts.Row(j)[k]
				d2 += float64(diff * diff)
			}
			if d2 <= float64(eps*eps) {
				near[i] = append(near[i], j)
			}
		}
	}
	return near
}

// borderByRule returns the label that the rule wants for row i, which is not
// core and has a core neighbour.
func borderByRule(pts *join.Points, opt dbscan.Options, labels []int32, core []bool, near []int, i int) int32 {
	candidates := slices.DeleteFunc(slices.Clone(near), func(j int) bool { return !core[j] })
	slices.SortStableFunc(candidates, func(a, b int) int {
		if opt.Border != dbscan.BorderNearest {
			return int(labels[a]) - int(labels[b])
		}
		d2a, d2b := join.SquaredDistance(pts.Row(i), pts.Row(a)), join.SquaredDistance(pts.Row(i), pts.Row(b))
		switch {
		case d2a < d2b:
			return -1
		case d2a > d2b:
			return 1
		}
		return a - b
	})
	if opt.Border == dbscan.BorderNoise {
		return -1
	}
	return labels[candidates[0]]
}

// clusterFaults checks that each cluster's core rows hang together, and that
// clusters are numbered by their smallest core row.
func clusterFaults(near [][]int, labels []int32, core []bool) (faults []string) {
	reached := make([]bool, len(labels))
	next := int32(0)
	for i := range labels {
		if !core[i] || reached[i] {
			continue
		}
		if labels[i] < next {
			faults = append(faults, fmt.Sprintf("maximal: row %d is not reached from its cluster %d", i, labels[i]))
		} else if labels[i] > next {
			faults = append(faults, fmt.Sprintf("numbered: row %d begins cluster %d, want %d", i, labels[i], next))
		}
		next = max(next, labels[i]+1)
		reached[i] = true
		for visit := []int{i}; len(visit) > 0; visit = visit[1:] {
			for _, j := range near[visit[0]] {
				if core[j] && !reached[j] {
					reached[j] = true
					visit = append(visit, j)
				}
			}
		}
	}
	return faults
}

// TestAxiomsReject feeds the checker wrong answers about the drawing
//
//	row     0 1 2 3   4   5 6 7 8        9
//	x       0 1 2 3  4.5  6 7 8 9       13
//	weight  1 2 1 1   1   1 1 2 1        1
//	sum     3 4 4 3   3   3 4 4 3        1    of the neighbours for eps 1.5
//
// where four samples make 1, 2, 6 and 7 core, 0, 3, 5 and 8 border rows, and 4,
// between border rows, noise like 9.
func TestAxiomsReject(t *testing.T) {
	pts := jointest.Points(t, 1, 0, 1, 2, 3, 4.5, 6, 7, 8, 9, 13)
	weights := []float64{1, 2, 1, 1, 1, 1, 1, 2, 1, 1}
	opt := dbscan.Options{Eps: 1.5, MinSamples: 4, Weights: weights}
	core := []bool{false, true, true, false, false, false, true, true, false, false}
	good := []int32{0, 0, 0, 0, -1, 1, 1, 1, 1, -1}
	if faults := axiomFaults(pts, opt, good, core); len(faults) != 0 {
		t.Fatalf("right labels: %q", faults)
	}
	tests := []struct {
		name   string
		row    int
		label  int32
		want   string
		border dbscan.Border
	}{
		{"core row as noise", 1, -1, "core rows are in clusters", ""},
		{"core row in a cluster of its own", 2, 2, "connected", ""},
		{"noise in a cluster", 9, 1, "noise: row 9", ""},
		{"a row between, in a cluster", 4, 0, "noise: row 4", ""},
		{"border row as noise", 0, -1, "border: row 0", ""},
		{"border row in a far cluster", 8, 0, "border rule", ""},
		{"border row in a far cluster, by distance", 3, 1, "border rule", dbscan.BorderNearest},
		{"border row in a cluster under DBSCAN*", 3, 0, "border rule", dbscan.BorderNoise},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			wrong, opt := slices.Clone(good), opt
			wrong[tc.row], opt.Border = tc.label, tc.border
			wantFault(t, axiomFaults(pts, opt, wrong, core), tc.want)
		})
	}
	t.Run("clusters merged", func(t *testing.T) {
		wrong := []int32{0, 0, 0, 0, -1, 0, 0, 0, 0, -1}
		wantFault(t, axiomFaults(pts, opt, wrong, core), "maximal: row 6")
	})
	t.Run("clusters numbered backwards", func(t *testing.T) {
		wrong := []int32{1, 1, 1, 1, -1, 0, 0, 0, 0, -1}
		wantFault(t, axiomFaults(pts, opt, wrong, core), "numbered: row 1")
	})
	t.Run("a number left out", func(t *testing.T) {
		wrong := []int32{0, 0, 0, 0, -1, 2, 2, 2, 2, -1}
		wantFault(t, axiomFaults(pts, opt, wrong, core), "numbered: row 6")
	})
	for row := range core {
		t.Run(fmt.Sprintf("core flag of row %d", row), func(t *testing.T) {
			wrong := slices.Clone(core)
			wrong[row] = !wrong[row]
			wantFault(t, axiomFaults(pts, opt, good, wrong), fmt.Sprintf("core: row %d", row))
		})
	}
}

func wantFault(t *testing.T, faults []string, want string) {
	t.Helper()
	if !slices.ContainsFunc(faults, func(f string) bool { return strings.Contains(f, want) }) {
		t.Errorf("faults %q, want one with %q", faults, want)
	}
}
