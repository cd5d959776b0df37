package synth

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"rtcluster/join"
)

// Set is a synthetic point set.
type Set struct {
	Dim    int       // coordinates a row
	Data   []float64 // row-major, rows × Dim, all finite
	Labels []int32   // the group of each row from 0, −1 for background; nil if the shape has no groups
}

// The names of the shapes, see the package comment.
const (
	uniform     = "uniform"
	exponential = "exponential"
	blobs       = "blobs"
	moons       = "moons"
	latent      = "latent"
	lattice     = "lattice"
	duplicates  = "duplicates"
	equal       = "equal"
)

// Shapes returns the names of the shapes that [Make] knows.
func Shapes() []string {
	return []string{uniform, exponential, blobs, moons, latent, lattice, duplicates, equal}
}

// Make returns n rows of dim coordinates of the named shape, the same for the
// same seed. It returns an error for an unknown shape, fewer than 0 or more
// than [join.MaxRows] rows, fewer than 1 coordinate (2 for moons), or sizes
// whose product overflows.
func Make(shape string, n, dim int, seed uint64) (*Set, error) {
	least := 1
	if shape == moons {
		least = 2
	}
	switch {
	case !slices.Contains(Shapes(), shape):
		return nil, fmt.Errorf("synth: unknown shape %q, want one of %s", shape, strings.Join(Shapes(), ", "))
	case n < 0 || n > join.MaxRows:
		return nil, fmt.Errorf("synth: %d rows, want 0 to %d", n, join.MaxRows)
	case dim < least:
		return nil, fmt.Errorf("synth: %d coordinates a row, %s needs at least %d", dim, shape, least)
	case n > 0 && dim > math.MaxInt/8/n:
		return nil, fmt.Errorf("synth: %d rows of %d coordinates are more than memory can address", n, dim)
	}
	g := &generator{
		Rand: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)), // any constant: one stream a seed
		n:    n,
		dim:  dim,
		set:  &Set{Dim: dim, Data: make([]float64, n*dim)},
	}
	g.fill(shape)
	return g.set, nil
}

// generator holds what the shapes share while one set is filled.
type generator struct {
	*rand.Rand
	n, dim int
	set    *Set
}

func (g *generator) fill(shape string) {
	switch shape {
	case uniform:
		for i := range g.set.Data {
			g.set.Data[i] = g.Float64()
		}
	case exponential:
		for i := range g.set.Data {
			g.set.Data[i] = g.ExpFloat64() / 40
		}
	case blobs:
		g.blobs()
	case moons:
		g.moons()
	case latent:
		g.latent()
	case lattice:
		g.lattice()
	case duplicates:
		g.duplicates()
	case equal:
		g.equal()
	}
}

// row returns row i, to be filled.
func (g *generator) row(i int) []float64 {
	return g.set.Data[i*g.dim : (i+1)*g.dim]
}

// normal returns a Gaussian number with the given mean and deviation.
func (g *generator) normal(mean, deviation float64) float64 {
	return mean + float64(deviation*g.NormFloat64())
}

// between returns a uniform number in [low, high).
func (g *generator) between(low, high float64) float64 {
	return low + float64((high-low)*g.Float64())
}
