package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

// TestAttachAfterCounts compares Attach after a count with a limit, which
// remembers what is near, with that of an index that remembers nothing: for
// members that are the rows at the limit, and for any others.
func TestAttachAfterCounts(t *testing.T) {
	const n = 6_000
	for _, tt := range []struct {
		name  string
		eps   float64
		limit int32
		kept  bool
	}{
		{"few rows reach the limit", 0.06, 60, true},
		{"most rows reach the limit", 0.06, 4, true},
		{"no row reaches the limit", 0.02, 1_000, true},
		{"every row reaches the limit", 0.06, 1, true},
		{"nodes within", 0.3, 600, true},
		{"too much to remember", 0.2, n, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx := t.Context()
			pts := jointest.Points(t, 2, jointest.Uniform(n, 2, 5)...)
			counted := jointest.Index(t, cpu.New(cpu.Options{Threads: 3}), pts)
			counts := make([]int32, n)
			if err := counted.Counts(ctx, nil, tt.eps, tt.limit, counts); err != nil {
				t.Fatal(err)
			}
			if got := cpu.Remembers(counted); got != tt.kept {
				t.Fatalf("the index remembers: %v, want %v", got, tt.kept)
			}
			others := jointest.Points(t, 2, jointest.Uniform(n, 2, 6)...)
			rng := rand.New(rand.NewPCG(3, uint64(tt.limit)))
			for _, share := range []float64{-1, 0.01, 0.5, 0.99} {
				member, label := make([]bool, n), make([]int32, n)
				for i := range member {
					member[i] = rng.Float64() < share
					if share < 0 {
						member[i] = counts[i] >= tt.limit
					}
					label[i] = rng.Int32N(n)
				}
				for _, eps := range []float64{tt.eps, tt.eps * 1.001} {
					fresh := jointest.Index(t, cpu.New(cpu.Options{}), pts)
					for _, q := range []*join.Points{nil, others} {
						got, want := make([]int32, n), make([]int32, n)
						attach(t, counted, q, eps, member, label, got)
						attach(t, fresh, q, eps, member, label, want)
						if !slices.Equal(got, want) {
							t.Errorf("share %g, eps %g, self-join %t: labels differ from those of a fresh index", share, eps, q == nil)
						}
					}
				}
			}
		})
	}
}

func attach(t *testing.T, idx join.Index, q *join.Points, eps float64, member []bool, label, dst []int32) {
	t.Helper()
	if err := idx.(join.Attacher).Attach(t.Context(), q, eps, member, label, dst); err != nil {
		t.Fatal(fmt.Errorf("attach: %w", err))
	}
}
