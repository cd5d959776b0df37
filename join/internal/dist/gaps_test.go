package dist_test

import (
	"math"
	"testing"

	"rtcluster/join/internal/dist"
)

// boxGaps returns the squared distances of the boxes of a block from a box in
// float64.
func boxGaps(low, high, box []float32) []float64 {
	s := make([]float64, dist.Lanes)
	dim := len(box) / 2
	for i := range low {
		k := i / dist.Lanes
		t := max(0, float64(low[i])-float64(box[dim+k]), float64(box[k])-float64(high[i]))
		s[i%dist.Lanes] += t * t
	}
	return s
}

func TestGaps(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, dim := range dims {
			for _, k := range kinds {
				if k.name == "mixed" {
					continue // Infinities: see TestGapsOdd.
				}
				r, name := seeded("gaps/kind=", k.name, "/dim=", dim)
				for range 8 {
					low, high, box := make([]float32, dim*dist.Lanes), make([]float32, dim*dist.Lanes), boxOf(r, dim, k)
					for i := range low {
						x, y := k.draw(r), k.draw(r)
						low[i], high[i] = min(x, y), max(x, y)
					}
					s := boxGaps(low, high, box)
					at := float32(s[r.IntN(dist.Lanes)])
					for _, limit := range []float32{0, -1, at, math.Nextafter32(at, 0), inf32, nan32} {
						gapsCase(t, name, k.exact, low, high, box, s, limit, r.IntN(16))
					}
				}
			}
		}
	})
}

// gapsCase runs Gaps between guard bands, checks it against the sums, and against
// the reference where these are exact.
func gapsCase(t *testing.T, name string, exact bool, low, high, box []float32, s []float64, limit float32, shift int) {
	t.Helper()
	dim := len(box) / 2
	dst, want := guard(dist.Lanes, shift, float32(-7)), make([]float32, dist.Lanes)
	got := dist.Gaps(dst.body(), guardCopy(low, shift, 0).body(), guardCopy(high, 15-shift, 0).body(), guardCopy(box, shift, 0).body(), limit)
	dst.check(t, name)
	checkMask(t, name, got, s, dim, limit)
	if mask := dist.GapsGeneric(want, low, high, box, limit); exact && got != mask {
		t.Fatalf("%s: limit %g: got %#x, want %#x", name, limit, got, mask)
	}
	for j := range dist.Lanes {
		if got>>j&1 != 0 && !closeSum(dst.body()[j], s[j], dim) {
			t.Fatalf("%s: box %d: sum %g, want %g", name, j, dst.body()[j], s[j])
		}
	}
}

func TestGapsOdd(t *testing.T) {
	tests := []struct {
		name      string
		box, lane [2]float32
		limit     float32
		want      bool
	}{
		{"whole lines", [2]float32{-inf32, inf32}, [2]float32{-inf32, inf32}, 0, true},
		{"line and interval", [2]float32{-inf32, inf32}, [2]float32{1, 2}, 0, true},
		{"half lines apart", [2]float32{-inf32, 1}, [2]float32{4, inf32}, 9, true},
		{"half lines too far apart", [2]float32{-inf32, 1}, [2]float32{4, inf32}, 8, false},
		{"equal half lines", [2]float32{3, inf32}, [2]float32{3, inf32}, 0, true},
		{"points at infinity", [2]float32{inf32, inf32}, [2]float32{inf32, inf32}, 0, true},
		{"far points", [2]float32{-inf32, -inf32}, [2]float32{inf32, inf32}, math.MaxFloat32, false},
		{"far points, no limit", [2]float32{-inf32, -inf32}, [2]float32{inf32, inf32}, inf32, true},
		{"overflow", [2]float32{-3e38, -3e38}, [2]float32{3e38, 3e38}, math.MaxFloat32, false},
		{"no limit to speak of", [2]float32{1, 2}, [2]float32{1, 2}, nan32, false},
	}
	atLevels(t, func(t *testing.T) {
		for _, tt := range tests {
			for dim := 1; dim <= 17; dim += 4 {
				for at := range dim * dist.Lanes {
					low, high, box := make([]float32, dim*dist.Lanes), make([]float32, dim*dist.Lanes), make([]float32, 2*dim)
					c, lane := at/dist.Lanes, at%dist.Lanes
					low[at], high[at], box[c], box[dim+c] = tt.lane[0], tt.lane[1], tt.box[0], tt.box[1]
					got := dist.Gaps(make([]float32, dist.Lanes), low, high, box, tt.limit)
					if got>>lane&1 != 0 != tt.want {
						t.Errorf("%s: coordinate %d of %d, lane %d: mask %#x, want %v", tt.name, c, dim, lane, got, tt.want)
					}
				}
			}
		}
	})
}

func TestGapsWithoutCoordinates(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		dst := make([]float32, dist.Lanes)
		dst[3] = 5
		if got := dist.Gaps(dst, nil, nil, nil, 0); got != math.MaxUint32 || dst[3] != 0 {
			t.Errorf("got %#x and %g, want all and 0", got, dst[3])
		}
	})
}
