package dist_test

import (
	"math"
	"testing"

	"rtcluster/join/internal/dist"
)

// halfNorm returns half of the squared norm of a row of a block in float64.
func halfNorm(x []float32, row int) float64 {
	var s float64
	for at := row; at < len(x); at += dist.Lanes {
		s += float64(x[at]) * float64(x[at]) / 2
	}
	return s
}

// productError bounds what the half of a squared distance is off by, for rows of
// these halves of squared norms: the bound of the package comment, and what is lost
// where something underflows.
func productError(qHalf, bHalf float64, dim int) float64 {
	reach := math.Sqrt(2*qHalf) + math.Sqrt(2*bHalf)
	return (1.02*0x1p-24*float64(2*dim+10)*reach*reach + float64(dim+4)*0x1p-145) / 2
}

func TestProducts(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, dim := range dims {
			for _, k := range kinds {
				if k.name == "mixed" || k.name == "huge" {
					continue // Infinite norms tell nothing.
				}
				r, name := seeded("products/kind=", k.name, "/dim=", dim)
				for range 4 {
					q, b := block(r, dim, k, true), block(r, dim, k, true)
					at := halfDistance(q, b, r.IntN(dist.Lanes), r.IntN(dist.Lanes))
					for _, limit := range []float32{0, -1, float32(at), math.Nextafter32(float32(at), 0), inf32, nan32} {
						productsCase(t, name, q, b, limit/2, limit, r.IntN(16))
					}
				}
			}
		}
	})
}

// halfDistance returns half of the squared distance of two rows in float64.
func halfDistance(q, b []float32, i, j int) float64 {
	var s float64
	for at := 0; at < len(q); at += dist.Lanes {
		d := float64(q[at+i]) - float64(b[at+j])
		s += d * d / 2
	}
	return s
}

// productsCase runs ShiftNorms and Products between guard bands and checks the masks
// by the error that they may have.
func productsCase(t *testing.T, name string, q, b []float32, sureLimit, hitLimit float32, shift int) {
	t.Helper()
	dim := len(q) / dist.Lanes
	var qHalf, bHalf [dist.Lanes]float32
	zeros := make([]float32, dim)
	dist.ShiftNorms(make([]float32, len(q)), q, zeros, &qHalf)
	dist.ShiftNorms(make([]float32, len(b)), b, zeros, &bHalf)
	hits, sure := guard(dist.Lanes, shift, uint32(0xabcdef01)), guard(dist.Lanes, 15-shift, uint32(0xabcdef02))
	some := dist.Products((*[dist.Lanes]uint32)(hits.body()), (*[dist.Lanes]uint32)(sure.body()),
		guardCopy(q, shift, 0).body(), guardCopy(b, 15-shift, 0).body(), &qHalf, &bHalf, sureLimit, hitLimit)
	hits.check(t, name+": hits")
	sure.check(t, name+": sure")
	for i := range dist.Lanes {
		if hit := hits.body()[i] != 0; hit != (some>>i&1 != 0) {
			t.Fatalf("%s: row %d has hits %#x, the rows with some are %#x", name, i, hits.body()[i], some)
		}
		if odd := sure.body()[i] &^ hits.body()[i]; odd != 0 {
			t.Fatalf("%s: row %d: %#x is sure but no hit", name, i, odd)
		}
		for j := range dist.Lanes {
			s := halfDistance(q, b, i, j)
			e := productError(halfNorm(q, i), halfNorm(b, j), dim)
			checkHalf(t, name+": hits", hits.body()[i]>>j&1 != 0, s, e, hitLimit)
			checkHalf(t, name+": sure", sure.body()[i]>>j&1 != 0, s, e, min(sureLimit, hitLimit))
		}
	}
}

// checkHalf checks a bit for a sum s that may be off by e.
func checkHalf(t *testing.T, name string, set bool, s, e float64, limit float32) {
	t.Helper()
	switch {
	case math.IsNaN(s) || limit != limit:
		if set {
			t.Fatalf("%s: set for a sum of %g and a limit of %g", name, s, limit)
		}
	case set && s-e > float64(limit), !set && s+e <= float64(limit):
		t.Fatalf("%s: %t for a sum of %g, off by %g at most, and a limit of %g", name, set, s, e, limit)
	}
}

func TestShiftNorms(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, dim := range dims {
			for _, k := range kinds {
				r, name := seeded("shiftNorms/kind=", k.name, "/dim=", dim)
				src, by := block(r, dim, k, true), make([]float32, dim)
				for c := range by {
					by[c] = k.draw(r)
				}
				want := make([]float32, len(src))
				dist.Shift(want, src, by)
				shift := r.IntN(16)
				dst, half := guard(len(src), shift, float32(-7)), guard(dist.Lanes, 15-shift, float32(-8))
				dist.ShiftNorms(dst.body(), guardCopy(src, 15-shift, 0).body(), guardCopy(by, shift, 0).body(), (*[dist.Lanes]float32)(half.body()))
				dst.check(t, name)
				half.check(t, name+": half")
				for i, v := range dst.body() {
					if math.Float32bits(v) != math.Float32bits(want[i]) && (v == v || want[i] == want[i]) {
						t.Fatalf("%s: value %d is %g, want %g as Shift has it", name, i, v, want[i])
					}
				}
				for j, h := range half.body() {
					if s := halfNorm(want, j); !(math.IsNaN(s) && h != h) && !closeSum(2*h, 2*s, dim) {
						t.Fatalf("%s: row %d: half of the norm is %g, want %g", name, j, h, s)
					}
				}
			}
		}
	})
}

func TestProductsWithoutCoordinates(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		var hits, sure [dist.Lanes]uint32
		half := [dist.Lanes]float32{3: nan32, 5: 1}
		dist.ShiftNorms(nil, nil, nil, &half)
		some := dist.Products(&hits, &sure, nil, nil, &half, &half, 0, 0)
		if some != math.MaxUint32 || hits[3] != math.MaxUint32 || sure[5] != math.MaxUint32 {
			t.Errorf("got %#x and %#x, want all lanes: halves of norms are 0", hits[3], sure[5])
		}
	})
}
