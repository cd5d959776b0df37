package chart

import "math"

// Projection maps the sphere to a plane.
type Projection string

// The projections: Aitoff's of 1889, a compromise, and Mollweide's, in which equal
// areas are equal.
const (
	Aitoff    Projection = "aitoff"
	Mollweide Projection = "mollweide"
)

// Projections lists them, the default first.
func Projections() []Projection { return []Projection{Mollweide, Aitoff} }

// Project maps a longitude, -π to π, and a latitude, -π/2 to π/2. See J. P. Snyder,
// Map Projections: A Working Manual (1987), doi:10.3133/pp1395; for Aitoff's,
// x = 2 cos φ sin(λ/2) / sinc α and y = sin φ / sinc α with cos α = cos φ cos(λ/2).
func (p Projection) Project(lon, lat float64) (x, y float64) {
	if p == Aitoff {
		sinHalf, cosHalf := math.Sincos(lon / 2)
		sin, cos := math.Sincos(lat)
		// By both sides, since the arc cosine is no good near 1.
		sinc, alpha := 1., math.Atan2(math.Hypot(cos*sinHalf, sin), cos*cosHalf)
		if alpha > 0 {
			sinc = math.Sin(alpha) / alpha
		}
		return 2 * cos * sinHalf / sinc, sin / sinc
	}
	sin, cos := math.Sincos(mollweideAngle(lat))
	return 2 * math.Sqrt2 / math.Pi * lon * cos, math.Sqrt2 * sin
}

// Limits are the greatest coordinates that there are.
func (p Projection) Limits() (x, y float64) {
	if p == Aitoff {
		return math.Pi, math.Pi / 2
	}
	return 2 * math.Sqrt2, math.Sqrt2
}

// mollweideAngle solves 2θ + sin 2θ = π sin φ by Newton's method, for δ = π − 2θ, whose
// equation δ − sin δ = π (1 − sin φ) is sound near the poles: there δ is about the root of
// δ³/6, and 1 − sin φ is 2 sin²((π/2 − φ)/2).
func mollweideAngle(lat float64) float64 {
	half := math.Sin((math.Pi/2 - math.Abs(lat)) / 2)
	rest := 2 * math.Pi * half * half
	delta := math.Cbrt(6 * rest)
	const series = 1e-3 // below, the first term of the series is exact to 1e-7 of itself
	for i := 0; i < 20 && delta > series; i++ {
		sin := math.Sin(delta / 2)
		step := (delta - math.Sin(delta) - rest) / (2 * sin * sin)
		if delta -= step; math.Abs(step) < 1e-14 {
			break
		}
	}
	return math.Copysign((math.Pi-delta)/2, lat)
}
