package table

import (
	"encoding/binary"
	"math"

	"github.com/parquet-go/parquet-go"
)

// half returns the value of two bytes as IEEE 754 binary16, exactly.
func half(v parquet.Value) float64 {
	b := v.ByteArray()
	if len(b) != 2 {
		return math.NaN()
	}
	h := binary.LittleEndian.Uint16(b)
	exponent, fraction := int(h>>10&31), float64(h&1023)
	x := math.Ldexp(fraction, -24) // subnormal, or zero
	switch {
	case exponent == 31 && fraction == 0:
		x = math.Inf(1)
	case exponent == 31:
		return math.NaN()
	case exponent > 0:
		x = math.Ldexp(1024+fraction, exponent-25)
	}
	if h>>15 == 1 {
		x = -x
	}
	return x
}

// roundHalf rounds x to the nearest binary16, ties to even.
func roundHalf(x float64) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	_, exponent := math.Frexp(x) // |x| in [2^(exponent-1), 2^exponent)
	unit := math.Ldexp(1, max(exponent-11, -24))
	r := math.RoundToEven(x/unit) * unit
	if math.Abs(r) > 65504 {
		return math.Copysign(math.Inf(1), x)
	}
	return r
}
