package epsilon

import (
	"math"

	"rtcluster/join"
)

// This file has the coordinates in which fields on the sky are drawn: areas in the
// plane of longitude and sine of latitude are areas on the sphere.

// aboutMean returns the longitude, in radians from −π to π, and the sine of the
// latitude of unit vectors, in a frame whose equator has the mean direction at
// longitude 0. Neither the seam nor a pole then is near, if the field is small.
func aboutMean(pts *join.Points) []float64 {
	var mean [3]float64
	for i := range pts.Rows() {
		for k, x := range pts.Row(i) {
			mean[k] += x
		}
	}
	u := unitVector(mean, [3]float64{1, 0, 0})
	// A direction across u, from the axis that is farthest from it.
	axis := [3]float64{}
	axis[farthestAxis(u)] = 1
	w := unitVector(cross(u, axis), axis)
	v := cross(w, u)
	values := make([]float64, 0, 2*pts.Rows())
	for i := range pts.Rows() {
		p := [3]float64(pts.Row(i))
		values = append(values, math.Atan2(dot(p, v), dot(p, u)), dot(p, w))
	}
	return values
}

// fromMean returns the unit vectors of what aboutMean returns, in its frame. A sine
// beyond a pole is reflected there.
func fromMean(values []float64) []float64 {
	xyz := make([]float64, 0, len(values)/2*3)
	for i := 0; i < len(values); i += 2 {
		sinLon, cosLon := math.Sincos(values[i])
		z := values[i+1]
		if math.Abs(z) > 1 {
			z = math.Copysign(max(0, 2-math.Abs(z)), z)
		}
		flat := math.Sqrt((1 - z) * (1 + z))
		xyz = append(xyz, flat*cosLon, flat*sinLon, z)
	}
	return xyz
}

// farthestAxis returns the coordinate in which u is least.
func farthestAxis(u [3]float64) int {
	least := 0
	for k, x := range u {
		if math.Abs(x) < math.Abs(u[least]) {
			least = k
		}
	}
	return least
}

// unitVector returns the unit vector along p, or otherwise if p has no direction.
func unitVector(p, otherwise [3]float64) [3]float64 {
	length := math.Sqrt(dot(p, p))
	if !(length > 0) {
		return otherwise
	}
	return [3]float64{p[0] / length, p[1] / length, p[2] / length}
}

func dot(a, b [3]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{
		float64(a[1]*b[2]) - float64(a[2]*b[1]),
		float64(a[2]*b[0]) - float64(a[0]*b[2]),
		float64(a[0]*b[1]) - float64(a[1]*b[0]),
	}
}
