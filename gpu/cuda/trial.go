//go:build cuda

package cuda

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
	"rtcluster/gpu/kernels/shape"
)

// What gpu/kernels/tensor.cuh takes for granted is tried before a card's tensor cores
// are used: products of leaves full of numbers that are hard to add.

// stepError is what a step of 16 columns may lose, of the greatest addend or sum.
const stepError = 22 * 0x1p-23

// trusted tells whether the tensor cores of a card, as far as a trial shows, keep to
// the bound. It tries them once for a layout.
func (c *card) trusted(s *driver.Stream, layout shape.Tensor) (bool, error) {
	c.mu.Lock()
	known, ok := c.trusts[layout.Steps]
	c.mu.Unlock()
	if ok {
		return known, nil
	}
	worst, err := c.try(s, layout)
	if err != nil {
		return false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.trusts[layout.Steps] = worst <= 1
	return worst <= 1, nil
}

// try returns the greatest error of some products, of what is allowed.
func (c *card) try(s *driver.Stream, layout shape.Tensor) (float64, error) {
	var worst float64
	for kind := range hardKinds {
		a, b := hard(kind, 16*layout.Steps)
		got, err := c.products(s, layout, a, b)
		if err != nil {
			return 0, err
		}
		for i := range kernels.Leaf {
			for j := range kernels.Leaf {
				worst = max(worst, lost(a[i], b[j], float64(got[i*kernels.Leaf+j])))
			}
		}
	}
	return worst, nil
}

// products are those of two leaves.
func (c *card) products(s *driver.Stream, layout shape.Tensor, a, b [][]float64) ([]float32, error) {
	columns := 16 * layout.Steps
	first, second := make([]uint16, kernels.Leaf*columns), make([]uint16, layout.LeafBytes()/2)
	for lane := range kernels.Leaf {
		for k := range columns {
			first[layout.InRow(lane, 2*k)/2] = half(a[lane][k])
			second[layout.InLeaf(lane, 2*k)/2] = half(b[lane][k])
		}
	}
	out := make([]float32, kernels.Leaf*kernels.Leaf)
	return out, multiplyLeaves(c, s, layout, first, second, out)
}

// multiplyLeaves takes a leaf of queries and one of indexed rows, as operands have them.
func multiplyLeaves[N, R any](c *card, s *driver.Stream, layout shape.Tensor, first, second []N, out []R) error {
	var p kernels.Trial
	temps := pool{s: s}
	err := cmp.Or(upload(s, &temps, &p.A, first), upload(s, &temps, &p.B, second), upload(s, &temps, &p.Out, out))
	if err == nil {
		err = launch(c, s, layout.Module(), layout.Name()+"_trial", 1, shape.Warpgroup, &p)
	}
	if err == nil {
		err = driver.Download(s, out, temps.held[2], 0)
	}
	if err = cmp.Or(err, temps.close()); err != nil {
		return fmt.Errorf("trying the tensor cores: %w", err)
	}
	return nil
}

// lost is the error of a product, of what is allowed.
func lost(a, b []float64, got float64) float64 {
	var sum, allowed float64
	for from := 0; from < len(a); from += 16 {
		most := math.Abs(sum)
		for k := from; k < from+16; k++ {
			term := a[k] * b[k] // exact, as are the sums but for 2⁻⁵³
			sum += term
			most = max(most, math.Abs(term))
		}
		allowed += stepError * max(most, math.Abs(sum))
	}
	return math.Abs(got-sum) / max(allowed, 0x1p-149)
}

// hardKinds is the number of kinds of leaves that are hard to multiply.
const hardKinds = 6

// hard makes two leaves of float16 numbers whose products are hard to add.
func hard(kind, columns int) (a, b [][]float64) {
	rnd := rand.New(rand.NewPCG(uint64(kind), uint64(columns))) //nolint:gosec // The same numbers each time.
	a, b = make([][]float64, kernels.Leaf), make([][]float64, kernels.Leaf)
	for i := range a {
		a[i], b[i] = make([]float64, columns), make([]float64, columns)
		for k := range columns {
			a[i][k], b[i][k] = hardPair(rnd, kind, k)
		}
	}
	return a, b
}

func hardPair(rnd *rand.Rand, kind, k int) (a, b float64) {
	full := func(e int) float64 { return math.Ldexp(float64(2048-rnd.IntN(4)), e-11) } // nearly 2^e
	sign := float64(1 - 2*rnd.IntN(2))
	switch kind {
	case 0: // all of one sign: cut bits add up
		return full(3), full(3)
	case 1: // one large among small
		if k%16 == 5 {
			return full(7), full(7)
		}
		return full(-5), full(-6)
	case 2: // large ones that cancel, and small
		if k%16 < 2 {
			return 64, float64(1-2*(k%2)) * 64
		}
		return sign * full(-4), full(-5)
	case 3: // any exponents
		return sign * full(rnd.IntN(14)-7), full(rnd.IntN(14) - 7)
	case 4: // small ones below the normal numbers, as tails are, on either side
		small := sign * math.Ldexp(float64(1+rnd.IntN(1023)), -24)
		switch {
		case k%16 == 5:
			return full(1), full(1)
		case k%2 == 0:
			return small, full(6)
		}
		return full(6), small
	}
	return large(cut(rnd.NormFloat64())), large(cut(rnd.NormFloat64()))
}

// cut leaves 11 bits of a number.
func cut(x float64) float64 {
	fraction, e := math.Frexp(x)
	return math.Ldexp(math.Trunc(fraction*2048), e-11)
}

// large is a number, or 0 where it is below the normal float16 numbers.
func large(x float64) float64 {
	if math.Abs(x) < 0x1p-14 {
		return 0
	}
	return x
}

// half is a number of 11 bits as float16; below the normal ones, a multiple of 2⁻²⁴.
func half(x float64) uint16 {
	if x == 0 {
		return 0
	}
	var sign uint16
	if x < 0 {
		sign, x = 1<<15, -x
	}
	if x < 0x1p-14 {
		return sign | uint16(x*0x1p24)
	}
	fraction, e := math.Frexp(x)                                     // x = fraction · 2^e, fraction in [½, 1)
	return sign | uint16(e+14)<<10 | uint16(int(fraction*2048)-1024) //nolint:gosec // e is in −13 to 16.
}
