//go:build cuda

package cuda_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/gpu/cuda"
	"rtcluster/join"
	"rtcluster/join/cpu"
)

// TestPlainRoad compares counts and pairs of joins without tensor cores with the CPU
// engine's: for each kernel, with all rows of a group in shared memory, with a leaf's,
// and with parts of them; where float32 decides most, and where it decides nothing.
func TestPlainRoad(t *testing.T) {
	skipWithoutCard(t)
	for _, data := range []struct {
		name         string
		scale, shift float64
		step         float64 // of a lattice; 0: none
	}{
		{"uniform", 1, 0, 0},
		{"far out", 1, 1e7, 0},
		{"lattice", 1, 0, 0.25},
		{"huge", 1e152, 0, 0},
	} {
		for _, dim := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 30, 32, 33, 64, 65, 128, 129, 260} {
			if data.name == "huge" && dim > 9 {
				continue
			}
			n := 4_000
			if dim > 30 {
				n = 1_500
			}
			t.Run(fmt.Sprintf("%s/dim=%d", data.name, dim), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(dim), 1))
				rows := func(n int) *join.Points {
					x := make([]float64, n*dim)
					for i := range x {
						x[i] = rng.Float64()
						if data.step > 0 {
							x[i] = math.Round(x[i]/data.step) * data.step
						}
						x[i] = x[i]*data.scale + data.shift
					}
					pts, err := join.NewPoints(x, dim)
					if err != nil {
						t.Fatal(err)
					}
					return pts
				}
				pts, q := rows(n), rows(n/3)
				eps := distanceAt(rng, pts, 0.01)
				compareJoins(t, cuda.New(cuda.Options{Road: cuda.RoadPlain}), pts, nil, eps)
				compareJoins(t, cuda.New(cuda.Options{Road: cuda.RoadPlain, BatchPairs: 20}), pts, q, eps)
				compareJoins(t, cuda.New(cuda.Options{Road: cuda.RoadPlain}), pts, q, 0)
			})
		}
	}
}

// distanceAt is a distance of two rows: a share of all, about, are less.
func distanceAt(rng *rand.Rand, pts *join.Points, share float64) float64 {
	d := make([]float64, 5_000)
	for i := range d {
		a, b := pts.Row(rng.IntN(pts.Rows())), pts.Row(rng.IntN(pts.Rows()))
		for k := range a {
			d[i] = math.Hypot(d[i], a[k]-b[k])
		}
	}
	slices.Sort(d)
	return d[int(share*float64(len(d)))]
}

// compareJoins compares an engine's counts and pairs with the CPU engine's.
func compareJoins(t *testing.T, e join.Engine, pts, q *join.Points, eps float64) {
	t.Helper()
	got, want := joinsOf(t, e, pts, q, eps), joinsOf(t, cpu.New(cpu.Options{}), pts, q, eps)
	for i := range want.counts {
		if got.counts[i] != want.counts[i] {
			t.Fatalf("eps %v, self-join %t: row %d has %d neighbours, want %d", eps, q == nil, i, got.counts[i], want.counts[i])
		}
	}
	if len(got.pairs) != len(want.pairs) {
		t.Errorf("eps %v, self-join %t: %d pairs, want %d", eps, q == nil, len(got.pairs), len(want.pairs))
	}
	for i := range min(len(got.pairs), len(want.pairs)) {
		if got.pairs[i] != want.pairs[i] {
			t.Fatalf("eps %v, self-join %t: pair %v, want %v", eps, q == nil, got.pairs[i], want.pairs[i])
		}
	}
}

type joined struct {
	counts []int32
	pairs  []join.Pair // in order
}

func joinsOf(t *testing.T, e join.Engine, pts, q *join.Points, eps float64) joined {
	t.Helper()
	idx, err := e.Index(t.Context(), pts)
	if err != nil {
		t.Fatal(err)
	}
	rows := pts
	if q != nil {
		rows = q
	}
	j := joined{counts: make([]int32, rows.Rows())}
	if err := idx.Counts(t.Context(), q, eps, 0, j.counts); err != nil {
		t.Fatal(err)
	}
	err = idx.Pairs(t.Context(), q, eps, func(pairs []join.Pair) error {
		j.pairs = append(j.pairs, pairs...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(j.pairs, func(a, b join.Pair) int {
		if a.I != b.I {
			return int(a.I) - int(b.I)
		}
		return int(a.J) - int(b.J)
	})
	if err := idx.Close(); err != nil {
		t.Fatal(err)
	}
	return j
}
