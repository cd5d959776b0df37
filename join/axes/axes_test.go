package axes_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rtcluster/join/axes"
)

// TestPrincipal takes covariances apart again, and compares distances before and after.
func TestPrincipal(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, dim := range []int{1, 2, 5, 18, 64, 200} {
		half := mat.NewDense(dim, dim, nil)
		for i := range dim {
			for j := range dim {
				half.Set(i, j, r.NormFloat64()/float64(j+1))
			}
		}
		var cov mat.SymDense
		cov.SymOuterK(1, half)
		p, ok := axes.Principal(&cov)
		if !ok || p.Dim != dim || len(p.Axes) != dim*dim || len(p.Variance) != dim {
			t.Fatalf("dim %d: got %v, %+v", dim, ok, p)
		}
		if !slices.IsSortedFunc(p.Variance, func(a, b float64) int { return int(math.Copysign(1, b-a)) }) {
			t.Errorf("dim %d: variances do not fall: %v", dim, p.Variance)
		}
		if !(p.Near < 1 && p.Near > 1-1e-6 && p.Far > 1 && p.Far < 1+1e-6) {
			t.Errorf("dim %d: distortion from %v to %v", dim, p.Near, p.Far)
		}
		matrix := mat.NewDense(dim, dim, p.Axes) // Pᵀ
		var turned, along mat.Dense
		turned.Mul(matrix.T(), &cov)
		along.Mul(&turned, matrix)
		for i := range dim {
			for j := range dim {
				want := 0.0
				if i == j {
					want = p.Variance[i]
				}
				if got := along.At(i, j); math.Abs(got-want) > 1e-12*p.Variance[0] {
					t.Fatalf("dim %d: covariance %d, %d along the axes is %g, want %g", dim, i, j, got, want)
				}
			}
		}
		x := mat.NewVecDense(dim, nil)
		for k := range dim {
			x.SetVec(k, r.NormFloat64())
		}
		var y mat.VecDense
		y.MulVec(matrix.T(), x)
		if ratio := mat.Norm(&y, 2) / mat.Norm(x, 2); !(ratio >= p.Near && ratio <= p.Far) {
			t.Errorf("dim %d: a distance changes by %v, out of %v to %v", dim, ratio, p.Near, p.Far)
		}
	}
}

func TestPrincipalRefuses(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		if _, ok := axes.Principal(mat.NewSymDense(2, []float64{1, bad, bad, 1})); ok {
			t.Errorf("a covariance with %v has axes", bad)
		}
	}
}

func TestByVariance(t *testing.T) {
	for _, test := range []struct {
		variance []float64
		want     []int
	}{
		{nil, nil},
		{[]float64{1, 3, 2}, []int{1, 2, 0}},
		{[]float64{1, 1, 1}, []int{0, 1, 2}},
		{[]float64{0, math.Inf(1), 5}, []int{1, 2, 0}},
		{[]float64{math.NaN(), 1, math.NaN(), 2}, []int{3, 1, 0, 2}},
	} {
		if got := axes.ByVariance(test.variance); !slices.Equal(got, test.want) {
			t.Errorf("variances %v: got %v, want %v", test.variance, got, test.want)
		}
	}
}
