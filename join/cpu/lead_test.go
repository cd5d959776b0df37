package cpu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

// leadAxes is the number of axes along which latent rows stand on a lattice.
const leadAxes = 3

// latent returns rows on a lattice of some axes, turned into dim coordinates, with
// tails of a norm up to tail in all directions: equal distances on the lattice,
// which the tails alone tell apart. Every stray-th row is far away along its tail.
func latent(t *testing.T, rng *rand.Rand, n, dim int, tail float64, stray int) []float64 {
	t.Helper()
	axes := make([]float64, leadAxes*dim)
	for i := range axes {
		axes[i] = rng.NormFloat64() / math.Sqrt(float64(dim))
	}
	data := make([]float64, 0, n*dim)
	for i := range n {
		var at [leadAxes]float64
		for j := range at {
			at[j] = float64(rng.IntN(6))
		}
		size := tail * rng.Float64() / math.Sqrt(float64(dim))
		if stray > 0 && i%stray == 0 {
			size = 2 / math.Sqrt(float64(dim))
		}
		for k := range dim {
			x := size * rng.NormFloat64()
			for j, v := range at {
				x += v * axes[j*dim+k]
			}
			data = append(data, x)
		}
	}
	return data
}

// TestTails compares with brute force where a few axes tell who is near, but for
// pairs that the tails decide.
func TestTails(t *testing.T) {
	const n = 500
	dims := []int{8, 17, 40}
	if testing.Short() {
		dims = []int{17}
	}
	for _, dim := range dims {
		for _, tail := range []float64{0, 1e-12, 1e-4, 0.02} {
			for _, stray := range []int{0, 250} {
				t.Run(fmt.Sprintf("dim=%d/tail=%g/stray=%d", dim, tail, stray), func(t *testing.T) {
					rng := rand.New(rand.NewPCG(uint64(dim), math.Float64bits(tail)+uint64(stray)))
					pts := jointest.Points(t, dim, latent(t, rng, n, dim, tail, stray)...)
					checkLead(t, pts)
					fast := jointest.Index(t, cpu.New(cpu.Options{Threads: 2}), pts)
					plain := jointest.Index(t, jointest.Brute(), pts)
					for range 4 {
						eps := attained(rng, pts)
						for _, e := range []float64{eps, math.Nextafter(eps, 0)} {
							if got, want := countsOf(t, fast, e), countsOf(t, plain, e); !slices.Equal(got, want) {
								t.Fatalf("eps %v: counts %v, want %v", e, got, want)
							}
						}
					}
					queries := jointest.Points(t, dim, latent(t, rng, 40, dim, 3*tail, 20)...)
					compareNearest(t, fast, plain, nil, 1, 30)
					compareNearest(t, fast, plain, queries, 5)
				})
			}
		}
	}
}

// checkLead fails unless few axes lead, so that the test is about them.
func checkLead(t *testing.T, pts *join.Points) {
	t.Helper()
	tree, err := cpu.NewTree(pts, cpu.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	if lead := tree.Lead(); lead > leadAxes+2 {
		t.Fatalf("%d of %d axes lead, want at most %d", lead, pts.Dim(), leadAxes+2)
	}
}

// attained returns the distance of two rows, not far from each other.
func attained(rng *rand.Rand, pts *join.Points) float64 {
	i, best := rng.IntN(pts.Rows()), math.Inf(1)
	for range 40 {
		if d := math.Sqrt(join.SquaredDistance(pts.Row(i), pts.Row(rng.IntN(pts.Rows())))); d > 0.5 {
			best = min(best, d)
		}
	}
	return best
}

// TestLeadOfOthers has rows of which all axes are needed.
func TestLeadOfOthers(t *testing.T) {
	for name, pts := range map[string]*join.Points{
		"uniform":   jointest.Points(t, 20, jointest.Uniform(3_000, 20, 1)...),
		"one row":   jointest.Points(t, 12, jointest.Uniform(1, 12, 1)...),
		"two axes":  jointest.Points(t, 2, jointest.Uniform(500, 2, 1)...),
		"tail only": jointest.Points(t, 17, tightGroups(rand.New(rand.NewPCG(1, 2)), 4_000, 17, 0x1p-12)...),
	} {
		tree, err := cpu.NewTree(pts, cpu.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		if lead := tree.Lead(); lead != pts.Dim() {
			t.Errorf("%s: %d of %d axes lead, want all", name, lead, pts.Dim())
		}
	}
}
