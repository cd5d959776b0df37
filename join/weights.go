package join

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
)

// Weigher is the faster road to the rows whose neighbours weigh enough, for an
// [Index] that can add up weights without listing pairs. The fallback is
// [Index.Pairs].
type Weigher interface {
	// Weigh sets dst[i] to whether the weights of the rows within eps of row i,
	// itself included, add up to w's threshold or more. It may stop adding where
	// that is settled. w and dst have a place for each of the indexed points;
	// another length, or an eps that [CheckEps] refuses, is an error.
	Weigh(ctx context.Context, eps float64, w *Weights, dst []bool) error
}

// Weights are weights of rows, and a threshold for their sums, as whole numbers
// of a common unit, a power of two: sums are exact, in any order.
//
// A number is an array of 64-bit words, the lowest first, in two's complement,
// with room for the sum of all absolute weights: one word for whole numbers and
// fractions of few digits, two for most others, and never more than 34. Where no
// weight is negative, those above the threshold count as the threshold.
type Weights struct {
	n, words int
	rows     []uint64 // words for each row
	least    []uint64
	signed   bool
}

// NewWeights returns the weights of rows, with a threshold of 1 or more. A weight
// that is not finite is an error.
func NewWeights(weights []float64, threshold int) (*Weights, error) {
	w := &Weights{n: len(weights)}
	for i, x := range weights {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("row %d has weight %v, want a finite number", i, x)
		}
		w.signed = w.signed || x < 0
	}
	least := newShifted(uint64(threshold), 0)
	part := func(x float64) shifted {
		if !w.signed && (x >= 1<<63 || int64(x) >= int64(threshold)) {
			return least
		}
		return shift(x)
	}
	// The unit is 2^low, and all weights are below 2^high.
	low, high := math.MaxInt, math.MinInt
	for _, x := range weights {
		if p := part(x); p.mantissa != 0 {
			low, high = min(low, p.exponent), max(high, p.end())
		}
	}
	if low > high { // nothing weighs
		low, high = 0, 0
	}
	// n < 2^Len(n), and the threshold in whole units, rounded up, is at most
	// 2^(end−low).
	length := max(high-low+bits.Len(uint(w.n)), least.end()-low+1, 1)
	w.words = length/64 + 1 // one more bit, at least, for the sign
	w.rows = make([]uint64, w.n*w.words)
	for i, x := range weights {
		part(x).put(w.Row(i), low)
	}
	w.least = make([]uint64, w.words)
	least.put(w.least, low)
	return w, nil
}

// Rows returns the number of rows.
func (w *Weights) Rows() int { return w.n }

// Words returns the number of words of a number.
func (w *Weights) Words() int { return w.words }

// Row returns the weight of row i.
func (w *Weights) Row(i int) []uint64 { return w.rows[i*w.words : (i+1)*w.words : (i+1)*w.words] }

// Signed reports whether some weight is negative: sums may become less again.
func (w *Weights) Signed() bool { return w.signed }

// Reached reports whether a sum is at least the threshold.
func (w *Weights) Reached(sum []uint64) bool {
	top := w.words - 1
	if order := cmp.Compare(int64(sum[top]), int64(w.least[top])); order != 0 {
		return order > 0
	}
	for k := top - 1; k >= 0; k-- {
		if sum[k] != w.least[k] {
			return sum[k] > w.least[k]
		}
	}
	return true
}

// AddWords adds a number to a sum of as many words.
func AddWords(sum, number []uint64) {
	var carry uint64
	for k := range sum {
		sum[k], carry = bits.Add64(sum[k], number[k], carry)
	}
}

// SubtractWords subtracts a number from a sum of as many words.
func SubtractWords(sum, number []uint64) {
	var borrow uint64
	for k := range sum {
		sum[k], borrow = bits.Sub64(sum[k], number[k], borrow)
	}
}

// shifted is the number ±mantissa·2^exponent. The mantissa is odd, or 0.
type shifted struct {
	mantissa uint64
	exponent int
	negative bool
}

func newShifted(mantissa uint64, exponent int) shifted {
	zeros := 0
	if mantissa != 0 {
		zeros = bits.TrailingZeros64(mantissa)
	}
	return shifted{mantissa: mantissa >> zeros, exponent: exponent + zeros}
}

// shift returns x, a finite number.
func shift(x float64) shifted {
	const fraction, bias = 52, 1075 // 2^−1074 is the least float64
	b := math.Float64bits(x)
	mantissa, exponent := b&(1<<fraction-1), int(b>>fraction&0x7ff)
	if exponent > 0 {
		mantissa |= 1 << fraction
	} else {
		exponent = 1 // subnormal
	}
	s := newShifted(mantissa, exponent-bias)
	s.negative = x < 0
	return s
}

// end is the least exponent such that the number is below 2^end.
func (s shifted) end() int { return s.exponent + bits.Len64(s.mantissa) }

// put writes the number to dst, which is 0 and has room for it, in units of
// 2^unit, rounded up.
func (s shifted) put(dst []uint64, unit int) {
	if s.mantissa == 0 {
		return
	}
	up := s.exponent - unit
	if up < 0 { // a part of a unit, since the mantissa is odd
		dst[0] = s.mantissa>>-up + 1
		return
	}
	word, bit := up/64, up%64
	dst[word] = s.mantissa << bit
	if over := s.mantissa >> (64 - bit); over != 0 {
		dst[word+1] = over
	}
	if s.negative {
		carry := uint64(1)
		for k := range dst {
			dst[k], carry = bits.Add64(^dst[k], 0, carry)
		}
	}
}
