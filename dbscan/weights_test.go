package dbscan_test

import (
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
