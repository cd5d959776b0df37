package axes_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"rtcluster/join/axes"
)

// TestLead compares axes with those of the covariance, in each shape.
func TestLead(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, shape := range []struct{ rows, dim int }{{0, 3}, {1, 3}, {2, 2}, {2, 5}, {3, 40}, {20, 60}, {50, 7}} {
		rows := make([]float64, shape.rows*shape.dim)
		for i := range rows {
			rows[i] = 1000 + r.NormFloat64()/float64(1+i%shape.dim)
		}
		got, err := axes.Lead(context.Background(), rows, shape.dim, 2)
		if err != nil || got == nil || len(got.Axes) != 2 || len(got.Variance) != 2 {
			t.Fatalf("%v: got %+v, %v", shape, got, err)
		}
		var products mat.Dense
		products.Mul(mat.NewDense(2, shape.dim, append(append([]float64{}, got.Axes[0]...), got.Axes[1]...)),
			mat.NewDense(2, shape.dim, append(append([]float64{}, got.Axes[0]...), got.Axes[1]...)).T())
		if !mat.EqualApprox(&products, mat.NewDiagDense(2, []float64{1, 1}), 1e-10) {
			t.Errorf("%v: products of the axes are %v", shape, mat.Formatted(&products))
		}
		if shape.rows < 2 {
			if got.Variance[0] != 0 || got.Total != 0 {
				t.Errorf("%v: variance %v of %v", shape, got.Variance, got.Total)
			}
			continue
		}
		var cov mat.SymDense
		stat.CovarianceMatrix(&cov, mat.NewDense(shape.rows, shape.dim, rows), nil)
		want, ok := axes.Principal(&cov)
		if !ok {
			t.Fatal("no axes")
		}
		if total := floats.Sum(want.Variance); math.Abs(got.Total-total) > 1e-9*total {
			t.Errorf("%v: total %g, want %g", shape, got.Total, total)
		}
		for k := range min(2, shape.rows-1) { // the others do not spread
			if math.Abs(got.Variance[k]-want.Variance[k]) > 1e-9*want.Variance[0] {
				t.Errorf("%v: variance %d is %g, want %g", shape, k, got.Variance[k], want.Variance[k])
			}
			var product float64
			for j := range shape.dim {
				product += got.Axes[k][j] * want.Axes[j*shape.dim+k]
			}
			if math.Abs(math.Abs(product)-1) > 1e-8 {
				t.Errorf("%v: axis %d and that of the covariance have product %g", shape, k, product)
			}
		}
	}
}

func TestLeadRefuses(t *testing.T) {
	if got, err := axes.Lead(context.Background(), []float64{1e300, 0, -1e300, 0}, 2, 2); got != nil || err != nil {
		t.Errorf("values whose squares overflow have axes %+v, error %v", got, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := axes.Lead(ctx, []float64{1, 2, 3, 4}, 2, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got error %v", err)
	}
}
