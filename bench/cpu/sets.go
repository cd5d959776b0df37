package main

import (
	"fmt"
	"math"
)

// recipe says how a set is made.
type recipe struct {
	Name       string
	Rows, Dim  int
	MinSamples int
	Neighbors  []int // for each an ε is searched that gives so many on average
	What       string
	make       func(m *maker)
	seed       uint64
}

// recipes returns all sets.
func recipes() []recipe {
	sparse := mixture{
		groups: 100, noise: 0.1,
		center: span{5, 95}, deviation: span{0.3, 2}, background: span{0, 100},
	}
	dense := mixture{
		groups: 20, noise: 0.01, even: true,
		center: span{10, 90}, deviation: span{1.5, 4}, background: span{0, 100},
	}
	both := []int{16, 256}
	normal := func(m *maker) { m.fill(m.data, m.NormFloat64) }
	scaled := func(dims int) func(*maker) {
		return func(m *maker) { m.latent(dims); m.scale() }
	}
	return []recipe{
		{"A2", 1_000_000, 2, 5, both, "100 Gaussian groups, 10 % uniform noise", sparse.draw, 11},
		{"A3", 1_000_000, 3, 6, both, "the same in space", sparse.draw, 12},
		{"B3", 200_000, 3, 6, both, "like a catalog of stars, heavy tails", (*maker).stars, 13},
		{"C8", 500_000, 8, 16, both, "50 groups in 4 latent dimensions, 5 % noise", func(m *maker) { m.latent(4) }, 14},
		{"D18", 100_000, 18, 36, both, "the same in 6 latent dimensions, columns from 0 to 1", scaled(6), 15},
		{"D90", 100_000, 90, 180, both, "the same in 10 latent dimensions", scaled(10), 16},
		{"E2", 2_000_000, 2, 5, []int{16, 256, 5000}, "20 dense Gaussian groups, 1 % noise", dense.draw, 17},
		{"U8", 500_000, 8, 16, both, "uniform in the unit cube", func(m *maker) { m.fill(m.data, m.Float64) }, 18},
		{"G18", 100_000, 18, 36, both, "N(0, I)", normal, 19},
		{"G128", 50_000, 128, 256, both, "N(0, I)", normal, 20},
	}
}

func findRecipe(name string) (recipe, error) {
	for _, r := range recipes() {
		if r.Name == name {
			return r, nil
		}
	}
	return recipe{}, fmt.Errorf("there is no set %q", name)
}

// scaled returns the recipe with another number of rows.
func (r recipe) scaled(share float64) recipe {
	r.Rows = max(1000, int(math.Round(float64(r.Rows)*share)))
	return r
}

// draw returns the values of the set, row by row. All are float32 values, so
// that programs that work in float32 see the same points.
func (r recipe) draw() []float64 {
	m := newMaker(r.seed, r.Rows, r.Dim)
	r.make(m)
	for i, x := range m.data {
		m.data[i] = float64(float32(x))
	}
	return m.data
}
