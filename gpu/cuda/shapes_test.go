//go:build cuda

package cuda_test

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"rtcluster/gpu/cuda"
	"rtcluster/join"
	"rtcluster/join/cpu"
)

// shapes are files to be joined, FILE:DIM:EPS:TOTAL with rows of little-endian
// float32 and the sum of all counts, the rows themselves included.
var shapes = flag.String("shapes", "", "comma-separated `FILE:DIM:EPS:TOTAL` to be counted")

// TestShapes counts given files, compares the totals, and tells what it took.
func TestShapes(t *testing.T) {
	skipWithoutCard(t)
	if *shapes == "" {
		t.Skip("no -shapes are given")
	}
	for shape := range strings.SplitSeq(*shapes, ",") {
		var path string
		var dim int
		var eps float64
		var want int64
		if _, err := fmt.Sscan(strings.ReplaceAll(shape, ":", " "), &path, &dim, &eps, &want); err != nil {
			t.Fatalf("shape %q: %v", shape, err)
		}
		t.Run(shape, func(t *testing.T) { countShape(t, path, dim, eps, want) })
	}
}

func countShape(t *testing.T, path string, dim int, eps float64, want int64) {
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data := make([]float64, len(raw)/4)
	for i := range data {
		data[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])))
	}
	pts, err := join.NewPoints(data, dim)
	if err != nil {
		t.Fatal(err)
	}
	idx, err := cuda.New(cuda.Options{}).Index(t.Context(), pts) // takes the card
	if err != nil {
		t.Fatal(err)
	}
	if err := idx.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		began := time.Now()
		idx, err := cuda.New(cuda.Options{}).Index(t.Context(), pts)
		if err != nil {
			t.Fatal(err)
		}
		indexed := time.Now()
		dst := make([]int32, pts.Rows())
		if err := idx.Counts(t.Context(), nil, eps, 0, dst); err != nil {
			t.Fatal(err)
		}
		counted := time.Now()
		var pairs int64
		err = idx.Pairs(t.Context(), nil, eps, func(p []join.Pair) error { pairs += int64(len(p)); return nil })
		if err != nil {
			t.Fatal(err)
		}
		listed := time.Now()
		var total int64
		for _, c := range dst {
			total += int64(c)
		}
		t.Logf("index %v, counts %v, pairs %v; total %d", indexed.Sub(began), counted.Sub(indexed), listed.Sub(counted), total)
		if total != want || 2*pairs+int64(pts.Rows()) != want {
			t.Errorf("got a total of %d and %d pairs, want %d", total, pairs, want)
		}
		if err := idx.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

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
	idx, err := e.Index(ctx, pts)
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]int32, pts.Rows())
	began := time.Now()
	if err := idx.Counts(ctx, nil, eps, 0, dst); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %v", e.Name(), time.Since(began))
	if err := idx.Close(); err != nil {
		t.Fatal(err)
	}
	return dst
}
