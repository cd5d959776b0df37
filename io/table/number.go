package table

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// kind says what a value is as a number.
type kind uint8

const (
	kindText   kind = iota // no number
	kindNumber             // a finite number
	kindNull               // missing
	kindNaN
	kindInf
)

var errRange = errors.New("is beyond the range of float64")

// errInexact is about integers that a float64 would change.
func errInexact(digits string) error {
	return fmt.Errorf("the integer %s is not exact in float64 (beyond 2^53); leave the column out (choose others with --columns, or name it by --id)", digits)
}

// wordKind looks up a word that is no number.
func wordKind(b []byte) (float64, kind) {
	switch string(b) {
	case "", "NA", "N/A", "NULL", "null", "none", "None", "-", "--":
		return math.NaN(), kindNull
	case "NaN", "nan", "NAN", "-nan", "-NaN":
		return math.NaN(), kindNaN
	case "Inf", "inf", "INF", "Infinity", "infinity", "+Inf", "+inf", "+INF", "+Infinity", "+infinity":
		return math.Inf(1), kindInf
	case "-Inf", "-inf", "-INF", "-Infinity", "-infinity":
		return math.Inf(-1), kindInf
	}
	return 0, kindText
}

// standsForMissing reports whether a word that is no number is one that others
// write for a missing value. Which are taken so is not guessed.
func standsForMissing(b []byte) bool {
	switch strings.ToLower(string(b)) {
	case "null", "na", "n/a", "none", "nil", "nat", "missing", "masked", "undef", "undefined", "unknown", "blank", "empty",
		"<na>", "#n/a", "#na", "(null)", "<null>", `\n`, "?", ".", "..", "...", "*", "**", "***", "---", "----", "1.#ind", "-1.#ind", "1.#qnan":
		return true
	}
	return false
}

// decimal is what matters of a decimal literal that fastNumber leaves.
type decimal struct {
	mantissa uint64 // its digits, without the point
	integer  bool   // no point and no exponent
	long     bool   // more than 19 significant digits, so that mantissa is of no use
}

// kindOf classifies a field without computing its value.
func kindOf(b []byte) (k kind, integer bool) {
	b = trimBlanks(b)
	i := skipSign(b)
	start := i
	i = skipDigits(b, i)
	digits := i - start
	if i == len(b) && digits > 0 {
		return kindNumber, true
	}
	if i < len(b) && b[i] == '.' {
		start = i + 1
		i = skipDigits(b, start)
		digits += i - start
	}
	if digits > 0 {
		if i == len(b) {
			return kindNumber, false
		}
		if isExponent(b[i:]) {
			return kindNumber, false
		}
	}
	_, k = wordKind(b)
	return k, false
}

// skipSign returns the place after a sign.
func skipSign(b []byte) int {
	if len(b) > 0 && (b[0] == '+' || b[0] == '-') {
		return 1
	}
	return 0
}

// skipDigits returns the place of the first byte from i on that is no digit.
func skipDigits(b []byte, i int) int {
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	return i
}

// parseNumber returns the number that a field holds: NaN for missing values. An
// error means a number that a float64 does not hold.
func parseNumber(b []byte) (float64, kind, error) {
	b = trimBlanks(b)
	if v, next, _, ok := fastNumber(b, 0, noDelim); ok && next == len(b) {
		return v, kindNumber, nil
	}
	d, ok := parseDecimal(b)
	if !ok {
		v, k := wordKind(b)
		return v, k, nil
	}
	v, err := d.float(b)
	return v, kindNumber, err
}

// noDelim is a delimiter that does not come up in a field of text.
const noDelim = 0

// parseDecimal takes apart [+-]digits[.digits][e[+-]digits]; there must be a
// digit before or after the point. These are the decimal literals of
// strconv.ParseFloat.
func parseDecimal(b []byte) (d decimal, ok bool) {
	first := skipSign(b)
	m, i := digits(b, first, 0)
	n := i - first
	d.integer = true
	if i < len(b) && b[i] == '.' {
		d.integer = false
		point := i + 1
		m, i = digits(b, point, m)
		n += i - point
	}
	if n == 0 {
		return d, false
	}
	d.mantissa = m
	d.long = n > 19 && significant(b[first:i]) > 19
	if i == len(b) {
		return d, true
	}
	d.integer = false
	return d, isExponent(b[i:])
}

// significant counts the digits from the first that is not zero on.
func significant(b []byte) int {
	n := 0
	for _, c := range b {
		if c != '.' && (n > 0 || c != '0') {
			n++
		}
	}
	return n
}

// isExponent reports whether b is e[+-]digits.
func isExponent(b []byte) bool {
	if b[0]|0x20 != 'e' {
		return false
	}
	_, end := exponent(b, 1)
	return end == len(b) && end > 1 && b[end-1]-'0' <= 9
}

// exact10 holds the powers of ten that are exact in float64.
var exact10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// float returns the float64 nearest to d, whose literal is b.
func (d decimal) float(b []byte) (float64, error) {
	if d.integer && !d.exactInteger(b) {
		return 0, errInexact(clip(b))
	}
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return 0, fmt.Errorf("%q %w", clip(b), errRange)
	}
	return v, nil
}

// exactInteger reports whether a float64 holds the integer literal b exactly.
func (d decimal) exactInteger(b []byte) bool {
	if !d.long {
		return exactUint(d.mantissa)
	}
	const mostDigits = 310 // 10^309 is beyond float64 already
	if len(b) > mostDigits {
		return true // a question of range, not of digits
	}
	i, ok := new(big.Int).SetString(string(b), 10)
	if !ok {
		return false
	}
	_, accuracy := new(big.Float).SetInt(i).Float64()
	return accuracy == big.Exact || i.BitLen() > 1024
}

// exactUint reports whether a float64 holds u exactly.
func exactUint(u uint64) bool {
	return bits.Len64(u)-bits.TrailingZeros64(u) <= 53
}

// appendFloat appends the shortest form of v that reads back as v, of the given
// bit size: plain digits from 1e-6 up to 1e21, an exponent outside.
func appendFloat(dst []byte, v float64, bitSize int) []byte {
	a := math.Abs(v)
	if a == 0 || a >= 1e-6 && a < 1e21 {
		return strconv.AppendFloat(dst, v, 'f', -1, bitSize)
	}
	switch {
	case math.IsInf(v, 1):
		return append(dst, "inf"...) // as pandas, DuckDB and polars all read it
	case math.IsInf(v, -1):
		return append(dst, "-inf"...)
	}
	n := len(dst)
	dst = strconv.AppendFloat(dst, v, 'e', -1, bitSize)
	// strconv writes at least two digits of exponent: 1e-09 becomes 1e-9.
	if k := len(dst); k >= n+4 && dst[k-4] == 'e' && dst[k-2] == '0' {
		dst[k-2] = dst[k-1]
		dst = dst[:k-1]
	}
	return dst
}
