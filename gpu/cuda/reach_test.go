//go:build cuda

package cuda_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"rtcluster/gpu/cuda"
	"rtcluster/gpu/internal/rounded"
	"rtcluster/gpu/kernels"
)

// TestSceneReach makes groups of leaves and leaves that are just as near as turned boxes
// allow, in the kernel's arithmetic, along one axis or several, and wants the ray of some
// cell of the group inside the leaf's box, off its faces by all of the margin. Leaves that
// are far beyond a limit must have no ray of small cells.
func TestSceneReach(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 11))
	closest := math.Inf(1) // to a face, of the margin and beyond
	var open, near int
	for range 4000 {
		axes := 1 + rng.IntN(3)
		scale := math.Pow(2, float64(rng.IntN(12)-6))
		a := hardGroups(rng, axes, scale)
		for range 20 {
			g := rng.IntN(a.groups)
			b := a.leafBeside(rng, g, scale)
			apart := a.sum(g, b)
			for range rng.IntN(3) {
				apart = math.Nextafter32(apart, float32(math.Inf(1))) // as near, and a little more than allowed
			}
			if !(apart > 0) {
				apart = float32(math.Ldexp(1, -140+rng.IntN(100)))
			}
			by := cuda.SceneReach(float64(apart), a.cells.Reach, a.reach, b.reach(axes))
			off, inside := a.inside(g, b, by)
			if open++; !inside {
				t.Fatalf("%d axes: no ray of group %d, %v, is in the box of leaf %v, enlarged by %v for a limit of %v", axes, g, a.cells.Whole[6*g:6*g+6], b, by, apart)
			}
			margin := marginOf(by, a.reach+b.reach(axes))
			if closest = min(closest, off/margin-1); off < margin*(1-1e-12) {
				t.Fatalf("%d axes: a ray is off the faces of its box by %v, the margin is %v", axes, off, margin)
			}
			if far := cuda.SceneReach(float64(apart)/4, [3]float64{}, a.reach, b.reach(axes)); a.gap(g, b) > 1.01*maxOf(far) {
				near++
				if off, _ := a.inside(g, b, far); off > 0 {
					t.Fatalf("%d axes: a ray of group %d is in the box of leaf %v, which is far off", axes, g, b)
				}
			}
		}
	}
	t.Logf("%d leaves; rays are off the faces by the margin and %.2g of it; %d leaves are far", open, closest, near)
	if near == 0 {
		t.Error("no leaf was far, so boxes may reach anywhere")
	}
}

// grouped are leaves and their groups.
type grouped struct {
	axes, groups int
	cells        cuda.Cells
	reach        float64
}

// leafBox is a leaf of the other rows.
type leafBox struct{ lo, hi [3]float32 }

func (b leafBox) reach(axes int) float64 {
	var sum float64
	for k := range axes {
		by := max(math.Abs(float64(b.lo[k])), math.Abs(float64(b.hi[k])))
		sum += by * by
	}
	return math.Sqrt(sum)
}

// hardGroups are a few leaves, of which some are far larger than others, or of no size.
func hardGroups(rng *rand.Rand, axes int, scale float64) grouped {
	leaves, group := 1+rng.IntN(40), 1+rng.IntN(4)
	small := rng.IntN(2) == 0
	lo, hi := make([]float32, axes*leaves), make([]float32, axes*leaves)
	far, spread := 0.0, 0.1
	if small {
		group, spread = 1, 0
	}
	for i := range lo {
		size := 0.1 * rng.Float64()
		switch {
		case small: // so that the gap is most of what a box reaches
			size = 0
		case rng.IntN(8) == 0:
			size *= 30
		}
		at := float64(i%leaves/group) + spread*rng.NormFloat64() // near the others of the group
		lo[i], hi[i] = float32(scale*at), float32(scale*(at+size))
		far = max(far, math.Abs(float64(lo[i])), math.Abs(float64(hi[i])))
	}
	return grouped{axes, (leaves + group - 1) / group, cuda.NewCells(lo, hi, leaves, axes, group), far * math.Sqrt(float64(axes))}
}

// leafBeside is a leaf that is off a group along some axes.
func (a grouped) leafBeside(rng *rand.Rand, g int, scale float64) (b leafBox) {
	for k := range a.axes {
		least, most := a.cells.Whole[6*g+k], a.cells.Whole[6*g+3+k]
		off, size := scale*math.Pow(10, -3*rng.Float64()), scale*0.1*rng.Float64()
		switch rng.IntN(3) {
		case 0: // beyond
			b.lo[k] = most + float32(off)
			b.hi[k] = b.lo[k] + float32(size)
		case 1: // before
			b.hi[k] = least - float32(off)
			b.lo[k] = b.hi[k] - float32(size)
		default: // beside
			b.lo[k] = least + (most-least)*rng.Float32()
			b.hi[k] = b.lo[k] + float32(size)
		}
	}
	return b
}

// sum is that of squared gaps, as search.cu has it.
func (a grouped) sum(g int, b leafBox) (sum float32) {
	for k := range a.axes {
		by := max(0, b.lo[k]-a.cells.Whole[6*g+3+k], a.cells.Whole[6*g+k]-b.hi[k])
		sum = rounded.FMA32(by, by, sum)
	}
	return sum
}

// gap is the greatest of an axis.
func (a grouped) gap(g int, b leafBox) (most float64) {
	for k := range a.axes {
		most = max(most, float64(b.lo[k]-a.cells.Whole[6*g+3+k]), float64(a.cells.Whole[6*g+k]-b.hi[k]))
	}
	return most
}

// inside tells whether a ray of the group is in the box of a leaf, as scene.cu makes it,
// and by how much it is off the faces, if several are the most that one is.
func (a grouped) inside(g int, b leafBox, by [kernels.Space]float64) (off float64, inside bool) {
	off = math.Inf(-1)
	for _, r := range a.cells.Rays[a.cells.First[g]:a.cells.First[g+1]] {
		least := math.Inf(1)
		for k, x := range []float32{r.X, r.Y, r.Z} {
			lo, hi := rounded.SubDown32(b.lo[k], float32(by[k])), rounded.AddUp32(b.hi[k], float32(by[k]))
			least = min(least, float64(x)-float64(lo), float64(hi)-float64(x))
		}
		off = max(off, least)
	}
	return off, off >= 0
}

// marginOf is what is further than needed of how far boxes reach, if they reach so far
// along the axis where that is the least.
func marginOf(by [kernels.Space]float64, reaches float64) float64 {
	least := min(by[0], by[1], by[2])
	return least - (least-0x1p-20*(1+reaches))/(1+0x1p-20)
}

func maxOf(by [kernels.Space]float64) float64 { return max(by[0], by[1], by[2]) }

// TestCells wants every point of each group's box within reach of a ray of the group, no
// more rays than agreed on, and the boxes of groups.
func TestCells(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 3))
	for _, test := range []struct {
		name         string
		leaves, axes int
		group        int
		size         func(i int) float64
	}{
		{"one leaf", 1, 3, 4, func(int) float64 { return 1 }},
		{"points", 50, 3, 4, func(int) float64 { return 0 }},
		{"alike", 1000, 3, 4, func(int) float64 { return 0.1 }},
		{"a few large ones", 1000, 3, 2, func(i int) float64 { return []float64{0.01, 5}[i%100/99] }},
		{"one that is huge beside points", 300, 2, 3, func(i int) float64 { return []float64{0, 60}[i/299] }},
		{"of all sizes", 999, 1, 4, func(i int) float64 { return 1 / float64(1+i) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			lo, hi := make([]float32, test.axes*test.leaves), make([]float32, test.axes*test.leaves)
			for i := range lo {
				lo[i] = float32(i%test.leaves/test.group) + rng.Float32()/10
				hi[i] = lo[i] + float32(test.size(i%test.leaves))
			}
			c := cuda.NewCells(lo, hi, test.leaves, test.axes, test.group)
			groups := (test.leaves + test.group - 1) / test.group
			if n := len(c.Rays); n < groups || n > 2*groups || len(c.First) != groups+1 || c.First[groups] != int64(n) {
				t.Fatalf("%d rays for %d groups, which begin at %v", n, groups, c.First)
			}
			for g := range groups {
				for range 50 {
					checkCovered(t, rng, c, g, test.axes)
				}
				for k := range test.axes {
					for l := g * test.group; l < min((g+1)*test.group, test.leaves); l++ {
						if at := k*test.leaves + l; lo[at] < c.Whole[6*g+k] || hi[at] > c.Whole[6*g+3+k] {
							t.Fatalf("leaf %d is not in the box of group %d", l, g)
						}
					}
				}
			}
			t.Logf("%d rays for %d groups, reach %v", len(c.Rays), groups, c.Reach)
		})
	}
}

// checkCovered looks for the ray of a point of a group's box, at times a corner.
func checkCovered(t *testing.T, rng *rand.Rand, c cuda.Cells, g, axes int) {
	t.Helper()
	var p [3]float64
	for k := range axes {
		least, most := float64(c.Whole[6*g+k]), float64(c.Whole[6*g+3+k])
		p[k] = least + (most-least)*[]float64{0, 1, rng.Float64()}[rng.IntN(3)]
	}
	for _, r := range c.Rays[c.First[g]:c.First[g+1]] {
		if int(r.Group) != g {
			t.Fatalf("a ray of group %d is among those of group %d", r.Group, g)
		}
		if math.Abs(float64(r.X)-p[0]) <= c.Reach[0] && math.Abs(float64(r.Y)-p[1]) <= c.Reach[1] && math.Abs(float64(r.Z)-p[2]) <= c.Reach[2] {
			return
		}
	}
	t.Fatalf("no ray of group %d is within %v of %v", g, c.Reach, p)
}
