package cpu_test

import (
	"math"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

// TestLeavesFromKeys counts rows whose coordinates keys in float32 have, or seem to
// have: leaves must not take keys for coordinates that they have lost.
func TestLeavesFromKeys(t *testing.T) {
	const n = 300
	tests := []struct {
		name string
		at   func(i int) float64
		eps  float64
		want int32 // neighbours of row 0
	}{
		{"float32", func(i int) float64 { return float64(float32(i) * 0.1) }, 0.25, 3},
		{"float64", func(i int) float64 { return float64(i) * 0.1 }, 0.25, 3},
		{"one float64", func(i int) float64 {
			if i == 1 {
				return 1 + 0x1p-52
			}
			return 1
		}, 0, n - 1},
		{"lost beside a huge one", func(i int) float64 {
			if i == n-1 {
				return 0x1p1000
			}
			return float64(i) * 0x1p-100
		}, 0x1p-99, 3},
		{"subnormal keys", func(i int) float64 {
			if i == n-1 {
				return 1
			}
			return float64(i) * 0x1p-149
		}, 0x1p-148, 3},
		{"below float32", func(i int) float64 {
			if i == n-1 {
				return 1
			}
			return float64(i) * 0x1p-151
		}, 0x1p-150, 3},
		{"both zeros", func(i int) float64 { return math.Copysign(0, float64(i%2)-0.5) }, 0, n},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for dim := 1; dim <= 4; dim++ {
				data := make([]float64, 0, n*dim)
				for i := range n {
					for range dim - 1 {
						data = append(data, 0)
					}
					data = append(data, tt.at(i))
				}
				pts := jointest.Points(t, dim, data...)
				got, want := make([]int32, n), make([]int32, n)
				for e, dst := range map[join.Engine][]int32{cpu.New(cpu.Options{Threads: 2}): got, jointest.Brute(): want} {
					if err := jointest.Index(t, e, pts).Counts(t.Context(), nil, tt.eps, 0, dst); err != nil {
						t.Fatal(err)
					}
				}
				if got[0] != tt.want {
					t.Errorf("%d coordinates: row 0 has %d neighbours, want %d", dim, got[0], tt.want)
				}
				for i := range got {
					if got[i] != want[i] {
						t.Fatalf("%d coordinates: row %d has %d neighbours, by brute force %d", dim, i, got[i], want[i])
					}
				}
			}
		})
	}
}
