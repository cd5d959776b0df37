package chart

import (
	"fmt"
	"math"
)

// Range is the range of some values. The zero value is empty.
type Range struct {
	Min, Max float64
	Count    int64 // finite values
	Infinite int64
}

// Add takes a value. NaN is none.
func (r *Range) Add(x float64) {
	switch {
	case math.IsNaN(x):
	case math.IsInf(x, 0):
		r.Infinite++
	case r.Count == 0:
		r.Min, r.Max, r.Count = x, x, 1
	default:
		r.Min, r.Max, r.Count = min(r.Min, x), max(r.Max, x), r.Count+1
	}
}

// largest is up to where values can be drawn: axes need room for their ends.
const largest = 1e300

// Check refuses values that are too large for an axis.
func (r *Range) Check() error {
	if r.Max > largest || r.Min < -largest {
		return fmt.Errorf("the values %g to %g are too large to be drawn", r.Min, r.Max)
	}
	return nil
}

// padded are the ends of an axis: a little more than the range, and more than nothing
// where all values are equal, or differ by rounding only.
func (r *Range) padded() (least, most float64) {
	if r.Count == 0 {
		return 0, 1
	}
	const margin = 0.03
	span := r.Max - r.Min
	size := max(math.Abs(r.Min), math.Abs(r.Max))
	if span <= size*1e-12 {
		half := max(size*0.05, 1e-300)
		if size == 0 {
			half = 0.5
		}
		return r.Min - half, r.Max + half
	}
	return r.Min - margin*span, r.Max + margin*span
}
