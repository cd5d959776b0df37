//go:build cuda

package cuda_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"rtcluster/gpu/cuda"
	"rtcluster/gpu/internal/rounded"
	"rtcluster/gpu/kernels"
)

// TestBoxLimits turns pairs of rows as badly as the contract of turned rows allows, and
// compares boxes of nothing but these rows in the kernel's arithmetic. With a limit that
// is the pair's own d2 the boxes must not be apart, with one just below not within; and
// with limits that are a little further off they must be.
func TestBoxLimits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	for _, dim := range []int{1, 2, 3, 8, 16, 17, 40, 200} {
		for _, setting := range []struct {
			name                   string
			scale, spread, apart32 float64 // of the rows, of the pair, of what float32 doesn't tell apart
			exponent               int     // of σ
		}{
			{"near 1", 1, 0.1, 1e-4, 5},
			{"far from the center", 1, 3e-6, 0.5, 5},
			{"small", 1e-100, 1e-101, 1e-4, 330},
			{"large", 1e100, 1e99, 1e-4, -330},
			{"almost nothing in float32", 1e-22, 1e-23, 0.5, 0},
		} {
			for range 300 {
				p := newHardPair(rng, dim, setting.scale, setting.spread, setting.exponent)
				p.check(t, setting.name, setting.apart32)
			}
		}
	}
}

// hardPair is a pair of rows, and how they are turned.
type hardPair struct {
	turned cuda.Turned
	x, z   []float64
	d2     float64
}

func newHardPair(rng *rand.Rand, dim int, scale, spread float64, exponent int) hardPair {
	p := hardPair{x: make([]float64, dim), z: make([]float64, dim)}
	p.turned = cuda.Turned{
		Dim: dim, Sigma: math.Ldexp(1, exponent), Near: 1 - 1e-5, Far: 1 + 1e-5,
		Kappa: 0x1p-23, Floor: math.Sqrt(float64(dim)) * 0x1p-148,
	}
	along, norm := make([]float64, dim), 0.0
	for k := range dim {
		p.x[k], along[k] = scale*rng.NormFloat64(), rng.NormFloat64()
		norm = math.Hypot(norm, along[k])
	}
	spread *= math.Sqrt(float64(dim))
	for k := range dim {
		p.z[k] = p.x[k] + spread*along[k]/norm
		diff := p.x[k] - p.z[k]
		p.d2 += float64(diff * diff)
	}
	return p
}

// turnedRows are the rows turned, a distance of factor longer, and each moved by nearly
// all of its error, away from the other or, if sign is −1, towards it.
func (p *hardPair) turnedRows(factor, sign float64) (x, z []float32, reach float64) {
	length := p.turned.Sigma * math.Sqrt(p.d2)
	turn := func(from, other []float64) []float32 {
		var norm2 float64
		for _, v := range from {
			norm2 += p.turned.Sigma * v * p.turned.Sigma * v
		}
		reach += math.Sqrt(norm2) * (1 + 1e-6)
		// What the rounding to float32 takes, 2⁻²⁴ of a coordinate, is left.
		move := sign * (p.turned.Kappa - 0x1.001p-24) * math.Sqrt(norm2) * (1 - 1e-6)
		y := make([]float32, len(from))
		for k, v := range from {
			along := p.turned.Sigma * (v - other[k]) / length
			y[k] = float32(factor*p.turned.Sigma*v + move*along)
		}
		return y
	}
	return turn(p.x, p.z), turn(p.z, p.x), reach
}

func (p *hardPair) check(t *testing.T, name string, apart32 float64) {
	t.Helper()
	x, z, reach := p.turnedRows(p.turned.Far, 1)
	gap, _ := boxSquares(x, z)
	apart, _, ok := cuda.BoxLimits(p.turned, p.d2, reach)
	if ok && float64(gap) > apart {
		t.Fatalf("%s, %d coordinates: a pair at the limit is apart: %v, limit %v", name, p.turned.Dim, gap, apart)
	}
	tight := apart32 < 0.1 && p.turned.Dim <= kernels.Axes // the axes beyond say less, or nothing
	if apart, _, ok := cuda.BoxLimits(p.turned, p.d2*(1-apart32)*(1-apart32), reach); ok && tight && float64(gap) <= apart {
		t.Fatalf("%s, %d coordinates: a pair beyond the limit isn't apart: %v, limit %v", name, p.turned.Dim, gap, apart)
	}
	if !ok && apart32 < 0.1 {
		t.Fatalf("%s, %d coordinates: there are no limits", name, p.turned.Dim)
	}
	x, z, reach = p.turnedRows(p.turned.Near, -1)
	_, most := boxSquares(x, z)
	if _, within, ok := cuda.BoxLimits(p.turned, math.Nextafter(p.d2, 0), reach); ok && float64(most) <= within {
		t.Fatalf("%s, %d coordinates: a pair beyond the limit is within: %v, limit %v", name, p.turned.Dim, most, within)
	}
	if _, within, ok := cuda.BoxLimits(p.turned, p.d2*(1+apart32)*(1+apart32), reach); ok && tight && float64(most) > within {
		t.Fatalf("%s, %d coordinates: a pair at the limit isn't within: %v, limit %v", name, p.turned.Dim, most, within)
	}
}

// boxSquares are the squared gap and reach of the boxes of two rows, as search.cu has
// them.
func boxSquares(x, z []float32) (gap, reach float32) {
	axes := min(len(x), kernels.Axes)
	beyond := restOf(x[axes:]) + restOf(z[axes:])
	reach = beyond * beyond
	for k := range axes {
		by := max(0, x[k]-z[k], z[k]-x[k])
		gap = rounded.FMA32(by, by, gap)
		by = max(x[k]-z[k], z[k]-x[k])
		reach = rounded.FMA32(by, by, reach)
	}
	return gap, reach
}

// restOf is a norm, rounded up.
func restOf(y []float32) float32 {
	var sum float64
	for _, v := range y {
		sum += float64(v) * float64(v)
	}
	if sum == 0 {
		return 0
	}
	return math.Nextafter32(float32(math.Sqrt(sum)), math.MaxFloat32)
}

func TestBoxLimitsRefuse(t *testing.T) {
	turned := cuda.Turned{Dim: 3, Sigma: 1, Near: 1, Far: 1, Kappa: 0x1p-24, Floor: 0x1p-147}
	for _, test := range []struct {
		name        string
		eps2, reach float64
		want        bool
	}{
		{"float32 tells all", 1e-4, 100, true},
		{"a limit below what float32 tells", 1e-14, 100, false},
		{"no limit", 0, 100, false},
		{"rows that float32 doesn't hold", 1, math.Inf(1), false},
		{"a limit that isn't one", math.Inf(1), 100, false},
	} {
		if apart, within, ok := cuda.BoxLimits(turned, test.eps2, test.reach); ok != test.want {
			t.Errorf("%s: got limits %v and %v, ok %t, want ok %t", test.name, apart, within, ok, test.want)
		}
	}
}
