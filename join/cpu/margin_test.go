package cpu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

// tightGroups returns rows about a few centers, so near to them, against the
// distances of the centers, that float32 can't tell their distances to rows of
// another group from each other: a guard that is too narrow decides wrongly.
func tightGroups(rng *rand.Rand, n, dim int, spread float64) []float64 {
	const groups = 4
	centers := make([]float64, groups*dim)
	for i := range centers {
		centers[i] = rng.NormFloat64()
	}
	data := make([]float64, 0, n*dim)
	for i := range n {
		for k := range dim {
			data = append(data, centers[i%groups*dim+k]+spread*rng.NormFloat64())
		}
	}
	return data
}

// TestMargins compares counts and nearest neighbours with brute force where the
// limits lie among distances that differ by less than float32's rounding, beyond
// 128 coordinates, too.
func TestMargins(t *testing.T) {
	const n = 200
	dims := []int{1, 2, 5, 17, 33, 129, 256, 257}
	if testing.Short() {
		dims = []int{5, 33}
	}
	for _, dim := range dims {
		for _, spread := range []float64{0x1p-16, 0x1p-20, 0x1p-23, 0x1p-25, 0x1p-40} {
			t.Run(fmt.Sprintf("dim=%d/spread=%g", dim, spread), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(dim), math.Float64bits(spread)))
				pts := jointest.Points(t, dim, tightGroups(rng, n, dim, spread)...)
				fast := jointest.Index(t, cpu.New(cpu.Options{Threads: 2}), pts)
				plain := jointest.Index(t, jointest.Brute(), pts)
				for range 4 {
					i, j := rng.IntN(n), rng.IntN(n)
					eps := math.Sqrt(join.SquaredDistance(pts.Row(i), pts.Row(j)))
					for _, e := range []float64{eps, math.Nextafter(eps, 0)} {
						if got, want := countsOf(t, fast, e), countsOf(t, plain, e); !slices.Equal(got, want) {
							t.Fatalf("eps %v: counts %v, want %v", e, got, want)
						}
					}
				}
				for _, k := range []int{3, n / 4, n/2 + 3} {
					if got, want := nearestOf(t, fast, nil, k), nearestOf(t, plain, nil, k); !slices.Equal(got, want) {
						t.Fatalf("%d nearest differ", k)
					}
				}
			})
		}
	}
}

// partners returns pairs of rows at almost the same distance from each other, spread
// along all axes alike, and that distance: small beside the norms, which the products
// of rows are rounded by.
func partners(rng *rand.Rand, pairs, dim int, spread float64) (data []float64, apart float64) {
	apart = 0.4 * math.Sqrt(float64(dim))
	row, step := make([]float64, dim), make([]float64, dim)
	for range pairs {
		var norm2 float64
		for k := range row {
			row[k], step[k] = rng.NormFloat64(), rng.NormFloat64()
			norm2 += step[k] * step[k]
		}
		data = append(data, row...)
		scale := apart / math.Sqrt(norm2) * (1 + spread*rng.NormFloat64())
		for k, v := range row {
			data = append(data, v+scale*step[k])
		}
	}
	return data, apart
}

// TestFlatMargins is TestMargins for data of which no few axes tell who is near.
func TestFlatMargins(t *testing.T) {
	const pairs = 300
	dims := []int{16, 17, 33, 64, 129, 256}
	if testing.Short() {
		dims = []int{17}
	}
	for _, dim := range dims {
		for _, spread := range []float64{0x1p-16, 0x1p-20, 0x1p-23, 0x1p-25, 0} {
			t.Run(fmt.Sprintf("dim=%d/spread=%g", dim, spread), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(dim), math.Float64bits(spread)))
				data, apart := partners(rng, pairs, dim, spread)
				pts := jointest.Points(t, dim, data...)
				fast := jointest.Index(t, cpu.New(cpu.Options{Threads: 2}), pts)
				plain := jointest.Index(t, jointest.Brute(), pts)
				for try := range 4 {
					i := 2 * rng.IntN(pairs)
					eps := math.Sqrt(join.SquaredDistance(pts.Row(i), pts.Row(i+1)))
					if try == 0 {
						eps = apart
					}
					for _, e := range []float64{eps, math.Nextafter(eps, 0)} {
						if got, want := countsOf(t, fast, e), countsOf(t, plain, e); !slices.Equal(got, want) {
							t.Fatalf("eps %v: counts %v, want %v", e, got, want)
						}
					}
				}
			})
		}
	}
}

func countsOf(t *testing.T, idx join.Index, eps float64) []int32 {
	t.Helper()
	counts := make([]int32, idx.Points().Rows())
	if err := idx.Counts(t.Context(), nil, eps, 0, counts); err != nil {
		t.Fatal(err)
	}
	return counts
}

// nearestOf returns the k nearest rows of all queries, one query after the other.
func nearestOf(t *testing.T, idx join.Index, q *join.Points, k int) []join.Neighbor {
	t.Helper()
	n := idx.Points().Rows()
	if q != nil {
		n = q.Rows()
	}
	all := make([]join.Neighbor, n*k)
	err := idx.KNN(t.Context(), q, k, func(row int, near []join.Neighbor) error {
		copy(all[row*k:], near)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
