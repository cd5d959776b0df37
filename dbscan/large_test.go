package dbscan_test

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"rtcluster/dbscan"
	"rtcluster/join/jointest"
)

// TestManyEqualRows has more pairs than 32 bits count.
func TestManyEqualRows(t *testing.T) {
	const n = 70_000
	e := engines()["cpu/threads=3"]
	idx := jointest.Index(t, e, jointest.Points(t, 3, make([]float64, 3*n)...))
	for _, counted := range []bool{true, false} {
		res, err := dbscan.Cluster(t.Context(), idx, dbscan.Options{MinSamples: 5, Counts: counted})
		if err != nil {
			t.Fatal(err)
		}
		if res.Clusters != 1 || res.Cores != n {
			t.Errorf("%d clusters of %d core rows, want 1 of %d", res.Clusters, res.Cores, n)
		}
		switch {
		case counted && (res.Pairs != 2_449_965_000 || !res.PairsExact || res.Counts[n-1] != n-1):
			t.Errorf("%d pairs, exact %v, want 2449965000", res.Pairs, res.PairsExact)
		case !counted && (res.Pairs != n*2 || res.PairsExact): // four others each, halved
			t.Errorf("%d pairs, exact %v, want the bound %d", res.Pairs, res.PairsExact, n*2)
		}
	}
}

// TestManyChunks has rows so wide that border rows, and rows whose weight is
// left open, come in chunks of ten: two hubs, with spokes along axes of their
// own.
func TestManyChunks(t *testing.T) {
	slow(t)
	const dim, spokes = 200_000, 12
	data := make([]float64, (2+spokes)*dim)
	for s := range spokes {
		row := data[s*dim : (s+1)*dim]
		row[0] = float64(100 * (s % 2)) // the place of its hub
		row[1+s] = 1
	}
	data[(spokes+1)*dim] = 100
	weights := make([]float64, spokes+2)
	for i := range weights {
		weights[i] = 0.7
	}
	weights[spokes], weights[spokes+1] = 0.3, math.Nextafter(0.3, 1)
	pts := jointest.Points(t, dim, data...)
	// A spoke sees itself and its hub. The sum of 0.7 and 0.3 is less than 1
	// by half a last bit, and float64 rounds it to 1.
	for _, opt := range []dbscan.Options{
		{Eps: 1, MinSamples: 3},
		{Eps: 1, MinSamples: 3, Border: dbscan.BorderNearest},
		{Eps: 1, MinSamples: 1, Weights: weights},
	} {
		res := cluster(t, jointest.Brute(), pts, opt)
		for s := range spokes {
			label, core := int32(s%2), false
			if opt.Weights != nil { // spoke 1 is the first core row
				label, core = 1-label, s%2 == 1
			}
			if res.Labels[s] != label || res.Core[s] != core {
				t.Errorf("border %q, weights %v: spoke %d has label %d, core %v; want %d, %v",
					opt.Border, opt.Weights, s, res.Labels[s], res.Core[s], label, core)
			}
		}
	}
}

// TestMemory clusters rows with 32 million pairs in no more memory than rows
// and batches need.
func TestMemory(t *testing.T) {
	slow(t)
	const n, budget = 8_000, 8 << 20
	idx := jointest.Index(t, engines()["cpu/threads=1"], jointest.Points(t, 1, make([]float64, n)...))
	var before, after runtime.MemStats
	for _, opt := range []dbscan.Options{
		{MinSamples: 10, Counts: true},
		{MinSamples: 2 * n, Weights: slices.Repeat([]float64{2}, n)},
	} {
		runtime.ReadMemStats(&before)
		res, err := dbscan.Cluster(t.Context(), idx, opt)
		if err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if res.Clusters != 1 || opt.Counts && res.Pairs != n*(n-1)/2 {
			t.Errorf("%d clusters and %d pairs, want 1 and %d", res.Clusters, res.Pairs, n*(n-1)/2)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > budget {
			t.Errorf("min-samples %d: %d bytes allocated in all, want at most %d", opt.MinSamples, got, budget)
		}
	}
}
