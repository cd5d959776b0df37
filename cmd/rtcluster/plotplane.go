package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"rtcluster/join"
	"rtcluster/join/axes"
)

// This file chooses the plane of a picture of clusters.

// plane is two coordinates of rows.
type plane struct {
	at   place2
	x, y string // names
}

// plane is that of two columns as they are, or of the first two principal axes of more,
// which are scaled as was recorded. One column is drawn over the rows' numbers.
func (p *pictured) plane(ctx context.Context, columns []string, params *parameters) (*plane, error) {
	all := columnNames(p.table.Columns())
	switch {
	case len(columns) == 1:
		return &plane{func(row int64, values []float64) (x, y float64) { return values[0], float64(row) }, bareName(all, columns[0]), "row"}, nil
	case len(columns) == 2:
		return &plane{
			func(_ int64, values []float64) (x, y float64) { return values[0], values[1] },
			bareName(all, columns[0]), bareName(all, columns[1]),
		}, nil
	}
	stretch := func([]float64) {}
	if params != nil {
		t := params.transform()
		stretch = func(row []float64) {
			if len(t.scaling.Center) == len(row) {
				t.scaling.Apply(row)
			}
			if len(t.weights) == len(row) {
				join.Weigh(row, t.weights)
			}
		}
	}
	return p.principalPlane(ctx, columns, stretch)
}

// principalPlane is the plane in which the rows spread most.
func (p *pictured) principalPlane(ctx context.Context, columns []string, stretch func(row []float64)) (*plane, error) {
	dim := len(columns)
	m := newMoments(dim)
	err := p.each(ctx, columns, func(_ int64, values []float64, label float64) error {
		if !math.IsNaN(label) && !slices.ContainsFunc(values, notFinite) {
			stretch(values)
			m.add(values)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	turn, ok := axes.Principal(m.covariance())
	if !ok {
		return nil, inputf(p.path, "the values of %s are too large for principal axes: choose two columns by -x and -y", listed(columns))
	}
	sum := 0.
	for _, v := range turn.Variance {
		sum += max(0, v)
	}
	along := func(k int) (weights []float64, name string) {
		weights = make([]float64, dim)
		for i := range weights {
			weights[i] = turn.Axes[i*dim+k]
		}
		largest := slices.MaxFunc(weights, compareSize)
		if largest < 0 { // of the two directions of an axis
			for i := range weights {
				weights[i] = -weights[i]
			}
		}
		name = ordinal(k+1) + " principal axis"
		if sum > 0 {
			name += fmt.Sprintf(" (%.0f %%)", 100*max(0, turn.Variance[k])/sum)
		}
		return weights, name + ": " + weightsText(weights, columns)
	}
	first, x := along(0)
	second, y := along(1)
	return &plane{func(_ int64, values []float64) (float64, float64) {
		stretch(values)
		return m.project(values, first), m.project(values, second)
	}, x, y}, nil
}

// compareSize compares by size, ties by the first.
func compareSize(a, b float64) int {
	switch {
	case math.Abs(a) > math.Abs(b):
		return 1
	case math.Abs(a) < math.Abs(b):
		return -1
	}
	return 0
}

// weightsText names the columns that weigh most in an axis.
func weightsText(weights []float64, columns []string) string {
	order := make([]int, len(weights))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compareSize(weights[b], weights[a]) })
	const most = 3
	text := ""
	for n, i := range order[:min(most, len(order))] {
		sign := " + "
		switch {
		case weights[i] < 0 && n == 0:
			sign = "−"
		case weights[i] < 0:
			sign = " − "
		case n == 0:
			sign = ""
		}
		text += fmt.Sprintf("%s%.2f %s", sign, math.Abs(weights[i]), shortName(columns[i]))
	}
	if len(order) > most {
		text += " …"
	}
	return text
}

// shortName is a column in the name of an axis.
func shortName(column string) string {
	const most = 12
	if runes := []rune(column); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return column
}

// moments are the mean and the products of deviations of rows, updated one by one
// (B. P. Welford 1962, doi:10.1080/00401706.1962.10490022), so that they need no second
// look and suffer no cancellation.
type moments struct {
	n        float64
	mean     []float64
	products []float64 // of deviations, the upper triangle of dim × dim
	before   []float64
}

func newMoments(dim int) *moments {
	return &moments{mean: make([]float64, dim), products: make([]float64, dim*dim), before: make([]float64, dim)}
}

func (m *moments) add(row []float64) {
	m.n++
	for i, x := range row {
		m.before[i] = x - m.mean[i]
		m.mean[i] += m.before[i] / m.n
	}
	dim := len(row)
	for i := range row {
		for k := i; k < dim; k++ {
			m.products[i*dim+k] += m.before[i] * (row[k] - m.mean[k])
		}
	}
}

// covariance is that of the rows, 0 of less than two.
func (m *moments) covariance() *mat.SymDense {
	dim := len(m.mean)
	cov := mat.NewSymDense(dim, nil)
	for i := range dim {
		for k := i; k < dim; k++ {
			cov.SetSym(i, k, m.products[i*dim+k]/max(1, m.n-1))
		}
	}
	return cov
}

// project is how far a row is from the mean along an axis.
func (m *moments) project(row, axis []float64) float64 {
	sum := 0.
	for i, x := range row {
		sum += axis[i] * (x - m.mean[i])
	}
	return sum
}
