package groups

import (
	"fmt"
	"math"

	"rtcluster/join"
)

// Place tells of the rows of a group on the sky, in degrees.
type Place struct {
	// RA, from 0 to below 360, and Dec are the centre: the direction of the sum of
	// the unit vectors of the rows. Where these cancel, it has no meaning.
	RA, Dec float64
	// Spread is the root of the mean square of the angles between the rows and the
	// centre, Radius the greatest of them.
	Spread, Radius float64
	// LowRA to HighRA, from 0 to below 360, is the shortest arc of right ascension
	// that holds all rows; LowRA is the greater one where it crosses 0. If it takes
	// 180 or more, they are the least and the greatest.
	LowRA, HighRA   float64
	LowDec, HighDec float64
}

// Sky is of groups of positions on the sphere.
type Sky struct {
	groups []skyGroup
	ranges *Summary
}

type skyGroup struct {
	ra, dec float64 // the centre
	alike   bool    // all rows have one unit vector: the centre is the first row
	angles  moments // to the centre
	radius  float64
}

// NewSky returns a summary of groups whose centres are those of the rows of unit,
// unit vectors (see [join.UnitVectors]): row i is in group labels[i], or in none if
// that is negative. The same rows are then to be added as positions. It returns an
// error if labels do not fit unit.
func NewSky(groups int, labels []int32, unit *join.Points) (*Sky, error) {
	if len(labels) != unit.Rows() || unit.Dim() != 3 && unit.Rows() > 0 {
		return nil, fmt.Errorf("groups: %d labels for %d rows of %d coordinates, want one for each unit vector", len(labels), unit.Rows(), unit.Dim())
	}
	ranges, err := NewSummary(groups, 2, []float64{360, 0})
	if err != nil {
		return nil, err
	}
	s := &Sky{groups: make([]skyGroup, groups), ranges: ranges}
	sums, first := make([][3]twofold, groups), make([][3]float64, groups)
	for i, label := range labels {
		if label < 0 {
			continue
		}
		g, v := &s.groups[label], [3]float64(unit.Row(i))
		if first[label] == [3]float64{} {
			first[label], g.alike = v, true
		}
		g.alike = g.alike && v == first[label]
		for k, x := range v {
			sums[label][k] = sums[label][k].plus(twofold{hi: x})
		}
	}
	for i, sum := range sums {
		x, y, z := sum[0].value(), sum[1].value(), sum[2].value()
		s.groups[i].ra = turned(math.Atan2(y, x) * (180 / math.Pi))
		s.groups[i].dec = math.Atan2(z, math.Hypot(x, y)) * (180 / math.Pi)
	}
	return s, nil
}

// turned returns an angle in degrees as one from 0 to below 360.
func turned(deg float64) float64 {
	deg = math.Mod(deg, 360)
	if deg < 0 {
		deg += 360
	}
	if deg >= 360 || deg == 0 { // rounded up, or −0
		return 0
	}
	return deg
}

// Add adds a row to a group: right ascension, any finite number, and declination,
// from −90 to 90, in degrees.
func (s *Sky) Add(group int, ra, dec float64) {
	g := &s.groups[group]
	if g.alike && s.ranges.Rows(group) == 0 {
		g.ra, g.dec = turned(ra), dec
	}
	s.ranges.Add(group, []float64{turned(ra), dec})
	angle := join.GreatCircle(g.ra, g.dec, ra, dec)
	g.radius = max(g.radius, angle)
	g.angles.add(twofold{hi: angle})
}

// At returns the place of a group; zeros for a group without rows.
func (s *Sky) At(group int) Place {
	g, ra, dec := &s.groups[group], s.ranges.At(group, 0), s.ranges.At(group, 1)
	p := Place{
		RA: g.ra, Dec: g.dec, Radius: g.radius,
		LowRA: ra.Low, HighRA: ra.High, LowDec: dec.Low, HighDec: dec.High,
	}
	if n := s.ranges.Rows(group); n > 0 {
		p.Spread = g.angles.norm(n)
	}
	return p
}
