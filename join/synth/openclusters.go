package synth

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// openCluster is a cluster of stars that move together, by its published means.
type openCluster struct {
	ra, dec      float64 // degrees
	parallax     float64 // milliarcseconds
	pmra, pmdec  float64 // milliarcseconds a year, that of right ascension times cos(dec)
	radial       float64 // km/s, away from the Sun
	deviation    float64 // parsecs, in each direction
	spread       float64 // km/s, in each direction
	share        float64 // of all stars
	brightestMag float64 // absolute
}

// openClusters returns the Hyades and the Pleiades. Parallaxes and proper motions are
// those of Gaia Collaboration, Babusiaux et al. 2018,
// https://doi.org/10.1051/0004-6361/201832843; the centres are those of SIMBAD,
// https://doi.org/10.1051/aas:2000332. Radial velocities are rounded, and the sizes
// are of the order of what Perryman et al. 1998 find for the Hyades (core radius 2.7 pc,
// dispersion 0.3 km/s), https://doi.org/10.48550/arXiv.astro-ph/9707253.
func openClusters() [2]openCluster {
	return [2]openCluster{
		{
			ra: 66.725, dec: 15.867, parallax: 21.052, pmra: 101.005, pmdec: -28.490, radial: 39,
			deviation: 2.7, spread: 0.3, share: 0.01, brightestMag: 0,
		},
		{
			ra: 56.75, dec: 24.117, parallax: 7.364, pmra: 19.997, pmdec: -45.548, radial: 6,
			deviation: 1.8, spread: 0.5, share: 0.01, brightestMag: -2,
		},
	}
}

const (
	openRadius    = 150     // parsecs
	kmPerSecond   = 4.74047 // km/s that are an astronomical unit a year
	parallaxError = 0.04    // milliarcseconds
	motionError   = 0.05    // milliarcseconds a year
)

// OpenClusters returns n stars within about 150 pc in no order, with proper motions: field
// stars uniform in the sphere and, mixed among them, members of the Hyades (Cluster 0) and
// the Pleiades (Cluster 1), a hundredth of all each. It is the same for the same seed,
// and empty if n is not positive. The stars are made up; only the means of the clusters
// are those of the sky.
func OpenClusters(n int, seed uint64) []Star {
	if n <= 0 {
		return nil
	}
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x94d049bb133111eb))}
	stars := make([]Star, n)
	ids := make(map[int64]bool, n)
	digits := max(7, len(fmt.Sprint(n))+1)
	for i := range stars {
		s := &stars[i]
		g.openStar(s)
		for s.SourceID == 0 || ids[s.SourceID] {
			s.SourceID = minCatalogID + g.Int64N(maxCatalogID-minCatalogID)
		}
		ids[s.SourceID] = true
		s.Name = fmt.Sprintf("%0*d", digits, i+1)
	}
	return stars
}

// openStar draws the place, the motion and the magnitude of a star.
func (g *generator) openStar(s *Star) {
	s.Cluster = -1
	u := g.Float64()
	for i, c := range openClusters() {
		if u >= 0 && u < c.share {
			s.Cluster = int32(i)
		}
		u -= c.share
	}
	var p, v [3]float64
	if s.Cluster < 0 {
		p = g.inBall(openRadius)
		for k, deviation := range [3]float64{30, 30, 30} { // about that of the disk's stars, in km/s
			v[k] = g.normal(0, deviation)
		}
	} else {
		c := openClusters()[s.Cluster]
		p = fromSky(c.ra, c.dec, 1000/c.parallax)
		v = c.velocity()
		for k := range p {
			p[k] = g.normal(p[k], c.deviation)
			v[k] = g.normal(v[k], c.spread)
		}
	}
	s.observe(p, v)
	s.Parallax = round(g.normal(s.Parallax, parallaxError), 4)
	s.PMRA = round(g.normal(s.PMRA, motionError), 3)
	s.PMDec = round(g.normal(s.PMDec, motionError), 3)
	s.GMag = round(g.openMagnitude(s), 3)
	p = fromSky(s.RA, s.Dec, 1000/s.Parallax)
	s.X, s.Y, s.Z = round(p[0], 4), round(p[1], 4), round(p[2], 4)
}

// inBall draws a place in a ball about the origin, but not within 1 pc.
func (g *generator) inBall(radius float64) [3]float64 {
	for {
		p := [3]float64{g.between(-radius, radius), g.between(-radius, radius), g.between(-radius, radius)}
		if r := math.Hypot(math.Hypot(p[0], p[1]), p[2]); r >= 1 && r <= radius {
			return p
		}
	}
}

// openMagnitude draws an apparent magnitude: members are as bright as their cluster's
// brightest or fainter by up to 8, field stars of absolute magnitude 6 ± 2.5.
func (g *generator) openMagnitude(s *Star) float64 {
	absolute := g.normal(6, 2.5)
	if s.Cluster >= 0 {
		absolute = openClusters()[s.Cluster].brightestMag + float64(8*math.Sqrt(g.Float64()))
	}
	return absolute + float64(5*math.Log10(1000/s.Parallax)) - 5
}

// velocity returns the velocity in km/s, along the axes of X, Y and Z.
func (c *openCluster) velocity() [3]float64 {
	away, east, north := directions(c.ra, c.dec)
	var v [3]float64
	for k := range v {
		along := float64(c.pmra*east[k]) + float64(c.pmdec*north[k])
		v[k] = float64(c.radial*away[k]) + float64(kmPerSecond/c.parallax*along)
	}
	return v
}

// observe sets what is seen of a star at p, in parsecs, that moves with v, in km/s.
func (s *Star) observe(p, v [3]float64) {
	const rad = 180 / math.Pi
	r := math.Hypot(math.Hypot(p[0], p[1]), p[2])
	s.RA = math.Mod(round(math.Mod(float64(math.Atan2(p[1], p[0])*rad)+360, 360), 8), 360)
	s.Dec = round(math.Asin(p[2]/r)*rad, 8)
	s.Parallax = 1000 / r
	_, east, north := directions(s.RA, s.Dec)
	for k := range v {
		s.PMRA += float64(v[k] * east[k] * s.Parallax / kmPerSecond)
		s.PMDec += float64(v[k] * north[k] * s.Parallax / kmPerSecond)
	}
}

// directions returns unit vectors at a place on the sky, in degrees: away from the Sun, to
// the east and to the north.
func directions(ra, dec float64) (away, east, north [3]float64) {
	sinRA, cosRA := math.Sincos(ra * (math.Pi / 180))
	sinDec, cosDec := math.Sincos(dec * (math.Pi / 180))
	return [3]float64{cosDec * cosRA, cosDec * sinRA, sinDec},
		[3]float64{-sinRA, cosRA, 0},
		[3]float64{-sinDec * cosRA, -sinDec * sinRA, cosDec}
}
