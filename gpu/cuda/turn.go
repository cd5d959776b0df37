//go:build cuda

package cuda

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"rtcluster/join"
	"rtcluster/join/axes"
)

// turn maps rows x to y = σ·P(x − c).
type turn struct {
	dim          int
	coords       []int     // P as a permutation, or
	axes         []float64 // P transposed
	center       []float64 // c
	sigma        float64
	near, far    float64
	kappa, floor float64
}

const (
	turnDims    = 256 // coordinates up to which a rotation pays
	sampleRows  = 8_192
	sampleFlops = 4e7
)

func newTurn(pts *join.Points) *turn {
	n, dim := pts.Rows(), pts.Dim()
	t := &turn{dim: dim, near: 1, far: 1, sigma: 1, center: make([]float64, dim)}
	some := min(n, sampleRows, max(4*dim, int(sampleFlops/float64(dim)/float64(dim))))
	sample := mat.NewDense(max(some, 1), dim, nil)
	for i := range some {
		sample.SetRow(i, pts.Row(int(int64(i)*int64(n)/int64(some))))
	}
	variance := make([]float64, dim)
	for k := range dim {
		t.center[k], variance[k] = stat.PopMeanVariance(mat.Col(nil, k, sample), nil)
	}
	turned := false
	if dim > 3 && dim <= turnDims && some > 1 {
		var cov mat.SymDense
		stat.CovarianceMatrix(&cov, sample, nil)
		if r, ok := axes.Principal(&cov); ok {
			t.axes, t.near, t.far, turned = r.Axes, r.Near, r.Far, true
		}
	}
	if !turned {
		t.coords = axes.ByVariance(variance)
		for k := range dim {
			column := mat.Col(nil, k, sample)
			slices.Sort(column)
			t.center[k] = column[len(column)/2]
		}
	}
	var radius float64
	for k := range dim {
		var most float64
		for i := range n {
			most = max(most, math.Abs(pts.Row(i)[k]-t.center[k]))
		}
		radius = math.Hypot(radius, most)
	}
	if radius > 0 && radius <= math.MaxFloat64 {
		_, e := math.Frexp(radius * (1 + 0x1p-20))
		t.sigma = math.Ldexp(1, min(max(6-e, -1000), 1000))
	}
	d := float64(dim)
	t.kappa = 0x1p-24*(1+0x1p-20) + 2*(d+4)*math.Sqrt(d)*0x1p-53
	t.floor = math.Sqrt(d) * 0x1p-148
	return t
}

// apply turns a row.
func (t *turn) apply(y []float32, x []float64) {
	if t.coords != nil {
		for k, j := range t.coords {
			y[k] = tame(t.sigma * (x[j] - t.center[j]))
		}
		return
	}
	sum := make([]float64, t.dim)
	for j := range t.dim {
		d := t.sigma * (x[j] - t.center[j])
		for k, p := range t.axes[j*t.dim : (j+1)*t.dim] {
			sum[k] += p * d
		}
	}
	for k, v := range sum {
		y[k] = tame(v)
	}
}

// wild is what no turned row should be.
const wild = 1e30

// tame keeps y finite.
func tame(v float64) float32 {
	if math.IsNaN(v) {
		return wild
	}
	return float32(min(max(v, -wild), wild))
}
