// Package rounded does on the host what kernels do with float32, for tests that hold
// the bounds of kernels to their arithmetic.
package rounded

import "math"

// FMA32 is a·b + c, rounded once, as __fmaf_rn.
func FMA32(a, b, c float32) float32 {
	p := float64(a) * float64(b) // exact
	s := p + float64(c)
	part := s - p
	lost := (p - (s - part)) + (float64(c) - part)
	if lost != 0 && math.Float64bits(s)&1 == 0 { // rounded to odd, it can be rounded again
		s = math.Nextafter(s, math.Copysign(math.Inf(1), lost))
	}
	return float32(s)
}

// SubDown32 is a − b, rounded downwards, as __fsub_rd.
func SubDown32(a, b float32) float32 { return -AddUp32(-a, b) }

// AddUp32 is a + b, rounded upwards, as __fadd_ru.
func AddUp32(a, b float32) float32 {
	s := a + b
	// The sum of two float32 is exact in float64, or a part of the smaller one is lost that
	// float32 does not hold beside the larger one: its sign is left in the difference.
	part := float64(a) + float64(b)
	lost := (float64(a) - part) + float64(b)
	if math.Abs(float64(b)) > math.Abs(float64(a)) {
		lost = (float64(b) - part) + float64(a)
	}
	if float64(s) < part || float64(s) == part && lost > 0 {
		s = math.Nextafter32(s, float32(math.Inf(1)))
	}
	return s
}
