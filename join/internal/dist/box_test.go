package dist_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"rtcluster/join/internal/dist"
)

var inf = math.Inf(1)

// boxSums returns the exact formulas of Gap2 and Reach2, in plain float64.
func boxSums(a, b []float64) (gap2, reach2 float64) {
	dim := len(a) / 2
	for k := range dim {
		g := max(0, b[k]-a[dim+k], a[k]-b[dim+k])
		f := max(b[dim+k]-a[k], a[dim+k]-b[k])
		gap2 += g * g
		reach2 += f * f
	}
	return gap2, reach2
}

func drawBox(r *rand.Rand, dim int, exact bool) []float64 {
	box := make([]float64, 2*dim)
	for k := range dim {
		x, y := r.NormFloat64(), r.NormFloat64()
		if exact {
			x, y = float64(r.IntN(21)-10), float64(r.IntN(21)-10)
		}
		box[k], box[dim+k] = min(x, y), max(x, y)
	}
	return box
}

func TestBoxes(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, dim := range append([]int{0}, dims...) {
			for rep := range 40 {
				exact := rep%2 == 0
				r, name := seeded("boxes/dim=", dim, "/rep=", rep)
				a, b := drawBox(r, dim, exact), drawBox(r, dim, exact)
				ga, gb := guardCopy(a, rep%8, math.NaN()), guardCopy(b, 7-rep%8, math.NaN())
				gap2, reach2 := boxSums(a, b)
				room := 0.0
				if !exact {
					room = float64(dim+3) * 0x1p-52
				}
				if got := dist.Gap2(ga.body(), gb.body()); !(math.Abs(got-gap2) <= room*gap2) {
					t.Fatalf("%s: gap %g, want %g", name, got, gap2)
				}
				if got := dist.Reach2(ga.body(), gb.body()); !(math.Abs(got-reach2) <= room*reach2) {
					t.Fatalf("%s: reach %g, want %g", name, got, reach2)
				}
			}
		}
	})
}

func TestBoxesInfinite(t *testing.T) {
	tests := []struct {
		name       string
		a, b       [2]float64
		gap, reach float64 // reach -1: any
	}{
		{"whole lines", [2]float64{-inf, inf}, [2]float64{-inf, inf}, 0, inf},
		{"line and interval", [2]float64{-inf, inf}, [2]float64{1, 2}, 0, inf},
		{"half lines that meet", [2]float64{-inf, 1}, [2]float64{0, inf}, 0, inf},
		{"half lines apart", [2]float64{-inf, 1}, [2]float64{4, inf}, 9, inf},
		{"equal half lines", [2]float64{3, inf}, [2]float64{3, inf}, 0, inf},
		{"points at infinity", [2]float64{inf, inf}, [2]float64{inf, inf}, 0, inf},
		{"half line and point at infinity", [2]float64{0, inf}, [2]float64{inf, inf}, 0, inf},
		{"far points", [2]float64{-inf, -inf}, [2]float64{inf, inf}, inf, inf},
		{"empty", [2]float64{inf, -inf}, [2]float64{1, 2}, inf, -1},
		{"finite", [2]float64{-1, 1}, [2]float64{3, 5}, 4, 36},
		{"overflow", [2]float64{-1e308, -1e308}, [2]float64{1e308, 1e308}, inf, inf},
	}
	// fits says whether a reach is as wanted: +Inf and NaN are equally good.
	fits := func(got, want float64) bool { return want < 0 || got == want || want == inf && math.IsNaN(got) }
	atLevels(t, func(t *testing.T) {
		for _, tt := range tests {
			for _, dim := range []int{1, 2, 3, 4, 5, 7, 8, 9, 16, 19} {
				for c := range dim {
					a, b := make([]float64, 2*dim), make([]float64, 2*dim)
					a[c], a[dim+c], b[c], b[dim+c] = tt.a[0], tt.a[1], tt.b[0], tt.b[1]
					for range 2 {
						if got := dist.Gap2(a, b); got != tt.gap {
							t.Errorf("%s: coordinate %d of %d: gap %g, want %g", tt.name, c, dim, got, tt.gap)
						}
						if got := dist.Reach2(a, b); !fits(got, tt.reach) {
							t.Errorf("%s: coordinate %d of %d: reach %g, want %g", tt.name, c, dim, got, tt.reach)
						}
						a, b = b, a
					}
				}
			}
		}
	})
}
