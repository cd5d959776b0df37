//go:build cuda

package cuda_test

import (
	"slices"
	"testing"

	"rtcluster/gpu/cuda"
	"rtcluster/join"
)

// TestOrder checks what engines need of the order: each row once, and, on a line,
// leaves one after the other. It needs no card.
func TestOrder(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 128, 129, 1000, 100_000} {
		for _, threads := range []int{1, 5} {
			data := make([]float64, n)
			for i := range data {
				data[i] = float64(i * 7919 % 997) // many are equal
			}
			pts, err := join.NewPoints(data, 1)
			if err != nil {
				t.Fatal(err)
			}
			rows, err := cuda.Order(t.Context(), pts, threads)
			if err != nil {
				t.Fatal(err)
			}
			for from := 64; from < n; from += 64 {
				low, high := slices.Max(values(data, rows[from-64:from])), slices.Min(values(data, rows[from:min(n, from+64)]))
				if low > high {
					t.Fatalf("%d rows, %d threads: %v in a leaf before %v", n, threads, low, high)
				}
			}
			slices.Sort(rows)
			for i, r := range rows {
				if i != int(r) {
					t.Fatalf("%d rows, %d threads: row %d is missing or twice there", n, threads, i)
				}
			}
		}
	}
}

// TestOrderIsTheSame for any number of threads.
func TestOrderIsTheSame(t *testing.T) {
	pts := must(t, "latent", 100_000, 12)
	want, err := cuda.Order(t.Context(), pts, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := cuda.Order(t.Context(), pts, 7); err != nil || !slices.Equal(got, want) {
		t.Errorf("another order with 7 threads (error %v)", err)
	}
}

func values(data []float64, rows []int32) []float64 {
	x := make([]float64, len(rows))
	for i, r := range rows {
		x[i] = data[r]
	}
	return x
}
