package dist_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"rtcluster/join/internal/dist"
)

// sums returns the squared distances of all rows of q and b in float64.
func sums(q, b []float32) *[dist.Lanes][dist.Lanes]float64 {
	var s [dist.Lanes][dist.Lanes]float64
	for at := 0; at < len(b); at += dist.Lanes {
		for i := range dist.Lanes {
			x := float64(q[at+i])
			for j := range dist.Lanes {
				t := x - float64(b[at+j])
				s[i][j] += t * t
			}
		}
	}
	return &s
}

// someLanes draws n lanes of a block, in any order, repetitions allowed.
func someLanes(r *rand.Rand, n int) []uint8 {
	lanes := make([]uint8, n)
	for i := range lanes {
		lanes[i] = uint8(r.IntN(dist.Lanes))
	}
	return lanes
}

// laneCounts are the numbers of lanes to try: all of them, or, with many
// coordinates, those about groups of 4.
func laneCounts(dim int) []int {
	if dim > 20 {
		return []int{1, 2, 3, 4, 5, 7, 31, 32}
	}
	counts := make([]int, dist.Lanes+1)
	for n := range counts {
		counts[n] = n
	}
	return counts
}

// limitsOf returns limits at and about sums that occur, and the odd ones.
func limitsOf(r *rand.Rand, s *[dist.Lanes][dist.Lanes]float64) []float32 {
	limits := []float32{0, -1, inf32, nan32, 0x1p-149, math.MaxFloat32}
	for range 4 {
		v := float32(s[r.IntN(dist.Lanes)][r.IntN(dist.Lanes)])
		limits = append(limits, v, math.Nextafter32(v, 0))
	}
	return limits
}

func TestTile(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, dim := range dims {
			for _, k := range kinds {
				r, name := seeded("tile/kind=", k.name, "/dim=", dim)
				q, b := block(r, dim, k, true), block(r, dim, k, true)
				s := sums(q, b)
				for _, n := range laneCounts(dim) {
					limits := limitsOf(r, s)
					for range 3 {
						sureLimit, hitLimit := limits[r.IntN(len(limits))], limits[r.IntN(len(limits))]
						tileCase(t, name, k.exact, q, b, s, someLanes(r, n), sureLimit, hitLimit)
					}
				}
			}
		}
	})
}

// tileCase runs Tile between guard bands, checks it against the sums, and
// against the reference where these are exact.
func tileCase(t *testing.T, name string, exact bool, q, b []float32, s *[dist.Lanes][dist.Lanes]float64, lanes []uint8, sureLimit, hitLimit float32) {
	t.Helper()
	n, dim, shift := len(lanes), len(b)/dist.Lanes, len(lanes)%16
	hits, sure := guard(n, shift, uint32(0xdeadbeef)), guard(n, 15-shift, uint32(0xdeadbeef))
	gq, gb, gl := guardCopy(q, shift, 1e9), guardCopy(b, 15-shift, 1e9), guardCopy(lanes, shift, 0xff)
	dist.Tile(hits.body(), sure.body(), gq.body(), gl.body(), gb.body(), sureLimit, hitLimit)
	hits.check(t, name+": hits")
	sure.check(t, name+": sure")
	for i, lane := range lanes {
		checkMask(t, name+": hits", hits.body()[i], s[lane][:], dim, hitLimit)
		if extra := sure.body()[i] &^ hits.body()[i]; extra != 0 {
			t.Fatalf("%s: sure, no hits: %#x", name, extra)
		}
		if sureLimit <= hitLimit {
			checkMask(t, name+": sure", sure.body()[i], s[lane][:], dim, sureLimit)
		}
	}
	if !exact {
		return
	}
	wantHits, wantSure := make([]uint32, n), make([]uint32, n)
	dist.TileGeneric(wantHits, wantSure, q, lanes, b, sureLimit, hitLimit)
	for i := range lanes {
		if hits.body()[i] != wantHits[i] || sure.body()[i] != wantSure[i] {
			t.Fatalf("%s: %d of %d lanes, limits %g %g: got %#x %#x, want %#x %#x",
				name, i, n, sureLimit, hitLimit, hits.body()[i], sure.body()[i], wantHits[i], wantSure[i])
		}
	}
}

func TestDistances(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, dim := range dims {
			for _, k := range kinds {
				r, name := seeded("distances/kind=", k.name, "/dim=", dim)
				q, b := block(r, dim, k, true), block(r, dim, k, true)
				s := sums(q, b)
				for _, n := range laneCounts(dim) {
					pool := limitsOf(r, s)
					limits := make([]float32, n)
					for i := range limits {
						limits[i] = pool[r.IntN(len(pool))]
					}
					distancesCase(t, name, k.exact, q, b, s, someLanes(r, n), limits)
				}
			}
		}
	})
}

// distancesCase is tileCase for Distances.
func distancesCase(t *testing.T, name string, exact bool, q, b []float32, s *[dist.Lanes][dist.Lanes]float64, lanes []uint8, limits []float32) {
	t.Helper()
	n, dim, shift := len(lanes), len(b)/dist.Lanes, len(lanes)%16
	dst, hits := guard(n*dist.Lanes, 15-shift, float32(-7)), guard(n, shift, uint32(0xdeadbeef))
	gq, gb, gl := guardCopy(q, shift, 1e9), guardCopy(b, 15-shift, 1e9), guardCopy(lanes, shift, 0xff)
	dist.Distances(dst.body(), hits.body(), gq.body(), gl.body(), gb.body(), guardCopy(limits, shift, 1e9).body())
	dst.check(t, name+": dst")
	hits.check(t, name+": hits")
	want, wantHits := make([]float32, n*dist.Lanes), make([]uint32, n)
	dist.DistancesGeneric(want, wantHits, q, lanes, b, limits)
	for i, lane := range lanes {
		mask := hits.body()[i]
		checkMask(t, name+": hits", mask, s[lane][:], dim, limits[i])
		if exact && mask != wantHits[i] {
			t.Fatalf("%s: %d of %d lanes, limit %g: got %#x, want %#x", name, i, n, limits[i], mask, wantHits[i])
		}
		for j := range dist.Lanes {
			got := dst.body()[i*dist.Lanes+j]
			if mask>>j&1 != 0 && !closeSum(got, s[lane][j], dim) {
				t.Fatalf("%s: %d of %d lanes, row %d: sum %g, want %g", name, i, n, j, got, s[lane][j])
			}
		}
	}
}

// closeSum says whether got may be the float32 sum for s.
func closeSum(got float32, s float64, dim int) bool {
	atMost, _ := verdict(s, dim, got)
	if math.IsInf(float64(got), 1) {
		_, mayPass := verdict(s, dim, math.MaxFloat32)
		return mayPass
	}
	_, above := verdict(s, dim, math.Nextafter32(got, -inf32))
	return atMost && above
}

func TestTileIgnoresHighBitsOfLanes(t *testing.T) {
	r, name := seeded("lanes")
	q, b := block(r, 3, kinds[0], false), block(r, 3, kinds[0], false)
	atLevels(t, func(t *testing.T) {
		for n := range 9 {
			lanes := someLanes(r, n)
			high := make([]uint8, n)
			for i := range high {
				high[i] = lanes[i] | uint8(i+1)<<5
			}
			want, wantSure, got, gotSure := make([]uint32, n), make([]uint32, n), make([]uint32, n), make([]uint32, n)
			dist.Tile(want, wantSure, q, lanes, b, 20, 30)
			dist.Tile(got, gotSure, q, high, b, 20, 30)
			for i := range want {
				if got[i] != want[i] || gotSure[i] != wantSure[i] {
					t.Errorf("%s: lanes %v: got %#x %#x, want %#x %#x", name, high, got[i], gotSure[i], want[i], wantSure[i])
				}
			}
		}
	})
}

func TestTileWithoutCoordinates(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		hits, sure := []uint32{1, 1}, []uint32{1, 1}
		dist.Tile(hits, sure, nil, []uint8{0, 5}, nil, -1, 0)
		if hits[1] != math.MaxUint32 || sure[1] != 0 {
			t.Errorf("got %#x %#x, want all and none", hits[1], sure[1])
		}
	})
}
