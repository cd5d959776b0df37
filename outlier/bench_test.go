package outlier_test

import (
	"fmt"
	"testing"

	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
	"rtcluster/outlier"
)

// BenchmarkScore reports the pairs that a method rests on by second: those
// within eps, or k a row.
func BenchmarkScore(b *testing.B) {
	for _, shape := range []struct {
		rows, dim int
		eps       float64
	}{{100_000, 2, 0.01}, {50_000, 3, 0.04}, {10_000, 12, 0.6}} {
		pts := jointest.Points(b, shape.dim, jointest.Uniform(shape.rows, shape.dim, 1)...)
		idx := jointest.Index(b, cpu.New(cpu.Options{}), pts)
		for _, opt := range []outlier.Options{
			{Method: outlier.KNN, K: 10},
			{Method: outlier.LOF, K: 10},
			{Method: outlier.LOF, K: 10, Ties: outlier.TiesAll, Engine: cpu.New(cpu.Options{})},
			{Method: outlier.LDOF, K: 10},
			{Method: outlier.Count, Eps: shape.eps},
		} {
			name := fmt.Sprintf("n=%d/d=%d/method=%s/k=%d/eps=%g/ties=%s", shape.rows, shape.dim, opt.Method, opt.K, opt.Eps, opt.Ties)
			b.Run(name, func(b *testing.B) {
				pairs := int64(opt.K) * int64(shape.rows)
				for b.Loop() {
					res, err := outlier.Score(b.Context(), idx, opt)
					if err != nil {
						b.Fatal(err)
					}
					pairs = max(pairs, res.Pairs)
				}
				b.ReportMetric(float64(pairs)*float64(b.N)/b.Elapsed().Seconds(), "pairs/s")
			})
		}
	}
}
