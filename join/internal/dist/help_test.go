package dist_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"rtcluster/join/internal/dist"
)

// dims are the dimensions that the tests of blocks run through: all small
// ones, and those about the ends of vectors and of groups of coordinates.
var dims = []int{
	1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
	31, 32, 33, 63, 64, 65, 90, 128, 129,
}

var (
	inf32 = float32(math.Inf(1))
	nan32 = float32(math.NaN())
)

// atLevels runs f once for each level of the machine.
func atLevels(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	for _, level := range dist.Levels() {
		t.Run("level="+level, func(t *testing.T) {
			defer dist.Use(level)()
			f(t)
		})
	}
}

// band is the number of guard elements on either side of a slice: more than
// the widest vector holds.
const band = 40

// A guarded slice stands between two bands of one value, so that a write
// outside it shows.
type guarded[T comparable] struct {
	all    []T
	at, n  int
	canary T
}

// guard returns a guarded slice of n elements, filled with the canary. shift,
// from 0 to 15, moves its address by as many elements.
func guard[T comparable](n, shift int, canary T) guarded[T] {
	all := make([]T, n+2*band+16)
	for i := range all {
		all[i] = canary
	}
	return guarded[T]{all, band + shift, n, canary}
}

// guardCopy returns a guarded copy of x.
func guardCopy[T comparable](x []T, shift int, canary T) guarded[T] {
	g := guard(len(x), shift, canary)
	copy(g.body(), x)
	return g
}

// body is the slice inside, its capacity the rest of the memory.
func (g guarded[T]) body() []T { return g.all[g.at : g.at+g.n] }

// check fails if a band has changed.
func (g guarded[T]) check(t *testing.T, name string) {
	t.Helper()
	for i, v := range g.all {
		if (i < g.at || i >= g.at+g.n) && v != g.canary {
			t.Fatalf("%s: element %d of %d was written: %v", name, i-g.at, g.n, v)
		}
	}
}

// A kind is a way to draw coordinates.
type kind struct {
	name string
	// exact says that float32 sums of squares are exact.
	exact bool
	draw  func(r *rand.Rand) float32
}

var kinds = []kind{
	{"integers", true, func(r *rand.Rand) float32 { return float32(r.IntN(9) - 4) }},
	{"few", true, func(r *rand.Rand) float32 { return float32(r.IntN(2)) }},
	{"normal", false, func(r *rand.Rand) float32 { return float32(r.NormFloat64()) }},
	{"subnormal", false, func(r *rand.Rand) float32 {
		return float32(r.NormFloat64()) * float32(math.Ldexp(1, -70-r.IntN(79)))
	}},
	{"huge", false, func(r *rand.Rand) float32 {
		return float32(r.NormFloat64()) * float32(math.Ldexp(1, 60+r.IntN(66)))
	}},
	{"mixed", false, func(r *rand.Rand) float32 {
		switch r.IntN(40) {
		case 0:
			return inf32
		case 1:
			return -inf32
		case 2:
			return math.MaxFloat32
		}
		return float32(r.NormFloat64())
	}},
}

// block draws a block of dim coordinates; with holes, some lanes are NaN.
func block(r *rand.Rand, dim int, k kind, holes bool) []float32 {
	b := make([]float32, dim*dist.Lanes)
	for i := range b {
		b[i] = k.draw(r)
	}
	for j := range dist.Lanes {
		if holes && r.IntN(6) == 0 {
			for c := range dim {
				b[c*dist.Lanes+j] = nan32
			}
		}
	}
	return b
}

// verdict says what a mask may hold for a sum of dim squares that is s in
// float64: set, clear, or either, where rounding to float32 decides.
//
// A sum of dim terms in float32 is off by at most a factor of 1 ± γ, γ = (dim +
// 3)·2⁻²⁴, where nothing underflows: a difference, a product and dim − 1 sums.
// Each product below the normal range is off by up to 2⁻¹⁴⁹ more; beyond
// 2¹²⁸ the sum is +Inf.
func verdict(s float64, dim int, limit float32) (mayBeSet, mayBeClear bool) {
	if math.IsNaN(s) || limit != limit {
		return false, true
	}
	gamma := float64(dim+3) * 0x1p-24
	low := s*(1-gamma) - float64(dim)*0x1p-149
	high := s*(1+gamma) + float64(dim)*0x1p-149
	if high > math.MaxFloat32 {
		high = math.Inf(1)
	}
	return low <= float64(limit), high > float64(limit)
}

// checkMask fails if mask is not what the float64 sums s and limit allow.
func checkMask(t *testing.T, what string, mask uint32, s []float64, dim int, limit float32) {
	t.Helper()
	for j, v := range s {
		set := mask>>j&1 != 0
		maySet, mayClear := verdict(v, dim, limit)
		if set && !maySet || !set && !mayClear {
			t.Fatalf("%s: lane %d is %t for s = %g, limit %g", what, j, set, v, limit)
		}
	}
}

// seeded returns a generator, and a name for messages.
func seeded(parts ...any) (*rand.Rand, string) {
	name := fmt.Sprint(parts...)
	seed := uint64(14695981039346656037)
	for _, c := range []byte(name) {
		seed = (seed ^ uint64(c)) * 1099511628211
	}
	return rand.New(rand.NewPCG(seed, 1)), name
}
