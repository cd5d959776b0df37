package epsilon_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"rtcluster/epsilon"
	"rtcluster/join"
	"rtcluster/join/jointest"
)

// sets have ties, duplicates, heaps larger than k, and none of these, and other metrics.
func sets(t testing.TB) map[string]*join.Points {
	return map[string]*join.Points{
		"uniform":    made(t, "uniform", 200, 3, 1),
		"lattice":    made(t, "lattice", 125, 3, 1),
		"duplicates": made(t, "duplicates", 150, 2, 1),
		"equal":      made(t, "equal", 40, 2, 1),
		"manhattan":  under(t, made(t, "lattice", 100, 2, 1), join.Metric{Norm: join.Manhattan}),
		"chebyshev":  under(t, made(t, "uniform", 150, 3, 2), join.Metric{Norm: join.Chebyshev}),
		"box":        under(t, made(t, "uniform", 150, 2, 3), join.Metric{Box: []float64{1, 0}}),
		"huge":       jointest.Points(t, 1, 1e200, -1e200, 3e200, 1, 2, 3, 4, 5),
	}
}

func TestMeasure(t *testing.T) {
	for name, pts := range sets(t) {
		for _, k := range []int{1, 4, 7} {
			want := kDistances(pts, k)
			for engine, e := range engines() {
				t.Run(fmt.Sprintf("%s/k=%d/%s", name, k, engine), func(t *testing.T) {
					c := measure(t, jointest.Index(t, e, pts), epsilon.Options{K: k})
					if c.Rows != pts.Rows() || len(c.Distances) != len(want) || c.Sampled() {
						t.Fatalf("got %d distances of %d rows, sampled: %v", len(c.Distances), c.Rows, c.Sampled())
					}
					for i, d2 := range want {
						if c.Distances[i] != epsilon.Plain.Distance(pts.Metric(), d2) {
							t.Fatalf("place %d: got %v, want that of measure %v", i, c.Distances[i], d2)
						}
					}
				})
			}
		}
	}
}

// TestMeasureSome measures rows one by one: together they are those of the whole.
func TestMeasureSome(t *testing.T) {
	for name, pts := range sets(t) {
		for engine, e := range engines() {
			t.Run(name+"/"+engine, func(t *testing.T) {
				idx := jointest.Index(t, e, pts)
				want := measure(t, idx, epsilon.Options{K: 3}).Distances
				var got []float64
				for i := range pts.Rows() {
					c := measure(t, idx, epsilon.Options{K: 3, Rows: []int32{int32(i)}})
					if !c.Sampled() || c.Rows != pts.Rows() || len(c.Distances) != 1 {
						t.Fatalf("row %d: got %+v", i, c)
					}
					got = append(got, c.Distances...)
				}
				slices.Sort(got)
				if !slices.Equal(got, want) {
					t.Errorf("got %v, want %v", got, want)
				}
			})
		}
	}
}

func TestMeasureSky(t *testing.T) {
	pts := sky(t, 359, 0, 1, 0, 11, 0, 1, 30)
	c := measure(t, jointest.Index(t, jointest.Brute(), pts), epsilon.Options{K: 1, Unit: epsilon.Degrees})
	for i, want := range []float64{2, 2, 10, 30} {
		if !near(c.Distances[i], want, 1e-12) {
			t.Errorf("place %d: got %v degrees, want %v", i, c.Distances[i], want)
		}
	}
}

func TestMeasureCosine(t *testing.T) {
	pts := directions(t, jointest.Points(t, 2, 1, 0, 5, 0, 0, 3, -2, -2))
	c := measure(t, jointest.Index(t, jointest.Brute(), pts), epsilon.Options{K: 1, Unit: epsilon.Cosine})
	for i, want := range []float64{0, 0, 1, 1 + math.Sqrt2/2} {
		if !near(c.Distances[i], want, 1e-15) {
			t.Errorf("place %d: got %v, want %v", i, c.Distances[i], want)
		}
	}
}

func TestMeasureRefuses(t *testing.T) {
	pts := made(t, "uniform", 5, 2, 1)
	tests := []struct {
		name   string
		pts    *join.Points
		opt    epsilon.Options
		tooFew bool
	}{
		{"k of 0", pts, epsilon.Options{}, false},
		{"k of all rows", pts, epsilon.Options{K: 5}, true},
		{"no rows", made(t, "uniform", 0, 2, 1), epsilon.Options{K: 1}, true},
		{"none of the rows", pts, epsilon.Options{K: 1, Rows: []int32{}}, false},
		{"a row behind the last", pts, epsilon.Options{K: 1, Rows: []int32{5}}, false},
		{"a row before the first", pts, epsilon.Options{K: 1, Rows: []int32{-1}}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := epsilon.Measure(t.Context(), jointest.Index(t, jointest.Brute(), test.pts), test.opt)
			if err == nil || errors.Is(err, epsilon.ErrTooFewRows) != test.tooFew {
				t.Errorf("got %v, %v", c, err)
			}
		})
	}
}

func TestQuantile(t *testing.T) {
	inf := math.Inf(1)
	ten := epsilon.CurveOf(1, 2, 3, 4, 5, 6, 7, 7, 7, inf)
	tests := []struct {
		share, want, core float64 // core: the share of rows within want
	}{
		{0.05, 1, 0.1}, {0.1, 1, 0.1}, {0.11, 2, 0.2}, {0.5, 5, 0.5}, {0.61, 7, 0.9}, {0.7, 7, 0.9}, {0.9, 7, 0.9},
	}
	for _, test := range tests {
		got, err := ten.Quantile(test.share)
		if err != nil || got != test.want || ten.Share(got) != test.core {
			t.Errorf("quantile %v: got %v, %v of the rows, %v; want %v, %v", test.share, got, ten.Share(got), err, test.want, test.core)
		}
	}
	if got := ten.At(0); got != 1 {
		t.Errorf("the least k-distance is %v, want 1", got)
	}
	_, err := ten.Quantile(0.91)
	wantNone(t, err, "overflow for 1 of 10 rows")
	var none *epsilon.NoneError
	for _, share := range []float64{0, -1, 1.01, math.NaN()} {
		if got, err := ten.Quantile(share); err == nil || errors.As(err, &none) {
			t.Errorf("quantile %v: got %v, %v", share, got, err)
		}
	}
}

// TestQuantileCore counts what the curve promises: with its eps, as many rows have
// k others, and with the float64 below it fewer.
func TestQuantileCore(t *testing.T) {
	const k = 4
	for name, pts := range sets(t) {
		if name == "huge" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			idx := jointest.Index(t, jointest.Brute(), pts)
			c := measure(t, idx, epsilon.Options{K: k})
			core := func(eps float64) float64 {
				counts := make([]int32, pts.Rows())
				if err := idx.Counts(t.Context(), nil, eps, 0, counts); err != nil {
					t.Fatal(err)
				}
				n := 0
				for _, count := range counts {
					if count > k { // the row itself counts
						n++
					}
				}
				return float64(n) / float64(len(counts))
			}
			for _, share := range []float64{0.1, 0.5, 0.9, 1} {
				eps, err := c.Quantile(share)
				if err != nil {
					t.Fatal(err)
				}
				if got := core(eps); got < share || got != c.Share(eps) {
					t.Errorf("quantile %v: %v of the rows are core, the curve says %v", share, got, c.Share(eps))
				}
				// Two below: of neighbouring float64s, more than one may reach.
				if below := math.Nextafter(math.Nextafter(eps, 0), 0); eps > 0 && core(below) >= share {
					t.Errorf("quantile %v: a smaller eps does as well", share)
				}
			}
		})
	}
}
