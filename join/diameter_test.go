package join_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"rtcluster/join"
)

func TestDiameterBound(t *testing.T) {
	set := func(dim int, data ...float64) *join.Points {
		pts, err := join.NewPoints(data, dim)
		if err != nil {
			t.Fatal(err)
		}
		return pts
	}
	under := func(m join.Metric, pts *join.Points) *join.Points {
		pts, err := pts.WithMetric(m)
		if err != nil {
			t.Fatal(err)
		}
		return pts
	}
	a, b := set(2, 1, 2, 4, 2), set(2, 1, 6)
	for _, tc := range []struct {
		name string
		sets []*join.Points
		want float64
	}{
		{"no set", nil, 0},
		{"no rows", []*join.Points{set(2)}, 0},
		{"one row", []*join.Points{b}, 0},
		{"one set", []*join.Points{a}, 9},
		{"two sets", []*join.Points{a, b}, 25},
		{"the first without rows", []*join.Points{set(2), a, b}, 25},
		{"manhattan", []*join.Points{under(join.Metric{Norm: join.Manhattan}, a), b}, 7},
		{"chebyshev", []*join.Points{under(join.Metric{Norm: join.Chebyshev}, a), b}, 4},
		{"half of the box at most", []*join.Points{under(join.Metric{Box: []float64{5, 0}}, a)}, 6.25},
		{"overflow", []*join.Points{set(1, -math.MaxFloat64, math.MaxFloat64)}, math.Inf(1)},
	} {
		if got := join.DiameterBound(tc.sets...); got != tc.want {
			t.Errorf("%s: got %v, want %v", tc.name, got, tc.want)
		}
	}
}

// TestDiameterBoundHolds sees that no two rows measure more, for any metric.
func TestDiameterBoundHolds(t *testing.T) {
	const seed, rows, dim = 5, 40, 3
	r := rand.New(rand.NewPCG(seed, 0))
	data := make([]float64, rows*dim)
	for i := range data {
		data[i] = r.Float64()
	}
	pts, err := join.NewPoints(data, dim)
	if err != nil {
		t.Fatal(err)
	}
	for _, norm := range []join.Norm{join.Euclidean, join.Manhattan, join.Chebyshev} {
		for _, box := range [][]float64{nil, {1, 1, 1}, {1.1, 0, 3}} {
			t.Run(fmt.Sprint(norm, box), func(t *testing.T) {
				pts, err := pts.WithMetric(join.Metric{Norm: norm, Box: box})
				if err != nil {
					t.Fatal(err)
				}
				bound, most := join.DiameterBound(pts), 0.0
				for i := range rows {
					for j := range i {
						most = max(most, pts.Metric().Measure(pts.Row(i), pts.Row(j)))
					}
				}
				if most > bound || bound > dim*most {
					t.Errorf("seed %d: the bound is %v, the greatest measure %v", seed, bound, most)
				}
			})
		}
	}
}
