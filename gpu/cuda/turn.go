//go:build cuda

package cuda

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"rtcluster/gpu/kernels"
	"rtcluster/join"
	"rtcluster/join/axes"
)

// turn says how rows x become turned ones, y = fl32(σ·P(x − c)): P is a rotation to the
// principal axes of a sample, or a permutation of the coordinates; either way those of
// greatest variance come first. σ is a power of two, so that float32 and float16 serve
// any data.
//
// # How far y is off
//
// Let u = 2⁻²⁴, v = 2⁻⁵³, d = dim, and z = σP(x − c) without an error, in the norm ‖·‖.
// For two rows that are D apart, σ·near·D ≤ ‖z − z'‖ ≤ σ·far·D (package axes). The card
// computes, coordinate by coordinate (turn.cu):
//
//	t_j = σ·fl(x_j − c_j)     relative error v; scaling adds at most 2⁻¹⁰⁷⁵ where it underflows
//	s_k = Σ_j P_kj·t_j        d products and sums in float64, fused
//	y_k = fl32(s_k)           at most u·|y_k|, and 2⁻¹⁵⁰ where it underflows
//
// A fused step rounds once, so |s_k − z_k| ≤ 1.01(d+1)v·Σ_j|P_kj|·|σ(x_j − c_j)| and, the
// matrix of the |P_kj| having a norm of at most its Frobenius norm, which is at most
// √d·far,
//
//	‖s − z‖ ≤ 1.01(d+1)v·√d·far·‖σ(x − c)‖ ≤ g·‖z‖,  g = 1.02(d+2)√d·v·far/near
//
// but for what underflows: d steps and a scaling by 2⁻¹⁰⁷⁵ for each coordinate, far below
// 2⁻¹⁵⁰. For a permutation s = t, which the same g covers. So E = ‖y − z‖ is at most
// u‖y‖ + √d·2⁻¹⁵⁰·1.01 + g(‖y‖ + E), and with g ≤ 10⁻⁶ that is
//
//	E ≤ kappa·‖y‖ + floor,  kappa = (u + g)(1 + 2g),  floor = √d·2⁻¹⁴⁹
//
// It holds as long as nothing overflows: then y is not below wild, which reach tells.
type turn struct {
	dim      int
	axes     []float64 // Pᵀ, axes[j·dim+k] weighs coordinate j in axis k; nil for a permutation
	coords   []int32   // permutation: the coordinate of axis k
	center   []float64 // c
	variance []float64 // of the sample along the axes, not scaled
	lead     int       // axes that trees are split along
	sigma    float64

	near, far, kappa, floor float64

	// On the card: axes or coords, then the center.
	axesAt, coordsAt, centerAt uint64
}

const (
	turnDims    = 256  // coordinates up to which a rotation pays for its n·d² operations
	medianRows  = 4096 // of the sample that the center of few coordinates comes from
	medianMost  = 1024 // of that of many
	scaleRadius = 6    // σ‖x − c‖ is below 2 to this
	// wild is what a turned coordinate is given that is larger, infinite or NaN.
	wild = kernels.Wild
)

// rotates reports whether rows of so many coordinates are to be rotated.
func rotates(rows, dim int) bool { return rows > 1 && dim > 3 && dim <= turnDims }

// rotation returns the turn to the principal axes of rows with this covariance, or nil
// if there is none.
func rotation(center, cov []float64) *turn {
	dim := len(center)
	if !axes.Finite(center) {
		return nil
	}
	r, ok := axes.Principal(mat.NewSymDense(dim, cov))
	if !ok {
		return nil
	}
	t := &turn{dim: dim, axes: r.Axes, center: center, variance: r.Variance, near: r.Near, far: r.Far}
	t.finish()
	return t
}

// permutation returns the turn that orders the coordinates by variance, centered on the
// median, which rows that are far off do not move.
func permutation(pts *join.Points, threads int) *turn {
	n, dim := pts.Rows(), pts.Dim()
	sample := sampling{rows: n, count: min(n, medianRows)}
	if dim > 3 {
		sample.count = min(n, medianMost)
	}
	center, spread := make([]float64, dim), make([]float64, dim)
	if n > 0 {
		inParallel(threads, dim, func(from, to int) {
			column := make([]float64, sample.count)
			for k := from; k < to; k++ {
				for i := range column {
					column[i] = pts.Data()[sample.row(i)*dim+k]
				}
				slices.Sort(column)
				center[k] = column[len(column)/2]
				for _, x := range column {
					spread[k] += (x - center[k]) / float64(len(column)) * (x - center[k]) // first so that less overflows
				}
			}
		})
	}
	t := &turn{dim: dim, center: center, near: 1, far: 1}
	for _, k := range axes.ByVariance(spread) {
		t.coords = append(t.coords, int32(k))
		t.variance = append(t.variance, spread[k])
	}
	t.finish()
	return t
}

// finish sets what follows from the axes.
func (t *turn) finish() {
	d := float64(t.dim)
	g := 1.02 * (d + 2) * math.Sqrt(d) * 0x1p-53 * t.far / t.near
	t.kappa, t.floor = (0x1p-24+g)*(1+2*g)*(1+0x1p-40), math.Sqrt(d)*0x1p-149*(1+0x1p-40)
	t.lead = leadOf(t.variance)
	t.sigma = 1
}

// setScale sets σ for rows in the box from lo to hi.
func (t *turn) setScale(lo, hi []float64) {
	var radius float64
	for k, c := range t.center {
		radius = math.Hypot(radius, max(hi[k]-c, c-lo[k]))
	}
	t.sigma = powerFor(radius * t.far * (1 + 0x1p-20))
}

// powerFor returns a power of two that takes a radius below 2^scaleRadius; for one that
// is 0 or not finite, 1.
func powerFor(radius float64) float64 {
	if !(radius > 0) || math.IsInf(radius, 1) {
		return 1
	}
	_, exponent := math.Frexp(radius)
	return math.Ldexp(1, min(max(scaleRadius-exponent, -1000), 1000))
}

// stride is how many float32 a row has of the axes that trees are split along.
func (t *turn) stride() int {
	if t.lead > 4 {
		return 8
	}
	return 4
}
