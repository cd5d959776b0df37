package dbscan

import (
	"context"
	"math"
	"math/bits"

	"rtcluster/join"
)

// This file decides core rows by weight: is the exact real sum S of the
// weights of a row's neighbours at least MinSamples? Pairs come in any order,
// so sums are taken in float64 with an error bound, and rows for which the
// bound leaves the question open are summed again, exactly.
//
// The bound. Let s_0 be the row's own weight and s_k = fl(s_{k−1} + x_k) for
// k = 1..m. Rounding to nearest gives s_k = s_{k−1} + x_k + δ_k with
// |δ_k| ≤ u·|s_k|, u = 2^−53 (an addition with a subnormal result is exact).
// Adding up, |s_m − S| ≤ u·Σ|s_k|. That sum is itself taken in float64, as A;
// its terms are not negative, so A ≥ (1−u)^m·Σ|s_k| ≥ (1 − m·u)·Σ|s_k|, and
// m < 2^31 gives Σ|s_k| ≤ A·(1 + 2^−21). The factor slackFactor is larger than
// u·(1 + 2^−21) by more than the rounding of its product with A; where that
// product underflows, the step to the next float64 in decide covers it. Where
// a sum overflows, decide leaves the row open.
const slackFactor = (1.0 / (1 << 53)) * (1 + 1.0/(1<<20))

// weightSums has a running sum of weights for each row, and Σ|s_k| unless all
// sums are exact (then nil).
type weightSums struct {
	weights []float64
	sum     []float64
	slack   []float64
}

func newWeightSums(weights []float64) *weightSums {
	s := &weightSums{weights: weights, sum: append([]float64(nil), weights...)}
	if !exactSums(weights) {
		s.slack = make([]float64, len(weights))
	}
	return s
}

// add takes note that rows i and j are neighbours.
func (s *weightSums) add(i, j int32) {
	s.sum[i] += s.weights[j]
	s.sum[j] += s.weights[i]
	if s.slack != nil {
		s.slack[i] += math.Abs(s.sum[i])
		s.slack[j] += math.Abs(s.sum[j])
	}
}

// decide reports whether the sum of row i is at least minSamples, and whether
// that is certain.
func (s *weightSums) decide(i, minSamples int) (core, certain bool) {
	sum := s.sum[i]
	if s.slack == nil {
		return atLeast(sum, minSamples), true
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return false, false
	}
	bound := s.slack[i] * slackFactor
	low := atLeast(math.Nextafter(sum-bound, math.Inf(-1)), minSamples)
	high := atLeast(math.Nextafter(sum+bound, math.Inf(1)), minSamples)
	return low, low == high
}

// atLeast reports whether x ≥ m, without rounding m to float64. x is not NaN.
func atLeast(x float64, m int) bool {
	if x = math.Floor(x); math.Abs(x) >= 1<<63 {
		return x > 0
	}
	return int64(x) >= int64(m)
}

// exactSums reports whether sums over any of the weights, in any order, are
// exact in float64. Let 2^e be the lowest bit set in any weight. All partial
// sums are multiples of 2^e, and exact if Σ|w| ≤ 2^53·2^e. One bit is left for
// the rounding of the sum here, and another for overflow.
func exactSums(weights []float64) bool {
	lowest, total := math.MaxInt, 0.0
	for _, w := range weights {
		if w == 0 {
			continue
		}
		mantissa, position, _ := split(w)
		lowest = min(lowest, position+bits.TrailingZeros64(mantissa)-unitPosition)
		total += math.Abs(w)
	}
	return total == 0 || total <= math.Ldexp(1, min(lowest+52, 1022))
}

// weighCores sets core by the weights of opt and counts to the number of
// neighbours, rows themselves included.
func weighCores(ctx context.Context, idx join.Index, opt *Options, counts []int32, core []bool) error {
	for i := range counts {
		counts[i] = 1
	}
	sums := newWeightSums(opt.Weights)
	err := idx.Pairs(ctx, nil, opt.Eps, func(batch []join.Pair) error {
		for _, p := range batch {
			counts[p.I]++
			counts[p.J]++
			sums.add(p.I, p.J)
		}
		return nil
	})
	if err != nil {
		return err
	}
	open := make([]bool, len(core))
	for i := range core {
		decided, certain := sums.decide(i, opt.MinSamples)
		core[i], open[i] = decided && certain, !certain
	}
	rowBytes := 8*idx.Points().Dim() + 4 + accumulatorBytes
	return chunked(len(core), rowBytes, func(row int) bool { return open[row] }, func(chunk []int32) error {
		return weighExactly(ctx, idx, opt, chunk, core)
	})
}

// weighExactly sets core for the rows of chunk, by exact sums.
func weighExactly(ctx context.Context, idx join.Index, opt *Options, chunk []int32, core []bool) error {
	sums := make([]accumulator, len(chunk))
	err := idx.Pairs(ctx, idx.Points().Subset(chunk), opt.Eps, func(batch []join.Pair) error {
		for _, p := range batch { // the row itself among them
			sums[p.I].add(opt.Weights[p.J])
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, row := range chunk {
		core[row] = sums[i].atLeast(opt.MinSamples)
	}
	return nil
}
