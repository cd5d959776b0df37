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
