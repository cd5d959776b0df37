package cpu

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"rtcluster/join"
	"rtcluster/join/axes"
	"rtcluster/join/internal/dist"
)

const (
	keyAxes     = 4     // axes that the tree is split along, at most
	pcaDims     = 256   // coordinates up to which a rotation pays for its n·d² operations
	sampleRows  = 8_192 // rows that variances and principal axes come from, at most
	flatDims    = 16    // coordinates from which on products pay where the basis is flat
	sampleFlops = 4e7   // and fewer where rows·dim² would pass this, but 4·dim
	unit        = 0x1p-53
)

// basis maps rows to the axes of the tree, y = σ·P(x − c). P is a rotation to
// the principal axes, or a permutation of the coordinates (then c is 0 and y
// exact); σ is a power of two that brings the data near 1, so that float32
// serves any data. The axes along which rows spread most come first.
type basis struct {
	opt    Options
	dim    int
	coords []int     // permutation: axis → coordinate; nil for a rotation
	center []float64 // c
	axes   []float64 // Pᵀ, axes[j·dim+k] weighs coordinate j in axis k
	sigma  float64

	// near and far say by how much a distance may change in the rotation:
	// near²·D² ≤ |P(x−z)|² ≤ far²·D². Both are 1 for a permutation.
	near, far float64
	// low and high turn squared distances between rotated boxes into bounds
	// of the contract's squared distance, see rotationBounds.
	low, high float64

	// flat tells that rows spread along all axes alike, so that no few of them tell
	// who is near.
	flat bool

	// lead is the number of leading axes, or dim; see chooseLead. 0 before the tree
	// that the basis is for has chosen it.
	lead int
	// boxed is the number of leading axes along which boxes tell what is apart: lead, or
	// what the options say.
	boxed int
}

// rotated reports whether P is a rotation that bounds may rely on.
func (b *basis) rotated() bool { return b.coords == nil }

// newBasis chooses the axes from a sample of evenly spaced rows.
func newBasis(ctx context.Context, pts *join.Points, opt Options) (*basis, error) {
	dim, kind := pts.Dim(), opt.Basis
	if kind == BasisAuto {
		kind = BasisVariance
		if dim > 3 && dim <= pcaDims {
			kind = BasisPCA
		}
	}
	b := &basis{opt: opt, dim: dim, near: 1, far: 1}
	variance := make([]float64, dim)
	extent, err := extentOf(ctx, pts, opt.Threads, func() { b.choose(sampleOf(pts), kind, variance) })
	if err != nil {
		return nil, err
	}
	b.setScale(extent, variance)
	return b, nil
}

// choose sets the axes by a sample, and variance to that along the coordinates.
func (b *basis) choose(sample *mat.Dense, kind Basis, variance []float64) {
	b.center = make([]float64, b.dim)
	for k := range b.dim {
		b.center[k], variance[k] = stat.PopMeanVariance(mat.Col(nil, k, sample), nil)
	}
	along := variance // the axes
	if kind != BasisPCA || !axes.Finite(variance) || !axes.Finite(b.center) || !b.rotate(sample, &along) {
		b.permute(variance)
		along = variance
	}
	b.flat = isFlat(along)
}

// isFlat reports whether a quarter of the axes, those along which rows spread most,
// have less than half of the variance.
func isFlat(variance []float64) bool {
	if len(variance) < flatDims {
		return false
	}
	sorted := slices.Sorted(slices.Values(variance))
	var all, most float64
	for k, v := range sorted {
		all += v
		if k >= len(sorted)-len(sorted)/4 {
			most += v
		}
	}
	return most < all/2
}

// permute orders the coordinates, by variance unless the options say otherwise.
func (b *basis) permute(variance []float64) {
	clear(b.center)
	b.axes, b.near, b.far = nil, 1, 1
	b.coords = axes.ByVariance(variance)
	switch b.opt.Basis {
	case BasisLowest:
		slices.Reverse(b.coords)
	case BasisRandom:
		r := rand.New(rand.NewPCG(b.opt.Seed, 0))
		r.Shuffle(len(b.coords), func(i, j int) { b.coords[i], b.coords[j] = b.coords[j], b.coords[i] })
	}
}

// extentOf returns the greatest extent of the points along a coordinate. One of the
// threads begins with something else.
func extentOf(ctx context.Context, pts *join.Points, threads int, other func()) (float64, error) {
	n, dim := pts.Rows(), pts.Dim()
	boxes := make([][]float64, (n+keyChunk-1)/keyChunk)
	err := forEach(ctx, threads, 1+len(boxes), func(int) func(task int) error {
		return func(task int) error {
			if task == 0 {
				other()
				return nil
			}
			from, to := (task-1)*keyChunk, min(n, task*keyChunk)
			boxes[task-1] = make([]float64, 2*dim)
			dist.Bounds(boxes[task-1], pts.Data()[from*dim:to*dim], dim)
			return nil
		}
	})
	if err != nil || n == 0 {
		return 0, err
	}
	all := boxes[0]
	for _, box := range boxes[1:] {
		uniteBox(all, all, box)
	}
	var extent float64
	for k := range dim {
		extent = max(extent, all[dim+k]-all[k])
	}
	return extent, nil
}

// setScale sets σ from the greatest extent of the points. The bounds on rotated
// boxes need 1/σ² in range; where it is not, the basis is a permutation.
func (b *basis) setScale(extent float64, variance []float64) {
	b.sigma = 1
	if extent > 0 && !math.IsInf(extent, 1) {
		_, exponent := math.Frexp(extent)
		b.sigma = math.Ldexp(1, min(max(-exponent, -1000), 1000))
	}
	if b.rotated() {
		if back := 1 / b.sigma / b.sigma; back > 1e-280 && back < 1e280 {
			b.low, b.high = rotationBounds(b.dim, b.near, b.far)
			b.low, b.high = b.low*back, b.high*back
		} else {
			b.permute(variance)
		}
	}
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

// rotate sets the principal axes of the sample, and variance to that along them, and
// reports whether they can be had.
func (b *basis) rotate(sample *mat.Dense, variance *[]float64) bool {
	if rows, _ := sample.Dims(); rows < 2 {
		return false
	}
	var cov mat.SymDense
	stat.CovarianceMatrix(&cov, sample, nil)
	r, ok := axes.Principal(&cov)
	if !ok {
		return false
	}
	b.axes, b.near, b.far, *variance = r.Axes, r.Near, r.Far, r.Variance
	return true
}

// rotationBounds returns factors low and high for σ = 1: for rows x and z in
// two boxes that hold P(x−c) and P(z−c), with g2 the squared gap and r2 the
// squared reach computed between the boxes in any order of summation, fused or
// not,
//
//	low·g2 ≤ d2 ≤ high·r2
//
// where d2 is the computed squared distance of the contract. Let D be the true
// distance. One gap takes a subtraction, a square and at most d additions, all
// of non-negative terms, so g2 ≤ (1+u)^(d+3)·Σgap² ≤ (1+u)^(d+3)·far²·D²; d2
// has d terms of a subtraction (squared: twice) and a product, and at most d
// additions: d2 ≥ (1−u)^(d+3)·D². Likewise upwards. The factors leave room for
// their own rounding.
//
// The argument is relative: it holds as long as nothing under- or overflows.
// Callers use it for values within rotatedMin and rotatedMax only, before and
// after the scaling; coordinates of 1e-140 dwarf what underflowed products, at
// most 2^-1074 each, lose.
func rotationBounds(dim int, near, far float64) (low, high float64) {
	g := 4 * float64(dim+6) * unit
	return (1 - g) / (far * far), (1 + g) / (near * near)
}

// The range of squared distances in which rotationBounds' argument holds.
const (
	rotatedMin = 1e-280
	rotatedMax = 1e280
)

// apply sets y, rows × m, to the first m axes of rows of coordinates x.
func (b *basis) apply(y, x []float64, rows, m int) {
	if b.rotated() {
		turn := b.axes
		if m < b.dim {
			turn = b.leading(m)
		}
		dist.Rotate(y[:rows*m], x[:rows*b.dim], b.center, turn, rows, m)
		for i := range y[:rows*m] {
			y[i] *= b.sigma
		}
		return
	}
	for i := range rows {
		for k := range m {
			y[i*m+k] = x[i*b.dim+b.coords[k]] * b.sigma
		}
	}
}

// leading returns the first m axes, transposed like axes.
func (b *basis) leading(m int) []float64 {
	out := make([]float64, b.dim*m)
	for j := range b.dim {
		copy(out[j*m:(j+1)*m], b.axes[j*b.dim:])
	}
	return out
}

// errorIn returns a bound e of the error of each coordinate of apply(x) for all
// rows x in a box, and sqrt(d)·e of its norm's. A permutation has none: σ·x is
// exact (or, if it underflows, wrong by 2^-1075, which the guard's floor covers;
// if it overflows, the leaf's spread is not finite and float32 decides nothing).
// Squares below 1e-324 count as none: what such rows lose is far below
// rotatedMin.
//
// A coordinate is a sum of d products of a rounded difference, fused or not, so
// its error is at most γ·Σ|P_kj||x_j−c_j| ≤ γ·|P_k|·‖x−c‖ with
// γ = (d+2)u/(1−(d+2)u) and |P_k| ≤ far. In a box, |x_j−c_j| is greatest at one
// of its bounds, and so is the computed difference. The norm is computed with a
// relative error below (d+3)u. The factor 2(d+4)u covers that, and one more
// rounding of y ∓ e, at most u·(|y|+e).
func (b *basis) errorIn(box []float64) float64 {
	var norm2 float64
	for j, c := range b.center {
		diff := max(math.Abs(box[j]-c), math.Abs(box[b.dim+j]-c)) * b.sigma
		norm2 += diff * diff
	}
	return 2 * float64(b.dim+4) * unit * math.Sqrt(norm2)
}
