package table_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"rtcluster/io/table"
)

// TestExactNumber compares with rational arithmetic: a decimal is exact if it is
// the value of the shortest text of its float64, or of that in as many digits as
// the decimal itself has.
func TestExactNumber(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	kept, lost := 0, 0
	for range 200000 {
		text := randomDecimal(rng)
		asInt, why := table.ExactNumber(text)
		if asInt {
			t.Fatalf("%s: got an integer", text)
		}
		want := reprinted(text)
		if (why == "") != want {
			t.Fatalf("%s: got %q, want exact: %t", text, why, want)
		}
		if want {
			kept++
		} else {
			lost++
		}
	}
	if kept < 1000 || lost < 1000 {
		t.Errorf("%d exact decimals and %d others, want many of both", kept, lost)
	}
}

// randomDecimal writes a random number, or one of a float64 in some number of
// digits, with zeros where they do not matter.
func randomDecimal(rng *rand.Rand) string {
	var digits string
	exponent := rng.IntN(640) - 320
	if rng.IntN(2) == 0 {
		v := math.Float64frombits(rng.Uint64())
		if v-v != 0 {
			v = 0.1
		}
		text := strconv.FormatFloat(math.Abs(v), 'e', rng.IntN(21)-1, 64)
		mantissa, power, _ := strings.Cut(text, "e")
		digits = strings.Replace(mantissa, ".", "", 1)
		exponent, _ = strconv.Atoi(power)
		exponent -= len(digits) - 1
	} else {
		for range 1 + rng.IntN(20) {
			digits += string(rune('0' + rng.IntN(10)))
		}
	}
	digits += strings.Repeat("0", rng.IntN(3))
	exponent -= rng.IntN(3)
	point := rng.IntN(len(digits) + 1)
	exponent += len(digits) - point
	return []string{"", "-", "+"}[rng.IntN(3)] + strings.Repeat("0", rng.IntN(3)) + digits[:point] + "." + digits[point:] +
		fmt.Sprintf([]string{"e%d", "E%+03d"}[rng.IntN(2)], exponent)
}

// reprinted is the rule by rational arithmetic.
func reprinted(text string) bool {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return false
	}
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	digits := strings.Trim(strings.Replace(strings.TrimLeft(mantissa, "+-"), ".", "", 1), "0")
	value, _ := new(big.Rat).SetString(text)
	for _, precision := range []int{-1, max(len(digits)-1, 0)} {
		own, _ := new(big.Rat).SetString(strconv.FormatFloat(v, 'e', precision, 64))
		if own.Cmp(value) == 0 {
			return true
		}
	}
	return false
}

func TestExactWholeNumber(t *testing.T) {
	const leading, beyond, inexact = "has leading zeros", "is beyond int64", "is not exact as float64, which others in the column need"
	for _, c := range []struct {
		text  string
		asInt bool
		why   string
	}{
		{"0", true, ""},
		{"+0", true, ""},
		{"-0", false, ""},
		{"00", false, leading},
		{"-01", false, leading},
		{"+12", true, ""},
		{"999999999999999", true, ""},
		{"9007199254740992", true, ""},
		{"9007199254740993", true, inexact},
		{"-9223372036854775808", true, ""},
		{"9223372036854775807", true, inexact},
		{"9223372036854775808", false, ""},
		{"9223372036854775809", false, beyond},
		{"1" + strings.Repeat("0", 22), false, ""},
		{"1" + strings.Repeat("0", 23), false, beyond},
		{"1" + strings.Repeat("0", 400), false, beyond},
	} {
		if asInt, why := table.ExactNumber(c.text); asInt != c.asInt || why != c.why {
			t.Errorf("%s: got %t %q, want %t %q", c.text, asInt, why, c.asInt, c.why)
		}
	}
}
