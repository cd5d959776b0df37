package dist_test

import (
	"math"
	"testing"

	"rtcluster/join/internal/dist"
)

func TestRotate(t *testing.T) {
	ms := []int{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32, 33, 40, 48, 57, 64, 65, 90, 129, 256}
	atLevels(t, func(t *testing.T) {
		for _, m := range ms {
			for _, d := range []int{1, 2, m, m + 5} {
				for _, rows := range []int{0, 1, 2, 3, 4, 5, 7, 8, 33, 71} {
					if rows*m*d < 100_000 {
						rotateCase(t, rows, d, m, true)
						rotateCase(t, rows, d, m, false)
					}
				}
			}
		}
	})
}

// rotateCase checks Rotate against the reference: equal on small integers, and
// within (d + 2)·2⁻⁵³ Σ|axes·(x − center)| of the true sum else, so twice that
// of each other.
func rotateCase(t *testing.T, rows, d, m int, exact bool) {
	t.Helper()
	r, name := seeded("rotate/rows=", rows, "/d=", d, "/m=", m, "/exact=", exact)
	draw := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
			if exact {
				x[i] = float64(r.IntN(17) - 8)
			}
		}
		return x
	}
	x, center, axes := draw(rows*d), draw(d), draw(d*m)
	shift := rows % 8
	dst := guard(rows*m, shift, -7.0)
	dist.Rotate(dst.body(), guardCopy(x, 7-shift, 1e300).body(), guardCopy(center, shift, 1e300).body(), guardCopy(axes, 3, 1e300).body(), rows, m)
	dst.check(t, name)
	want, size := make([]float64, rows*m), make([]float64, rows*m)
	dist.RotateGeneric(want, x, center, axes, rows, m)
	for i := range rows {
		for j := range d {
			for k := range m {
				size[i*m+k] += math.Abs(axes[j*m+k] * (x[i*d+j] - center[j]))
			}
		}
	}
	for i, got := range dst.body() {
		room := 2 * float64(d+2) * 0x1p-53 * size[i]
		if exact {
			room = 0
		}
		if !(math.Abs(got-want[i]) <= room) {
			t.Fatalf("%s: value %d: got %g, want %g ± %g", name, i, got, want[i], room)
		}
	}
}

func TestRotateSpreadsNaNInItsRowOnly(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		const rows, d, m = 9, 5, 11
		x, axes, dst := make([]float64, rows*d), make([]float64, d*m), make([]float64, rows*m)
		x[4*d+2] = math.NaN()
		x[6*d] = math.Inf(1)
		dist.Rotate(dst, x, make([]float64, d), axes, rows, m)
		for i, v := range dst {
			if bad := i/m == 4 || i/m == 6; math.IsNaN(v) != bad {
				t.Fatalf("row %d, column %d is %g", i/m, i%m, v)
			}
		}
	})
}

func TestRotateWithoutCoordinates(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		dst := []float64{1, 2, 3, 4}
		dist.Rotate(dst, nil, nil, nil, 2, 2)
		for _, v := range dst {
			if v != 0 {
				t.Errorf("got %v, want zeros", dst)
			}
		}
		dist.Rotate(nil, dst, dst[:2], nil, 2, 0)
	})
}
