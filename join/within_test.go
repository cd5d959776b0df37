package join_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/join"
)

// exactBits holds any sum of two float64 and any product without rounding.
const exactBits = 4400

// rounded is a float64 that remembers how it came about: the exact result of
// one operation, rounded once by math/big.
func rounded(exact *big.Float) float64 {
	x, _ := exact.Float64()
	return x
}

func exactly(x float64) *big.Float {
	return new(big.Float).SetPrec(exactBits).SetFloat64(x)
}

// referenceSquaredDistance does every operation in math/big and rounds it.
func referenceSquaredDistance(a, b []float64) float64 {
	var sum float64
	for k := range a {
		diff := rounded(new(big.Float).Sub(exactly(a[k]), exactly(b[k])))
		if math.IsInf(diff, 0) {
			return math.Inf(1)
		}
		square := rounded(new(big.Float).Mul(exactly(diff), exactly(diff)))
		if math.IsInf(square, 0) {
			return math.Inf(1)
		}
		if sum = rounded(new(big.Float).Add(exactly(sum), exactly(square))); math.IsInf(sum, 0) {
			return sum
		}
	}
	return sum
}

// A source makes coordinates.
type source struct {
	name string
	next func(r *rand.Rand) float64
}

func sources() []source {
	return []source{
		{"uniform", func(r *rand.Rand) float64 { return r.Float64() }},
		{"normal", func(r *rand.Rand) float64 { return r.NormFloat64() }},
		{"any finite bits", func(r *rand.Rand) float64 {
			for {
				if x := math.Float64frombits(r.Uint64()); x-x == 0 {
					return x
				}
			}
		}},
		{"an ulp or so about 1", func(r *rand.Rand) float64 { return math.Float64frombits(math.Float64bits(1) + r.Uint64N(9) - 4) }},
		{"powers of 2 and next to them", func(r *rand.Rand) float64 {
			x := math.Ldexp(1, r.IntN(40)-20)
			return []float64{x, math.Nextafter(x, 0), math.Nextafter(x, math.Inf(1)), -x}[r.IntN(4)]
		}},
		{"half the bits set", func(r *rand.Rand) float64 { return math.Ldexp(float64(r.Uint64()|1), -60) }},
		{"squares underflow", func(r *rand.Rand) float64 { return r.NormFloat64() * math.Pow(10, -155-10*r.Float64()) }},
		{"subnormal", func(r *rand.Rand) float64 { return math.Float64frombits(r.Uint64N(1 << 52)) }},
		{"squares overflow", func(r *rand.Rand) float64 { return r.NormFloat64() * math.Pow(10, 150+6*r.Float64()) }},
		{"differences overflow", func(r *rand.Rand) float64 { return math.MaxFloat64 * (2*r.Float64() - 1) }},
	}
}

func TestSquaredDistanceRoundsEachStepOnce(t *testing.T) {
	const seed = 7
	for _, s := range sources() {
		t.Run(s.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			for _, dim := range []int{1, 2, 3, 4, 5, 8, 17} {
				for range 40 {
					a, b := make([]float64, dim), make([]float64, dim)
					for k := range a {
						a[k], b[k] = s.next(r), s.next(r)
					}
					got, want := join.SquaredDistance(a, b), referenceSquaredDistance(a, b)
					if math.Float64bits(got) != math.Float64bits(want) {
						t.Fatalf("seed %d: SquaredDistance(%v, %v): got %v, want %v", seed, a, b, got, want)
					}
					if back := join.SquaredDistance(b, a); back != got {
						t.Fatalf("seed %d: SquaredDistance(%v, %v): %v one way, %v the other", seed, a, b, got, back)
					}
					checkWithin(t, a, b, want)
				}
			}
		})
	}
}

// checkWithin checks the predicate at, just below and just above d2.
func checkWithin(t *testing.T, a, b []float64, d2 float64) {
	t.Helper()
	for _, eps2 := range []float64{d2, math.Nextafter(d2, -1), math.Nextafter(d2, math.Inf(1)), 0, math.Inf(1)} {
		if got, want := join.Within(a, b, eps2), d2 <= eps2; got != want {
			t.Fatalf("Within(%v, %v, %v): got %t, want %t for d2 %v", a, b, eps2, got, want, d2)
		}
	}
}

// TestNoFusedMultiplyAdd has rows whose sum changes if a product is added
// before it is rounded, which compilers do on some processors unless told not
// to.
func TestNoFusedMultiplyAdd(t *testing.T) {
	const seed = 7
	fused := func(a []float64) float64 {
		var sum float64
		for _, x := range a {
			sum = math.FMA(x, x, sum)
		}
		return sum
	}
	r := rand.New(rand.NewPCG(seed, 2))
	differ := 0
	for range 2000 {
		a := []float64{r.Float64(), r.Float64(), r.Float64()}
		zero := make([]float64, len(a))
		got, want := join.SquaredDistance(a, zero), referenceSquaredDistance(a, zero)
		if got != want {
			t.Fatalf("SquaredDistance(%v, 0): got %v, want %v (fused: %v)", a, got, want, fused(a))
		}
		if fused(a) != want {
			differ++
		}
	}
	if differ < 200 {
		t.Errorf("only %d of 2000 rows tell fused sums from others: the test is blind", differ)
	}
}

func TestSquared(t *testing.T) {
	tests := []struct{ eps, want float64 }{
		{0, 0},
		{1, 1},
		{0.5, 0.25},
		{0.1, 0.010000000000000002},
		{math.Sqrt2, 2.0000000000000004},
		{math.Nextafter(math.Sqrt2, 0), 1.9999999999999996},
		{1e-162, 0},
		{2.3e-162, math.SmallestNonzeroFloat64},
		{1e154, 1e308},
		{1e155, math.Inf(1)},
		{math.MaxFloat64, math.Inf(1)},
	}
	for _, test := range tests {
		if got := join.Squared(test.eps); got != test.want {
			t.Errorf("Squared(%v): got %v, want %v", test.eps, got, test.want)
		}
	}
}

// TestScanGivesTheNearRowsInOrder checks distances on both sides of eps too.
func TestScanGivesTheNearRowsInOrder(t *testing.T) {
	pts := newPoints(t, 1, 0, 1, 2, 3, 4, 2)
	tests := []struct {
		x, eps2 float64
		want    string
	}{
		{2, 0, "[2:0 5:0]"},
		{2, 1, "[1:1 2:0 3:1 5:0]"},
		{2, math.Nextafter(1, 0), "[2:0 5:0]"},
		{-1, 1, "[0:1]"},
		{9, 1, "[]"},
		{2, math.Inf(1), "[0:4 1:1 2:0 3:1 4:4 5:0]"},
	}
	for _, test := range tests {
		got := []string{}
		join.Scan(pts, []float64{test.x}, test.eps2, func(row int, d2 float64) {
			got = append(got, fmt.Sprintf("%d:%g", row, d2))
		})
		if fmt.Sprint(got) != test.want {
			t.Errorf("Scan from %v at eps2 %v: got %v, want %v", test.x, test.eps2, got, test.want)
		}
	}
}

func TestNeighborLess(t *testing.T) {
	want := []join.Neighbor{{0, 3}, {0, 9}, {1, 0}, {1, 1}, {math.Inf(1), 2}, {math.Inf(1), 4}}
	got := []join.Neighbor{want[4], want[2], want[1], want[5], want[0], want[3]}
	slices.SortFunc(got, func(a, b join.Neighbor) int {
		if a.Less(b) {
			return -1
		}
		return 1
	})
	if !slices.Equal(got, want) {
		t.Errorf("got order %v, want %v", got, want)
	}
	if want[0].Less(want[0]) {
		t.Error("a neighbour is less than itself")
	}
}

func TestCheckEps(t *testing.T) {
	for _, eps := range []float64{0, math.Copysign(0, -1), 1, 1e-300, math.MaxFloat64} {
		if err := join.CheckEps(eps); err != nil {
			t.Errorf("CheckEps(%v): %v", eps, err)
		}
	}
	for _, eps := range []float64{-1, -1e-300, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if err := join.CheckEps(eps); err == nil {
			t.Errorf("CheckEps(%v) found nothing wrong", eps)
		}
	}
}
