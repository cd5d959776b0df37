package join_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

// heap is rows in the plane: every second one equal to one other, the rest apart.
func heap(n int) []float64 {
	data := jointest.Uniform(n, 2, 5)
	for i := 0; i < n; i += 2 {
		data[2*i], data[2*i+1] = 0.5, 0.5
	}
	return data
}

// uneven is as many rows in each of four squares whose sides are 1 to 10⁻⁶, so that
// densities differ by 10¹².
func uneven(n int) []float64 {
	data := jointest.Uniform(n, 2, 6)
	for i, x := range data {
		square := i / 2 % 4
		data[i] = 10*float64(square) + x*math.Pow10(-2*square)
	}
	return data
}

// apart is rows whose distances to the next grow from one to the next: no two need
// the same ε.
func apart(n int) []float64 {
	data := make([]float64, n)
	for i := range data {
		data[i] = math.Exp2(float64(i)*1000/float64(n) - 500)
	}
	return data
}

// TestExpanderWork wants work in proportion to the rows: at most 4·w + 16 pairs each,
// and few counts and calls, for w = k + 1 and whatever the densities are and however
// many rows are equal.
func TestExpanderWork(t *testing.T) {
	tests := []struct {
		name    string
		dim     int
		rows    func(n int) []float64
		counted float64 // for each row, at most
		calls   int
	}{
		{"uniform", 2, func(n int) []float64 { return jointest.Uniform(n, 2, 4) }, 1.5, 60},
		{"a heap of half of the rows", 2, heap, 1.5, 60},
		{"heaps alone", 1, func(n int) []float64 { return jointest.Lattice(n, 1, 40, 7) }, 1, 60},
		{"heaps in a lattice", 3, func(n int) []float64 { return jointest.Lattice(n, 3, 8, 8) }, 1.5, 60},
		{"densities 1 to 10¹²", 2, uneven, 5, 200},
		{"each row another ε", 1, apart, 13, 8000},
		{"in 20 dimensions", 20, func(n int) []float64 { return jointest.Uniform(n, 20, 9) }, 4, 200},
	}
	sizes := []int{2000, 8000}
	if testing.Short() {
		sizes = sizes[:1]
	}
	for _, tt := range tests {
		for _, k := range []int{1, 10} {
			t.Run(fmt.Sprintf("%s/k=%d", tt.name, k), func(t *testing.T) {
				for _, n := range sizes {
					var did asked
					engine := bare{cpu.New(cpu.Options{Threads: 2}), &did}
					pts := jointest.Points(t, tt.dim, tt.rows(n)...)
					idx := jointest.Index(t, engine, pts)
					did = asked{}
					expandLikeCPU(t, engine, idx, k)
					if most := int64((4*(k+1) + 16) * n); did.pairs > most {
						t.Errorf("n=%d: %d pairs listed, want at most %d", n, did.pairs, most)
					}
					if c := float64(did.counted) / float64(n); c > tt.counted || did.calls > tt.calls {
						t.Errorf("n=%d: %.2f rows counted for each in %d calls, want at most %v and %d", n, c, did.calls, tt.counted, tt.calls)
					}
				}
			})
		}
	}
}

// expandLikeCPU expands on an index, and compares with the processor's own search.
func expandLikeCPU(t *testing.T, e join.Engine, idx join.Index, k int) {
	t.Helper()
	x := join.NewExpander(e, idx, 2)
	got, want := make([][]join.Neighbor, idx.Points().Rows()), make([][]join.Neighbor, idx.Points().Rows())
	if err := x.KNN(t.Context(), nil, k, into(got)); err != nil {
		t.Fatal(err)
	}
	own := jointest.Index(t, cpu.New(cpu.Options{Threads: 2}), idx.Points())
	if err := own.KNN(t.Context(), nil, k, into(want)); err != nil {
		t.Fatal(err)
	}
	sameLists(t, got, want)
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}

// into keeps what KNN emits.
func into(lists [][]join.Neighbor) func(int, []join.Neighbor) error {
	return func(row int, near []join.Neighbor) error {
		lists[row] = slices.Clone(near)
		return nil
	}
}

func sameLists(t *testing.T, got, want [][]join.Neighbor) {
	t.Helper()
	for row := range want {
		if !slices.Equal(got[row], want[row]) {
			t.Fatalf("row %d: got %v, want %v", row, got[row], want[row])
		}
	}
}

// TestExpanderTiesTakeFewCalls has the corners of a cube, which are all at distance 1
// under the Chebyshev metric: that is seen before the last bit of it.
func TestExpanderTiesTakeFewCalls(t *testing.T) {
	const dim = 11
	data := make([]float64, 0, dim<<dim)
	for i := range 1 << dim {
		for k := range dim {
			data = append(data, float64(i>>k&1))
		}
	}
	var did asked
	engine := bare{cpu.New(cpu.Options{Threads: 2}), &did}
	idx := jointest.Index(t, engine, under(t, join.Metric{Norm: join.Chebyshev}, dim, data...))
	expandLikeCPU(t, engine, idx, 1)
	if did.calls > 40 {
		t.Errorf("%d calls, want at most 40", did.calls)
	}
}
