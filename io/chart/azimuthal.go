package chart

import "math"

// azimuthal is Lambert's azimuthal equal-area projection around a place of longitude 0. Lengths
// and angles near that place are true, so that a field looks as on a photograph, also where it
// has a pole in it. See Snyder, chapter 24, whose k' = √(2/(1 + cos c)) is 1/cos(c/2) here: the
// formulas with halves of angles keep their digits in fields of an arc second.
type azimuthal struct{ lat, sin, cos float64 } // of the place

func newAzimuthal(lat float64) azimuthal {
	sin, cos := math.Sincos(lat)
	return azimuthal{lat, sin, cos}
}

// Project maps a longitude and a latitude.
func (a azimuthal) Project(lon, lat float64) (x, y float64) {
	half, up := math.Sin(lon/2), math.Sin((lat-a.lat)/2)
	cos := math.Cos(lat)
	far := up*up + a.cos*cos*half*half // sin²(c/2), 1 at the antipode
	if far > 1-1e-12 {
		return 0, 2 // the antipode, which is all of the rim
	}
	k := 1 / math.Sqrt(1-far)
	return k * cos * math.Sin(lon), k * (math.Sin(lat-a.lat) + 2*a.sin*cos*half*half)
}

// Invert maps a place of the plane back to the sphere.
func (a azimuthal) Invert(x, y float64) (lon, lat float64) {
	rho2 := x*x + y*y
	k := math.Sqrt(max(0, 1-rho2/4)) // sin c is ρ k
	cos := 1 - rho2/2
	along, up := cos*a.cos-y*k*a.sin, cos*a.sin+y*k*a.cos
	return math.Atan2(x*k, along), math.Atan2(up, math.Hypot(x*k, along))
}
