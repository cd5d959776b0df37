package jointest

import (
	"math/rand/v2"
	"testing"

	"rtcluster/join"
)

// Points wraps coordinates, dim a row, for a test.
func Points(t testing.TB, dim int, data ...float64) *join.Points {
	t.Helper()
	pts, err := join.NewPoints(data, dim)
	if err != nil {
		t.Fatal(err)
	}
	return pts
}

// Index builds an index that the end of the test closes.
func Index(t testing.TB, e join.Engine, pts *join.Points) join.Index {
	t.Helper()
	idx, err := e.Index(t.Context(), pts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := idx.Close(); err != nil {
			t.Error(err)
		}
	})
	return idx
}

// Uniform returns rows of uniform coordinates from 0 to 1.
func Uniform(rows, dim int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 0))
	data := make([]float64, rows*dim)
	for i := range data {
		data[i] = r.Float64()
	}
	return data
}

// Lattice returns rows of whole coordinates from 0 to side−1: ties, duplicates,
// and arithmetic without rounding.
func Lattice(rows, dim, side int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	data := make([]float64, rows*dim)
	for i := range data {
		data[i] = float64(r.IntN(side))
	}
	return data
}
