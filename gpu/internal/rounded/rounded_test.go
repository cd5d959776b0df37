package rounded_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"rtcluster/gpu/internal/rounded"
)

// TestFMA32 compares with the exact sum, rounded once: of any numbers, of some that nearly
// cancel, of some of which one hardly counts, and of what would be a tie without that.
func TestFMA32(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	some := func() float32 { return float32(math.Ldexp(rng.NormFloat64(), rng.IntN(20)-10)) }
	for i := range 200_000 {
		a, b := some(), some()
		c := some()
		switch i % 4 {
		case 0:
			c = -a * b
		case 1:
			c = float32(math.Ldexp(float64(c), -rng.IntN(80)))
		case 2: // an odd number of 25 bits, so between two float32, and a little that decides
			a, b = float32(4097+2*rng.IntN(500)), float32(4097+2*rng.IntN(500))
			c = float32(1-2*rng.IntN(2)) * 0x1p-60
		}
		exact := new(big.Float).SetPrec(300).SetFloat64(float64(a) * float64(b))
		want, _ := exact.Add(exact, big.NewFloat(float64(c))).Float32()
		if got := rounded.FMA32(a, b, c); got != want {
			t.Fatalf("%x · %x + %x is %x, want %x", a, b, c, got, want)
		}
	}
}

// TestDirected compares with the exact sum and difference, rounded to one side: of numbers of
// any size beside each other, also of such as are subnormal, and of some whose sum is exact.
func TestDirected(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	some := func() float32 {
		return float32(math.Ldexp(rng.NormFloat64(), []int{0, -3, -20, -60, -100, -140, 30}[rng.IntN(7)]))
	}
	exact := func(a, b float32, sign float64, mode big.RoundingMode) float32 {
		sum := new(big.Float).SetPrec(500).SetFloat64(sign * float64(b))
		sum.Add(sum, new(big.Float).SetPrec(500).SetFloat64(float64(a)))
		near, _ := sum.Float32() // to nearest
		switch at := new(big.Float).SetFloat64(float64(near)).Cmp(sum); {
		case mode == big.ToPositiveInf && at < 0:
			near = math.Nextafter32(near, float32(math.Inf(1)))
		case mode == big.ToNegativeInf && at > 0:
			near = math.Nextafter32(near, float32(math.Inf(-1)))
		}
		return near
	}
	for range 200_000 {
		a, b := some(), some()
		if rng.IntN(4) == 0 {
			b = a * float32(rng.IntN(3)-1)
		}
		if got, want := rounded.AddUp32(a, b), exact(a, b, 1, big.ToPositiveInf); got != want {
			t.Fatalf("%x + %x upwards is %x, want %x", a, b, got, want)
		}
		if got, want := rounded.SubDown32(a, b), exact(a, b, -1, big.ToNegativeInf); got != want {
			t.Fatalf("%x − %x downwards is %x, want %x", a, b, got, want)
		}
	}
}
