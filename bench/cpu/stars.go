package main

import "math"

const starClusters = 80

// stars sets the rows of m to something like a catalog of stars in parsecs:
// directions crowd about a plane, distances are lognormal with a heavy tail, and
// 6 % of the rows are in open clusters that errors of parallax stretch.
func (m *maker) stars() {
	var centers [starClusters][3]float64
	var deviations [starClusters]float64
	for i := range centers {
		centers[i] = m.direction()
		distance := math.Exp(math.Log(250) + float64(0.6*m.NormFloat64()))
		for k := range centers[i] {
			centers[i][k] *= distance
		}
		deviations[i] = m.between(1.5, 6)
	}
	choose := m.chooser(starClusters, 1)
	members := int(float64(m.n) * 0.06)
	for i, p := range m.Perm(m.n) {
		if p >= members {
			u, r := m.direction(), m.distance()
			for k := range u {
				m.row(i)[k] = u[k] * r
			}
			continue
		}
		c := choose()
		m.member(m.row(i), centers[c], deviations[c])
	}
}

// direction draws a unit vector.
func (m *maker) direction() [3]float64 {
	l := m.between(0, 2*math.Pi)
	b := math.Asin(m.between(-1, 1))
	if m.Float64() < 0.7 {
		b = max(-math.Pi/2, min(0.25*m.NormFloat64(), math.Pi/2))
	}
	sinL, cosL := math.Sincos(l)
	sinB, cosB := math.Sincos(b)
	return [3]float64{cosB * cosL, cosB * sinL, sinB}
}

// distance draws how far a star of the field is; one in twenty is of a Pareto
// tail.
func (m *maker) distance() float64 {
	r := math.Exp(math.Log(220) + float64(0.75*m.NormFloat64()))
	if m.Float64() < 0.05 {
		r = 400 * math.Exp(m.ExpFloat64()/1.2)
	}
	return max(1.3, min(r, 1e5))
}

// member draws a star of a cluster. The error of its distance grows with the
// square of that.
func (m *maker) member(row []float64, center [3]float64, deviation float64) {
	r2 := 0.0
	for k := range row {
		row[k] = center[k] + float64(deviation*m.NormFloat64())
		r2 += float64(row[k] * row[k])
	}
	stretch := 1 + float64(2e-5*math.Sqrt(r2)*m.NormFloat64())
	for k := range row {
		row[k] *= stretch
	}
}
