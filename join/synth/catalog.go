package synth

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Star is a row of a synthetic star catalog. Positions are consistent: X, Y
// and Z follow from RA, Dec and Parallax, which have the digits of a printed
// catalog, and are rounded, to 10⁻⁶ pc in a Catalog.
type Star struct {
	SourceID int64   // 19 digits, beyond what float64 holds exactly; unique
	Name     string  // a number with leading zeros; unique
	RA, Dec  float64 // degrees, RA in [0, 360)
	Parallax float64 // milliarcseconds
	PMRA     float64 // proper motion in right ascension, times cos(Dec), mas a year; 0 in a Catalog
	PMDec    float64 // proper motion in declination, mas a year; 0 in a Catalog
	GMag     float64 // apparent magnitude
	X, Y, Z  float64 // parsecs
	Cluster  int32   // 0, 1, ... for members of a cluster, −1 for field stars
}

const (
	catalogRadius = 100 // parsecs
	maxCatalogID  = 6_900_000_000_000_000_000
	minCatalogID  = 1_000_000_000_000_000_000
)

// starCluster is a round Gaussian cluster of stars.
type starCluster struct {
	ra, dec, distance float64 // degrees, degrees, parsecs
	deviation         float64 // parsecs, in each direction
	share             float64 // of all stars
}

// starClusters returns the three clusters: one like the Hyades, one across the
// seam at right ascension 0°, and one about the north pole.
func starClusters() [3]starCluster {
	return [3]starCluster{
		{ra: 67, dec: 16, distance: 46, deviation: 2, share: 0.05},
		{ra: 0, dec: -30, distance: 80, deviation: 1.5, share: 0.03},
		{ra: 120, dec: 89.5, distance: 65, deviation: 1, share: 0.02},
	}
}

// Catalog returns n stars within 100 pc in no order: field stars uniform in
// the sphere and, mixed among them, the members of three clusters, a tenth of
// all. It is the same for the same seed, and empty if n is not positive.
func Catalog(n int, seed uint64) []Star {
	if n <= 0 {
		return nil
	}
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0xbf58476d1ce4e5b9))}
	stars := make([]Star, n)
	ids := make(map[int64]bool, n)
	digits := max(7, len(fmt.Sprint(n))+1)
	for i := range stars {
		s := &stars[i]
		s.Cluster = g.starCluster()
		for !g.place(s) {
		}
		s.GMag = round(g.magnitude(s.Parallax), 3)
		for s.SourceID == 0 || ids[s.SourceID] {
			s.SourceID = minCatalogID + g.Int64N(maxCatalogID-minCatalogID)
		}
		ids[s.SourceID] = true
		s.Name = fmt.Sprintf("%0*d", digits, i+1)
	}
	return stars
}

// starCluster draws the cluster of a star, −1 for the field.
func (g *generator) starCluster() int32 {
	u := g.Float64()
	for i, c := range starClusters() {
		if u < c.share {
			return int32(i)
		}
		u -= c.share
	}
	return -1
}

// place draws a position for s. It reports whether the position is inside the
// sphere, by its rounded parallax too.
func (g *generator) place(s *Star) bool {
	var p [3]float64
	if s.Cluster < 0 {
		for k := range p {
			p[k] = g.between(-catalogRadius, catalogRadius)
		}
	} else {
		c := starClusters()[s.Cluster]
		p = fromSky(c.ra, c.dec, c.distance)
		for k := range p {
			p[k] = g.normal(p[k], c.deviation)
		}
	}
	r := math.Hypot(math.Hypot(p[0], p[1]), p[2])
	if r > catalogRadius || r < 1 { // no star is nearer than 1 pc, and none has parallax 1000/0
		return false
	}
	const rad = 180 / math.Pi
	s.RA = round(math.Mod(float64(math.Atan2(p[1], p[0])*rad)+360, 360), 8)
	if s.RA == 360 { // rounded up
		s.RA = 0
	}
	s.Dec = round(math.Asin(p[2]/r)*rad, 8)
	s.Parallax = round(1000/r, 6)
	p = fromSky(s.RA, s.Dec, 1000/s.Parallax)
	s.X, s.Y, s.Z = round(p[0], 6), round(p[1], 6), round(p[2], 6)
	return s.Parallax >= 1000/catalogRadius
}

// magnitude draws an apparent magnitude for a star with the given parallax in
// milliarcseconds: an absolute one of 9 ± 3, and the distance modulus.
func (g *generator) magnitude(parallax float64) float64 {
	return g.normal(9, 3) + float64(5*math.Log10(1000/parallax)) - 5
}

// fromSky returns the place at a right ascension and declination, in degrees,
// and a distance.
func fromSky(ra, dec, distance float64) [3]float64 {
	sinRA, cosRA := math.Sincos(ra * (math.Pi / 180))
	sinDec, cosDec := math.Sincos(dec * (math.Pi / 180))
	return [3]float64{distance * cosDec * cosRA, distance * cosDec * sinRA, distance * sinDec}
}

// round rounds x to so many decimals, never to −0.
func round(x float64, decimals int) float64 {
	scale := math.Pow10(decimals)
	return math.Round(x*scale)/scale + 0
}
