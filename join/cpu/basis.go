package cpu

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"rtcluster/join"
)

const (
	keyAxes     = 4       // axes that the tree is split along, at most
	boxAxes     = 16      // principal axes that nodes keep a rotated box in, at most
	sampleRows  = 20_000  // rows that variances and principal axes come from, at most
	sampleFlops = 4e8     // and fewer where rows·dim² would pass this
	unit        = 0x1p-53 // half an ulp of 1: one rounding's relative error
)

// basis is a linear map y = P(x − c) to a few axes. Rows along which the map
// spreads most come first. Split keys are its first keyAxes values; what they
// are never changes a result. Rotated boxes are used for bounds, see lowFactor.
type basis struct {
	center []float64
	coords []int       // variance basis: axis → coordinate
	axes   [][]float64 // principal basis: rows of P; else nil

	// lowFactor makes a lower bound of a squared distance from one between
	// rotated boxes: see rotatedBound.
	lowFactor float64
}

// rotated returns the number of axes that nodes keep a rotated box in.
func (b *basis) rotated() int { return len(b.axes) }

// keys returns the number of split keys.
func (b *basis) keys() int {
	if b.axes != nil {
		return min(keyAxes, len(b.axes))
	}
	return min(keyAxes, len(b.coords))
}

// newBasis chooses the axes from a sample of evenly spaced rows.
func newBasis(pts *join.Points, kind Basis) *basis {
	dim := pts.Dim()
	if kind == BasisAuto {
		kind = BasisVariance
		if dim > 3 {
			kind = BasisPCA
		}
	}
	b := &basis{center: make([]float64, dim)}
	sample := sampleOf(pts)
	variance := make([]float64, dim)
	for k := range dim {
		column := mat.Col(nil, k, sample)
		b.center[k], variance[k] = stat.PopMeanVariance(column, nil)
		b.coords = append(b.coords, k)
	}
	slices.SortStableFunc(b.coords, func(i, j int) int {
		switch {
		case variance[i] > variance[j]:
			return -1
		case variance[i] < variance[j]:
			return 1
		}
		return 0
	})
	if !allFinite(variance) || !allFinite(b.center) {
		clear(b.center)
		return b
	}
	if kind == BasisPCA {
		b.rotate(sample)
	}
	return b
}

// sampleOf returns some rows as a matrix, at least one row (of zeros if there
// is none).
func sampleOf(pts *join.Points) *mat.Dense {
	n, dim := pts.Rows(), pts.Dim()
	rows := min(n, sampleRows, max(4*dim, int(sampleFlops/float64(dim)/float64(dim))))
	m := mat.NewDense(max(rows, 1), dim, nil)
	for i := range rows {
		m.SetRow(i, pts.Row(int(int64(i)*int64(n)/int64(rows))))
	}
	return m
}

// rotate sets the principal axes of the sample, or leaves b as it is if they
// cannot be had.
func (b *basis) rotate(sample *mat.Dense) {
	rows, dim := sample.Dims()
	if rows < 2 {
		return
	}
	var cov mat.SymDense
	stat.CovarianceMatrix(&cov, sample, nil)
	for i := range dim {
		for j := range i + 1 {
			if v := cov.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return
			}
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(&cov, true) {
		return
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	axes := make([][]float64, min(dim, boxAxes))
	for k := range axes {
		axes[k] = mat.Col(nil, dim-1-k, &vectors) // eigenvalues ascend
		if !allFinite(axes[k]) {
			return
		}
	}
	b.axes, b.lowFactor = axes, rotatedBound(axes)
}

// rotatedBound returns the factor f for which f·g2 ≤ d2 holds for all rows x
// and z, where g2 is the squared distance computed between two boxes in the
// coordinates of P that hold P(x−c) and P(z−c), and d2 is the computed squared
// distance of the contract.
//
// With the spectral norm ‖P‖² = ‖PPᵀ‖ ≤ β, the greatest absolute row sum of
// PPᵀ, and D the true distance of x and z,
//
//	Σ gap² ≤ ‖P(x−z)‖² ≤ β·D².
//
// One gap takes one subtraction, g2 adds a square and at most m additions for
// m axes: g2 ≤ (1+u)^(m+3)·Σ gap². d2 has d terms of one subtraction (twice,
// through the square), a product and at most d additions, all positive:
// d2 ≥ (1−u)^(d+3)·D². Together d2 ≥ g2·(1−u)^(d+m+6)/β, of which
// 1 − 2(d+m+8)u is a lower bound with room for the two roundings here. The
// entries of PPᵀ are dot products of d terms with |P_i||P_j| ≤ 1.01, each wrong
// by at most 1.03(d+1)u, and so is their sum of m by 2m(d+m+1)u at most.
//
// The relative bounds hold as long as nothing under- or overflows: callers use
// the factor only where g2 lies between rotatedMin and rotatedMax. Gaps of
// 1e-140 and more dwarf what underflowed products, at most 2^-1074 each, lose.
func rotatedBound(axes [][]float64) float64 {
	m, d := float64(len(axes)), float64(len(axes[0]))
	var beta float64
	for _, p := range axes {
		var sum float64
		for _, q := range axes {
			var dot float64
			for k := range p {
				dot += p[k] * q[k]
			}
			sum += math.Abs(dot)
		}
		beta = max(beta, sum)
	}
	if beta > 1.01 {
		return 0 // no orthonormal axes: never trust them
	}
	beta += 2 * m * (d + m + 1) * unit
	return (1 - 2*(d+m+8)*unit) / beta
}

// The range of squared distances in which rotatedBound's argument holds.
const (
	rotatedMin = 1e-280
	rotatedMax = 1e280
)

// project sets y to P(x − c) and returns a bound e of the error of each value:
// |y_k − y'_k| ≤ e for the true y'.
//
// A value is a sum of d products of a rounded difference, so its error is at
// most γ·Σ|P_kj||x_j−c_j| ≤ γ·|P_k|·‖x−c‖ with γ = (d+2)u/(1−(d+2)u), and
// |P_k| ≤ 1.01 (rotatedBound refuses others). The norm is computed with a
// relative error below (d+3)u. The factor 2(d+4)u covers that, and one more
// rounding of y ∓ e, which is u·(|y|+e) ≤ 1.02u·‖x−c‖.
func (b *basis) project(y, x []float64) (e float64) {
	var norm2 float64
	for j, v := range x {
		diff := v - b.center[j]
		norm2 += diff * diff
	}
	for k, axis := range b.axes {
		var sum float64
		for j, v := range x {
			sum += axis[j] * (v - b.center[j])
		}
		y[k] = sum
	}
	return 2 * float64(len(x)+4) * unit * math.Sqrt(norm2)
}

// key sets the split keys of a row: rounded freely, always finite.
func (b *basis) key(dst *[keyAxes]float32, x, scratch []float64) {
	if b.axes == nil {
		for k := range b.keys() {
			j := b.coords[k]
			dst[k] = finiteKey(x[j] - b.center[j])
		}
		return
	}
	b.project(scratch, x)
	for k := range b.keys() {
		dst[k] = finiteKey(scratch[k])
	}
}

// finiteKey rounds v to float32 without infinities or NaN.
func finiteKey(v float64) float32 {
	if math.IsNaN(v) {
		return 0
	}
	return float32(min(max(v, -math.MaxFloat32), math.MaxFloat32))
}

func allFinite(x []float64) bool {
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
