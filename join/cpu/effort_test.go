package cpu_test

import (
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

// TestEffort checks the numbers where they are known, or what must hold of them.
func TestEffort(t *testing.T) {
	lattice := make([]float64, 0, 4096)
	for i := range 4096 {
		lattice = append(lattice, float64(i/64), float64(i%64))
	}
	tests := []struct {
		name string
		data []float64
		eps  float64
		good func(rows int64, e join.Effort) bool
	}{
		{"equal rows", make([]float64, 6000), 0, func(n int64, e join.Effort) bool {
			// What is left are the pairs within the 94 leaves.
			return e.Accepted+e.Refined >= n*(n-1)/2 && e.Refined <= 94*32*32 && e.Rechecked <= e.Refined
		}},
		{"ties", lattice, 1, func(n int64, e join.Effort) bool {
			return e.Accepted == 0 && e.Rechecked >= 2*64*63 && e.Rechecked < e.Refined && e.Refined <= e.Candidates
		}},
		{"no ties", jointest.Uniform(5000, 2, 3), 0.05, func(n int64, e join.Effort) bool {
			return e.Rechecked < 50 && e.Refined <= e.Candidates && e.Candidates < n*n/4
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pts := jointest.Points(t, 2, tt.data...)
			efforts := map[join.Stage]join.Effort{}
			ctx := join.WithEffort(t.Context(), func(s join.Stage, e join.Effort) { efforts[s] = e })
			idx := jointest.Index(t, cpu.New(cpu.Options{Threads: 2}), pts)
			if err := idx.Counts(ctx, nil, tt.eps, 0, make([]int32, pts.Rows())); err != nil {
				t.Fatal(err)
			}
			if e := efforts[join.StageCounts]; !tt.good(int64(pts.Rows()), e) {
				t.Errorf("counts took %+v", e)
			}
			k, rows := 3, int64(pts.Rows())
			if err := idx.KNN(ctx, nil, k, func(int, []join.Neighbor) error { return nil }); err != nil {
				t.Fatal(err)
			}
			least := int64(k) * rows
			if tt.name == "equal rows" {
				least = int64(k) // one row may do for all
			}
			if e := efforts[join.StageKNN]; e.Rechecked < least || e.Refined > e.Candidates || e.Refined < least || tt.name == "no ties" && e.Refined > e.Candidates/2 {
				t.Errorf("the 3 nearest took %+v", e)
			}
		})
	}
}
