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

// reached reports whether the weights add up to a threshold, and the number of
// words that this took.
func reached(t *testing.T, weights []float64, threshold int) (bool, int) {
	t.Helper()
	w, err := join.NewWeights(weights, threshold)
	if err != nil {
		t.Fatal(err)
	}
	sum := make([]uint64, w.Words())
	for i := range w.Rows() {
		join.AddWords(sum, w.Row(i))
	}
	return w.Reached(sum), w.Words()
}

// exactlyReached is reached by fractions.
func exactlyReached(weights []float64, threshold int) bool {
	sum := new(big.Rat)
	for _, w := range weights {
		sum.Add(sum, new(big.Rat).SetFloat64(w))
	}
	return sum.Cmp(new(big.Rat).SetInt64(int64(threshold))) >= 0
}

func TestWeightSums(t *testing.T) {
	below := math.Nextafter(3, 0)
	tiny, huge := math.SmallestNonzeroFloat64, math.MaxFloat64
	tests := []struct {
		name      string
		weights   []float64
		threshold int
		want      bool
		words     int
	}{
		{"none", nil, 1, false, 1},
		{"nothing", []float64{0, math.Copysign(0, -1)}, 1, false, 1},
		{"whole", []float64{1, 2, 3}, 6, true, 1},
		{"whole, one short", []float64{1, 2, 3}, 7, false, 1},
		{"negative", []float64{5, -2, -1}, 2, true, 1},
		{"negative, short", []float64{5, -2, -2}, 2, false, 1},
		{"below 0", []float64{-5, 2, 2}, 1, false, 1},
		{"quarters", []float64{0.25, 100.75}, 101, true, 1},
		{"more than the threshold, one alone", []float64{1e300}, 5, true, 1},
		{"less than any threshold, and more than a word", []float64{1e300, -1e300}, math.MaxInt, false, 1},
		{"ten tenths are more than 1, though float64 adds up less", slices.Repeat([]float64{0.1}, 10), 1, true, 1},
		{"three thirds", slices.Repeat([]float64{1.0 / 3}, 3), 1, false, 1},
		{"less by the last bit", []float64{1, below - 1}, 3, false, 1},
		{"less by the least float64", []float64{3, -tiny}, 3, false, 17},
		{"more by the least float64", []float64{3, tiny, -tiny, tiny}, 3, true, 17},
		{"only least ones", []float64{tiny, tiny}, 1, false, 17},
		{"subnormal and 1", []float64{0x1p-1060, 0x1p-1074, 1}, 1, true, 17},
		{"cancels", []float64{1e16, 1, -1e16}, 1, true, 1},
		{"cancels to less", []float64{1e16, 1, -1e16, -1e-300}, 1, false, 18},
		{"cancels far away", []float64{1e300, 1, -1e300, 1e-300}, 1, true, 33},
		{"overflows on the way", []float64{huge, huge, -huge, -huge, 2}, 2, true, 17},
		{"overflows on the way, short", []float64{huge, huge, -huge, -huge, 2}, 3, false, 17},
		{"everything at once", []float64{huge, huge, -huge, tiny, -huge, 2, -tiny}, 2, true, 33},
		{"overflows", []float64{huge, huge}, math.MaxInt, true, 2},
		{"overflows below", []float64{-huge, -huge}, 1, false, 1},
		{"large whole numbers", []float64{1 << 62, 1 << 62}, math.MaxInt, true, 2},
		{"just short of the largest int", []float64{1 << 62, 1<<62 - 512}, math.MaxInt, false, 1},
		{"beyond float64 precision", []float64{1 << 53, 1, 1}, 1<<53 + 2, true, 1},
		{"beyond float64 precision, short", []float64{1 << 53, 1}, 1<<53 + 2, false, 1},
		{"beyond float64 precision, odd", []float64{1 << 53, 1, 1, 0.5}, 1<<53 + 3, false, 1},
		{"a threshold between two units", []float64{1024, 2048}, 2049, true, 1},
		{"a threshold between two units, short", []float64{1024, 2048}, 3073, false, 1},
		{"a carry through words", []float64{1, math.Ldexp(1, 64) - 2048, 2047, -math.Ldexp(1, 64), 3}, 3, true, 2},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if exact := exactlyReached(tc.weights, tc.threshold); exact != tc.want {
				t.Fatalf("the table wants %v, fractions say %v", tc.want, exact)
			}
			for _, order := range []string{"", ", reversed"} {
				got, words := reached(t, tc.weights, tc.threshold)
				if got != tc.want || words > tc.words {
					t.Errorf("reached%s: %v in %d words, want %v in %d at most", order, got, words, tc.want, tc.words)
				}
				slices.Reverse(tc.weights)
			}
		})
	}
}

func TestWeightSumsOfRandomNumbers(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 7))
		weights := make([]float64, 1+r.IntN(40))
		spread, positive := r.IntN(300), r.IntN(2) == 0
		for i := range weights {
			weights[i] = math.Ldexp(r.NormFloat64(), r.IntN(2*spread+1)-spread)
			if r.IntN(4) == 0 {
				weights[i] = float64(r.IntN(7) - 3)
			}
			if i > 0 && r.IntN(3) == 0 {
				weights[i] = -weights[r.IntN(i)]
			}
			if positive {
				weights[i] = math.Abs(weights[i])
			}
		}
		threshold := 1 + r.IntN(4)
		if got, _ := reached(t, weights, threshold); got != exactlyReached(weights, threshold) {
			t.Errorf("seed %d: weights %v reach %d: %v", seed, weights, threshold, got)
		}
	}
}

// TestWeightWords guards the cost: what people weigh by takes few words.
func TestWeightWords(t *testing.T) {
	const n = 1 << 16
	tests := []struct {
		name   string
		weight func(r *rand.Rand) float64
		most   int
	}{
		{"whole numbers", func(r *rand.Rand) float64 { return float64(r.IntN(1 << 30)) }, 1},
		{"fractions of a power of two", func(r *rand.Rand) float64 { return float64(r.IntN(1<<20)) / 1024 }, 1},
		{"single precision", func(r *rand.Rand) float64 { return float64(r.Float32()) }, 1},
		{"between 0 and 1", func(r *rand.Rand) float64 { return r.Float64() }, 2},
		{"signed", func(r *rand.Rand) float64 { return r.NormFloat64() }, 2},
		{"over many decades", func(r *rand.Rand) float64 { return math.Exp(10 * r.NormFloat64()) }, 3},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 3))
			weights := make([]float64, n)
			for i := range weights {
				weights[i] = tc.weight(r)
			}
			w, err := join.NewWeights(weights, 5)
			if err != nil || w.Words() > tc.most {
				t.Errorf("%d words, error %v; want %d at most", w.Words(), err, tc.most)
			}
		})
	}
}

func TestWeightsThatAreNoNumbers(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		_, err := join.NewWeights([]float64{1, x}, 1)
		if want := fmt.Sprintf("row 1 has weight %v, want a finite number", x); err == nil || err.Error() != want {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
}
