package jointest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"rtcluster/join"
	"rtcluster/join/synth"
)

// This file checks sets too large for a matrix of distances, by laws that tie
// an engine's answers together, and by a brute force on a sample of rows:
//
//	Counts(eps)[i] = pairs that have i + 1
//	Counts(eps, limit) = min(limit, Counts(eps))
//	Pairs(eps1) ⊂ Pairs(eps2) for eps1 ≤ eps2
//	Pairs of a permutation are the permuted Pairs
//	Pairs(−2·A, 2·eps) = Pairs(A, eps)
//	A ⋈ A has each pair of the self-join twice, and each row with itself
//	A ⋈ B is B ⋈ A turned round
//	Components are those of Pairs
//	Weigh says what the sums over Pairs do
//	Lists are those of KNN
//	n rows have n(n−1)/2 pairs at a large eps

// lawSet is a larger point set and its bounds, ascending.
type lawSet struct {
	shape  string
	n, dim int
	eps    []float64
}

func lawSteps(short bool) []step {
	sets := []lawSet{
		{"uniform", 4000, 2, []float64{0.001, 0.01, 0.05}},
		{"blobs", 3000, 3, []float64{0.2, 0.5, 1}},
		{"latent", 3000, 12, []float64{0.03, 0.05, 0.07}},
		{"lattice", 3375, 3, []float64{1, math.Sqrt2, 2}},
		{"duplicates", 1000, 4, []float64{0, 0.01, 0.2}},
	}
	var all []step
	for _, s := range sets {
		s.n = pick(short, s.n/4, s.n)
		name := fmt.Sprintf("laws %s n=%d dim=%d seed=%d", s.shape, s.n, s.dim, seed)
		all = append(all, step{name, func(ctx context.Context, e join.Engine) error {
			if err := checkLaws(ctx, e, s); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			return nil
		}})
	}
	n := pick(short, 700, 2500)
	return append(all, step{fmt.Sprintf("all pairs n=%d", n), func(ctx context.Context, e join.Engine) error {
		return checkAllPairs(ctx, e, n)
	}})
}

func checkLaws(ctx context.Context, e join.Engine, s lawSet) error {
	pts := must(synth.Make(s.shape, s.n, s.dim, seed))
	var lists [][]join.Pair // for each eps
	err := withIndex(ctx, e, pts, func(idx join.Index) error {
		for i, eps := range s.eps {
			list, err := collect(ctx, idx, nil, eps)
			if err != nil {
				return err
			}
			lists = append(lists, list)
			err = cmp.Or(
				lawOnce(list, eps),
				lawDegrees(ctx, idx, list, eps),
				lawComponents(ctx, idx, list, eps),
				lawWeights(ctx, idx, list, eps),
				lawCluster(ctx, idx, list, eps))
			if err == nil && i > 0 {
				err = lawSubset(lists[i-1], list, s.eps[i-1], eps)
			}
			if err != nil {
				return err
			}
		}
		if err := lawDiagonal(ctx, idx, lists[1], s.eps[1]); err != nil {
			return err
		}
		return lawSample(ctx, idx, s.eps[1])
	})
	if err != nil {
		return err
	}
	return cmp.Or(
		lawPermuted(ctx, e, pts, lists[1], s.eps[1]),
		lawScaled(ctx, e, pts, lists[1], s.eps[1]),
		lawTurned(ctx, e, pts, s.eps[1]))
}

// collect returns the sorted pairs of a join.
func collect(ctx context.Context, idx join.Index, q *join.Points, eps float64) ([]join.Pair, error) {
	var g gate
	var all []join.Pair
	err := idx.Pairs(ctx, q, eps, func(pairs []join.Pair) error {
		return g.pass(func() error {
			all = append(all, pairs...)
			return nil
		})
	})
	if err = cmp.Or(g.close(), err); err != nil {
		return nil, fmt.Errorf("Pairs at eps %v: %w", eps, err)
	}
	sortPairs(all)
	return all, nil
}

func sortPairs(pairs []join.Pair) { slices.SortFunc(pairs, comparePairs) }

func comparePairs(a, b join.Pair) int {
	return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J))
}

// same compares two sorted lists of pairs.
func same(got, want []join.Pair) error {
	for at := range max(len(got), len(want)) {
		switch {
		case at >= len(got):
			return fmt.Errorf("%d pairs, want %d: %v is missing", len(got), len(want), want[at])
		case at >= len(want):
			return fmt.Errorf("%d pairs, want %d: %v is too many", len(got), len(want), got[at])
		case got[at] != want[at]:
			return fmt.Errorf("pair %d in order: got %v, want %v", at, got[at], want[at])
		}
	}
	return nil
}

func lawOnce(list []join.Pair, eps float64) error {
	for at, p := range list {
		if p.I >= p.J {
			return fmt.Errorf("Pairs at eps %v: %v, want I < J", eps, p)
		}
		if at > 0 && p == list[at-1] {
			return fmt.Errorf("Pairs at eps %v: %v came twice", eps, p)
		}
	}
	return nil
}

func lawDegrees(ctx context.Context, idx join.Index, list []join.Pair, eps float64) error {
	want := slices.Repeat([]int32{1}, idx.Points().Rows())
	for _, p := range list {
		want[p.I]++
		want[p.J]++
	}
	for _, limit := range []int32{0, 1, 2, 7} {
		got, _ := guarded[int32](len(want))
		if err := idx.Counts(ctx, nil, eps, limit, got); err != nil {
			return fmt.Errorf("Counts at eps %v: %w", eps, err)
		}
		for i, w := range want {
			if limit > 0 {
				w = min(w, limit)
			}
			if got[i] != w {
				return fmt.Errorf("Counts at eps %v, limit %d: row %d: got %d, but %d by its pairs", eps, limit, i, got[i], w)
			}
		}
	}
	return nil
}

func lawSubset(small, large []join.Pair, eps1, eps2 float64) error {
	for _, p := range small {
		if _, found := slices.BinarySearchFunc(large, p, comparePairs); !found {
			return fmt.Errorf("%v is paired at eps %v but not at %v", p, eps1, eps2)
		}
	}
	return nil
}

// united unites the members of pairs, and returns what finds the smallest row that a
// row is united with.
func united(list []join.Pair, member []bool) (find func(int32) int32) {
	root := make([]int32, len(member))
	for i := range root {
		root[i] = int32(i)
	}
	find = func(i int32) int32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for _, p := range list {
		if a, b := find(p.I), find(p.J); member[p.I] && member[p.J] {
			root[max(a, b)] = min(a, b)
		}
	}
	return find
}

// lawComponents compares Components, where the index has it, with a
// union–find over the pairs.
func lawComponents(ctx context.Context, idx join.Index, list []join.Pair, eps float64) error {
	c, ok := idx.(join.Componenter)
	if !ok {
		return nil
	}
	n := idx.Points().Rows()
	member := make([]bool, n)
	for i := range member {
		member[i] = i%7 != 0
	}
	find := united(list, member)
	got, _ := guarded[int32](n)
	if err := c.Components(ctx, eps, member, got); err != nil {
		return fmt.Errorf("components at eps %v: %w", eps, err)
	}
	for i := range got {
		want := int32(-1)
		if member[i] {
			want = find(int32(i))
		}
		if got[i] != want {
			return fmt.Errorf("components at eps %v: row %d: got %d, but %d by the pairs", eps, i, got[i], want)
		}
	}
	return nil
}

// checkAllPairs checks that all rows pair with all others, over many batches,
// when eps is large.
func checkAllPairs(ctx context.Context, e join.Engine, n int) error {
	var g gate
	var first error
	seen := make([]bool, n*n)
	pairs := 0
	err := withIndex(ctx, e, must(synth.Make("uniform", n, 2, seed)), func(idx join.Index) error {
		return idx.Pairs(ctx, nil, 2, func(batch []join.Pair) error {
			return g.pass(func() error {
				pairs += len(batch)
				for _, p := range batch {
					if p.I < 0 || p.I >= p.J || int(p.J) >= n {
						first = cmp.Or(first, fmt.Errorf("pair %v of %d rows", p, n))
					} else if at := int(p.I)*n + int(p.J); seen[at] {
						first = cmp.Or(first, fmt.Errorf("pair %v came twice", p))
					} else {
						seen[at] = true
					}
				}
				return nil
			})
		})
	})
	if err := cmp.Or(err, g.close(), first); err != nil {
		return fmt.Errorf("all pairs of %d rows: %w", n, err)
	}
	if want := n * (n - 1) / 2; pairs != want {
		return fmt.Errorf("all pairs of %d rows: got %d pairs, want %d", n, pairs, want)
	}
	return nil
}
