package dist_test

import (
	"math"
	"math/bits"
	"testing"

	"rtcluster/join/internal/dist"
)

func TestShift(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, dim := range append([]int{0}, dims...) {
			for _, k := range kinds {
				r, name := seeded("shift/kind=", k.name, "/dim=", dim)
				src, by := block(r, dim, k, true), make([]float32, dim)
				for i := range by {
					by[i] = k.draw(r)
				}
				dst := guard(len(src), dim%16, float32(-7))
				dist.Shift(dst.body(), guardCopy(src, 15-dim%16, 1e9).body(), guardCopy(by, 3, 1e9).body())
				dst.check(t, name)
				inPlace := guardCopy(src, dim%16, -7)
				dist.Shift(inPlace.body(), inPlace.body(), by)
				inPlace.check(t, name)
				for i, x := range src {
					want := math.Float32bits(x + by[i/dist.Lanes])
					got, again := math.Float32bits(dst.body()[i]), math.Float32bits(inPlace.body()[i])
					if x == x && (got != want || again != want) {
						t.Fatalf("%s: value %d: got %#x, in place %#x, want %#x", name, i, got, again, want)
					}
				}
			}
		}
	})
}

func TestMinMax(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, dim := range append([]int{0}, dims...) {
			for _, k := range kinds {
				r, name := seeded("minmax/kind=", k.name, "/dim=", dim)
				x := block(r, dim, k, true)
				for i := range x {
					if i/dist.Lanes%5 == 4 || i/dist.Lanes%5 == 3 && r.IntN(10) > 0 {
						x[i] = nan32
					}
				}
				low, high := guard(dim, dim%16, float32(-7)), guard(dim, 3, float32(-7))
				dist.MinMax(low.body(), high.body(), guardCopy(x, 15-dim%16, -1e38).body())
				low.check(t, name+": low")
				high.check(t, name+": high")
				wantLow, wantHigh := make([]float32, dim), make([]float32, dim)
				dist.MinMaxGeneric(wantLow, wantHigh, x)
				for c := range dim {
					if low.body()[c] != wantLow[c] || high.body()[c] != wantHigh[c] {
						t.Fatalf("%s: coordinate %d: got %g and %g, want %g and %g",
							name, c, low.body()[c], high.body()[c], wantLow[c], wantHigh[c])
					}
				}
			}
		}
	})
}

func TestMinMaxByHand(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for at := range dist.Lanes {
			x := make([]float32, 3*dist.Lanes)
			for j := range dist.Lanes {
				x[j], x[dist.Lanes+j], x[2*dist.Lanes+j] = 1, nan32, nan32
			}
			x[at], x[(at+1)%dist.Lanes], x[2*dist.Lanes+at] = 3, -2, inf32
			var low, high [3]float32
			dist.MinMax(low[:], high[:], x)
			if low != [3]float32{-2, inf32, inf32} || high != [3]float32{3, -inf32, inf32} {
				t.Errorf("lane %d: got %v and %v", at, low, high)
			}
		}
	})
}

func TestAddBits(t *testing.T) {
	r, _ := seeded("bits")
	masks := []uint32{0, 1, 1 << 31, 0x55555555, math.MaxUint32}
	for range 50 {
		masks = append(masks, r.Uint32())
	}
	atLevels(t, func(t *testing.T) {
		counts := guard(dist.Lanes, 3, int32(-5))
		var total int
		for _, mask := range masks {
			before := [dist.Lanes]int32(counts.body())
			dist.AddBits(counts.body(), mask)
			total += bits.OnesCount32(mask)
			for j, c := range counts.body() {
				if want := before[j] + int32(mask>>j&1); c != want {
					t.Fatalf("mask %#x: count %d is %d, want %d", mask, j, c, want)
				}
			}
		}
		for _, c := range counts.body() {
			total -= int(c) + 5
		}
		if total != 0 {
			t.Errorf("counts miss %d bits", total)
		}
		counts.check(t, "counts")
	})
}

func TestShapesPanic(t *testing.T) {
	b, b2, odd := make([]float32, 32), make([]float32, 64), make([]float64, 3)
	u, f := make([]uint32, 2), make([]float64, 6)
	lanes := []uint8{0, 1, 2}
	keys := [][]float32{{1, 2}, {1, 2}}
	ids, two := make([]int32, 64), make([]int32, 2)
	tests := []struct {
		name string
		call func()
	}{
		{"shift dst", func() { dist.Shift(b, b2, []float32{1, 2}) }},
		{"shift src", func() { dist.Shift(b2, b, []float32{1, 2}) }},
		{"min max block", func() { dist.MinMax(b2[:1], b2[:1], b[:31]) }},
		{"min max bounds", func() { dist.MinMax(b2[:1], b2[:2], b) }},
		{"near box", func() { dist.Near(b, []float32{1}, 0) }},
		{"near block", func() { dist.Near(b[:31], nil, 0) }},
		{"near each box", func() { dist.NearEach(b, []float32{1}, &[dist.Lanes]float32{}) }},
		{"near each block", func() { dist.NearEach(b[:31], nil, &[dist.Lanes]float32{}) }},
		{"gaps sums", func() { dist.Gaps(b[:31], b, b, []float32{1, 2}, 0) }},
		{"gaps low", func() { dist.Gaps(b, b2, b, []float32{1, 2}, 0) }},
		{"gaps high", func() { dist.Gaps(b, b, b2, []float32{1, 2}, 0) }},
		{"gaps box", func() { dist.Gaps(b, b, b, []float32{1, 2, 3}, 0) }},
		{"tile blocks", func() { dist.Tile(u, u, b, lanes[:1], b2, 0, 0) }},
		{"tile part of a row", func() { dist.Tile(u, u, b[:31], lanes[:1], b[:31], 0, 0) }},
		{"tile hits", func() { dist.Tile(u, make([]uint32, 3), b, lanes, b, 0, 0) }},
		{"tile sure", func() { dist.Tile(make([]uint32, 3), u, b, lanes, b, 0, 0) }},
		{"distances dst", func() { dist.Distances(b, u, b, lanes[:2], b, b) }},
		{"distances hits", func() { dist.Distances(make([]float32, 96), u, b, lanes, b, b) }},
		{"distances limits", func() { dist.Distances(b2, u, b, lanes[:2], b, b[:1]) }},
		{"distances blocks", func() { dist.Distances(b2, u, b2, lanes[:2], b, b) }},
		{"rows dst", func() { dist.Rows(f[:3], f, []int32{0, 1}, nil, 2) }},
		{"rows beyond the end", func() { dist.Rows(f[:2], f[:4], []int32{2}, nil, 2) }},
		{"rows before the start", func() { dist.Rows(f[:2], f[:4], []int32{-1}, nil, 2) }},
		{"rows next", func() { dist.Rows(f[:2], f[:4], []int32{1}, []int32{2}, 2) }},
		{"squares dst", func() { dist.Squares(f[:3], f[:2], f, []int32{0, 1}) }},
		{"squares beyond the end", func() { dist.Squares(f[:1], f[:2], f[:4], []int32{2}) }},
		{"squares before the start", func() { dist.Squares(f[:1], f[:2], f[:4], []int32{-1}) }},
		{"bounds box", func() { dist.Bounds(f[:3], f, 2) }},
		{"bounds of nothing", func() { dist.Bounds(f[:4], nil, 2) }},
		{"bounds part of a row", func() { dist.Bounds(f[:4], f[:3], 2) }},
		{"offset dst", func() { dist.Offset(b[:2], f[:3], f[:3]) }},
		{"offset rows", func() { dist.Offset(b[:3], f[:3], f[:2]) }},
		{"rotate dst", func() { dist.Rotate(f[:3], f[:4], f[:2], f[:4], 2, 2) }},
		{"rotate x", func() { dist.Rotate(f[:4], f[:3], f[:2], f[:4], 2, 2) }},
		{"rotate axes", func() { dist.Rotate(f[:4], f[:4], f[:2], f[:3], 2, 2) }},
		{"rotate rows", func() { dist.Rotate(nil, nil, nil, nil, -1, 0) }},
		{"gap dimensions", func() { dist.Gap2(f[:2], f[:4]) }},
		{"gap half", func() { dist.Gap2(odd, odd) }},
		{"reach dimensions", func() { dist.Reach2(f[:2], f[:4]) }},
		{"counts", func() { dist.AddBits(make([]int32, 31), 0) }},
		{"cut none", func() { dist.Cut(b, 0, 1) }},
		{"cut too many", func() { dist.Cut(b, 33, 33) }},
		{"cut nothing", func() { dist.Cut(nil, 0, 0) }},
		{"cut before it begins", func() { dist.Cut(b, 2, 1) }},
		{"append sums", func() { dist.Append(b2, ids, two, 32, lanes[:2], b2[:63], u, 0) }},
		{"append masks", func() { dist.Append(b2, ids, two, 32, lanes[:2], b2, u[:1], 0) }},
		{"append lists", func() { dist.Append(b2[:63], ids, two, 32, lanes[:1], b, u, 0) }},
		{"append ids", func() { dist.Append(b2, ids[:63], two, 32, lanes[:1], b, u, 0) }},
		{"append no such list", func() { dist.Append(b2, ids, two, 32, lanes[2:], b, u, 0) }},
		{"append without room", func() { dist.Append(b2, ids, []int32{0, 1}, 32, lanes[:2], b2, u, 0) }},
		{"append room below Lanes", func() { dist.Append(b2, ids, two, 31, lanes[:1], b, u, 0) }},
		{"append before the start", func() { dist.Append(b2, ids, []int32{0, -1}, 32, lanes[1:2], b, u, 0) }},
		{"keep ids", func() { dist.Keep(b, ids[:31], 0) }},
		{"ranks dst", func() { dist.Ranks(two, odd) }},
		{"partition axis", func() { dist.Partition(keys, make([]int32, 2), keys, make([]int32, 2), 2, 0, false) }},
		{"partition keys", func() { dist.Partition(keys, make([]int32, 3), keys, make([]int32, 3), 0, 0, false) }},
		{"partition scratch", func() { dist.Partition(keys, make([]int32, 2), keys[:1], make([]int32, 2), 0, 0, false) }},
		{"partition ids", func() { dist.Partition(keys, make([]int32, 2), keys, make([]int32, 1), 0, 0, false) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				if text, ok := recover().(string); !ok || len(text) < 6 || text[:6] != "dist: " {
					t.Errorf("panic is %q, want a text of this package", text)
				}
			}()
			tt.call()
		})
	}
}

func TestNoAllocations(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r, _ := seeded("allocations")
		b, u, lanes := block(r, 9, kinds[2], false), make([]uint32, 5), someLanes(r, 5)
		f, counts, box := make([]float64, 100), make([]int32, dist.Lanes), make([]float32, 18)
		dst, keys, ids := make([]float32, 5*dist.Lanes), [][]float32{b[:60], b[60:120]}, make([]int32, 60)
		scratch, scratchIDs := [][]float32{make([]float32, 60), make([]float32, 60)}, make([]int32, 60)
		numbers, lengths, order := make([]int32, len(dst)), make([]int32, 5), []uint8{4, 0, 2, 1, 3}
		var limits [dist.Lanes]float32
		got := testing.AllocsPerRun(10, func() {
			dist.Shift(dst, dst, box[:5])
			dist.MinMax(box[:5], box[9:14], dst)
			dist.Near(b, box, 1)
			dist.NearEach(b, box, &limits)
			dist.Tile(u, u, b, lanes, b, 1, 2)
			dist.Distances(dst, u, b, lanes, b, b)
			dist.Rotate(f[:16], f[16:48], f[48:56], f[56:88], 4, 4)
			dist.Gap2(f[:20], f[20:40])
			dist.Reach2(f[:20], f[20:40])
			dist.AddBits(counts, 7)
			dist.Cut(dst, 7, 9)
			clear(lengths)
			dist.Append(dst, numbers, lengths, dist.Lanes, order, b, u, 3)
			dist.Keep(dst, numbers, 1)
			dist.Ranks(numbers[:20], f[:20])
			dist.Partition(keys, ids, scratch, scratchIDs, 0, 0, true)
		})
		if got != 0 {
			t.Errorf("%v allocations", got)
		}
	})
}
