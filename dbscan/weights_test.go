package dbscan_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/dbscan"
	"rtcluster/join/jointest"
)

// hardSums are sums at or about whole numbers, and what they are compared with.
func hardSums() []struct {
	name    string
	weights []float64
	m       int
} {
	tenth := slices.Repeat([]float64{0.1}, 10)
	below := math.Nextafter(3, 0)
	tiny := math.SmallestNonzeroFloat64
	return []struct {
		name    string
		weights []float64
		m       int
	}{
		{"nothing", []float64{0}, 1},
		{"whole", []float64{1, 2, 3}, 6},
		{"whole, one short", []float64{1, 2, 3}, 7},
		{"negative", []float64{5, -2, -1}, 2},
		{"negative, short", []float64{5, -2, -2}, 2},
		{"ten tenths: more than 1 though float64 adds up less", tenth, 1},
		{"three thirds", []float64{1.0 / 3, 1.0 / 3, 1.0 / 3}, 1},
		{"less by the last bit", []float64{1, below - 1}, 3},
		{"less by the least float64", []float64{3, -tiny}, 3},
		{"more by the least float64", []float64{3, tiny, -tiny, tiny}, 3},
		{"only least ones", []float64{tiny, tiny}, 1},
		{"cancels", []float64{1e16, 1, -1e16}, 1},
		{"cancels to less", []float64{1e16, 1, -1e16, -1e-300}, 1},
		{"cancels far away", []float64{1e300, 1, -1e300, 1e-300}, 1},
		{"overflows on the way", []float64{math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64, -math.MaxFloat64, 2}, 2},
		{"overflows on the way, short", []float64{math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64, -math.MaxFloat64, 2}, 3},
		{"overflows", []float64{math.MaxFloat64, math.MaxFloat64}, math.MaxInt},
		{"overflows below", []float64{-math.MaxFloat64, -math.MaxFloat64}, 1},
		{"large whole numbers", []float64{1 << 62, 1 << 62}, math.MaxInt},
		{"just short of the largest int", []float64{1 << 62, 1<<62 - 512}, math.MaxInt},
		{"beyond float64 precision", []float64{1 << 53, 1, 1}, 1<<53 + 2},
		{"beyond float64 precision, short", []float64{1 << 53, 1}, 1<<53 + 2},
		{"beyond float64 precision, odd", []float64{1 << 53, 1, 1, 0.5}, 1<<53 + 3},
	}
}

func exactAtLeast(weights []float64, m int) bool {
	sum := new(big.Rat)
	for _, w := range weights {
		sum.Add(sum, new(big.Rat).SetFloat64(w))
	}
	return sum.Cmp(new(big.Rat).SetInt64(int64(m))) >= 0
}

// TestSums checks that the running sum is right where it says it is certain,
// and the accumulator everywhere.
func TestSums(t *testing.T) {
	check := func(t *testing.T, name string, weights []float64, m int) {
		t.Helper()
		want := exactAtLeast(weights, m)
		if got := dbscan.SumAtLeast(weights, m); got != want {
			t.Errorf("%s: accumulator says %v, want %v", name, got, want)
		}
		got, certain := dbscan.Decide(weights, m)
		if certain && got != want {
			t.Errorf("%s: running sum is certain of %v, want %v", name, got, want)
		}
		if dbscan.ExactSums(weights) && !certain {
			t.Errorf("%s: exact sums, but not certain", name)
		}
	}
	for _, tc := range hardSums() {
		check(t, tc.name, tc.weights, tc.m)
		slices.Reverse(tc.weights)
		check(t, tc.name+", reversed", tc.weights, tc.m)
	}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 7))
		weights := make([]float64, 1+r.IntN(40))
		spread := r.IntN(300)
		for i := range weights {
			weights[i] = math.Ldexp(r.NormFloat64(), r.IntN(2*spread+1)-spread)
			if r.IntN(4) == 0 {
				weights[i] = float64(r.IntN(7) - 3)
			}
			if i > 0 && r.IntN(3) == 0 {
				weights[i] = -weights[r.IntN(i)]
			}
		}
		check(t, fmt.Sprintf("seed %d", seed), weights, 1+r.IntN(4))
	}
}

// TestRunningSumIsUsuallyCertain guards the point of the running sum: a bound
// that is always too wide would be right, and slow.
func TestRunningSumIsUsuallyCertain(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	open := 0
	for range 1000 {
		weights := make([]float64, 100)
		for i := range weights {
			weights[i] = r.Float64()
		}
		if _, certain := dbscan.Decide(weights, 50); !certain {
			open++
		}
	}
	if open > 0 {
		t.Errorf("%d of 1000 sums of random weights were left open, want none", open)
	}
}

func TestExactSums(t *testing.T) {
	tests := []struct {
		name    string
		weights []float64
		want    bool
	}{
		{"none", nil, true},
		{"zeros", []float64{0, 0}, true},
		{"small whole numbers", []float64{1, 2, -300, 1e6}, true},
		{"quarters", []float64{0.25, 100.75}, true},
		{"tenths", []float64{0.1, 1e5}, false},
		{"large and small", []float64{1 << 53, 1}, false},
		{"least float64s", []float64{5e-324, 1e-320}, true},
		{"large multiples of large powers", []float64{math.Ldexp(1, 1000), math.Ldexp(3, 1000)}, true},
		{"near overflow", []float64{math.Ldexp(1, 1023), math.Ldexp(1, 1023)}, false},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if got := dbscan.ExactSums(tc.weights); got != tc.want {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

func TestAtLeast(t *testing.T) {
	tests := []struct {
		x    float64
		m    int
		want bool
	}{
		{3, 3, true},
		{math.Nextafter(3, 0), 3, false},
		{-0.5, 1, false},
		{math.Inf(1), math.MaxInt, true},
		{math.Inf(-1), 1, false},
		{1 << 63, math.MaxInt, true},
		{1<<63 - 1024, math.MaxInt, false},
		{1 << 53, 1<<53 + 1, false},
		{-1e300, 1, false},
	}
	for _, tc := range tests {
		if got := dbscan.AtLeast(tc.x, tc.m); got != tc.want {
			t.Errorf("%v at least %d: %v, want %v", tc.x, tc.m, got, tc.want)
		}
	}
}

// TestWeightedCore puts all of each hard sum into one neighbourhood.
func TestWeightedCore(t *testing.T) {
	for engine, e := range engines() {
		for _, tc := range hardSums() {
			t.Run(engine+"/"+tc.name, func(t *testing.T) {
				pts := jointest.Points(t, 1, make([]float64, len(tc.weights))...)
				opt := dbscan.Options{MinSamples: tc.m, Weights: tc.weights}
				res := cluster(t, e, pts, opt)
				if want := exactAtLeast(tc.weights, tc.m); res.Core[0] != want || res.Cores%len(tc.weights) != 0 {
					t.Errorf("%d of %d rows are core, want all: %v", res.Cores, len(tc.weights), want)
				}
				checkAll(t, pts, opt, res)
			})
		}
	}
}

func TestWeightedAgainstTextbook(t *testing.T) {
	const n = 240
	kinds := []struct {
		name   string
		weight func(r *rand.Rand) float64
	}{
		{"ones", func(*rand.Rand) float64 { return 1 }},
		{"small whole numbers", func(r *rand.Rand) float64 { return float64(r.IntN(4)) }},
		{"negative too", func(r *rand.Rand) float64 { return float64(r.IntN(9) - 3) }},
		{"tenths, with sums near the threshold", func(r *rand.Rand) float64 { return float64(r.IntN(30)-5) / 10 }},
		{"any", func(r *rand.Rand) float64 { return r.ExpFloat64() }},
		{"wild", func(r *rand.Rand) float64 { return math.Ldexp(r.NormFloat64(), r.IntN(121)-60) }},
		{"zeros", func(*rand.Rand) float64 { return 0 }},
	}
	for engine, e := range engines() {
		for k, kind := range kinds {
			t.Run(engine+"/"+kind.name, func(t *testing.T) {
				r := rand.New(rand.NewPCG(uint64(k), 11))
				weights := make([]float64, n)
				for i := range weights {
					weights[i] = kind.weight(r)
				}
				for eps, data := range map[float64][]float64{0.08: jointest.Uniform(n, 2, 3), 1: jointest.Lattice(n, 2, 12, 4)} {
					pts := jointest.Points(t, 2, data...)
					for _, border := range []dbscan.Border{dbscan.BorderFirst, dbscan.BorderNearest} {
						opt := dbscan.Options{Eps: eps, MinSamples: 3, Weights: weights, Border: border}
						res := cluster(t, e, pts, opt)
						labels, core := textbook(pts, opt)
						if !slices.Equal(res.Labels, labels) || !slices.Equal(res.Core, core) {
							t.Errorf("border %q: labels %v, want %v", border, res.Labels, labels)
						}
						checkAll(t, pts, opt, res)
					}
				}
			})
		}
	}
}

// TestOnesAreUnweighted checks that weights of 1 stop counting early, as no
// weights do.
func TestOnesAreUnweighted(t *testing.T) {
	pts := jointest.Points(t, 1, make([]float64, 50)...)
	for engine, e := range engines() {
		res := cluster(t, e, pts, dbscan.Options{MinSamples: 3, Weights: slices.Repeat([]float64{1}, 50)})
		if res.PairsExact || res.Pairs != 50 {
			t.Errorf("%s: %d pairs, exact %v; want the bound 50", engine, res.Pairs, res.PairsExact)
		}
	}
}
