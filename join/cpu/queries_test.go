package cpu_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

// TestLargeQueries compares counts, pairs and nearest neighbours with brute force
// where walks go through several levels of fans, for queries among the rows and
// far from their frame, and a third of the rows equal to another.
func TestLargeQueries(t *testing.T) {
	for _, dim := range []int{2, 5} {
		const n = 4_010 // the last leaf is not full
		rows := worms(n, dim)
		for i := 0; i+3 <= n; i += 3 {
			copy(rows[i*dim:(i+1)*dim], rows[(i/2)*dim:])
		}
		pts := jointest.Points(t, dim, rows...)
		fast := jointest.Index(t, cpu.New(cpu.Options{Threads: 3}), pts)
		plain := jointest.Index(t, jointest.Brute(), pts)
		for name, far := range map[string]float64{"among": 0, "beside": 30, "far": 1e7, "out of float32": 1e60, "at the end": 1e308} {
			t.Run(name, func(t *testing.T) {
				rng := rand.New(rand.NewPCG(7, uint64(dim)))
				queries := slices.Clone(rows[:200*dim])
				for i := range queries {
					if i/dim%2 == 0 && rng.IntN(2) == 0 {
						queries[i] += far
					}
				}
				q := jointest.Points(t, dim, queries...)
				eps := max(0.3, far*1.2)
				if far >= 1e308 {
					eps = far
				}
				compareQueries(t, fast, plain, q, eps)
				compareQueries(t, fast, plain, q, 0.3)
				compareNearest(t, fast, plain, q, 1, 9, 150)
			})
		}
	}
}

func compareQueries(t *testing.T, fast, plain join.Index, q *join.Points, eps float64) {
	t.Helper()
	type answer struct {
		counts []int32
		pairs  int
	}
	ask := func(idx join.Index) answer {
		a := answer{counts: make([]int32, q.Rows())}
		err := idx.Counts(t.Context(), q, eps, 0, a.counts)
		if err == nil {
			err = idx.Pairs(t.Context(), q, eps, func(p []join.Pair) error { a.pairs += len(p); return nil })
		}
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	got, want := ask(fast), ask(plain)
	if !slices.Equal(got.counts, want.counts) {
		t.Errorf("eps %g: counts differ", eps)
	}
	if got.pairs != want.pairs {
		t.Errorf("eps %g: %d pairs, want %d", eps, got.pairs, want.pairs)
	}
}
