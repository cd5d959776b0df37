package kernels_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/gpu/kernels"
)

// TestTensorBounds makes operands like pack.cu does, with limits for which two rows are
// just near, or just not, and a unit that errs as much as tensor.cuh allows: rows that are
// near must have a negative product, and what is below the width must be near.
func TestTensorBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for _, dim := range []int{1, 2, 3, 5, 12, 18, 40, 90, 140} {
		steps := (dim + 4 + 15) / 16
		tails := min((16*steps-4-dim)/2, dim)
		var used float64 // of the width
		for range 2000 {
			x, z := hardTurned(rng, dim)
			// Turned rows may be off by this together.
			kappa, floor := 0x1.01p-24, math.Sqrt(float64(dim))*0x1p-149
			off := kappa*(norm(x)+norm(z)) + 2*floor
			distance := apart(x, z)
			a, b := newOperand(x, tails, kappa, floor), newOperand(z, tails, kappa, floor)
			limit := min(max(distance-off, 0), kernels.TensorMost)
			sum, lost, _ := multiply(a, b, steps, limit)
			if sum+lost >= 0 {
				t.Fatalf("%d coordinates: rows %v and %v are near by %v, their product is %v, or %v more", dim, x, z, limit, sum, lost)
			}
			limit = distance + off
			sum, lost, width := multiply(a, b, steps, limit)
			if limit < kernels.TensorMost && sum-lost < -width {
				t.Fatalf("%d coordinates: rows %v and %v are not near by %v, their product is %v, or %v less, of width %v", dim, x, z, limit, sum, lost, width)
			}
			used = max(used, (lost-sum)/width)
		}
		if t.Logf("%d coordinates: up to %.3f of the width is in use", dim, used); used < 0.1 {
			t.Errorf("%d coordinates: at most %.3f of the width is in use, so nothing was tried", dim, used)
		}
	}
}

// hardTurned are two turned rows of norms up to the greatest, or much below, that are
// near each other or not.
func hardTurned(rng *rand.Rand, dim int) (x, z []float64) {
	scale, spread := math.Pow(10, -7*rng.Float64()), math.Pow(10, -8+9*rng.Float64())
	x, z = make([]float64, dim), make([]float64, dim)
	for k := range dim {
		x[k] = rng.NormFloat64()
	}
	far := rng.IntN(4) == 0
	length := norm(x) / (64.4 * scale)
	for k := range dim {
		x[k] /= length
		if z[k] = x[k] + spread*scale*rng.NormFloat64(); far {
			z[k] = -x[k]
		}
	}
	shrink := max(1, norm(z)/64.4)
	for k := range dim {
		x[k], z[k] = float64(float32(x[k])), float64(float32(z[k]/shrink))
	}
	return x, z
}

func norm(x []float64) float64 { return apart(x, make([]float64, len(x))) }

func apart(x, z []float64) float64 {
	var sum float64
	for k := range x {
		sum += (x[k] - z[k]) * (x[k] - z[k])
	}
	return math.Sqrt(sum)
}

// operand is what pack.cu has of a row.
type operand struct {
	head, tail           []float64
	s, d, norm2, squares float64
}

func newOperand(y []float64, tails int, kappa, floor float64) operand {
	o := operand{head: make([]float64, len(y)), tail: make([]float64, tails)}
	var lost, norm2 float64
	for k, v := range y {
		o.head[k] = toHalf(v)
		z := o.head[k]
		if k < tails {
			o.tail[k] = toHalf(v - z)
			z += o.tail[k]
			o.squares += o.tail[k] * o.tail[k]
		}
		o.s, lost, norm2 = o.s+z*z, lost+(v-z)*(v-z), norm2+v*v
	}
	o.d = float64(float32((math.Sqrt(lost)+kappa*math.Sqrt(norm2)+floor)*(1+0x1p-20) + 0x1p-120))
	o.norm2, o.squares = float64(float32(norm2*(1+0x1p-8))), float64(float32(o.squares*(1+0x1p-20)))
	return o
}

// limits are T and w.
func (o operand) limits(steps int, limit float64) (t, w float64) {
	m := 1.02*o.norm2 + 1.1*limit*limit + 5*o.d*o.d
	err := (44*float64(steps)*0x1p-24+0x1p-21)*m + o.squares + 0x1p-23
	t = 2*limit*o.d + 2*o.d*o.d + err
	return t, float64(float32((2*limit*o.d + err + t) * 1.0001))
}

// multiply returns the product of two rows for a limit, what a unit may lose of it, and
// the width.
func multiply(a, b operand, steps int, limit float64) (sum, lost, width float64) {
	ta, wa := a.limits(steps, limit)
	tb, wb := b.limits(steps, limit)
	var terms []float64
	for k := range a.head {
		terms = append(terms, -2*a.head[k]*b.head[k])
	}
	for k := range a.tail {
		terms = append(terms, -2*a.head[k]*b.tail[k], -2*a.tail[k]*b.head[k])
	}
	terms = append(terms, make([]float64, 16*steps-4-len(terms))...)
	for _, v := range []float64{a.s - ta - limit*limit, b.s - tb} {
		head := toHalf(v)
		terms = append(terms, head, toHalf(v-head))
	}
	for step := range slices.Chunk(terms, 16) {
		most := math.Abs(sum)
		for _, v := range step {
			sum += v
			most = max(most, math.Abs(v))
		}
		lost += 22 * 0x1p-23 * max(most, math.Abs(sum))
	}
	return sum, lost, wa + wb
}

// toHalf rounds to float16.
func toHalf(x float64) float64 {
	_, e := math.Frexp(x)
	unit := math.Ldexp(1, max(e-11, -24))
	return math.RoundToEven(x/unit) * unit
}
