package dbscan_test

import (
	"slices"
	"testing"

	"rtcluster/dbscan"
	"rtcluster/join/jointest"
)

// TestGolden compares with scikit-learn's labels, row by row.
func TestGolden(t *testing.T) {
	tests := []struct {
		file       string
		eps        float64
		minSamples int
	}{
		{"moons", 0.13, 5},
		{"blobs3", 0.8, 6},
		{"blobs8", 1.7, 4},
		{"lattice", 1, 4},
		{"decimals", 0.5, 7},
		{"weighted", 0.6, 5},
	}
	for engine, e := range engines() {
		for _, tc := range tests {
			t.Run(engine+"/"+tc.file, func(t *testing.T) {
				tb := jointest.ReadTable(t, "testdata/"+tc.file+".csv")
				data, dim := tb.Coordinates(t)
				pts := jointest.Points(t, dim, data...)
				opt := dbscan.Options{Eps: tc.eps, MinSamples: tc.minSamples}
				if slices.Contains(tb.Header, "weight") {
					opt.Weights = tb.Floats(t, "weight")
				}
				res := cluster(t, e, pts, opt)
				labels, core := tb.Ints(t, "label"), tb.Ints(t, "core")
				for i := range labels {
					if res.Labels[i] != labels[i] || res.Core[i] != (core[i] == 1) {
						t.Fatalf("row %d: label %d, core %v; want %d, %v", i, res.Labels[i], res.Core[i], labels[i], core[i] == 1)
					}
				}
				checkAll(t, pts, opt, res)
			})
		}
	}
}
