package chart

import "math"

// Extent is the part of the sky in which there are rows. Its zero value is ready.
type Extent struct {
	bins [360]Range // of right ascension, a degree each
	dec  Range
}

// Add takes a position in degrees. It returns false for one that is none: a
// declination outside of -90 to 90, or a right ascension that is not finite. Of NaN
// there is no row.
func (e *Extent) Add(ra, dec float64) bool {
	switch {
	case math.IsNaN(ra) || math.IsNaN(dec):
		return true
	case math.IsInf(ra, 0) || !(math.Abs(dec) <= 90):
		return false
	}
	ra = turned(ra)
	e.bins[min(int(ra), len(e.bins)-1)].Add(ra)
	e.dec.Add(dec)
	return true
}

// turned is an angle as 0 to below 360 degrees.
func turned(angle float64) float64 {
	if angle = math.Mod(angle, 360); angle < 0 {
		angle += 360
	}
	if angle >= 360 { // a tiny one, rounded
		return 0
	}
	return angle
}

// arc is the smallest arc of right ascension that has all rows: its middle and its
// length in degrees.
func (e *Extent) arc() (middle, length float64) {
	n, gap, from := len(e.bins), -1., 0.
	last := math.NaN() // right ascension of the row before
	for i := range 2 * n {
		b, turn := &e.bins[i%n], 360*float64(i/n)
		if b.Count == 0 {
			continue
		}
		if first := b.Min + turn; i >= n && first-last > gap {
			gap, from = first-last, first
		} else if i < n && !math.IsNaN(last) && first-last > gap {
			gap, from = first-last, first
		}
		last = b.Max + turn
		if i >= n {
			break // the first bin once more
		}
	}
	if gap < 0 {
		return 180, 360
	}
	length = 360 - gap
	return turned(from + length/2), length
}
