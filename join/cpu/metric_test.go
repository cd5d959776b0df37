package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

var norms = []join.Norm{join.Euclidean, join.Manhattan, join.Chebyshev}

// under returns points under a metric.
func under(t testing.TB, m join.Metric, pts *join.Points) *join.Points {
	t.Helper()
	pts, err := pts.WithMetric(m)
	if err != nil {
		t.Fatal(err)
	}
	return pts
}

// TestMeasureBounds compares the bounds of boxes with the measures of all rows
// in them: bounds may not be passed, nor be wider than the boxes make them where
// these are single rows.
func TestMeasureBounds(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 3000 {
		dim := 1 + round%4
		m := join.Metric{Norm: norms[round%3], Box: make([]float64, dim)}
		for k := range m.Box {
			m.Box[k] = []float64{0, 1, 1.1, 3}[r.IntN(4)]
		}
		sides := [2][][]float64{boxRows(r, m.Box), boxRows(r, m.Box)}
		var low, high [2][]float64
		for i, rows := range sides {
			low[i], high[i] = append([]float64{}, rows[0]...), append([]float64{}, rows[0]...)
			for _, row := range rows {
				for k, x := range row {
					low[i][k], high[i][k] = min(low[i][k], x), max(high[i][k], x)
				}
			}
		}
		least, most := cpu.MeasureBounds(m, low[0], high[0], low[1], high[1])
		for _, a := range sides[0] {
			for _, b := range sides[1] {
				got := m.Measure(a, b)
				if got < least || got > most {
					t.Fatalf("seed %d, round %d: %v and %v under %+v are %v apart, beyond [%v, %v]", seed, round, a, b, m, got, least, most)
				}
				if near, far := cpu.MeasureBounds(m, a, a, b, b); near != got || far != got {
					t.Fatalf("seed %d, round %d: bounds of the rows %v and %v under %+v are [%v, %v], want %v", seed, round, a, b, m, near, far, got)
				}
			}
		}
	}
}

// boxRows returns a few rows that lie together, on tenths or anywhere.
func boxRows(r *rand.Rand, box []float64) [][]float64 {
	rows := make([][]float64, 3)
	corner, width := make([]float64, len(box)), r.Float64()
	for k := range corner {
		corner[k] = 3 * r.Float64()
	}
	tenths := r.IntN(2) == 0
	for i := range rows {
		for k, length := range box {
			x := corner[k] + width*r.Float64()
			if tenths {
				x = float64(int(10*x)) / 10
			}
			for length > 0 && x >= length {
				x = max(0, x-length)
			}
			rows[i] = append(rows[i], x)
		}
	}
	return rows
}

// TestMetricsPrune holds the walk to a few of all pairs where ε is small, and to
// none where it holds everything, or rows are equal.
func TestMetricsPrune(t *testing.T) {
	const rows = 8000
	equal := make([]float64, 3*rows)
	for i := range equal {
		equal[i] = 0.5
	}
	box := []float64{1, 1, 1}
	for _, norm := range norms {
		for _, test := range []struct {
			name string
			data []float64
			eps  float64
			most int64
		}{
			{"uniform", jointest.Uniform(rows, 3, 1), 0.03, 200 * rows},
			{"everything, since the box is no wider", jointest.Uniform(rows, 3, 1), 1.5, 0},
			{"equal rows", equal, 0, 0},
		} {
			t.Run(fmt.Sprintf("%s/%s", norm, test.name), func(t *testing.T) {
				pts := under(t, join.Metric{Norm: norm, Box: box}, jointest.Points(t, 3, test.data...))
				idx := jointest.Index(t, cpu.New(cpu.Options{Threads: 2}), pts)
				effort := map[join.Stage]join.Effort{}
				ctx := join.WithEffort(t.Context(), func(s join.Stage, e join.Effort) { effort[s] = e })
				counts := make([]int32, rows)
				if err := idx.Counts(ctx, nil, test.eps, 0, counts); err != nil {
					t.Fatal(err)
				}
				if got := effort[join.StageCounts].Candidates; got > test.most || test.most > 0 && got == 0 {
					t.Errorf("counts: %d pairs were looked at, want at most %d", got, test.most)
				}
				if err := idx.KNN(ctx, nil, 4, func(int, []join.Neighbor) error { return nil }); err != nil {
					t.Fatal(err)
				}
				if got, most := effort[join.StageKNN].Candidates, int64(900*rows); got > most {
					t.Errorf("nearest: %d pairs were looked at, want at most %d", got, most)
				}
			})
		}
	}
}
