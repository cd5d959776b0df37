package table

import (
	"bytes"
	"strconv"
)

// loss is what a number of CSV would lose if it became a number of Parquet.
type loss uint8

const (
	lossNone     loss = iota
	lossZeros         // leading zeros, which identifiers have
	lossBig           // an integer that no int64 holds
	lossFraction      // an integer that an int64 holds, but no float64
	lossDigits        // digits of a decimal
)

// String says why such a number is none in Parquet.
func (l loss) String() string {
	switch l {
	case lossZeros:
		return "has leading zeros"
	case lossBig:
		return "is beyond int64"
	case lossFraction:
		return "is not exact as float64, which others in the column need"
	case lossDigits:
		return "has digits that float64 does not hold"
	}
	return ""
}

// sureDigits is how many digits of a decimal every float64 of the usual range holds.
const sureDigits = 15

// exactNumber tells of a number in the plain style whether an int64 and a float64
// hold its value, and if float64 does not, why.
func exactNumber(b []byte) (asInt bool, why loss) {
	start := skipSign(b)
	end := skipDigits(b, start)
	n := end - start
	if end == len(b) {
		return exactWhole(b, b[start:])
	}
	e := 0
	if b[end] == '.' {
		end = skipDigits(b, end+1)
		n = end - start - 1
	}
	if end < len(b) {
		e, _ = exponent(b, end+1)
	}
	if n <= sureDigits && e >= -250 && e <= 250 {
		return false, lossNone
	}
	if v, _, err := parseNumber(b); err != nil || !sameDecimal(b, v) {
		return false, lossDigits
	}
	return false, lossNone
}

// exactWhole does so for an integer literal, whose digits are given too.
func exactWhole(b, digits []byte) (asInt bool, why loss) {
	switch {
	case len(digits) > 1 && digits[0] == '0':
		return false, lossZeros
	case b[0] == '-' && digits[0] == '0':
		return false, lossNone // float64 has a -0
	case len(digits) <= sureDigits:
		return true, lossNone
	}
	_, err := strconv.ParseInt(string(b), 10, 64)
	asInt = err == nil
	if _, _, err := parseNumber(b); err == nil {
		return asInt, lossNone
	}
	if asInt {
		return true, lossFraction
	}
	return false, lossBig
}

// sameDecimal reports whether b, a decimal literal whose nearest float64 is v, is a
// decimal that v is printed as: the shortest one that reads back as v, or v rounded
// to as many digits as b has, as 0.10000000000000001 is 0.1. So b can be had again
// from v, but for zeros and the place of its point.
func sameDecimal(b []byte, v float64) bool {
	const most = 767 // no float64 has more digits
	var room, printed, other [32]byte
	digits, e := appendSignificand(room[:0], b)
	if len(digits) == 0 || v == 0 {
		return len(digits) == 0
	}
	if len(digits) > most {
		return false
	}
	for _, precision := range []int{-1, len(digits) - 1} {
		own, ownE := appendSignificand(other[:0], strconv.AppendFloat(printed[:0], v, 'e', precision, 64))
		if ownE == e && bytes.Equal(own, digits) {
			return true
		}
	}
	return false
}

// appendSignificand appends the digits of a decimal literal, from the first to the last
// that is not 0, and returns with them the exponent e by which they are
// 0.digits times 10^e. An e beyond 10000 is only known to be large.
func appendSignificand(dst, b []byte) (digits []byte, e int) {
	before := 0 // digits before the point, less zeros at the start
	point := false
	i := skipSign(b)
	for ; i < len(b) && b[i]|0x20 != 'e'; i++ {
		switch {
		case b[i] == '.':
			point = true
			continue
		case b[i] != '0' || len(dst) > 0:
			dst = append(dst, b[i])
			if !point {
				before++
			}
		case point:
			before--
		}
	}
	if i < len(b) {
		e, _ = exponent(b, i+1)
	}
	return bytes.TrimRight(dst, "0"), before + e
}
