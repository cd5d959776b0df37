package dbscan

import "math"

// A float64 is a whole number, its mantissa, shifted to a bit position:
// position 0 stands for 2^−1074, the least float64.
const unitPosition = 1074 // of 2^0

// digitBits is the width of an accumulator's digit. A float64 touches three
// digits and adds less than 2^30 to each, so 2^31 rows fit in an int64.
const digitBits = 30

// accumulatorDigits covers positions 0 to 2160: the greatest float64 ends at
// position 2098, and 2^31 of them at 2129. The last digit has the sign.
const (
	accumulatorDigits = 72
	accumulatorBytes  = 8 * accumulatorDigits
)

// accumulator is an exact sum of at most 2^31 finite float64 values, the
// number Σ_k a[k]·2^(30k − 1074). The idea is the small superaccumulator of
// Neal 2015, https://arxiv.org/abs/1505.05571.
type accumulator [accumulatorDigits]int64

// split returns x as ±mantissa·2^(position − 1074), mantissa < 2^53.
func split(x float64) (mantissa uint64, position int, negative bool) {
	b := math.Float64bits(x)
	mantissa, position = b&(1<<52-1), int(b>>52&0x7ff)
	if position > 0 {
		mantissa |= 1 << 52
		position-- // the least exponent serves normal and subnormal numbers
	}
	return mantissa, position, b>>63 != 0
}

// add adds x, a finite number.
func (a *accumulator) add(x float64) {
	mantissa, position, negative := split(x)
	digit, shift := position/digitBits, position%digitBits
	const mask = 1<<digitBits - 1
	// The shifted mantissa has up to 82 bits. Its lowest digit takes what
	// stays below bit 30; the rest is the mantissa shifted the other way.
	low := mantissa << shift & mask
	rest := mantissa >> (digitBits - shift)
	parts := [3]int64{int64(low), int64(rest & mask), int64(rest >> digitBits)}
	for k, part := range parts {
		if negative {
			part = -part
		}
		a[digit+k] += part
	}
}

// atLeast reports whether the sum is at least m. It uses the accumulator up.
func (a *accumulator) atLeast(m int) bool {
	a.add(-float64(int64(m) >> 32 << 32)) // both halves are exact
	a.add(-float64(int64(m) & (1<<32 - 1)))
	var carry int64
	for k := range a[:accumulatorDigits-1] {
		carry = (a[k] + carry) >> digitBits // what stays behind is ≥ 0
	}
	return a[accumulatorDigits-1]+carry >= 0
}
