//go:build cuda

package cuda_test

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"

	"rtcluster/gpu/cuda"
	"rtcluster/gpu/internal/driver"
	"rtcluster/join"
)

// TestHuge joins more than 2³² numbers, and as many rows as an engine takes. The rows are
// groups of 1, 2, 3 and 4 that lie apart in the first column; rows of a group differ in
// the last, by quarters, so that the third is at ε exactly.
func TestHuge(t *testing.T) {
	if os.Getenv("RTCLUSTER_HUGE") == "" {
		t.Skip("set RTCLUSTER_HUGE=1 for joins that take 60 GB of memory on the host and on the card")
	}
	skipWithoutCard(t)
	want := [10]int32{1, 2, 2, 3, 3, 3, 3, 4, 4, 3} // by the place in ten rows
	group, member := [10]int{0, 1, 1, 2, 2, 2, 3, 3, 3, 3}, [10]int{0, 0, 1, 0, 1, 2, 0, 1, 2, 3}
	for _, test := range []struct{ n, dim int }{{36_000_000, 120}, {1_200_000_000, 1}, {1<<31 - 1, 1}} {
		t.Run(fmt.Sprintf("n=%d/dim=%d", test.n, test.dim), func(t *testing.T) {
			const step = 1_000_003 // is prime, and divides no n: rows come in another order than places
			data := make([]float64, test.n*test.dim)
			inSixteen(test.n, func(r int) {
				at := r * step % test.n
				data[r*test.dim] += float64(4 * (at/10*4 + group[at%10]))
				data[r*test.dim+test.dim-1] += 0.25 * float64(member[at%10])
			})
			pts, err := join.NewPoints(data, test.dim)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]int32, test.n)
			err = countInto(t.Context(), t, cuda.New(cuda.Options{}), pts, 0.5, got)
			if test.n > 1.5e9 && errors.Is(err, driver.ErrMemory) {
				t.Skip(err) // as is said, not a fault: cards of 140 GB have too little
			}
			if err != nil {
				t.Fatal(err)
			}
			for r, c := range got {
				at := r * step % test.n
				if end := test.n - at/10*10; end < 10 && at >= test.n-4 {
					continue // of a group that the last row cuts off
				}
				if c != want[at%10] {
					t.Fatalf("row %d, of the place %d, has %d neighbours, want %d", r, at, c, want[at%10])
				}
			}
		})
	}
}

// inSixteen does rows on sixteen goroutines.
func inSixteen(n int, do func(r int)) {
	var wg sync.WaitGroup
	for part := range 16 {
		wg.Go(func() {
			for r := n / 16 * part; r < n/16*(part+1) || part == 15 && r < n; r++ {
				do(r)
			}
		})
	}
	wg.Wait()
}
