package jointest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"rtcluster/join"
	"rtcluster/join/synth"
)

// seed makes all random point sets of the suite.
const seed = 20

// testCase is a named set of points and what to join it with.
type testCase struct {
	name string
	pts  *join.Points
	q    *join.Points // query points of A ⋈ B; nil: made from pts by others
	eps  []float64    // bounds besides those that the distances suggest
}

// cases returns all named cases, the small ones first. The name carries the
// seed where there is one.
func cases(short bool) []testCase {
	all := tinyCases()
	all = append(all, sizeCases(short)...)
	all = append(all, dimCases(short)...)
	all = append(all, tieCases(short)...)
	all = append(all, magnitudeCases(short)...)
	all = append(all, otherCases()...)
	return append(all, shapeCases(short)...)
}

func tinyCases() []testCase {
	return []testCase{
		{name: "empty line", pts: points(1)},
		{name: "empty space", pts: points(3)},
		{name: "one row", pts: points(2, 5, -7)},
		{name: "two equal rows", pts: points(2, 5, -7, 5, -7)},
		{name: "two rows", pts: points(2, 0, 0, 3, 4), eps: []float64{5}},
		{name: "0, 1, 2", pts: points(1, 0, 1, 2), eps: []float64{1}},
		{name: "signed zeros", pts: points(2, 0, 0, math.Copysign(0, -1), 0, 0, math.Copysign(0, -1), 1, 0)},
		{name: "one decimal", pts: points(1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7), eps: []float64{0.1, 0.2, 0.3}},
		{name: "neighbours in float64", pts: points(1, 1, math.Nextafter(1, 2), math.Nextafter(1, 0), 1+8e-16), eps: []float64{2e-16, 3e-16}},
	}
}

// sizeCases go through the sizes where blocks, leaves and words begin and end.
func sizeCases(short bool) []testCase {
	var sizes []int
	for n := 3; n <= 20; n++ {
		sizes = append(sizes, n)
	}
	sizes = append(sizes, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257)
	if short {
		sizes = []int{3, 5, 8, 17, 31, 32, 33, 65, 129}
	}
	var all []testCase
	for _, n := range sizes {
		all = append(all, shape("uniform", n, 3), shape("lattice", n, 2))
	}
	return all
}

// dimCases go through the dimensions where vectors and blocks begin and end.
func dimCases(short bool) []testCase {
	dims := []int{1, 2, 3, 4, 5, 6, 7, 8, 13, 15, 16, 17, 31, 32, 33, 64, 90, 128}
	if short {
		dims = []int{1, 2, 3, 5, 8, 17, 33, 90}
	}
	var all []testCase
	for _, dim := range dims {
		all = append(all, shape("latent", pick(short, 70, 150), dim), shape("lattice", pick(short, 40, 70), dim))
	}
	return all
}

// tieCases have many distances that are equal, and equal to eps.
func tieCases(short bool) []testCase {
	roots := []float64{1, 2, 3, math.Sqrt2, math.Nextafter(math.Sqrt2, 0), math.Sqrt(3), math.Nextafter(math.Sqrt(3), 0)}
	line := shape("lattice", 64, 1)
	return []testCase{
		{name: "line of integers", pts: line.pts, eps: []float64{1, 7, 9, 21, 63}},
		{name: "square lattice", pts: grid(2, pick(short, 8, 12), 1, 0), eps: roots},
		{name: "square lattice about 0", pts: grid(2, pick(short, 7, 12), 1, -5.5), eps: roots},
		{name: "cubic lattice", pts: grid(3, pick(short, 4, 6), 1, 0), eps: roots},
		{name: "4-d lattice", pts: grid(4, pick(short, 3, 4), 1, -1), eps: roots},
		{name: "5-d lattice", pts: grid(5, pick(short, 2, 3), 1, 0), eps: roots},
		{name: "lattice of tenths", pts: grid(2, 11, 0.1, 0), eps: []float64{0.1, 0.2, 0.3, 0.1 * 3, 0.4, 0.5}},
		{name: "lattice of thirds", pts: grid(3, 5, 1.0/3, 1e3), eps: []float64{1.0 / 3, 2.0 / 3, 1}},
		{name: "equal rows", pts: must(synth.Make("equal", pick(short, 150, 300), 2, seed))},
		{name: "equal rows, far out", pts: affine(must(synth.Make("equal", 100, 3, seed)), 1, 1e15)},
		shape("duplicates", pick(short, 150, 400), 3),
		shape("duplicates", pick(short, 70, 150), 20),
		{name: "two distinct rows", pts: repeat(points(2, 0, 0, 1, 1), pick(short, 40, 100)), eps: []float64{math.Sqrt2, math.Nextafter(math.Sqrt2, 0)}},
		{name: "on a diagonal", pts: along(pick(short, 80, 200), 0.1, 1, 2, 3)},
		{name: "on an axis", pts: along(pick(short, 70, 150), 0.7, 0, 1, 0, 0)},
		{name: "in a plane of 10-d", pts: along(pick(short, 70, 130), 1, 1, 0, 0, 5, 0, 0, 0, 0, 0, 5)},
	}
}

// magnitudeCases are far out, tiny, huge or uneven: differences cancel, squares
// under- and overflow.
func magnitudeCases(short bool) []testCase {
	uniform := must(synth.Make("uniform", pick(short, 40, 100), 3, seed))
	all := []testCase{
		{name: "lattice at 1e6", pts: grid(2, 10, 1.0/1024, 1e6), eps: []float64{1.0 / 1024}},
		{name: "lattice at 1e9", pts: grid(3, 5, 1.0/1024, -1e9), eps: []float64{1.0 / 1024}},
		{name: "lattice at 1e15", pts: grid(2, 10, 0.125, 1e15), eps: []float64{0.125, 0.25}},
		{name: "uniform at 1e6", pts: affine(uniform, 1, 1e6)},
		{name: "uniform at 1e9", pts: affine(uniform, 1e-3, 1e9)},
		{name: "uniform at 1e15", pts: affine(uniform, 4, 1e15)},
		{name: "two groups at ±1e9", pts: twoGroups(pick(short, 60, 100), 1e9), eps: []float64{0.5, 1e9, 2e9}},
		{name: "steps of an ulp about 1", pts: affine(grid(2, 10, 1, 0), math.Nextafter(1, 2)-1, 1)},
		{name: "one long axis", pts: stretch(uniform, 1e12, 1, 1e-12)},
		{name: "a constant column", pts: stretch(uniform, 1, 0, 1)},
		{name: "two constant columns", pts: stretch(uniform, 0, 1, 0)},
		{name: "heavy tails", pts: pareto(pick(short, 100, 250), 2, 0.8)},
		{name: "heavier tails", pts: pareto(pick(short, 70, 150), 6, 0.3)},
		{name: "coordinates at the end of float64", pts: points(2,
			math.MaxFloat64, 0, -math.MaxFloat64, 0, 0, math.MaxFloat64, 0, 0, 1, 1, math.MaxFloat64, 0)},
		{name: "subnormal coordinates", pts: affine(grid(2, 8, 1, 0), math.SmallestNonzeroFloat64, 0), eps: []float64{math.SmallestNonzeroFloat64}},
		{name: "tiny beside normal", pts: stretch(uniform, 1e-170, 1, 1e-160)},
		{name: "huge beside normal", pts: stretch(uniform, 1e200, 1, 1)},
	}
	// Squares of 1e-160 are subnormal, of 4e-162 the least numbers or zero, of
	// 1e-170 zero, of 1e155 infinite.
	for _, scale := range []float64{1e-150, 1e-160, 4e-162, 1e-170, 1e-300, 1e150, 1e153, 1e155, 1e200, 1e300} {
		all = append(all, testCase{
			name: fmt.Sprintf("uniform times %g", scale),
			pts:  affine(uniform, scale, 0),
			eps:  []float64{scale, scale / 4},
		})
	}
	return all
}

// otherCases join A with a B that has something special.
func otherCases() []testCase {
	a := must(synth.Make("blobs", 90, 3, seed))
	return []testCase{
		{name: "A empty", pts: a, q: points(3), eps: []float64{1}},
		{name: "B empty", pts: points(3), q: a, eps: []float64{1}},
		{name: "both empty", pts: points(3), q: points(3), eps: []float64{1}},
		{name: "B equal to A", pts: a, q: affine(a, 1, 0), eps: []float64{1}},
		{name: "A and B the same points", pts: a, q: a, eps: []float64{1}},
		{name: "B far from A", pts: a, q: affine(a, 1, 1e6), eps: []float64{1}},
		{name: "B wide about A", pts: a, q: affine(a, 100, 0), eps: []float64{1}},
		{name: "one row against many", pts: a, q: points(3, 0, 0, 0), eps: []float64{5}},
		{name: "many rows against one", pts: points(3, 0, 0, 0), q: a, eps: []float64{5}},
		{name: "B larger than A", pts: a, q: must(synth.Make("blobs", 333, 3, seed)), eps: []float64{1}},
		{name: "equal rows against the same row", pts: must(synth.Make("equal", 70, 2, seed)), q: must(synth.Make("equal", 3, 2, seed))},
	}
}

// shapeCases have more rows than the others.
func shapeCases(short bool) []testCase {
	n := pick(short, 350, 1000)
	return []testCase{
		shape("blobs", n, 3),
		shape("exponential", n/2, 5),
		shape("latent", n/2, 16),
		shape("moons", n/2, 2),
		shape("lattice", n, 3),
	}
}

// pick returns a for the short suite and b for the full one.
func pick(short bool, a, b int) int {
	if short {
		return a
	}
	return b
}

// shape is the case of a synthetic set.
func shape(name string, n, dim int) testCase {
	return testCase{
		name: fmt.Sprintf("%s n=%d dim=%d seed=%d", name, n, dim, seed),
		pts:  must(synth.Make(name, n, dim, seed)),
	}
}

// twoGroups returns n rows in the plane about (−at, −at) and (at, at).
func twoGroups(n int, at float64) *join.Points {
	r := rand.New(rand.NewPCG(seed, 1))
	data := make([]float64, 0, 2*n)
	for i := range n {
		center := at
		if i%2 == 0 {
			center = -at
		}
		data = append(data, center+r.Float64(), center+r.Float64())
	}
	return points(2, data...)
}

// pareto returns n rows whose coordinates have tails of the given exponent, in
// both directions.
func pareto(n, dim int, exponent float64) *join.Points {
	r := rand.New(rand.NewPCG(seed, 2))
	data := make([]float64, n*dim)
	for i := range data {
		data[i] = math.Pow(1-r.Float64(), -1/exponent)
		if r.IntN(2) == 0 {
			data[i] = -data[i]
		}
	}
	return points(dim, data...)
}
