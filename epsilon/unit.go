package epsilon

import (
	"math"

	"rtcluster/join"
)

// Unit says what distances are written in. The zero value is [Plain].
type Unit int

// The units.
const (
	Plain   Unit = iota // that of the coordinates, by the metric of the points
	Degrees             // along great circles, between unit vectors (join.UnitVectors)
	Cosine              // 1 − cos of the angle, between directions (join.Directions)
)

// Eps returns the ε of package join that a distance stands for: itself, or the
// chord of the angle.
func (u Unit) Eps(distance float64) float64 {
	switch u {
	case Degrees:
		return join.Chord(distance * (math.Pi / 180))
	case Cosine:
		return join.CosineChord(distance)
	}
	return distance
}

// Distance returns the distance that a measure of points under a metric stands for
// (see [join.Metric]). It is rounded so that it reaches, which a root rounded to
// nearest need not do (scikit-learn's issue 18087): rows of that measure are within
// u.Eps(u.Distance(metric, measure)) of each other. It is the nearest root or the
// float64 above it; angles and cosine distances are some units in the last place
// above the nearest, more near 180°, where the chord hardly changes with the angle.
// +Inf gives +Inf.
func (u Unit) Distance(metric join.Metric, measure float64) float64 {
	if math.IsInf(measure, 1) {
		return measure
	}
	switch u {
	case Degrees:
		return u.reach(metric, join.AngleDegrees(measure), measure, 180)
	case Cosine:
		return u.reach(metric, join.CosineDistance(measure), measure, 2)
	}
	return u.reach(metric, metric.Distance(measure), measure, math.MaxFloat64)
}

// reach returns the distance, or the first of steps above it, that double, whose
// ε reaches the measure; most, which reaches everything, if none is below that.
func (u Unit) reach(metric join.Metric, distance, measure, most float64) float64 {
	step := math.Nextafter(distance, math.Inf(1)) - distance
	for distance < most {
		if metric.Bound(u.Eps(distance)) >= measure {
			return distance
		}
		distance += step
		step *= 2
	}
	return most
}
