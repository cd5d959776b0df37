package jointest_test

import (
	"math"

	"rtcluster/join"
)

// The distances that a hasty engine might use.

func fused(a, b []float64) float64 {
	var sum float64
	for k := range a {
		diff := a[k] - b[k]
		sum = math.FMA(diff, diff, sum)
	}
	return sum
}

func backwards(a, b []float64) float64 {
	var sum float64
	for k := len(a) - 1; k >= 0; k-- {
		diff := a[k] - b[k]
		sum += float64(diff * diff)
	}
	return sum
}

func inPairs(a, b []float64) float64 {
	var sums [2]float64
	for k := range a {
		diff := a[k] - b[k]
		sums[k%2] += float64(diff * diff)
	}
	return sums[0] + sums[1]
}

func expanded(a, b []float64) float64 {
	var aa, bb, ab float64
	for k := range a {
		aa, bb, ab = aa+float64(a[k]*a[k]), bb+float64(b[k]*b[k]), ab+float64(a[k]*b[k])
	}
	return max(0, aa+bb-2*ab)
}

func in32Bits(a, b []float64) float64 {
	var sum float32
	for k := range a {
		diff := float32(a[k]) - float32(b[k])
		sum += float32(diff * diff)
	}
	return float64(sum)
}

func first64(a, b []float64) float64 {
	n := min(len(a), 64)
	return join.SquaredDistance(a[:n], b[:n])
}
