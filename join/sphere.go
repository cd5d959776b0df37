package join

import (
	"fmt"
	"math"
)

// Positions on the sphere join as unit vectors: two directions at the angle θ
// are 2·sin(θ/2) apart, so the great-circle metric is the Euclidean predicate
// on three coordinates with ε = [Chord](θ). It has no seam at 0°/360° and no
// trouble at the poles. Against the angle formula, pairs within about 1e-15 rad
// of ε may be decided otherwise; near 180°, where the chord hardly changes with
// the angle, within about 2e-8 rad.

// UnitVectors returns the unit vectors of n positions as row-major n × 3
// coordinates. lonlat is row-major n × 2, in degrees: longitude (right
// ascension), any finite value, and latitude (declination) from −90 to 90,
// else an error.
func UnitVectors(lonlat []float64) ([]float64, error) {
	if len(lonlat)%2 != 0 {
		return nil, fmt.Errorf("join: %d values are no whole number of longitude and latitude pairs", len(lonlat))
	}
	xyz := make([]float64, 0, len(lonlat)/2*3)
	for i := 0; i < len(lonlat); i += 2 {
		lon, lat := lonlat[i], lonlat[i+1]
		if !(lat >= -90 && lat <= 90) {
			return nil, &LatitudeError{Row: i / 2, Latitude: lat}
		}
		if math.IsNaN(lon) || math.IsInf(lon, 0) {
			return nil, fmt.Errorf("join: row %d has longitude %v, want a finite number", i/2, lon)
		}
		sinLon, cosLon := sincosDeg(lon)
		sinLat, cosLat := sincosDeg(lat)
		xyz = append(xyz, cosLat*cosLon, cosLat*sinLon, sinLat)
	}
	return xyz, nil
}

// LatitudeError is returned by [UnitVectors] when a latitude is outside −90 to
// 90 degrees.
type LatitudeError struct {
	Row      int
	Latitude float64 // degrees
}

func (e *LatitudeError) Error() string {
	return fmt.Sprintf("row %d has latitude %v, want -90 to 90 degrees", e.Row, e.Latitude)
}

// Chord returns the distance of two unit vectors at the angle theta, in
// radians from 0 to π: 2·sin(θ/2). At π or more it returns 3, beyond any
// chord, so that rounding parts no pair.
func Chord(theta float64) float64 {
	if theta >= math.Pi {
		return 3
	}
	return 2 * math.Sin(theta/2)
}

// AngleDegrees returns the angle in degrees between two unit vectors at the
// squared distance chord2, the inverse of [Chord]: to about 1e-13°, and near
// 180° to about 2e-6°.
func AngleDegrees(chord2 float64) float64 {
	return 2 * math.Asin(math.Min(1, math.Sqrt(chord2)/2)) * (180 / math.Pi)
}

// sincosDeg returns the sine and cosine of an angle in degrees. The angle is
// first reduced, exactly, to at most 45° from a multiple of 90°: equal
// directions such as 0° and 360° give equal results, and multiples of 90°
// exact ones. Halves round to even, so that 45° and −315°, four quarters apart,
// keep the same rest.
func sincosDeg(deg float64) (sin, cos float64) {
	deg = math.Mod(deg, 360)
	quarter := math.RoundToEven(deg / 90)
	sin, cos = math.Sincos((deg - 90*quarter) * (math.Pi / 180))
	switch (int(quarter)%4 + 4) % 4 {
	case 1:
		sin, cos = cos, -sin
	case 2:
		sin, cos = -sin, -cos
	case 3:
		sin, cos = -cos, sin
	}
	return sin, cos
}

// GreatCircle returns the angle in degrees, 0 to 180, between two positions of
// longitude, any finite value, and latitude from −90 to 90, all in degrees. It is
// good to about 1e-15 of itself, however near the positions are to each other, to a
// pole or to the antipodes, and across the seam at 0°/360°.
func GreatCircle(lon1, lat1, lon2, lat2 float64) float64 {
	sinLat1, cosLat1 := sincosDeg(lat1)
	sinLat2, cosLat2 := sincosDeg(lat2)
	lon := between(math.Remainder(lon1, 360), math.Remainder(lon2, 360))
	sinLon, cosLon := sincosDeg(lon)
	half, _ := sincosDeg(lon / 2)
	sinLat, _ := sincosDeg(lat2 - lat1)
	// The second position as seen from the first: east, north and up. North is
	// cosLat1·sinLat2 − sinLat1·cosLat2·cosLon without its cancellation.
	east := float64(cosLat2 * sinLon)
	north := sinLat + float64(float64(2*sinLat1)*float64(cosLat2*float64(half*half)))
	up := float64(sinLat1*sinLat2) + float64(cosLat1*float64(cosLat2*cosLon))
	return math.Atan2(math.Hypot(east, north), up) * (180 / math.Pi)
}

// between returns b − a, of two angles from −180 to 180 degrees, the short way round.
// What rounding took from the difference is added again once 360 is taken off, so
// that a small one is as good as any.
func between(a, b float64) float64 {
	diff := b - a
	back := diff - b
	lost := (b - (diff - back)) + (-a - back)
	switch {
	case diff > 180:
		return (diff - 360) + lost
	case diff < -180:
		return (diff + 360) + lost
	}
	return diff
}
