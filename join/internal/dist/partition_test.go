package dist_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"rtcluster/join/internal/dist"
)

// draws are ways to draw keys for Partition.
var draws = []struct {
	name string
	draw func(r *rand.Rand) float32
}{
	{"normal", func(r *rand.Rand) float32 { return float32(r.NormFloat64()) }},
	{"few", func(r *rand.Rand) float32 { return float32(r.IntN(3)) }},
	{"equal", func(*rand.Rand) float32 { return 1 }},
	{"zeros", func(r *rand.Rand) float32 { return float32(math.Copysign(0, r.NormFloat64())) }},
	{"subnormal", func(r *rand.Rand) float32 { return math.Float32frombits(uint32(r.IntN(5))) }},
	{"odd", func(r *rand.Rand) float32 {
		return []float32{nan32, inf32, -inf32, 0, 1, math.MaxFloat32}[r.IntN(6)]
	}},
}

func TestPartition(t *testing.T) {
	var sizes []int
	for n := range 71 {
		sizes = append(sizes, n)
	}
	sizes = append(sizes, 127, 128, 129, 1000, 4099)
	atLevels(t, func(t *testing.T) {
		for _, n := range sizes {
			for _, d := range draws {
				for _, arrays := range []int{1, 2, 3, 5} {
					r, name := seeded("partition/n=", n, "/keys=", d.name, "/arrays=", arrays)
					keys := make([][]float32, arrays)
					for k := range keys {
						keys[k] = make([]float32, n)
						for i := range keys[k] {
							keys[k][i] = d.draw(r)
						}
					}
					pivots := []float32{0, 1, inf32, -inf32, nan32, math.MaxFloat32}
					if n > 0 {
						pivots = append(pivots, keys[0][r.IntN(n)], keys[0][r.IntN(n)])
					}
					if n > 70 {
						pivots = pivots[6:]
					}
					for i, pivot := range pivots {
						partitionCase(t, name, keys, (i+n)%arrays, pivot, false)
						partitionCase(t, name, keys, (i+n)%arrays, pivot, true)
					}
				}
			}
		}
	})
}

// partitionCase runs Partition on guarded copies and compares the result with
// a stable partition by definition.
func partitionCase(t *testing.T, name string, keys [][]float32, axis int, pivot float32, orEqual bool) {
	t.Helper()
	n := len(keys[0])
	ids, scratchIDs := guard(n, n%16, int32(-5)), guard(n, 5, int32(-6))
	var guards, scratchGuards []guarded[float32]
	var got, scratch [][]float32
	for k, key := range keys {
		guards = append(guards, guardCopy(key, (n+k)%16, -5))
		scratchGuards = append(scratchGuards, guard(n, (3*n+k)%16, float32(-6)))
		got, scratch = append(got, guards[k].body()), append(scratch, scratchGuards[k].body())
	}
	for i := range ids.body() {
		ids.body()[i] = int32(i)
	}
	left := dist.Partition(got, ids.body(), scratch, scratchIDs.body(), axis, pivot, orEqual)
	ids.check(t, name+": ids")
	scratchIDs.check(t, name+": scratch ids")
	for k := range keys {
		guards[k].check(t, name+": keys")
		scratchGuards[k].check(t, name+": scratch keys")
	}
	var below, others []int32
	for i, v := range keys[axis] {
		if v < pivot || orEqual && v == pivot {
			below = append(below, int32(i))
		} else {
			others = append(others, int32(i))
		}
	}
	if left != len(below) {
		t.Fatalf("%s: axis %d, pivot %g, orEqual %t: %d of %d are left, want %d", name, axis, pivot, orEqual, left, n, len(below))
	}
	for i, id := range append(below, others...) {
		if ids.body()[i] != id {
			t.Fatalf("%s: axis %d, pivot %g, orEqual %t: id %d is %d, want %d", name, axis, pivot, orEqual, i, ids.body()[i], id)
		}
		for k := range keys {
			if g, w := math.Float32bits(got[k][i]), math.Float32bits(keys[k][id]); g != w {
				t.Fatalf("%s: key %d of row %d is %#x, want %#x", name, k, i, g, w)
			}
		}
	}
}

func TestPartitionWithLongerScratch(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		keys, ids := [][]float32{{3, 1, 2}}, []int32{0, 1, 2}
		left := dist.Partition(keys, ids, [][]float32{make([]float32, 9)}, make([]int32, 7), 0, 2, true)
		if left != 2 || ids[0] != 1 || ids[1] != 2 || ids[2] != 0 {
			t.Errorf("got %d, %v", left, ids)
		}
	})
}

func TestCut(t *testing.T) {
	sizes := []int{127, 128, 129, 1000}
	for n := 1; n <= 70; n++ {
		sizes = append(sizes, n)
	}
	atLevels(t, func(t *testing.T) {
		for _, size := range sizes {
			for _, d := range draws {
				r, name := seeded("cut/size=", size, "/keys=", d.name)
				x := make([]float32, size)
				for i := range x {
					x[i] = d.draw(r)
				}
				for range 5 {
					n := 1 + r.IntN(size)
					cutCase(t, name, x, n, n)
					cutCase(t, name, x, n, n+1+r.IntN(size))
				}
				cutCase(t, name, x, 1, 1)
				cutCase(t, name, x, 1, size)
				cutCase(t, name, x, 1, math.MaxInt)
				cutCase(t, name, x, size, size)
				cutCase(t, name, x, size, math.MaxInt)
			}
		}
	})
}

// cutCase checks Cut by its definition, and against the reference, whose pivot
// it must find: trees are the same at all levels.
func cutCase(t *testing.T, name string, x []float32, n, most int) {
	t.Helper()
	pivot := dist.Cut(guardCopy(x, n%16, 0).body(), n, most)
	if want := dist.CutGeneric(x, n, most); pivot != want {
		t.Fatalf("%s: n = %d to %d: got %g, want %g", name, n, most, pivot, want)
	}
	var values, below, atMost int
	for _, v := range x {
		if v == v {
			values++
		}
		if v < pivot {
			below++
		}
		if v <= pivot {
			atMost++
		}
	}
	if n = min(n, values); atMost < n || atMost > most && below >= n || pivot != pivot {
		t.Fatalf("%s: n = %d to %d: %d values are < %g, %d are ≤", name, n, most, below, pivot, atMost)
	}
}
