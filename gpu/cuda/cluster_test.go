//go:build cuda

package cuda_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"rtcluster/dbscan"
	"rtcluster/gpu/cuda"
	"rtcluster/join"
	"rtcluster/join/cpu"
)

// clusterer is what these tests want of an index.
type clusterer interface {
	join.Index
	join.Clusterer
	join.Componenter
	join.Attacher
}

func withClusterer(t *testing.T, e join.Engine, pts *join.Points, do func(c clusterer)) {
	t.Helper()
	idx, err := e.Index(t.Context(), pts)
	if err != nil {
		t.Fatal(err)
	}
	do(idx.(clusterer))
	if err := idx.Close(); err != nil {
		t.Fatal(err)
	}
}

// repeated returns every row several times over.
func repeated(t *testing.T, pts *join.Points, times int) *join.Points {
	t.Helper()
	rows := make([]int32, 0, pts.Rows()*times)
	for i := range pts.Rows() * times {
		rows = append(rows, int32(i%pts.Rows()))
	}
	return pts.Subset(rows)
}

// clusterCases are larger sets, from ε under which nothing is near to one under which
// all is.
func clusterCases() []struct {
	shape  string
	n, dim int
	times  int
	least  int32
	eps    []float64
} {
	return []struct {
		shape  string
		n, dim int
		times  int
		least  int32
		eps    []float64
	}{
		{"blobs", 60_000, 2, 1, 8, []float64{0, 1e-5, 0.03, 0.05, 0.1, 5}},
		{"uniform", 60_000, 3, 1, 12, []float64{1e-4, 0.02, 0.03, 0.05, 2}},
		{"uniform", 300_000, 2, 1, 5, []float64{0.001, 0.0018, 0.0025, 0.02}},
		{"uniform", 1_000_000, 3, 1, 9, []float64{0.009, 0.012, 0.05}},
		{"latent", 1_000_000, 8, 1, 10, []float64{0.01, 0.03}},
		{"latent", 60_000, 18, 1, 10, []float64{0.03, 0.06, 0.1, 0.3}},
		{"latent", 20_000, 90, 1, 4, []float64{0.2, 0.3, 0.5}},
		{"blobs", 3000, 4, 40, 20, []float64{0, 0.1}},
		{"blobs", 3000, 4, 40, 200, []float64{0, 0.1, 0.4}},
		{"uniform", 1, 2, 100_000, 7, []float64{0, 1}},
	}
}

// TestClusterAgainstCPU compares clusterings of larger sets with the CPU engine's: the
// fused one, and those of package dbscan.
func TestClusterAgainstCPU(t *testing.T) {
	skipWithoutCard(t)
	for _, test := range clusterCases() {
		t.Run(fmt.Sprintf("%s/n=%d/dim=%d", test.shape, test.n*test.times, test.dim), func(t *testing.T) {
			pts := repeated(t, must(t, test.shape, test.n, test.dim), test.times)
			withClusterer(t, cuda.New(cuda.Options{}), pts, func(card clusterer) {
				withClusterer(t, cpu.New(cpu.Options{}), pts, func(host clusterer) {
					for _, eps := range test.eps {
						compareClusters(t, card, host, eps, test.least)
					}
				})
			})
		})
	}
}

func compareClusters(t *testing.T, card, host clusterer, eps float64, least int32) {
	t.Helper()
	n := card.Points().Rows()
	for _, attach := range []bool{true, false} {
		var core [2][]bool
		var label [2][]int32
		var all [2]join.Clustered
		var took [2]time.Duration
		for i, c := range []clusterer{card, host} {
			core[i], label[i] = make([]bool, n), make([]int32, n)
			began := time.Now()
			var err error
			if all[i], err = c.Cluster(t.Context(), eps, least, attach, core[i], label[i]); err != nil {
				t.Fatalf("eps %v: %v", eps, err)
			}
			took[i] = time.Since(began)
		}
		t.Logf("eps %v, attach %t: %+v, took %v, on the CPU %v", eps, attach, all[0], took[0], took[1])
		if all[0] != all[1] {
			t.Errorf("eps %v, attach %t: got %+v, want %+v", eps, attach, all[0], all[1])
		}
		if i := differs(core[0], core[1]); i >= 0 {
			t.Errorf("eps %v: row %d: core %t, want %t", eps, i, core[0][i], core[1][i])
		}
		if i := differs(label[0], label[1]); i >= 0 {
			t.Errorf("eps %v, attach %t: row %d, core %t: label %d, want %d", eps, attach, i, core[1][i], label[0][i], label[1][i])
		}
		if attach {
			compareParts(t, card, host, eps, core[1], label[1])
		}
	}
}

// compareParts compares components and attaching, of some of the core rows and labels.
func compareParts(t *testing.T, card, host clusterer, eps float64, core []bool, label []int32) {
	t.Helper()
	n := len(core)
	member, given := slices.Clone(core), slices.Clone(label)
	for i := range member {
		member[i] = core[i] && i%7 != 3
		if given[i] >= 0 {
			given[i] = int32(n) - given[i] // another order
		}
	}
	var near, first [2][]int32
	var other [2][]int32
	some := make([]int32, 0, n/3+1)
	for i := 0; i < n; i += 3 {
		some = append(some, int32(i))
	}
	q := card.Points().Subset(some)
	for i, c := range []clusterer{card, host} {
		near[i], first[i], other[i] = make([]int32, n), make([]int32, n), make([]int32, q.Rows())
		err := cmp.Or(
			c.Components(t.Context(), eps, member, first[i]),
			c.Attach(t.Context(), nil, eps, member, given, near[i]),
			c.Attach(t.Context(), q, eps, member, given, other[i]))
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, both := range map[string][2][]int32{"components": first, "attached": near, "attached other rows": other} {
		if i := differs(both[0], both[1]); i >= 0 {
			t.Errorf("eps %v, %s: row %d has %d, want %d", eps, name, i, both[0][i], both[1][i])
		}
	}
}

// differs returns the first index at which two slices differ, or −1.
func differs[T comparable](a, b []T) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// TestDBSCAN compares all that package dbscan does: what the engine does at once, and
// what it does in steps.
func TestDBSCAN(t *testing.T) {
	skipWithoutCard(t)
	pts := must(t, "blobs", 60_000, 3)
	weights := make([]float64, pts.Rows())
	for i := range weights {
		weights[i] = float64(i%5) / 4
	}
	for name, opt := range map[string]dbscan.Options{
		"plain":       {Eps: 0.15, MinSamples: 8},
		"counts":      {Eps: 0.15, MinSamples: 8, Counts: true},
		"nearest":     {Eps: 0.15, MinSamples: 8, Border: dbscan.BorderNearest},
		"no borders":  {Eps: 0.15, MinSamples: 8, Border: dbscan.BorderNoise},
		"weights":     {Eps: 0.15, MinSamples: 4, Weights: weights},
		"all is core": {Eps: 0.15, MinSamples: 1},
	} {
		t.Run(name, func(t *testing.T) {
			var got [2]*dbscan.Result
			for i, e := range []join.Engine{cuda.New(cuda.Options{}), cpu.New(cpu.Options{})} {
				idx, err := e.Index(t.Context(), pts)
				if err != nil {
					t.Fatal(err)
				}
				if got[i], err = dbscan.Cluster(t.Context(), idx, opt); err != nil {
					t.Fatal(err)
				}
				if err := idx.Close(); err != nil {
					t.Fatal(err)
				}
			}
			a, b := got[0], got[1]
			if i := differs(a.Labels, b.Labels); i >= 0 {
				t.Errorf("row %d: label %d, want %d", i, a.Labels[i], b.Labels[i])
			}
			if !slices.Equal(a.Core, b.Core) || !slices.Equal(a.Counts, b.Counts) ||
				a.Clusters != b.Clusters || a.Cores != b.Cores || a.Borders != b.Borders || a.Noise != b.Noise || a.Pairs != b.Pairs {
				t.Errorf("got %d clusters, %d core, %d border and %d noise rows, %d pairs, want %d, %d, %d, %d, %d, or other flags or counts",
					a.Clusters, a.Cores, a.Borders, a.Noise, a.Pairs, b.Clusters, b.Cores, b.Borders, b.Noise, b.Pairs)
			}
			t.Logf("%d clusters, %d core, %d border and %d noise rows", a.Clusters, a.Cores, a.Borders, a.Noise)
		})
	}
}
