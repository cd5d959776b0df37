package dist_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"rtcluster/join/internal/dist"
)

// gaps returns the squared distances of the rows of q from the box in float64.
func gaps(q, box []float32) []float64 {
	s := make([]float64, dist.Lanes)
	dim := len(box) / 2
	for i, x := range q {
		low, high := float64(box[i/dist.Lanes]), float64(box[dim+i/dist.Lanes])
		t := max(0, low-float64(x), float64(x)-high)
		s[i%dist.Lanes] += t * t
	}
	return s
}

// boxOf draws a box.
func boxOf(r *rand.Rand, dim int, k kind) []float32 {
	box := make([]float32, 2*dim)
	for c := range dim {
		x, y := k.draw(r), k.draw(r)
		box[c], box[dim+c] = min(x, y), max(x, y)
	}
	return box
}

// limitsInTurn returns the two limits in turn, one for each row.
func limitsInTurn(even, odd float32) (limits [dist.Lanes]float32) {
	for j := range limits {
		limits[j] = []float32{even, odd}[j%2]
	}
	return limits
}

func TestNear(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, dim := range dims {
			for _, k := range kinds {
				if k.name == "mixed" {
					continue // Infinities: see TestNearOdd.
				}
				r, name := seeded("near/kind=", k.name, "/dim=", dim)
				for range 8 {
					q, box := block(r, dim, k, true), boxOf(r, dim, k)
					s := gaps(q, box)
					at := float32(s[r.IntN(dist.Lanes)])
					for _, limit := range []float32{0, -1, at, math.Nextafter32(at, 0), inf32, nan32} {
						shift := r.IntN(16)
						got := dist.Near(guardCopy(q, shift, 0).body(), guardCopy(box, 15-shift, 0).body(), limit)
						checkMask(t, name, got, s, dim, limit)
						if want := dist.NearGeneric(q, box, limit); k.exact && got != want {
							t.Fatalf("%s: limit %g: got %#x, want %#x", name, limit, got, want)
						}
					}
				}
			}
		}
	})
}

func TestNearOdd(t *testing.T) {
	tests := []struct {
		name         string
		x, low, high float32
		limit        float32
		want         bool
	}{
		{"inside all", 5, -inf32, inf32, 0, true},
		{"inside half", 5, 0, inf32, 0, true},
		{"outside half", -5, 0, inf32, 25, true},
		{"too far outside half", -5, 0, inf32, 24, false},
		{"infinite row outside", inf32, -1, 1, math.MaxFloat32, false},
		{"infinite row and limit", inf32, -1, 1, inf32, true},
		{"infinite row at the end", inf32, -1, inf32, inf32, false},
		{"infinite row at the start", -inf32, -inf32, 1, inf32, false},
		{"empty box", 5, inf32, -inf32, math.MaxFloat32, false},
		{"NaN row", nan32, -1, 1, inf32, false},
		{"NaN lower bound", -5, nan32, 1, 0, true},
		{"NaN lower bound, upper passed", 2, nan32, 1, 0, false},
		{"NaN upper bound", 5, -1, nan32, 0, true},
		{"NaN upper bound, lower passed", -2, -1, nan32, 0, false},
		{"overflow", 3e38, -3e38, -2e38, math.MaxFloat32, false},
		{"overflow within an infinite limit", 3e38, -3e38, -2e38, inf32, true},
	}
	atLevels(t, func(t *testing.T) {
		for _, tt := range tests {
			for _, dim := range []int{1, 8, 9, 20} {
				for c := range dim {
					q, box := make([]float32, dim*dist.Lanes), make([]float32, 2*dim)
					for j := range dist.Lanes {
						q[c*dist.Lanes+j] = tt.x
					}
					box[c], box[dim+c] = tt.low, tt.high
					want := uint32(0)
					if tt.want {
						want = math.MaxUint32
					}
					if got := dist.Near(q, box, tt.limit); got != want {
						t.Errorf("%s: coordinate %d of %d: got %#x, want %#x", tt.name, c, dim, got, want)
					}
					limits := limitsInTurn(tt.limit, nan32)
					if got := dist.NearEach(q, box, &limits); got != want&0x55555555 {
						t.Errorf("%s, every second row: coordinate %d of %d: got %#x, want %#x", tt.name, c, dim, got, want&0x55555555)
					}
				}
			}
		}
	})
}

func TestNearEach(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, dim := range dims {
			for _, k := range kinds {
				if k.name == "mixed" {
					continue // Infinities: see TestNearOdd.
				}
				r, name := seeded("near each/kind=", k.name, "/dim=", dim)
				for range 8 {
					q, box := block(r, dim, k, true), boxOf(r, dim, k)
					s := gaps(q, box)
					var limits [dist.Lanes]float32
					for j := range limits {
						at := float32(s[j])
						limits[j] = []float32{0, -1, at, at, math.Nextafter32(at, 0), inf32, nan32}[r.IntN(7)]
					}
					nearEachCase(t, name, k.exact, q, box, s, limits, r.IntN(16))
				}
			}
		}
	})
}

// TestNearEachOfOneRow leaves one row that can pass, and one that can but for the
// last coordinates: a look at the sums that misses it ends too early.
func TestNearEachOfOneRow(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, dim := range []int{1, 7, 8, 9, 16, 17, 20} {
			r, name := seeded("near each/one row/dim=", dim)
			for at := range dist.Lanes {
				q, box := block(r, dim, kinds[0], false), boxOf(r, dim, kinds[0])
				s := gaps(q, box)
				limits := limitsInTurn(-1, nan32)
				for _, less := range []float64{0, 1} {
					limits[at] = float32(s[at] - less)
					nearEachCase(t, name, true, q, box, s, limits, at%16)
				}
			}
		}
	})
}

// nearEachCase runs NearEach at unaligned addresses, checks it against the sums,
// and against the reference where these are exact.
func nearEachCase(t *testing.T, name string, exact bool, q, box []float32, s []float64, limits [dist.Lanes]float32, shift int) {
	t.Helper()
	each := (*[dist.Lanes]float32)(guardCopy(limits[:], shift, inf32).body())
	got := dist.NearEach(guardCopy(q, shift, 0).body(), guardCopy(box, 15-shift, 0).body(), each)
	for j, limit := range limits {
		checkMask(t, fmt.Sprintf("%s, row %d", name, j), got>>j&1, s[j:j+1], len(box)/2, limit)
	}
	if want := dist.NearEachGeneric(q, box, &limits); exact && got != want {
		t.Fatalf("%s: limits %g: got %#x, want %#x", name, limits, got, want)
	}
}

func TestNearWithoutCoordinates(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		limits := limitsInTurn(0, -1)
		if near, each := dist.Near(nil, nil, 0), dist.NearEach(nil, nil, &limits); near != math.MaxUint32 || each != 0x55555555 {
			t.Errorf("got %#x and %#x, want all and every second", near, each)
		}
	})
}
