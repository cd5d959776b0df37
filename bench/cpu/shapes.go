package main

import (
	"math"
	"math/rand/v2"
)

// maker draws the rows of one set; the same seed gives the same rows.
type maker struct {
	*rand.Rand
	n, dim int
	data   []float64
}

func newMaker(seed uint64, n, dim int) *maker {
	return &maker{
		Rand: rand.New(rand.NewPCG(seed, 0x2545f4914f6cdd1d)), // any constant: one stream a seed
		n:    n, dim: dim,
		data: make([]float64, n*dim),
	}
}

func (m *maker) row(i int) []float64 { return m.data[i*m.dim : (i+1)*m.dim] }

func (m *maker) between(low, high float64) float64 {
	return low + float64((high-low)*m.Float64())
}

func (m *maker) fill(x []float64, draw func() float64) {
	for i := range x {
		x[i] = draw()
	}
}

// span is a range of numbers.
type span struct{ low, high float64 }

// mixture is a mixture of round Gaussian groups and a share of uniform rows.
type mixture struct {
	groups     int
	noise      float64 // share of the rows
	even       bool    // weights of the groups: equal, or Dirichlet(2)
	center     span
	deviation  span
	background span
}

// draw sets the rows of m.
func (x mixture) draw(m *maker) {
	centers := make([]float64, x.groups*m.dim)
	m.fill(centers, func() float64 { return m.between(x.center.low, x.center.high) })
	deviations := make([]float64, x.groups)
	m.fill(deviations, func() float64 { return m.between(x.deviation.low, x.deviation.high) })
	shape := 2
	if x.even {
		shape = 0
	}
	choose := m.chooser(x.groups, shape)
	noise := int(float64(m.n) * x.noise)
	for i, p := range m.Perm(m.n) {
		row := m.row(i)
		if p < noise {
			m.fill(row, func() float64 { return m.between(x.background.low, x.background.high) })
			continue
		}
		g := choose()
		for k := range row {
			row[k] = centers[g*m.dim+k] + float64(deviations[g]*m.NormFloat64())
		}
	}
}

// chooser returns a function that draws numbers below n, with weights that are
// drawn from a symmetric Dirichlet distribution; shape 0 means equal ones.
func (m *maker) chooser(n, shape int) func() int {
	sums := make([]float64, n)
	total := 0.0
	for i := range sums {
		weight := 0.0
		for range shape {
			weight += m.ExpFloat64()
		}
		if shape == 0 {
			weight = 1
		}
		total += weight
		sums[i] = total
	}
	return func() int {
		u := m.Float64() * total
		for i, s := range sums {
			if u < s {
				return i
			}
		}
		return n - 1
	}
}

// latent sets the rows of m to a mixture in so many dimensions, mapped at random
// to all of m's, with a little noise on top.
func (m *maker) latent(dims int) {
	inner := &maker{Rand: m.Rand, n: m.n, dim: dims, data: make([]float64, m.n*dims)}
	mixture{
		groups: 50, noise: 0.05,
		center: span{-10, 10}, deviation: span{0.4, 1.5}, background: span{-12, 12},
	}.draw(inner)
	axes := make([]float64, dims*m.dim)
	scale := 1 / math.Sqrt(float64(dims))
	m.fill(axes, func() float64 { return m.NormFloat64() * scale })
	for i := range m.n {
		row := m.row(i)
		m.fill(row, func() float64 { return m.NormFloat64() * 0.01 })
		for q, z := range inner.row(i) {
			for k := range row {
				row[k] += float64(z * axes[q*m.dim+k])
			}
		}
	}
}

// scale brings every column of m to the range from 0 to 1.
func (m *maker) scale() {
	for k := range m.dim {
		low, high := math.Inf(1), math.Inf(-1)
		for i := k; i < len(m.data); i += m.dim {
			low, high = min(low, m.data[i]), max(high, m.data[i])
		}
		for i := k; i < len(m.data); i += m.dim {
			m.data[i] = (m.data[i] - low) / (high - low)
		}
	}
}
