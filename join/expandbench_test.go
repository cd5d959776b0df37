package join_test

import (
	"fmt"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
	"rtcluster/join/synth"
)

// BenchmarkExpander compares nearest rows by expanding ε over the processor's Counts
// and Pairs with that engine's own search, and reports what is asked for them: query
// rows counted, and pairs listed, for each row.
func BenchmarkExpander(b *testing.B) {
	for _, w := range []struct {
		shape  string
		n, dim int
	}{{"uniform", 100_000, 2}, {"blobs", 100_000, 3}, {"latent", 50_000, 18}, {"latent", 20_000, 90}, {"uniform", 20_000, 8}, {"duplicates", 100_000, 3}, {"lattice", 100_000, 3}, {"exponential", 50_000, 5}} {
		set, err := synth.Make(w.shape, w.n, w.dim, 1)
		if err != nil {
			b.Fatal(err)
		}
		pts := jointest.Points(b, w.dim, set.Data...)
		engine, asked := cpu.New(cpu.Options{}), new(asked)
		idx := jointest.Index(b, engine, pts)
		x := join.NewExpander(bare{engine, asked}, bareIndex{idx, asked}, 0)
		for _, k := range []int{1, 10, 100} {
			name := fmt.Sprintf("data=%s/n=%d/dim=%d/k=%d", w.shape, w.n, w.dim, k)
			none := func(int, []join.Neighbor) error { return nil }
			b.Run("road=expand/"+name, func(b *testing.B) {
				asked.reset()
				for b.Loop() {
					if err := x.KNN(b.Context(), nil, k, none); err != nil {
						b.Fatal(err)
					}
				}
				rows := float64(b.N) * float64(w.n)
				b.ReportMetric(float64(asked.counted)/rows, "counted/row")
				b.ReportMetric(float64(asked.pairs)/rows, "pairs/row")
				b.ReportMetric(float64(asked.calls)/float64(b.N), "calls/op")
			})
			b.Run("road=own/"+name, func(b *testing.B) {
				for b.Loop() {
					if err := idx.KNN(b.Context(), nil, k, none); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		if err := x.Close(); err != nil {
			b.Error(err)
		}
	}
}
