package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"rtcluster/join"
	"rtcluster/join/axes"
)

// This file chooses the plane of a picture of clusters.

// plane is two coordinates of rows.
type plane struct {
	at    place2
	x, y  string // names
	equal bool   // both have one scale
}

// plane is that of two columns as they are, or of the first two principal axes of more,
// which are scaled as was recorded. One column is drawn over the rows' numbers.
func (p *pictured) plane(ctx context.Context, columns []string, params *parameters) (*plane, error) {
	all := columnNames(p.table.Columns())
	switch {
	case len(columns) == 1:
		return &plane{func(row int64, values []float64) (x, y float64) { return values[0], float64(row) }, bareName(all, columns[0]), "row", false}, nil
	case len(columns) == 2:
		return &plane{
			func(_ int64, values []float64) (x, y float64) { return values[0], values[1] },
			bareName(all, columns[0]), bareName(all, columns[1]), p.oneScale(columns, params),
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

// oneScale reports whether two columns have one scale: the same unit, or, where they tell none,
// distances of the clustering that take them as they are.
func (p *pictured) oneScale(columns []string, params *parameters) bool {
	var units [2]string
	for _, c := range p.table.Columns() {
		if i := slices.Index(columns, c.Name); i >= 0 {
			units[i] = c.Unit
		}
	}
	if units[0] != "" || units[1] != "" {
		return units[0] == units[1]
	}
	return params != nil && slices.Equal(params.Columns, columns) && !params.metric().sky() &&
		params.ScaleWidth == nil && params.Weights == nil && params.WhiteFactor == nil
}

// principalPlane is the plane in which the rows spread most.
func (p *pictured) principalPlane(ctx context.Context, columns []string, stretch func(row []float64)) (*plane, error) {
	find := p.allSpread
	if len(columns) > turnedAtMost {
		find = p.sampledSpread
	}
	s, err := find(ctx, columns, func(do func(values []float64)) error {
		return p.each(ctx, columns, func(_ int64, values []float64, label float64) error {
			if !math.IsNaN(label) && !slices.ContainsFunc(values, notFinite) {
				stretch(values)
				do(values)
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	along := func(k int) (weights []float64, name string) {
		weights = s.axes[k]
		largest := slices.MaxFunc(weights, compareSize)
		if largest < 0 { // of the two directions of an axis
			for i := range weights {
				weights[i] = -weights[i]
			}
		}
		name = ordinal(k+1) + " principal axis"
		if s.sampled > 0 {
			name += " of " + grouped(s.sampled) + " rows"
		}
		if s.total > 0 {
			name += fmt.Sprintf(" (%.0f %%)", 100*max(0, s.variance[k])/s.total)
		}
		return weights, name + ": " + weightsText(weights, columns)
	}
	first, x := along(0)
	second, y := along(1)
	return &plane{func(_ int64, values []float64) (float64, float64) {
		stretch(values)
		return project(values, s.mean, first), project(values, s.mean, second)
	}, x, y, true}, nil
}

// extents are where rows are, and the two axes along which they spread most.
type extents struct {
	mean     []float64
	axes     [2][]float64 // the weights of the columns
	variance [2]float64
	total    float64 // variance along all axes
	sampled  int     // rows of a sample; 0: all
}

// eachRow hands the rows over that have a place, as they are drawn.
type eachRow func(do func(values []float64)) error

// tooLarge refuses values without axes.
func (p *pictured) tooLarge(columns []string) error {
	return inputf(p.path, "the values of %s are too large for principal axes: %s", listed(columns), p.otherColumns())
}

// allSpread is that of all rows.
func (p *pictured) allSpread(_ context.Context, columns []string, each eachRow) (*extents, error) {
	dim := len(columns)
	m := newMoments(dim)
	if err := each(m.add); err != nil {
		return nil, err
	}
	turn, ok := axes.Principal(m.covariance())
	if !ok {
		return nil, p.tooLarge(columns)
	}
	s := &extents{mean: m.mean}
	for _, v := range turn.Variance {
		s.total += max(0, v)
	}
	for k := range s.axes {
		s.variance[k], s.axes[k] = turn.Variance[k], make([]float64, dim)
		for i := range dim {
			s.axes[k][i] = turn.Axes[i*dim+k]
		}
	}
	return s, nil
}

// A sample for axes has so many rows at most, and values, but a few rows at least: the
// work is its rows times its values.
const (
	spreadRows   = 256
	spreadValues = 1 << 21
	spreadLeast  = 16
)

// sampledSpread is that of a random sample of the rows, all if they are few. The
// covariance of very many columns would take their square in memory, and their cube in
// time.
func (p *pictured) sampledSpread(ctx context.Context, columns []string, each eachRow) (*extents, error) {
	dim := len(columns)
	most := min(spreadRows, max(spreadLeast, spreadValues/dim))
	r := rand.New(rand.NewPCG(1, 0)) // so that a picture can be had again
	var sample []float64
	seen := 0
	err := each(func(values []float64) { // reservoir sampling: J. S. Vitter 1985, doi:10.1145/3147.3165
		seen++
		if seen <= most {
			sample = append(sample, values...)
		} else if at := r.IntN(seen); at < most {
			copy(sample[at*dim:], values)
		}
	})
	if err != nil {
		return nil, err
	}
	leading, err := axes.Lead(ctx, sample, dim, len(extents{}.axes))
	if err != nil {
		return nil, err
	}
	if leading == nil {
		return nil, p.tooLarge(columns)
	}
	s := &extents{mean: leading.Mean, total: leading.Total}
	copy(s.axes[:], leading.Axes)
	copy(s.variance[:], leading.Variance)
	if seen > most {
		s.sampled = most
	}
	return s, nil
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
func project(row, mean, axis []float64) float64 {
	sum := 0.
	for i, x := range row {
		sum += axis[i] * (x - mean[i])
	}
	return sum
}
