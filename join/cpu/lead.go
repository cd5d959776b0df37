package cpu

import (
	"math"
	"slices"

	"rtcluster/join"
)

// Data of many coordinates often spread along few axes only: of 90 measured
// quantities, ten may be free and the others follow from them, but for noise. Then
// the leading axes tell who is near, and the others can be bounded as a whole: a
// tail is the norm of a row along the axes behind the leading ones. For rows x
// and z of two leaves, with w their difference on the axes,
//
//	‖w‖² = ‖lead‖² + ‖tail‖²,  0 ≤ ‖tail‖ ≤ R = tail of x's leaf + tail of z's leaf
//
// so that a sum over the leading axes alone decides all pairs but those in a band
// that is wider by R². The derivation stands in package dist.
const (
	// tailShare is how large R² may be beside the squared limit, for a pair of
	// leaves to be measured along the leading axes alone: so few pairs are in the band.
	tailShare = 1.0 / 64

	leadSample = 16 // leaves that tell how many axes lead
)

// chooseLead returns how many axes lead: so many that in most leaves of a sample,
// tails are short beside the distances between the leaf's rows; or all.
func chooseLead(t *tree) int {
	dim, b := t.dim, t.basis
	if !b.rotated() || b.flat {
		return dim
	}
	var leads []int
	x, y := make([]float64, leafRows*dim), make([]float64, leafRows*dim)
	for i := range min(leadSample, t.leaves) {
		a := int(int64(i) * int64(t.leaves) / int64(min(leadSample, t.leaves)))
		n := t.size(a) * dim
		t.gather(x[:n], a)
		b.apply(y[:n], x[:n], t.size(a), dim)
		leads = append(leads, leadOf(y[:n], dim))
	}
	slices.Sort(leads)
	lead := leads[len(leads)*3/4]
	if lead > dim*2/5 {
		return dim // too little to gain
	}
	return lead
}

// leadOf returns the number of axes that lead among the rows of a leaf, y.
func leadOf(y []float64, dim int) int {
	var apart []float64 // squared distances of rows that stand side by side
	tails := make([]float64, dim+1)
	for row := y; len(row) > 0; row = row[dim:] {
		var tail float64
		for k := dim - 1; k >= 0; k-- {
			tail += row[k] * row[k]
			tails[k] = max(tails[k], tail)
		}
		if len(row) > dim {
			apart = append(apart, join.SquaredDistance(row[:dim], row[dim:2*dim]))
		}
	}
	if len(apart) == 0 {
		return dim
	}
	slices.Sort(apart)
	limit := apart[len(apart)/2] * tailShare / 4
	for k, tail := range tails[:dim] {
		if k > 0 && tail <= limit {
			return k
		}
	}
	return dim
}

// tailOf returns a bound of the tails of n rows on the axes, y, whose errors have
// norms of at most err.
func tailOf(y []float64, n, dim, lead int, err float64) float64 {
	var most float64
	for i := range n {
		var tail float64
		for _, v := range y[i*dim+lead : (i+1)*dim] {
			tail += v * v
		}
		most = max(most, tail)
	}
	return math.Sqrt(most)*(1+1e-9) + 1.0001*err
}
