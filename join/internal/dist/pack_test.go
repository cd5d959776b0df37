package dist_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/join/internal/dist"
)

// This file tests what gathers, packs and ranks values: Append, Keep and Ranks.

// lists are guarded lists for Append, filled with values that tell places apart.
type lists struct {
	room        int
	x           guarded[float32]
	ids, counts guarded[int32]
}

// drawLists draws lists of any length; those that lanes names have room.
func drawLists(r *rand.Rand, n, room int, lanes []uint8) lists {
	l := lists{room, guard(n*room, r.IntN(16), float32(-7)), guard(n*room, r.IntN(16), int32(-7)), guard(n, r.IntN(16), int32(-7))}
	for i := range l.x.body() {
		l.x.body()[i], l.ids.body()[i] = float32(i)+0.5, int32(-i-10)
	}
	for i := range l.counts.body() {
		l.counts.body()[i] = r.Int32N(int32(room + 1))
	}
	for _, lane := range lanes {
		most := int32(room - dist.Lanes)
		l.counts.body()[lane] = []int32{0, most, r.Int32N(most + 1)}[r.IntN(3)]
	}
	return l
}

// drawMask draws a mask with no, all, few or many bits.
func drawMask(r *rand.Rand) uint32 {
	return []uint32{
		0, math.MaxUint32, 1 << r.IntN(32), r.Uint32() & r.Uint32() & r.Uint32(), r.Uint32(), r.Uint32() & 0xffff, r.Uint32() << 16,
	}[r.IntN(7)]
}

func TestAppend(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, n := range []int{1, 2, 3, 5, 31, 32, 33, 256} {
			for _, room := range []int{dist.Lanes, dist.Lanes + 1, 47, 2*dist.Lanes + 20} {
				for rep := range 12 {
					r, name := seeded("append/lists=", n, "/room=", room, "/rep=", rep)
					lanes := make([]uint8, r.IntN(n+1))
					for i, lane := range r.Perm(n)[:len(lanes)] {
						lanes[i] = uint8(lane)
					}
					src, hits := make([]float32, len(lanes)*dist.Lanes), make([]uint32, len(lanes))
					for i := range src {
						src[i] = draws[rep%len(draws)].draw(r)
					}
					for i := range hits {
						hits[i] = drawMask(r)
					}
					appendCase(t, name, drawLists(r, n, room, lanes), lanes, src, hits, r.Int32()-math.MaxInt32/2)
				}
			}
		}
	})
}

// appendCase runs Append on lists, and looks at all places: new values and ids
// stand where they must, and nothing else has changed but what is given up.
func appendCase(t *testing.T, name string, l lists, lanes []uint8, src []float32, hits []uint32, first int32) {
	t.Helper()
	x, ids, counts := slices.Clone(l.x.body()), slices.Clone(l.ids.body()), slices.Clone(l.counts.body())
	lost := make([]bool, len(x))
	for i, lane := range lanes {
		at := int(lane)*l.room + int(counts[lane])
		counts[lane] += int32(bits.OnesCount32(hits[i]))
		for j := range dist.Lanes {
			lost[at+j] = true
		}
		for j := range dist.Lanes {
			if hits[i]>>j&1 != 0 {
				x[at], ids[at], lost[at] = src[i*dist.Lanes+j], first+int32(j), false
				at++
			}
		}
	}
	shift := len(lanes) % 16
	dist.Append(l.x.body(), l.ids.body(), l.counts.body(), l.room, guardCopy(lanes, shift, 0xff).body(),
		guardCopy(src, 15-shift, 1e9).body(), guardCopy(hits, shift, math.MaxUint32).body(), first)
	l.x.check(t, name+": values")
	l.ids.check(t, name+": ids")
	l.counts.check(t, name+": counts")
	if !slices.Equal(l.counts.body(), counts) {
		t.Fatalf("%s: lanes %v: counts %v, want %v", name, lanes, l.counts.body(), counts)
	}
	for at := range x {
		got, id := l.x.body()[at], l.ids.body()[at]
		if !lost[at] && (math.Float32bits(got) != math.Float32bits(x[at]) || id != ids[at]) {
			t.Fatalf("%s: lanes %v, masks %#x: place %d of list %d has %g and id %d, want %g and %d",
				name, lanes, hits, at%l.room, at/l.room, got, id, x[at], ids[at])
		}
	}
}

func TestKeep(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, n := range append([]int{0}, packSizes()...) {
			for _, d := range draws {
				r, name := seeded("keep/n=", n, "/values=", d.name)
				x := make([]float32, n)
				for i := range x {
					x[i] = d.draw(r)
				}
				limits := []float32{0, 1, inf32, -inf32, nan32, math.MaxFloat32}
				if n > 0 {
					limits = append(limits, x[r.IntN(n)], x[r.IntN(n)])
				}
				for _, limit := range limits {
					keepCase(t, name, x, limit)
				}
			}
		}
	})
}

// packSizes are the numbers of values to try: all small ones, and those about the
// ends of vectors.
func packSizes() []int {
	var sizes []int
	for n := 1; n <= 70; n++ {
		sizes = append(sizes, n)
	}
	return append(sizes, 127, 128, 129, 1000)
}

// keepCase compares Keep with its definition. The bands would be kept, were they
// read.
func keepCase(t *testing.T, name string, x []float32, limit float32) {
	t.Helper()
	n := len(x)
	values, ids := guardCopy(x, n%16, -math.MaxFloat32), guard(n, 15-n%16, int32(-5))
	var want []int32
	for i, v := range x {
		ids.body()[i] = int32(i)
		if v <= limit {
			want = append(want, int32(i))
		}
	}
	kept := dist.Keep(values.body(), ids.body(), limit)
	values.check(t, name+": values")
	ids.check(t, name+": ids")
	if kept != len(want) || !slices.Equal(ids.body()[:kept], want) {
		t.Fatalf("%s: limit %g: kept %d, %v, want %v", name, limit, kept, ids.body(), want)
	}
	for i, id := range want {
		if got := values.body()[i]; math.Float32bits(got) != math.Float32bits(x[id]) {
			t.Fatalf("%s: limit %g: value %d is %g, want %g", name, limit, i, got, x[id])
		}
	}
}

func TestRanks(t *testing.T) {
	draws64 := map[string]func(r *rand.Rand) float64{
		"normal": func(r *rand.Rand) float64 { return r.NormFloat64() },
		"close":  func(r *rand.Rand) float64 { return 1 + float64(r.IntN(9))*0x1p-52 },
		"few":    func(r *rand.Rand) float64 { return float64(r.IntN(3)) },
		"equal":  func(*rand.Rand) float64 { return 1 },
		"zeros":  func(r *rand.Rand) float64 { return math.Copysign(0, r.NormFloat64()) },
		"odd": func(r *rand.Rand) float64 {
			return []float64{math.NaN(), inf, -inf, 0, math.Copysign(0, -1), math.MaxFloat64, 5e-324}[r.IntN(7)]
		},
	}
	atLevels(t, func(t *testing.T) {
		for _, n := range append([]int{0, 500}, packSizes()...) {
			for kind, draw := range draws64 {
				r, name := seeded("ranks/n=", n, "/values=", kind)
				x, want := make([]float64, n), make([]int32, n)
				for i := range x {
					x[i] = draw(r)
				}
				for i, v := range x {
					for _, other := range x {
						if other < v {
							want[i]++
						}
					}
				}
				dst := guard(n, n%16, int32(-5))
				dist.Ranks(dst.body(), guardCopy(x, 15-n%16, -inf).body()) // the bands would be less
				dst.check(t, name)
				if !slices.Equal(dst.body(), want) {
					t.Fatalf("%s: got %v, want %v, of %v", name, dst.body(), want, x)
				}
			}
		}
	})
}
