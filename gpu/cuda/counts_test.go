//go:build cuda

package cuda_test

import (
	"cmp"
	"context"
	"fmt"
	"testing"
	"time"

	"rtcluster/gpu/cuda"
	"rtcluster/join"
	"rtcluster/join/cpu"
)

// TestAgainstCPU compares counts of every row of larger sets, where float32 has the
// most to decide, with the CPU engine's.
func TestAgainstCPU(t *testing.T) {
	skipWithoutCard(t)
	for _, test := range []struct {
		shape  string
		n, dim int
		eps    float64
	}{
		{"latent", 60_000, 18, 0.06},
		{"latent", 20_000, 90, 0.3},
		{"uniform", 60_000, 3, 0.03},
		{"blobs", 60_000, 2, 0.01},
	} {
		t.Run(fmt.Sprintf("%s/n=%d/dim=%d", test.shape, test.n, test.dim), func(t *testing.T) {
			pts := must(t, test.shape, test.n, test.dim)
			got, want := counts(t, cuda.New(cuda.Options{}), pts, test.eps), counts(t, cpu.New(cpu.Options{}), pts, test.eps)
			t.Logf("%d neighbours in all", sameCounts(t, got, want))
		})
	}
}

// sameCounts compares counts of each row with the CPU engine's, and returns their sum.
func sameCounts(t *testing.T, got, want []int32) (total int64) {
	t.Helper()
	for i := range got {
		if total += int64(want[i]); got[i] != want[i] {
			t.Fatalf("row %d has %d neighbours, on the CPU %d", i, got[i], want[i])
		}
	}
	return total
}

func counts(t *testing.T, e join.Engine, pts *join.Points, eps float64) []int32 {
	t.Helper()
	return countsUnder(t.Context(), t, e, pts, eps)
}

func countsUnder(ctx context.Context, t *testing.T, e join.Engine, pts *join.Points, eps float64) []int32 {
	t.Helper()
	dst := make([]int32, pts.Rows())
	if err := countInto(ctx, t, e, pts, eps, dst); err != nil {
		t.Fatal(err)
	}
	return dst
}

// countInto counts the neighbours of all rows, and tells how long that took.
func countInto(ctx context.Context, t *testing.T, e join.Engine, pts *join.Points, eps float64, dst []int32) error {
	t.Helper()
	idx, err := e.Index(ctx, pts)
	if err != nil {
		return err
	}
	began := time.Now()
	err = idx.Counts(ctx, nil, eps, 0, dst)
	t.Logf("%s: %v", e.Name(), time.Since(began))
	return cmp.Or(err, idx.Close())
}
