package kernels_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"rtcluster/gpu/internal/rounded"
)

// TestSumErrors makes sums like low.cuh and many.cuh do, and compares what they are off
// by with the errors that guard.cuh allows.
func TestSumErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, dim := range []int{1, 3, 8, 9, 18, 130, 500} {
		var squares, products float64
		for kind := range sumKinds {
			for range 200 {
				a, b, q := hardRows(rng, kind, dim)
				mid := float32(0.5 * q * []float64{0.5, 1, 1.0001, 2}[rng.IntN(4)])
				m, d := 2*float64(mid), float64(dim)
				const u = 0x1p-24
				off := math.Abs(distanceOf(a, b, float64(bySquares(a, b, 2*mid)), m))
				squares = max(squares, off/(1.05*(d+4)*u*max(m, q)))
				reach := normOf(a) + normOf(b)
				off = math.Abs(distanceOf(a, b, 2*float64(byProducts(a, b, mid)), m))
				products = max(products, off/(1.02*u*((2*d+6)*reach*reach+(d+2)*m)))
			}
		}
		t.Logf("%d coordinates: squares are off by %.3f of what is allowed, products by %.3f", dim, squares, products)
		if squares > 1 || products > 1 {
			t.Errorf("%d coordinates: squares are off by %.3f of what is allowed, products by %.3f", dim, squares, products)
		}
		if squares < 0.01 || products < 0.01 {
			t.Errorf("%d coordinates: there are no errors to speak of, so nothing was tried", dim)
		}
	}
}

const sumKinds = 5

// hardRows are two rows of offsets, and the square of their distance, about.
func hardRows(rng *rand.Rand, kind, dim int) (a, b []float32, square float64) {
	a, b = make([]float32, dim), make([]float32, dim)
	apart := math.Pow(10, -float64(rng.IntN(5)))
	for k := range a {
		x := rng.NormFloat64()
		y := x + apart*rng.NormFloat64()
		switch kind {
		case 1: // of any direction
			y = rng.NormFloat64()
		case 2: // of one sign
			x, y = math.Abs(x), math.Abs(y)
		case 3: // rounded the same way again and again
			x, y = 1+1e-3*float64(dim), 1
		case 4: // opposite
			x = 1 / float64(k+1)
			y = -x * (1 + apart)
		}
		a[k], b[k] = float32(x), float32(y)
		square += (float64(a[k]) - float64(b[k])) * (float64(a[k]) - float64(b[k]))
	}
	return a, b, square
}

// distanceOf is by how much a sum differs from ‖a − b‖² − m.
func distanceOf(a, b []float32, sum, m float64) float64 {
	exact := func(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }
	off := exact(m)
	for k := range a {
		diff := exact(float64(a[k]))
		diff.Sub(diff, exact(float64(b[k])))
		off.Sub(off, diff.Mul(diff, diff))
	}
	got, _ := off.Add(off, exact(sum)).Float64()
	return got
}

func bySquares(a, b []float32, m float32) float32 {
	sum := -m
	for k := range a {
		diff := a[k] - b[k]
		sum = rounded.FMA32(diff, diff, sum)
	}
	return sum
}

func byProducts(a, b []float32, mid float32) float32 {
	var parts [4]float32
	for k, x := range a {
		parts[k%4] = rounded.FMA32(x, x, parts[k%4])
	}
	sum, norm := 0.5*((parts[0]+parts[1])+(parts[2]+parts[3]))-mid, float32(0)
	for k := range a {
		norm = rounded.FMA32(b[k], b[k], norm)
		sum = rounded.FMA32(a[k], -b[k], sum)
	}
	return rounded.FMA32(0.5, norm, sum)
}

func normOf(x []float32) float64 {
	var sum float64
	for _, v := range x {
		sum += float64(v) * float64(v)
	}
	return math.Sqrt(sum)
}
