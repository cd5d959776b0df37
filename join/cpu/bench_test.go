package cpu_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/synth"
)

// workload is a point set with an ε for a wanted mean number of neighbours.
type workload struct {
	shape  string
	n, dim int
	deg    int
}

var workloads = []workload{
	{"blobs", 100_000, 2, 16},
	{"blobs", 100_000, 3, 16},
	{"blobs", 100_000, 3, 256},
	{"latent", 50_000, 8, 16},
	{"latent", 50_000, 18, 16},
	{"latent", 20_000, 90, 16},
	{"uniform", 20_000, 8, 16},
}

func (w workload) String() string {
	return fmt.Sprintf("engine=cpu/data=%s/n=%d/dim=%d/deg=%d", w.shape, w.n, w.dim, w.deg)
}

// index returns an index over the workload and its ε: the median distance of
// the deg-th neighbour of some rows.
func (w workload) index(b *testing.B) (join.Index, float64) {
	b.Helper()
	set, err := synth.Make(w.shape, w.n, w.dim, 1)
	if err != nil {
		b.Fatal(err)
	}
	pts, err := join.NewPoints(set.Data, w.dim)
	if err != nil {
		b.Fatal(err)
	}
	idx, err := cpu.New(cpu.Options{}).Index(context.Background(), pts)
	if err != nil {
		b.Fatal(err)
	}
	rows := make([]int32, 500)
	for i := range rows {
		rows[i] = int32(i * (w.n / len(rows)))
	}
	var kth []float64
	err = idx.KNN(context.Background(), pts.Subset(rows), w.deg+1, func(_ int, near []join.Neighbor) error {
		kth = append(kth, math.Sqrt(near[w.deg].D2))
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	slices.Sort(kth)
	return idx, kth[len(kth)/2]
}

// each runs body as a sub-benchmark on every workload. body returns the number
// of pairs, or rows, that it dealt with, for the given rate.
func each(b *testing.B, rate string, body func(idx join.Index, eps float64) (int64, error)) {
	for _, w := range workloads {
		b.Run(w.String(), func(b *testing.B) {
			idx, eps := w.index(b)
			var done int64
			for b.Loop() {
				n, err := body(idx, eps)
				if err != nil {
					b.Fatal(err)
				}
				done += n
			}
			b.ReportMetric(float64(done)/b.Elapsed().Seconds(), rate)
		})
	}
}

func BenchmarkIndex(b *testing.B) {
	each(b, "rows/s", func(idx join.Index, _ float64) (int64, error) {
		_, err := cpu.New(cpu.Options{}).Index(context.Background(), idx.Points())
		return int64(idx.Points().Rows()), err
	})
}

func BenchmarkCounts(b *testing.B) {
	each(b, "pairs/s", func(idx join.Index, eps float64) (pairs int64, err error) {
		counts := make([]int32, idx.Points().Rows())
		err = idx.Counts(context.Background(), nil, eps, 0, counts)
		for _, c := range counts {
			pairs += int64(c)
		}
		return pairs, err
	})
}

func BenchmarkPairs(b *testing.B) {
	each(b, "pairs/s", func(idx join.Index, eps float64) (pairs int64, err error) {
		err = idx.Pairs(context.Background(), nil, eps, func(batch []join.Pair) error {
			pairs += int64(len(batch))
			return nil
		})
		return pairs, err
	})
}

func BenchmarkKNN(b *testing.B) {
	each(b, "rows/s", func(idx join.Index, _ float64) (rows int64, err error) {
		err = idx.KNN(context.Background(), nil, 20, func(int, []join.Neighbor) error {
			rows++
			return nil
		})
		return rows, err
	})
}
