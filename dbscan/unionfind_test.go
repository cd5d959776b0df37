package dbscan_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/dbscan"
)

func TestUnionFind(t *testing.T) {
	all := []bool{true, true, true, true, true, true}
	tests := []struct {
		name   string
		member []bool
		pairs  [][2]int32
		want   []int32
	}{
		{"nothing", nil, nil, nil},
		{"no pairs", all, nil, []int32{0, 1, 2, 3, 4, 5}},
		{"rows that take no part", []bool{false, true, false, true}, [][2]int32{{3, 1}}, []int32{-1, 1, -1, 1}},
		{"a chain from the end", all, [][2]int32{{5, 4}, {4, 3}, {3, 2}, {2, 1}, {1, 0}}, []int32{0, 0, 0, 0, 0, 0}},
		{"two sets that meet", all, [][2]int32{{5, 3}, {4, 2}, {3, 2}, {5, 4}}, []int32{0, 1, 2, 2, 2, 2}},
		{"a pair twice", all, [][2]int32{{1, 4}, {4, 1}, {1, 4}}, []int32{0, 1, 2, 3, 1, 5}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if got := dbscan.Roots(tc.member, tc.pairs); !slices.Equal(got, tc.want) {
				t.Errorf("roots %v, want %v", got, tc.want)
			}
		})
	}
}

// TestUnionFindRandom compares with labels that are painted over until nothing
// changes.
func TestUnionFindRandom(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 0))
		n := 1 + r.IntN(60)
		member, want := make([]bool, n), make([]int32, n)
		for i := range member {
			member[i], want[i] = true, int32(i)
		}
		pairs := make([][2]int32, r.IntN(n+1))
		for p := range pairs {
			pairs[p] = [2]int32{r.Int32N(int32(n)), r.Int32N(int32(n))}
		}
		for changed := true; changed; {
			changed = false
			for _, p := range pairs {
				if a, b := want[p[0]], want[p[1]]; a != b {
					want[p[0]], want[p[1]], changed = min(a, b), min(a, b), true
				}
			}
		}
		if got := dbscan.Roots(member, pairs); !slices.Equal(got, want) {
			t.Fatalf("seed %d: roots %v, want %v", seed, got, want)
		}
	}
}

func TestChunked(t *testing.T) {
	const perChunk = 4
	for rows := range 14 {
		var got []int32
		sizes := []int{}
		odd := func(row int) bool { return row%2 == 1 }
		err := dbscan.Chunked(rows, dbscan.ChunkBytes/perChunk, odd, func(chunk []int32) error {
			got = append(got, chunk...)
			sizes = append(sizes, len(chunk))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var want []int32
		for i := 1; i < rows; i += 2 {
			want = append(want, int32(i))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d rows: chunks %v of %v, want %v", rows, sizes, got, want)
		}
		for i, size := range sizes {
			if size == 0 || size > perChunk || size < perChunk && i < len(sizes)-1 {
				t.Errorf("%d rows: chunk sizes %v, want %d each but the last", rows, sizes, perChunk)
			}
		}
	}
	// A row larger than a chunk goes alone.
	calls := 0
	_ = dbscan.Chunked(3, 2*dbscan.ChunkBytes, func(int) bool { return true }, func(chunk []int32) error {
		calls++
		return nil
	})
	if calls != 3 {
		t.Errorf("3 huge rows in %d chunks, want 3", calls)
	}
}
