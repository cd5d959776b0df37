package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"rtcluster/join"
)

// points draws n rows of coordinates.
func points(t *testing.T, n, dim int, draw func(r *rand.Rand, row, k int) float64) *join.Points {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 7))
	data := make([]float64, n*dim)
	for i := range data {
		data[i] = draw(r, i/dim, i%dim)
	}
	pts, err := join.NewPoints(data, dim)
	if err != nil {
		t.Fatal(err)
	}
	return pts
}

// TestOutline samples rows whose share of open pairs, and of limited work, is known about.
func TestOutline(t *testing.T) {
	uniform := func(r *rand.Rand, _, _ int) float64 { return r.Float64() }
	line := func(r *rand.Rand, row, k int) float64 { // in two turned coordinates, of many
		if k > 1 {
			return 1e-6 * r.Float64()
		}
		return float64(row) / 200_000
	}
	tests := []struct {
		name           string
		pts            *join.Points
		eps            float64
		limit          int
		open, limited  float64
		openBy, partBy float64 // what they may differ by
	}{
		// Boxes of a sixteenth of the square, on a side, and a side of 0.1 about them.
		{"square", points(t, 16_384, 2, uniform), 0.1, 0, 0.07, 1, 0.02, 0},
		{"square, all within", points(t, 16_384, 2, uniform), 2, 5, 0, 5. / 16_384, 0, 1e-3},
		{"square, a tenth of the neighbours", points(t, 16_384, 2, uniform), 0.1, 50, 0.07, 0.11, 0.02, 0.03},
		{"square, alone", points(t, 16_384, 2, uniform), 1e-4, 5, 0, 1, 0.01, 1e-9},
		{"ten coordinates, none far", points(t, 10_000, 10, uniform), 2, 0, 1, 1, 0, 0},
		{"line", points(t, 200_000, 20, line), 0.01, 0, 0.015, 1, 0.01, 0},
		{"many coordinates", points(t, 5_000, 300, uniform), 2, 0, 1, 1, 0, 0},
		{"equal rows", points(t, 5_000, 3, func(*rand.Rand, int, int) float64 { return 4 }), 0.1, 5, 0, 1e-3, 0, 1e-3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok := outlineOf(test.pts, test.eps, test.limit, 1)
			if !ok || math.Abs(got.open-test.open) > test.openBy || math.Abs(got.limited-test.limited) > test.partBy {
				t.Errorf("got %+v, %t, want about %g and %g", got, ok, test.open, test.limited)
			}
			if again, _ := outlineOf(test.pts, test.eps, test.limit, 1); again != got {
				t.Errorf("got %+v, and then %+v", got, again)
			}
		})
	}
	huge := points(t, 5_000, 10, func(r *rand.Rand, _, _ int) float64 { return 1e300 * r.NormFloat64() })
	if o, ok := outlineOf(huge, 1, 0, 1); ok {
		t.Errorf("of numbers whose squares overflow: %+v", o)
	}
	if o, ok := outlineOf(points(t, 10, 2, uniform), 1, 0, 1); ok {
		t.Errorf("of ten rows: %+v", o)
	}
}

// TestEstimate holds the model to a measured run: bench/cpu.md, U8-256, 3.6 s of two
// threads for counts, and a fifteenth of it for clusters, in a smaller set: pairs, and so
// seconds, are as the square of the rows.
func TestEstimate(t *testing.T) {
	pts := points(t, 125_000, 8, func(r *rand.Rand, _, _ int) float64 { return r.Float64() })
	eps := 0.3603 // boxes of a smaller set are larger, so that more is open
	w := workload{eps: []float64{eps}}
	const threads = 3 // which are taken for two
	c, ok := w.estimate(pts, threads, 1)
	if least := 3.6 / 16; !ok || c.cpu < least || c.cpu > 2.5*least {
		t.Errorf("counts are estimated to take %.3g s, want %.3g to %.3g", c.cpu, least, 2.5*least)
	}
	most := w.most(pts, threads)
	if most < c.cpu || most > 20*c.cpu {
		t.Errorf("at most %.3g s, about %.3g", most, c.cpu)
	}
	w.rows = 125_000 // queries
	if both, _ := w.estimate(pts, threads, 1); both.cpu < 1.9*c.cpu || both.cpu > 2.1*c.cpu || both.pairs < 1.9*c.pairs {
		t.Errorf("with as many queries %.3g s, want twice %.3g", both.cpu, c.cpu)
	}
	w = workload{eps: []float64{eps, eps}, limit: 2}
	if limited, _ := w.estimate(pts, threads, 1); limited.cpu > c.cpu/2 || limited.pairs < 1.9*c.pairs {
		t.Errorf("twice with a limit %.3g s, want less than half of %.3g", limited.cpu, c.cpu)
	}
}
