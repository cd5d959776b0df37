//go:build cuda

package cuda_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"rtcluster/gpu/cuda"
	"rtcluster/gpu/kernels"
	"rtcluster/join"
)

// sets is a union–find for the tests, of plain loops.
type sets []int32

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

func (s sets) find(i int32) int32 {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

func (s sets) unite(i, j int32) {
	if i, j = s.find(i), s.find(j); i != j {
		s[max(i, j)] = min(i, j)
	}
}

// checkParents compares a forest from the card with sets of positions: a root is the
// least position of its set, and the parent of all.
func checkParents(t *testing.T, row, parent []int32, want sets) {
	t.Helper()
	faults := 0
	for p := range parent {
		expected := int32(-1)
		if row[p] >= 0 {
			expected = want.find(int32(p))
		}
		if parent[p] != expected {
			if faults++; faults <= 5 {
				t.Errorf("position %d (row %d): parent %d, want %d", p, row[p], parent[p], expected)
			}
		}
	}
	if faults > 0 {
		t.Errorf("%d of %d parents are wrong", faults, len(parent))
	}
}

// TestFirstSets compares first unions with the pairs of each leaf and the next ones
// that the predicate finds. ε is so that no pair is nearly as far apart.
func TestFirstSets(t *testing.T) {
	skipWithoutCard(t)
	for _, test := range []struct {
		shape  string
		n, dim int
		eps    float64
	}{
		{"uniform", 1, 2, 0.1},
		{"uniform", 63, 1, 0.01},
		{"uniform", 64, 3, 0.2},
		{"uniform", 65, 3, 10},
		{"uniform", 5000, 3, 0.05},
		{"uniform", 5000, 2, 0.008},
		{"blobs", 20_000, 5, 0.02},
		{"latent", 20_000, 17, 0.08},
		{"latent", 3000, 90, 0.4},
		{"latent", 20_000, 16, 3},
		{"uniform", 5000, 3, 0},
	} {
		t.Run(fmt.Sprintf("%s/n=%d/dim=%d/eps=%v", test.shape, test.n, test.dim, test.eps), func(t *testing.T) {
			pts := must(t, test.shape, test.n, test.dim)
			if test.eps == 0 {
				pts = repeated(t, pts, 5)
			}
			row, parent, err := cuda.FirstSets(t.Context(), pts, test.eps)
			if err != nil {
				t.Fatal(err)
			}
			want, united := newSets(len(row)), 0
			for p, i := range row {
				last := min(len(row), (p/kernels.Leaf+cuda.AheadLeaves+1)*kernels.Leaf)
				for q := p + 1; q < last; q++ {
					if j := row[q]; i >= 0 && j >= 0 && join.Within(pts.Row(int(i)), pts.Row(int(j)), join.Squared(test.eps)) {
						want.unite(int32(p), int32(q))
						united++
					}
				}
			}
			t.Logf("%d pairs", united)
			checkParents(t, row, parent, want)
		})
	}
}

// TestUnite has many blocks unite rows at once, along lists of pairs that make long
// paths, or all meet in one row.
func TestUnite(t *testing.T) {
	skipWithoutCard(t)
	const n = 300_000
	pts := must(t, "uniform", n, 1)
	random := rand.New(rand.NewPCG(1, 2))
	pair := func(i, j int) kernels.Pair { return kernels.Pair{I: int32(i), J: int32(j)} }
	lists := map[string][]kernels.Pair{"none": nil}
	for i := range n - 1 {
		lists["a path"] = append(lists["a path"], pair(i, i+1))
		lists["a path backwards"] = append(lists["a path backwards"], pair(n-1-i, n-2-i))
		lists["a star"] = append(lists["a star"], pair(n-1, i))
		lists["random"] = append(lists["random"], pair(random.IntN(n), random.IntN(n)))
		if i < n/3 {
			lists["few"] = append(lists["few"], pair(random.IntN(n), random.IntN(n)))
		}
		if i&(i+1) != 0 {
			lists["a tree"] = append(lists["a tree"], pair(i, i&(i-1)))
		}
	}
	for name, list := range lists {
		for _, blocks := range []int{1, 600} {
			t.Run(fmt.Sprintf("%s/blocks=%d", name, blocks), func(t *testing.T) {
				row, parent, err := cuda.Unite(t.Context(), pts, list, blocks)
				if err != nil {
					t.Fatal(err)
				}
				at := make([]int32, n)
				for p, i := range row {
					if i >= 0 {
						at[i] = int32(p)
					}
				}
				want := newSets(len(row))
				for _, p := range list {
					want.unite(at[p.I], at[p.J])
				}
				checkParents(t, row, parent, want)
			})
		}
	}
}

// TestRank counts bits before words, of fewer and of more than a block takes at a time.
func TestRank(t *testing.T) {
	skipWithoutCard(t)
	random := rand.New(rand.NewPCG(3, 4))
	for _, words := range []int{1, 3, 4, 255, 1024, 1025, 4000, 1024*1024 - 1, 1024*1024 + 1, 2_500_000} {
		t.Run(fmt.Sprint(words), func(t *testing.T) {
			named := make([]uint32, words)
			for i := range named {
				named[i] = random.Uint32() & random.Uint32()
			}
			before, all, err := cuda.Rank(named)
			if err != nil {
				t.Fatal(err)
			}
			sum := uint32(0)
			for i, word := range named {
				if before[i] != sum {
					t.Fatalf("word %d has %d bits before it, want %d", i, before[i], sum)
				}
				sum += uint32(bits.OnesCount32(word))
			}
			if all != int64(sum) {
				t.Errorf("%d bits in all, want %d", all, sum)
			}
		})
	}
}
