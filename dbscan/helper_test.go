package dbscan_test

import (
	"math/rand/v2"
	"testing"

	"rtcluster/dbscan"
	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

// engines are those that every small test runs over: brute force, which has no
// Componenter, and the processor's, with one thread and with several.
func engines() map[string]join.Engine {
	return map[string]join.Engine{
		"brute":         jointest.Brute(),
		"cpu/threads=1": cpu.New(cpu.Options{Threads: 1}),
		"cpu/threads=3": cpu.New(cpu.Options{Threads: 3}),
	}
}

func points(t testing.TB, dim int, data ...float64) *join.Points {
	t.Helper()
	pts, err := join.NewPoints(data, dim)
	if err != nil {
		t.Fatal(err)
	}
	return pts
}

func index(t testing.TB, e join.Engine, pts *join.Points) join.Index {
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

func cluster(t testing.TB, e join.Engine, pts *join.Points, opt dbscan.Options) *dbscan.Result {
	t.Helper()
	res, err := dbscan.Cluster(t.Context(), index(t, e, pts), opt)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// uniform returns rows of uniform coordinates from 0 to 1.
func uniform(rows, dim int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 0))
	data := make([]float64, rows*dim)
	for i := range data {
		data[i] = r.Float64()
	}
	return data
}

// lattice returns rows of whole coordinates from 0 to side−1: ties, duplicates,
// and arithmetic without rounding.
func lattice(rows, dim, side int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	data := make([]float64, rows*dim)
	for i := range data {
		data[i] = float64(r.IntN(side))
	}
	return data
}

// slow skips a test that takes seconds under the race detector and has nothing
// for it that smaller tests have not.
func slow(t *testing.T) {
	t.Helper()
	if raceDetector {
		t.Skip("too slow under the race detector")
	}
}
