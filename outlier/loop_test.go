package outlier_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"rtcluster/join"
	"rtcluster/join/jointest"
	"rtcluster/outlier"
)

// TestLoOPOfEvenRows has rows of one pdist, the mean of which rounds to
// another number where they are added up: no row is beyond its surroundings.
func TestLoOPOfEvenRows(t *testing.T) {
	simplex := []float64{0.7, 0, 0, 0, 0, 0.7, 0, 0, 0, 0, 0.7, 0, 0, 0, 0, 0.7}
	for engine, e := range engines() {
		for _, norm := range []join.Norm{join.Euclidean, join.Manhattan, join.Chebyshev} {
			for _, ties := range []outlier.Ties{outlier.TiesK, outlier.TiesAll} {
				for _, all := range []bool{false, true} {
					opt := outlier.Options{Method: outlier.LoOP, K: 3, Ties: ties, AllPLOF: all, Engine: e}
					pts := measured(t, join.Metric{Norm: norm}, 4, simplex...)
					res := score(t, e, pts, opt)
					if !slices.Equal(res.Scores, make([]float64, 4)) || res.Deviation != 0 {
						t.Errorf("%s, %s, ties %s, all PLOF %v: scores %v and deviation %v, want 0", engine, norm, ties, all, res.Scores, res.Deviation)
					}
					verify(t, pts, opt, res)
				}
			}
		}
	}
}

// TestLoOPOfAnyUnit has coordinates whose distances have squares that are no numbers of
// full precision: scores are those in another unit.
func TestLoOPOfAnyUnit(t *testing.T) {
	rows := []float64{0, 1, 3, 4, 6, 6, 13, 40}
	for engine, e := range engines() {
		for _, ties := range []outlier.Ties{outlier.TiesK, outlier.TiesAll} {
			opt := outlier.Options{Method: outlier.LoOP, K: 3, Ties: ties, Engine: e}
			metric := join.Metric{Norm: join.Manhattan}
			want := score(t, e, measured(t, metric, 1, rows...), opt)
			if slices.Max(want.Scores) < 0.5 {
				t.Fatalf("scores %v have no outlier", want.Scores)
			}
			for _, exponent := range []int{-1074, -700, -540, -500, 500, 540, 1000} {
				data := slices.Clone(rows)
				for i := range data {
					data[i] = math.Ldexp(data[i], exponent)
				}
				pts := measured(t, metric, 1, data...)
				res := score(t, e, pts, opt)
				if what := fmt.Sprintf("%s, ties %s, rows times 2^%d", engine, ties, exponent); exponent > -1074 {
					sameResults(t, what, res, want)
				} else if at := slices.Index(res.Scores, slices.Max(res.Scores)); at != len(rows)-1 || res.Duplicates != 0 {
					t.Errorf("%s: scores %v, %d duplicates", what, res.Scores, res.Duplicates)
				}
				verify(t, pts, opt, res)
			}
		}
	}
}

// measured returns rows under a metric.
func measured(t *testing.T, metric join.Metric, dim int, data ...float64) *join.Points {
	t.Helper()
	pts, err := jointest.Points(t, dim, data...).WithMetric(metric)
	if err != nil {
		t.Fatal(err)
	}
	return pts
}
