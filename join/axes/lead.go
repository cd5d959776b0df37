package axes

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Leading are the principal axes along which some rows spread most.
type Leading struct {
	Mean     []float64
	Axes     [][]float64 // of length 1, at right angles to each other
	Variance []float64   // along them, the greatest first
	Total    float64     // along all axes
}

// Lead returns so many principal axes, at most dim, of rows that have very many
// coordinates. It is nil if they cannot be had, as where the sums overflow.
//
// With the rows less their mean as X, it takes the Gram matrix XXᵀ apart, which is as
// large as the rows are many: its eigenvalues are those of XᵀX but for zeros, and an
// eigenvector u of λ has the axis Xᵀu/√λ (I. T. Jolliffe, Principal Component Analysis,
// 2002, doi:10.1007/b98835, section 3.5). Where rows do not spread, any direction is an
// axis. Rows that are as many as coordinates are [Principal]'s.
func Lead(ctx context.Context, rows []float64, dim, number int) (*Leading, error) {
	n := len(rows) / dim
	l := &Leading{Mean: make([]float64, dim)}
	row := func(i int) []float64 { return rows[i*dim : (i+1)*dim] }
	for i := range n {
		floats.AddScaled(l.Mean, 1/float64(n), row(i))
	}
	centered := mat.NewDense(max(n, 1), dim, nil)
	for i := range n {
		floats.SubTo(centered.RawRowView(i), row(i), l.Mean)
	}
	n = max(n, 1)
	gram := mat.NewSymDense(n, nil)
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j := range i + 1 {
			gram.SetSym(i, j, floats.Dot(centered.RawRowView(i), centered.RawRowView(j)))
		}
	}
	var eigen mat.EigenSym
	if !Finite(gram.RawSymmetric().Data) || !eigen.Factorize(gram, true) {
		return nil, nil
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values(nil) // they ascend
	for _, v := range values {
		l.Total += max(0, v) / float64(max(n-1, 1))
	}
	for k := range number {
		axis, variance := make([]float64, dim), 0.
		if at := n - 1 - k; at >= 0 && values[at] > float64(n)*unit*values[n-1] {
			variance = values[at] / float64(max(n-1, 1))
			for i := range n {
				floats.AddScaled(axis, vectors.At(i, at), centered.RawRowView(i))
			}
			floats.Scale(1/floats.Norm(axis, 2), axis)
		} else {
			l.complete(axis)
		}
		l.Axes, l.Variance = append(l.Axes, axis), append(l.Variance, variance)
	}
	return l, nil
}

// complete sets an axis at right angles to those there are, near the coordinate that
// they weigh least.
func (l *Leading) complete(axis []float64) {
	for _, other := range l.Axes {
		for j, x := range other {
			axis[j] += x * x
		}
	}
	least := floats.MinIdx(axis)
	clear(axis)
	axis[least] = 1
	for _, other := range l.Axes {
		floats.AddScaled(axis, -floats.Dot(axis, other), other)
	}
	floats.Scale(1/floats.Norm(axis, 2), axis)
}
