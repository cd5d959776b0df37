// Package axes finds the axes that engines put rows on before they compare them: the
// principal ones of a sample, along which few tell who is near, with bounds for how
// far that changes a distance.
package axes

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// unit is the unit round-off of float64.
const unit = 0x1p-53

// Rotation is a square matrix P that is a rotation up to rounding. The axes along
// which the sample spreads most come first.
type Rotation struct {
	Dim      int
	Axes     []float64 // Pᵀ: Axes[j·Dim+k] weighs coordinate j in axis k
	Variance []float64 // of the sample, along the axes

	// Near and Far say by how much P changes a distance:
	// Near²·‖x−z‖² ≤ ‖P(x−z)‖² ≤ Far²·‖x−z‖².
	Near, Far float64
}

// Principal returns the principal axes of rows with this covariance. It returns false
// if they cannot be had, as where the covariance is not finite.
func Principal(cov *mat.SymDense) (*Rotation, bool) {
	var eigen mat.EigenSym
	if !Finite(cov.RawSymmetric().Data) || !eigen.Factorize(cov, true) {
		return nil, false
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	dim := cov.SymmetricDim()
	r := &Rotation{Dim: dim, Axes: make([]float64, dim*dim), Variance: eigen.Values(nil)}
	slices.Reverse(r.Variance) // they ascend
	for j := range dim {
		for k := range dim {
			r.Axes[j*dim+k] = vectors.At(j, dim-1-k)
		}
	}
	return r, Finite(r.Axes) && r.setDistortion()
}

// setDistortion sets Near and Far. With E = PPᵀ − I, the squared singular
// values of the square matrix P lie within 1 ± ‖E‖, and ‖E‖ ≤ ω, the greatest
// absolute row sum of E. Each entry is computed with an error of at most
// (d+2)u·|P_i||P_j| ≤ 1.1(d+2)u, so a row sum with 2d(d+2)u at most.
func (r *Rotation) setDistortion() bool {
	d := r.Dim
	p := mat.NewDense(d, d, r.Axes) // Pᵀ
	var gram mat.Dense
	gram.Mul(p.T(), p) // PPᵀ
	var omega float64
	for i := range d {
		var sum float64
		for j := range d {
			e := gram.At(i, j)
			if i == j {
				e--
			}
			sum += math.Abs(e)
		}
		omega = max(omega, sum)
	}
	omega += 2 * float64(d*(d+2)) * unit
	if !(omega < 1e-6) {
		return false
	}
	r.Near, r.Far = 1-omega, 1+omega // beyond the roots of 1 ∓ ω
	return true
}

// ByVariance returns the coordinates in the order of their variances, the greatest
// first; of equals, the first.
func ByVariance(variance []float64) []int {
	coords := make([]int, len(variance))
	for k := range coords {
		coords[k] = k
	}
	slices.SortStableFunc(coords, func(i, j int) int { return cmp.Compare(variance[j], variance[i]) })
	return coords
}

// Finite reports whether no element is NaN or infinite.
func Finite(x []float64) bool {
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
