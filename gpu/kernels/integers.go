package kernels

import "math"

// IntegerLimit returns the greatest integer that a squared distance of rows of integer.cuh
// may be, by the predicate of package join, to be within eps2, which is not negative: of
// two such rows that are D apart, squared, the predicate's sum is D. It is never more than
// the greatest D there is, so that it fits 32 bits.
func IntegerLimit(eps2 float64, dim int) int64 {
	most := int64(dim) * 255 * 255
	if eps2 >= float64(most) {
		return most
	}
	return int64(math.Floor(eps2))
}

// mostMiddle is the greatest middle: integers, and differences of them, are exact in
// float64 as far as 2⁵³.
const mostMiddle = 1 << 52

// IntegerMiddles returns the middles of coordinates whose least and greatest values are lo
// and hi, if rows with these are such of integer.cuh when all of their coordinates are
// integers.
func IntegerMiddles(lo, hi []float64) ([]float64, bool) {
	if len(lo) > IntegerDims {
		return nil, false
	}
	middle := make([]float64, len(lo))
	for k, from := range lo {
		to := hi[k]
		if from != math.Floor(from) || to != math.Floor(to) || max(-from, to) > mostMiddle || to-from > 255 {
			return nil, false
		}
		middle[k] = from + math.Floor((to-from+1)/2)
	}
	return middle, true
}
