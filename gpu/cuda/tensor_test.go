//go:build cuda

package cuda_test

import (
	"fmt"
	"math"
	"testing"

	"rtcluster/gpu/cuda"
	"rtcluster/gpu/kernels/shape"
	"rtcluster/join"
	"rtcluster/join/cpu"
)

// TestTensorProducts compares products of the card's tensor cores with float64, for
// what the bounds on them take for granted.
func TestTensorProducts(t *testing.T) {
	skipWithoutCard(t)
	for _, capability := range []int{0, 80} {
		for steps := 1; steps <= shape.MostSteps; steps++ {
			worst, ok, err := cuda.TryTensor(steps, capability)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				t.Skip("this card has no tensor cores that we use")
			}
			t.Logf("kernels %d, %d steps: the greatest error is %.3f of what is allowed", capability, steps, worst)
			if worst > 1 {
				t.Errorf("kernels %d, %d steps: the greatest error is %.3f of what is allowed", capability, steps, worst)
			}
			if worst == 0 {
				t.Errorf("kernels %d, %d steps: no error at all, so nothing was tried", capability, steps)
			}
		}
	}
}

// TestHardNumbers takes the numbers that a trial multiplies to float16 and back: all are
// such numbers, and on either side some are below the normal ones.
func TestHardNumbers(t *testing.T) {
	var small [2]int
	for kind := range cuda.HardKinds {
		a, b := cuda.Hard(kind, 32)
		for side, leaf := range [][][]float64{a, b} {
			for lane, row := range leaf {
				for k, x := range row {
					if got := fromHalf(cuda.Half(x)); got != x {
						t.Fatalf("kind %d, lane %d, column %d: %v is %v as float16", kind, lane, k, x, got)
					}
					if x != 0 && math.Abs(x) < 0x1p-14 {
						small[side]++
					}
				}
			}
		}
	}
	if small[0] == 0 || small[1] == 0 {
		t.Errorf("%d and %d numbers below the normal ones", small[0], small[1])
	}
}

// fromHalf is a float16 number.
func fromHalf(h uint16) float64 {
	sign := float64(1 - 2*int(h>>15))
	exponent, fraction := int(h>>10&31), float64(h&1023)
	if exponent == 0 {
		return sign * math.Ldexp(fraction, -24)
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// TestDoubt gives the tensor cores what they can hardly decide, and little memory for
// what they leave open: launches are given up, and made again with less.
func TestDoubt(t *testing.T) {
	skipWithoutCard(t)
	for _, test := range []struct {
		shape  string
		n, dim int
		eps    float64
	}{
		{"uniform", 100_000, 1, 1e-4},
		{"latent", 100_000, 8, 0.02},
	} {
		t.Run(fmt.Sprintf("%s/n=%d/dim=%d", test.shape, test.n, test.dim), func(t *testing.T) {
			pts := must(t, test.shape, test.n, test.dim)
			budget := int64(test.n)*int64(100+20*test.dim) + 24<<20
			tight := cuda.New(cuda.Options{Road: cuda.RoadTensor, Budget: budget})
			var launches, doubts int64
			ctx := cuda.WithTrace(t.Context(), cuda.Trace{Count: func(name string, n int64) {
				if name == "pairs in doubt" {
					launches, doubts = launches+1, doubts+n
				}
			}})
			got, want := countsUnder(ctx, t, tight, pts, test.eps), counts(t, cpu.New(cpu.Options{}), pts, test.eps)
			pairs := sameCounts(t, got, want) - int64(test.n) // but those of rows with themselves
			if t.Logf("%d launches left %d pairs in doubt, of %d near", launches, doubts, pairs/2); launches < 3 {
				t.Errorf("%d launches: all found room", launches)
			}
			if listed := listed(t, tight, pts, test.eps); 2*listed != pairs {
				t.Errorf("%d pairs listed, want %d", listed, pairs/2)
			}
		})
	}
}

// TestManyNeighbours counts more than 2⁴⁰ pairs.
func TestManyNeighbours(t *testing.T) {
	skipWithoutCard(t)
	const n = 1_200_000
	pts, err := join.NewPoints(make([]float64, 2*n), 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, road := range []cuda.Road{cuda.RoadTensor, cuda.RoadPlain} {
		var total int64
		for i, c := range counts(t, cuda.New(cuda.Options{Road: road}), pts, 0) {
			if total += int64(c); c != n {
				t.Fatalf("row %d has %d neighbours, want %d", i, c, n)
			}
		}
		if total <= 1<<40 {
			t.Errorf("%d pairs in all, want more than 2⁴⁰", total)
		}
	}
}

// listed is how many pairs a self-join lists.
func listed(t *testing.T, e join.Engine, pts *join.Points, eps float64) int64 {
	t.Helper()
	idx, err := e.Index(t.Context(), pts)
	if err != nil {
		t.Fatal(err)
	}
	var n int64
	err = idx.Pairs(t.Context(), nil, eps, func(p []join.Pair) error { n += int64(len(p)); return nil })
	if err != nil {
		t.Fatal(err)
	}
	if err := idx.Close(); err != nil {
		t.Fatal(err)
	}
	return n
}
