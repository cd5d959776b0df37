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

// This file tests the nearest rows where candidates are hard to tell apart: by
// float32 sums with errors of very different sizes, or not at all.

// compareNearest compares the k nearest rows of q, or of the rows themselves.
func compareNearest(t *testing.T, fast, plain join.Index, q *join.Points, ks ...int) {
	t.Helper()
	for _, k := range ks {
		got, want := nearestOf(t, fast, q, k), nearestOf(t, plain, q, k)
		for at := range want {
			if got[at] != want[at] {
				t.Errorf("query %d, the nearest %d of %d: got row %d with d2 %v, want row %d with d2 %v",
					at/k, at%k, k, got[at].Row, got[at].D2, want[at].Row, want[at].D2)
				break
			}
		}
	}
}

// eachSetting runs f with engines on every basis, with one thread and several.
func eachSetting(t *testing.T, f func(t *testing.T, e *cpu.Engine)) {
	t.Helper()
	for _, basis := range []cpu.Basis{cpu.BasisVariance, cpu.BasisPCA} {
		for _, threads := range []int{1, 3} {
			t.Run(fmt.Sprintf("basis=%s/threads=%d", basis, threads), func(t *testing.T) {
				f(t, cpu.New(cpu.Options{Basis: basis, Threads: threads}))
			})
		}
	}
}

// huddles returns rows in huddles of about 50, with the given distance between
// neighbours, of which every fifth is equal to another one, and a row among
// every four that is a million times as far away: a leaf at the edge of a huddle
// holds far rows, too, and its sums are a million times as wrong as those of a
// leaf inside.
func huddles(rng *rand.Rand, n, dim int, spacing float64) []float64 {
	const size = 50
	var data []float64
	center := make([]float64, dim)
	for i := range n {
		for k := range dim {
			if i%size == 0 {
				center[k] = 3e6 * spacing * rng.NormFloat64()
			}
			switch {
			case i%4 == 3:
				data = append(data, center[k]+1e6*spacing*rng.NormFloat64())
			case i%5 == 4 && i%size > 5:
				data = append(data, data[len(data)-5*dim]) // five rows before
			default:
				data = append(data, center[k]+spacing*rng.NormFloat64())
			}
		}
	}
	return data
}

// TestNearestAmongUnequalLeaves has walks that meet leaves with small and with
// large errors in any order, and several before there are k candidates.
func TestNearestAmongUnequalLeaves(t *testing.T) {
	seeds := uint64(3)
	if testing.Short() {
		seeds = 1
	}
	eachSetting(t, func(t *testing.T, e *cpu.Engine) {
		for _, dim := range []int{1, 2, 3, 9} {
			for _, spacing := range []float64{1e-7, 1e-8, 3, 1e-60} {
				for seed := range seeds {
					t.Run(fmt.Sprintf("dim=%d/spacing=%g/seed=%d", dim, spacing, seed), func(t *testing.T) {
						rng := rand.New(rand.NewPCG(seed, uint64(dim)))
						pts := jointest.Points(t, dim, huddles(rng, 260, dim, spacing)...)
						compareNearest(t, jointest.Index(t, e, pts), jointest.Index(t, jointest.Brute(), pts), nil, 1, 20, 34, 70)
					})
				}
			}
		}
	})
}

// TestNearestWhereSumsTellNothing has coordinates that no scale brings into the
// range of float32, or of float64's squares.
func TestNearestWhereSumsTellNothing(t *testing.T) {
	for name, size := range map[string]float64{
		"extents overflow": 1e308, "squares overflow": 1e200, "squares underflow": 1e-200, "subnormal": 1e-310,
	} {
		t.Run(name, func(t *testing.T) {
			eachSetting(t, func(t *testing.T, e *cpu.Engine) {
				for _, dim := range []int{1, 3, 6} {
					rng := rand.New(rand.NewPCG(9, uint64(dim)))
					data := make([]float64, 150*dim)
					for i := range data {
						data[i] = size * (3*rng.Float64() - 1.5)
						if rng.IntN(3) == 0 {
							data[i] = size * float64(rng.IntN(3)-1)
						}
					}
					pts := jointest.Points(t, dim, data...)
					fast, plain := jointest.Index(t, e, pts), jointest.Index(t, jointest.Brute(), pts)
					compareNearest(t, fast, plain, nil, 1, 7, 40, 149)
					compareNearest(t, fast, plain, jointest.Points(t, dim, data[:40*dim]...), 7, 150)
				}
			})
		})
	}
}

// TestNearestOfNearAndFarQueries has queries of which the first half meet a leaf
// that is not full, whose free lanes leave no numbers behind, and the others are too
// far away for float32.
func TestNearestOfNearAndFarQueries(t *testing.T) {
	var rows, queries []float64
	for i := range cpu.LeafRows + 8 {
		rows = append(rows, float64(i))
	}
	for _, far := range []float64{0, 1e60} {
		for i := range cpu.LeafRows {
			queries = append(queries, far+float64(i)/4)
		}
	}
	pts, q := jointest.Points(t, 1, rows...), jointest.Points(t, 1, queries...)
	fast, plain := jointest.Index(t, cpu.New(cpu.Options{Threads: 1}), pts), jointest.Index(t, jointest.Brute(), pts)
	compareNearest(t, fast, plain, q, 1, 20, 35)
}

// TestNearestBesideHeaps has leaves in which some rows have more equals than are
// asked for, and others have none.
func TestNearestBesideHeaps(t *testing.T) {
	for _, dim := range []int{1, 3} {
		rng := rand.New(rand.NewPCG(11, uint64(dim)))
		var data []float64
		for range 5 {
			heap := jointest.Uniform(1, dim, rng.Uint64())
			data = append(data, slices.Repeat(heap, 90)...)
			data = append(data, jointest.Uniform(20, dim, rng.Uint64())...)
		}
		pts := jointest.Points(t, dim, data...)
		eachSetting(t, func(t *testing.T, e *cpu.Engine) {
			compareNearest(t, jointest.Index(t, e, pts), jointest.Index(t, jointest.Brute(), pts), nil, 1, 20, 89, 95)
		})
	}
}

// TestSumBounds has sums that are as wrong as package dist says that they can be:
// the bounds must hold, and not be much wider.
func TestSumBounds(t *testing.T) {
	for _, dim := range []int{1, 5, 40} {
		for _, basis := range []cpu.Basis{cpu.BasisVariance, cpu.BasisPCA} {
			tree, err := cpu.NewTree(jointest.Points(t, dim, jointest.Uniform(200, dim, 8)...), cpu.Options{Threads: 1, Basis: basis})
			if err != nil {
				t.Fatal(err)
			}
			bounds := tree.SumBounds()
			g, a := 1.05*float64(dim+4)*0x1p-24, float64(dim+4)*0x1p-145
			for _, delta := range []float64{0, 1e-22, 1e-6, 0.3} {
				for _, d := range []float64{0, 1e-24, 1e-21, 3e-6, 0.1, 0.7, 44, 1e6} {
					name := fmt.Sprintf("dim %d, basis %s, distance %g, error %g", dim, basis, d, delta)
					low, high := max(0, bounds.Near*d-delta), bounds.Far*d+delta
					least, most := max(0, (1-g)*low*low-a), (1+g)*high*high+a
					sum, wide := roundDown(least), (d+2*delta)*1.0001+3*math.Sqrt(a)
					if got := bounds.Reach(sum, delta, 0); !(got >= d && got <= wide) {
						t.Errorf("%s: a sum of %g reaches to %g, want from %g to %g", name, sum, got, d, wide)
					}
					got, wide := bounds.HitLimit(d, delta), 1.0001*most+0x1p-149
					if !(got >= roundDown(most) && float64(got) <= wide) {
						t.Errorf("%s: sums up to %g, want from %g to %g", name, got, most, wide)
					}
				}
			}
		}
	}
}

// roundDown returns the greatest float32 that is at most x, 0 or more.
func roundDown(x float64) float32 {
	y := float32(x)
	if float64(y) > x {
		y = math.Nextafter32(y, 0)
	}
	return y
}

// TestNearestByGroups finds the nearest rows of a few rows of a leaf at a time,
// as is done where k is large.
func TestNearestByGroups(t *testing.T) {
	pts := jointest.Points(t, 2, jointest.Lattice(300, 2, 25, 4)...)
	idx := jointest.Index(t, cpu.New(cpu.Options{Threads: 1}), pts)
	plain := jointest.Index(t, jointest.Brute(), pts)
	for _, k := range []int{1, 9, 60} {
		want := nearestOf(t, plain, nil, k)
		for _, group := range []int{1, 2, 5, 31, cpu.LeafRows} {
			got := make([]join.Neighbor, len(want))
			err := cpu.NearestByGroups(idx, k, group, func(row int, near []join.Neighbor) { copy(got[row*k:], near) })
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) {
				t.Errorf("k %d, %d rows at a time: the nearest differ", k, group)
			}
		}
	}
}

// TestNearestOfManyMore asks for so many that there is room for the candidates of
// a part of a leaf only.
func TestNearestOfManyMore(t *testing.T) {
	const rows, k = 25_000, 24_500
	pts := jointest.Points(t, 2, jointest.Uniform(rows, 2, 6)...)
	q := jointest.Points(t, 2, jointest.Uniform(cpu.LeafRows+3, 2, 7)...)
	fast, plain := jointest.Index(t, cpu.New(cpu.Options{Threads: 2}), pts), jointest.Index(t, jointest.Brute(), pts)
	compareNearest(t, fast, plain, q, k)
}

// TestNearestTies has as many equal distances as a lattice has, where the rows
// decide.
func TestNearestTies(t *testing.T) {
	for dim, side := range map[int]int{1: 300, 2: 18, 3: 7, 5: 3, 8: 2} {
		t.Run(fmt.Sprintf("dim=%d", dim), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(2, uint64(dim)))
			n := int(math.Pow(float64(side), float64(dim)))
			data := make([]float64, 0, n*dim)
			for _, at := range rng.Perm(n) {
				for range dim {
					data = append(data, float64(at%side))
					at /= side
				}
			}
			pts := jointest.Points(t, dim, data...)
			eachSetting(t, func(t *testing.T, e *cpu.Engine) {
				compareNearest(t, jointest.Index(t, e, pts), jointest.Index(t, jointest.Brute(), pts), nil, 1, dim, 2*dim, 1<<dim, 2*dim*dim+1, n-1)
			})
		})
	}
}

// TestNearestOfEqualRows has rows that nothing but their numbers tells apart: few
// of them may be looked at.
func TestNearestOfEqualRows(t *testing.T) {
	const n = 1000
	for _, dim := range []int{1, 4} {
		pts := jointest.Points(t, dim, slices.Repeat([]float64{0.1}, n*dim)...)
		for _, k := range []int{1, 20, 200, n - 1} {
			eachSetting(t, func(t *testing.T, e *cpu.Engine) {
				var effort join.Effort
				ctx := join.WithEffort(t.Context(), func(_ join.Stage, e join.Effort) { effort = e })
				rows, d2 := make([]int32, n*k), make([]float64, n*k)
				if err := join.Lists(ctx, jointest.Index(t, e, pts), nil, k, rows, d2); err != nil {
					t.Fatal(err)
				}
				for at, got := range rows {
					want := at % k
					if want >= at/k {
						want++ // but for the row itself
					}
					if int(got) != want || d2[at] != 0 {
						t.Fatalf("k %d, row %d: neighbour %d is row %d with d2 %v, want row %d", k, at/k, at%k, got, d2[at], want)
					}
				}
				if most := int64(n * (k + 8*cpu.LeafRows)); effort.Candidates > most {
					t.Errorf("k %d: %d candidates, want at most %d", k, effort.Candidates, most)
				}
			})
		}
	}
}
