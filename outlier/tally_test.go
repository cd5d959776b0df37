package outlier_test

import (
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/outlier"
)

// TestDuplicatesCounted counts rows that a rule for duplicates decided, on several
// goroutines that mark them at once: none is lost.
func TestDuplicatesCounted(t *testing.T) {
	const n = 3_500 // whose share of a goroutine is no multiple of 64
	pts, err := join.NewPoints(make([]float64, n), 1)
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		res := score(t, cpu.New(cpu.Options{}), pts, outlier.Options{Method: outlier.LOF, K: 5, Threads: 4})
		if res.Duplicates != n {
			t.Fatalf("%d rows are decided by the rule for duplicates, want all %d", res.Duplicates, n)
		}
	}
}
