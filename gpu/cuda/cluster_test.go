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
// fused one, and those of package dbscan, by each road.
func TestClusterAgainstCPU(t *testing.T) {
	skipWithoutCard(t)
	for _, test := range clusterCases() {
		t.Run(fmt.Sprintf("%s/n=%d/dim=%d", test.shape, test.n*test.times, test.dim), func(t *testing.T) {
			pts := repeated(t, must(t, test.shape, test.n, test.dim), test.times)
			withClusterer(t, cpu.New(cpu.Options{}), pts, func(host clusterer) {
				withClusterer(t, cuda.New(cuda.Options{Road: cuda.RoadPlain}), pts, func(plain clusterer) {
					withClusterer(t, cuda.New(cuda.Options{Road: cuda.RoadTensor}), pts, func(tensor clusterer) {
						for _, eps := range test.eps {
							compareClusters(t, roads{"CPU": host, "plain": plain, "tensor": tensor}, eps, test.least)
						}
					})
				})
			})
		})
	}
}

// roads are indexes of the same rows; that of the CPU is right.
type roads map[string]clusterer

// each calls do for the CPU's index first, then for the others.
func (r roads) each(do func(name string, c clusterer)) {
	do("CPU", r["CPU"])
	for name, c := range r {
		if name != "CPU" {
			do(name, c)
		}
	}
}

func compareClusters(t *testing.T, all roads, eps float64, least int32) {
	t.Helper()
	n := all["CPU"].Points().Rows()
	for _, attach := range []bool{true, false} {
		wantCore, wantLabel := make([]bool, n), make([]int32, n)
		var want join.Clustered
		all.each(func(name string, c clusterer) {
			core, label := make([]bool, n), make([]int32, n)
			if name == "CPU" {
				core, label = wantCore, wantLabel
			}
			began := time.Now()
			got, err := c.Cluster(t.Context(), eps, least, attach, core, label)
			if err != nil {
				t.Fatalf("%s, eps %v: %v", name, eps, err)
			}
			t.Logf("%s, eps %v, attach %t: %+v, took %v", name, eps, attach, got, time.Since(began))
			if name == "CPU" {
				want = got
			}
			if got != want {
				t.Errorf("%s, eps %v, attach %t: got %+v, want %+v", name, eps, attach, got, want)
			}
			if i := differs(core, wantCore); i >= 0 {
				t.Errorf("%s, eps %v: row %d: core %t, want %t", name, eps, i, core[i], wantCore[i])
			}
			if i := differs(label, wantLabel); i >= 0 {
				t.Errorf("%s, eps %v, attach %t: row %d, core %t: label %d, want %d", name, eps, attach, i, wantCore[i], label[i], wantLabel[i])
			}
		})
		if attach {
			compareParts(t, all, eps, wantCore, wantLabel)
		}
	}
}

// compareParts compares components and attaching, of some of the core rows and labels.
func compareParts(t *testing.T, all roads, eps float64, core []bool, label []int32) {
	t.Helper()
	n := len(core)
	member, given := slices.Clone(core), slices.Clone(label)
	for i := range member {
		member[i] = core[i] && i%7 != 3
		if given[i] >= 0 {
			given[i] = int32(n) - given[i] // another order
		}
	}
	some := make([]int32, 0, n/3+1)
	for i := 0; i < n; i += 3 {
		some = append(some, int32(i))
	}
	q := all["CPU"].Points().Subset(some)
	var want [3][]int32
	all.each(func(name string, c clusterer) {
		got := [3][]int32{make([]int32, n), make([]int32, n), make([]int32, q.Rows())}
		err := cmp.Or(
			c.Components(t.Context(), eps, member, got[0]),
			c.Attach(t.Context(), nil, eps, member, given, got[1]),
			c.Attach(t.Context(), q, eps, member, given, got[2]))
		if err != nil {
			t.Fatal(err)
		}
		if name == "CPU" {
			want = got
		}
		for k, part := range []string{"components", "attached", "attached other rows"} {
			if i := differs(got[k], want[k]); i >= 0 {
				t.Errorf("%s, eps %v, %s: row %d has %d, want %d", name, eps, part, i, got[k][i], want[k][i])
			}
		}
	})
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
