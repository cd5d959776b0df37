package dbscan_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/dbscan"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

// clumps returns rows in round groups of 500 over a cube, a tenth of them
// spread all over it.
func clumps(rows, dim int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 2))
	centres := make([]float64, (rows/500+1)*dim)
	for i := range centres {
		centres[i] = 100 * r.Float64()
	}
	data := make([]float64, 0, rows*dim)
	for i := range rows {
		at := centres[i/500*dim:]
		for k := range dim {
			if i%10 == 0 {
				data = append(data, 100*r.Float64())
			} else {
				data = append(data, at[k]+r.NormFloat64())
			}
		}
	}
	return data
}

// BenchmarkCluster reports pairs within eps by second, all of which counts look at
// and the other ways need not.
func BenchmarkCluster(b *testing.B) {
	for _, shape := range []struct {
		rows, dim int
		eps       float64
	}{{100_000, 2, 0.5}, {100_000, 3, 0.8}, {20_000, 12, 4}} {
		pts := jointest.Points(b, shape.dim, clumps(shape.rows, shape.dim, 1)...)
		idx := jointest.Index(b, cpu.New(cpu.Options{}), pts)
		halves := slices.Repeat([]float64{0.5}, shape.rows)
		for _, way := range []struct {
			name string
			opt  dbscan.Options
		}{
			{"way=limit", dbscan.Options{MinSamples: 10}},
			{"way=counts", dbscan.Options{MinSamples: 10, Counts: true}},
			{"way=nearest", dbscan.Options{MinSamples: 10, Border: dbscan.BorderNearest}},
			{"way=weights", dbscan.Options{MinSamples: 5, Weights: halves}},
		} {
			way.opt.Eps = shape.eps
			full := way.opt
			full.Counts = true
			res, err := dbscan.Cluster(b.Context(), idx, full)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("n=%d/d=%d/eps=%g/%s", shape.rows, shape.dim, shape.eps, way.name), func(b *testing.B) {
				for b.Loop() {
					if _, err := dbscan.Cluster(b.Context(), idx, way.opt); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(res.Pairs)*float64(b.N)/b.Elapsed().Seconds(), "pairs/s")
			})
		}
	}
}
