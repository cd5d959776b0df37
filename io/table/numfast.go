package table

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
	"unsafe"
)

// fastNumber reads the plain decimal number that begins at b[i] and ends before
// the delimiter or at the end of b, and returns the place after it. What is not
// such a number, or none that float64 holds, is not ok: parseNumber tells then
// what it is.
func fastNumber(b []byte, i int, delim byte) (v float64, next int, integer, ok bool) {
	start := i
	negative := false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		negative = b[i] == '-'
		i++
	}
	first, m := i, uint64(0)
	for i < len(b) && b[i]-'0' <= 9 { // few, as a rule
		m = m*10 + uint64(b[i]-'0')
		i++
	}
	n, exp10 := i-first, 0
	integer = true
	if i < len(b) && b[i] == '.' {
		integer = false
		point := i + 1
		m, i = digits(b, point, m)
		exp10 = point - i
		n -= exp10
	}
	if n == 0 {
		return 0, 0, false, false
	}
	if i < len(b) && b[i] != delim {
		if b[i]|0x20 != 'e' {
			return 0, 0, false, false
		}
		integer = false
		e, end := exponent(b, i+1)
		if end < len(b) && b[end] != delim || end == i+1 || b[end-1]-'0' > 9 {
			return 0, 0, false, false
		}
		i, exp10 = end, exp10+e
	}
	if n > 19 { // m may have overflown
		return parseLong(b[start:i], i, integer)
	}
	switch {
	case integer:
		v, ok = float64(m), exactUint(m)
	case m <= 1<<53 && exp10 >= -22 && exp10 <= 22:
		// Both are exact, so one product or quotient is the rounded value (Clinger
		// 1990, doi:10.1145/93542.93557).
		if v, ok = float64(m), true; exp10 < 0 {
			v /= exact10[-exp10]
		} else {
			v *= exact10[exp10]
		}
	case exp10 < 0 && exp10 >= -19:
		v, ok = quotient(m, pow10[-exp10]), true
	default:
		return parseLong(b[start:i], i, integer)
	}
	if negative {
		v = -v
	}
	return v, i, integer, ok
}

// parseLong leaves a literal to strconv.
func parseLong(b []byte, next int, integer bool) (float64, int, bool, bool) {
	if integer {
		return 0, 0, false, false // may be inexact
	}
	v, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(b), len(b)), 64)
	return v, next, false, err == nil
}

// digits appends the digits from b[i] on to m, modulo 2^64, and returns the
// place after them.
func digits(b []byte, i int, m uint64) (uint64, int) {
	for len(b)-i >= 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		if !allDigits(w) {
			break
		}
		m = m*1e8 + eightDigits(w)
		i += 8
	}
	if len(b)-i >= 4 {
		if w := binary.LittleEndian.Uint32(b[i:]); allDigits(uint64(w) | 0x30303030<<32) {
			m = m*1e4 + fourDigits(w)
			i += 4
		}
	}
	for i < len(b) && b[i]-'0' <= 9 {
		m = m*10 + uint64(b[i]-'0')
		i++
	}
	return m, i
}

// allDigits reports whether all eight bytes of w are 0x30 to 0x39: their high
// halves are 3, and still are with 6 added.
func allDigits(w uint64) bool {
	const high, three = 0xf0f0f0f0f0f0f0f0, 0x3030303030303030
	return w&high == three && (w+0x0606060606060606)&high == three
}

// eightDigits returns the number that eight digits write, the first in the
// lowest byte: pairs of digits, then of pairs, then of these are put together.
func eightDigits(w uint64) uint64 {
	w -= 0x3030303030303030
	w = w*10 + w>>8 // each even byte: a pair, below 100
	const pairs = 0x000000ff000000ff
	low := (w & pairs) * (100 + 1000000<<32)
	high := (w >> 16 & pairs) * (1 + 10000<<32)
	return (low + high) >> 32
}

// fourDigits does so for four.
func fourDigits(w uint32) uint64 {
	w -= 0x30303030
	w = w*10 + w>>8
	return uint64(w&0xff*100 + w>>16&0xff)
}

// exponent reads [+-]digits from b[i] on. Exponents beyond 10000 stay there.
func exponent(b []byte, i int) (e, next int) {
	negative := false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		negative = b[i] == '-'
		i++
	}
	for i < len(b) && b[i]-'0' <= 9 {
		e = min(e*10+int(b[i]-'0'), 10000)
		i++
	}
	if negative {
		e = -e
	}
	return e, i
}

// pow10 holds the powers of ten that fit into 64 bits.
var pow10 = [...]uint64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
	1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
}

// quotient returns m/d rounded to float64, half to even; d is not 0.
//
// Both are shifted until their highest bit is set: M = m·2^a, D = d·2^b with M and
// D in [2^63, 2^64). One division of 128 by 64 bits gives q = floor(M·2^s/D), with
// s = 64, or 63 where M >= D so that q fits: q is in [2^62, 2^64). Then m/d =
// (q + r/D) · 2^(b-a-s) with 0 <= r/D < 1, and what lies below the 53 bits kept is
// known to be less than, equal to or more than a half from the low bits of q and
// from whether r is 0. The result is within [2^-64, 2^64], where float64 has all
// its bits.
func quotient(m, d uint64) float64 {
	if m == 0 {
		return 0
	}
	a, b := bits.LeadingZeros64(m), bits.LeadingZeros64(d)
	hi, lo, s := m<<a, uint64(0), 64
	d <<= b
	if hi >= d {
		hi, lo, s = hi>>1, hi<<63, 63
	}
	q, r := bits.Div64(hi, lo, d)
	exp := b - a - s
	drop := bits.Len64(q) - 53 // 10 or 11
	half := uint64(1) << (drop - 1)
	low := q & (2*half - 1)
	q >>= drop
	if low > half || low == half && (r != 0 || q&1 == 1) {
		q++ // may become 2^53, which is exact too
	}
	const bias, fraction = 1023, 52
	return float64(q) * math.Float64frombits(uint64(bias+exp+drop)<<fraction) // a power of two
}
