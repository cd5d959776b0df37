package groups_test

import (
	"math/rand/v2"
	"testing"

	"rtcluster/groups"
)

// BenchmarkSummary adds rows of three coordinates to a thousand groups.
func BenchmarkSummary(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	const rows = 1 << 16
	data := make([]float64, 3*rows)
	for i := range data {
		data[i] = r.Float64()
	}
	for name, box := range map[string][]float64{"flat": nil, "box": {1, 1, 1}} {
		b.Run("space="+name, func(b *testing.B) {
			s, err := groups.NewSummary(1000, 3, box)
			if err != nil {
				b.Fatal(err)
			}
			row := 0
			for b.Loop() {
				s.Add(row%1000, data[3*row:3*row+3])
				row = (row + 1) % rows
			}
		})
	}
}
