package jointest

import (
	"context"
	"math"
	"slices"

	"rtcluster/join"
)

// guard is what stands in and about a slice before a method fills it.
const guard = -77

// guarded returns a slice of n guards between two more, and a function that
// reports whether those two are still there.
func guarded[T int32 | float64](n int) (dst []T, intact func() bool) {
	all := slices.Repeat([]T{guard}, n+2)
	return all[1 : n+1 : n+1], func() bool { return all[0] == guard && all[n+1] == guard }
}

// checkCounts compares Counts with the truth.
func (tr *truth) checkCounts(ctx context.Context, idx join.Index, eps float64, limit int32) error {
	dst, intact := guarded[int32](tr.rows)
	if err := idx.Counts(ctx, tr.q, eps, limit, dst); err != nil {
		return tr.errorf("Counts at eps %v, limit %d: %w", eps, limit, err)
	}
	if !intact() {
		return tr.errorf("Counts at eps %v, limit %d wrote beyond the slice", eps, limit)
	}
	for i, got := range dst {
		want := tr.count(i, tr.bound(eps))
		if limit > 0 {
			want = min(want, limit)
		}
		if got != want {
			return tr.errorf("Counts at eps %v, limit %d: row %d: got %d, want %d", eps, limit, i, got, want)
		}
	}
	return nil
}

// checkPairs compares Pairs with the truth.
func (tr *truth) checkPairs(ctx context.Context, idx join.Index, eps float64) error {
	var g gate
	var first error // the first fault found in a batch
	seen := make([]bool, tr.rows*tr.cols)
	err := idx.Pairs(ctx, tr.q, eps, func(pairs []join.Pair) error {
		return g.pass(func() error {
			for _, p := range pairs {
				if err := tr.checkPair(seen, p, eps); err != nil && first == nil {
					first = err
				}
			}
			return nil
		})
	})
	if closed := g.close(); closed != nil {
		return tr.errorf("Pairs at eps %v: %w", eps, closed)
	}
	if err != nil {
		return tr.errorf("Pairs at eps %v: %w", eps, err)
	}
	if first != nil {
		return first
	}
	for at, d2 := range tr.d2 {
		i, j := at/tr.cols, at%tr.cols
		if !seen[at] && tr.paired(i, j, tr.bound(eps)) {
			return tr.errorf("Pairs at eps %v: pair (%d, %d) with d2 %v is missing", eps, i, j, d2)
		}
	}
	return nil
}

// checkPair checks one emitted pair and marks it as seen.
func (tr *truth) checkPair(seen []bool, p join.Pair, eps float64) error {
	i, j := int(p.I), int(p.J)
	switch {
	case i < 0 || i >= tr.rows || j < 0 || j >= tr.cols:
		return tr.errorf("Pairs at eps %v: pair (%d, %d) is out of range", eps, i, j)
	case tr.self() && i >= j:
		return tr.errorf("Pairs at eps %v: pair (%d, %d), want I < J", eps, i, j)
	case !tr.paired(i, j, tr.bound(eps)):
		return tr.errorf("Pairs at eps %v: pair (%d, %d) has d2 %v, beyond eps", eps, i, j, tr.at(i, j))
	case seen[i*tr.cols+j]:
		return tr.errorf("Pairs at eps %v: pair (%d, %d) came twice", eps, i, j)
	}
	seen[i*tr.cols+j] = true
	return nil
}

// checkKNN compares KNN with the truth.
func (tr *truth) checkKNN(ctx context.Context, idx join.Index, k int) error {
	var g gate
	var first error
	var want []join.Neighbor
	times := make([]int, tr.rows)
	err := idx.KNN(ctx, tr.q, k, func(row int, near []join.Neighbor) error {
		return g.pass(func() error {
			if first != nil {
				return nil
			}
			if row < 0 || row >= tr.rows {
				first = tr.errorf("KNN with k %d: row %d is out of range", k, row)
				return nil
			}
			times[row]++
			want = tr.near(want[:0], row, k)
			first = tr.checkNear(row, k, near, want)
			return nil
		})
	})
	if closed := g.close(); closed != nil {
		return tr.errorf("KNN with k %d: %w", k, closed)
	}
	if err != nil {
		return tr.errorf("KNN with k %d: %w", k, err)
	}
	if first != nil {
		return first
	}
	for row, n := range times {
		if n != 1 {
			return tr.errorf("KNN with k %d: row %d was emitted %d times, want once", k, row, n)
		}
	}
	return nil
}

// checkNear compares the neighbours of one row, distances to the bit.
func (tr *truth) checkNear(row, k int, got, want []join.Neighbor) error {
	if len(got) != len(want) {
		return tr.errorf("KNN with k %d: row %d has %d neighbours, want %d", k, row, len(got), len(want))
	}
	for at := range got {
		if got[at].Row != want[at].Row || math.Float64bits(got[at].D2) != math.Float64bits(want[at].D2) {
			return tr.errorf("KNN with k %d: row %d, neighbour %d: got row %d with d2 %v, want row %d with d2 %v",
				k, row, at, got[at].Row, got[at].D2, want[at].Row, want[at].D2)
		}
	}
	return nil
}

// checkComponents compares Components with the truth, of a self-join.
func (tr *truth) checkComponents(ctx context.Context, c join.Componenter, eps float64, member []bool) error {
	dst, intact := guarded[int32](tr.cols)
	if err := c.Components(ctx, eps, slices.Clone(member), dst); err != nil {
		return tr.errorf("Components at eps %v: %w", eps, err)
	}
	if !intact() {
		return tr.errorf("Components at eps %v wrote beyond the slice", eps)
	}
	want := tr.components(tr.bound(eps), member)
	for i, got := range dst {
		if got != want[i] {
			return tr.errorf("Components at eps %v of %d members: row %d: got %d, want %d", eps, countTrue(member), i, got, want[i])
		}
	}
	return nil
}

// checkAttach compares Attach with the truth, with a slice of its own and, of a
// self-join, in place.
func (tr *truth) checkAttach(ctx context.Context, a join.Attacher, eps float64, member []bool) error {
	label := make([]int32, tr.cols)
	for i := range label {
		label[i] = int32((7919*i + 3) % len(label))
	}
	dst, intact := guarded[int32](tr.rows)
	if err := a.Attach(ctx, tr.q, eps, slices.Clone(member), slices.Clone(label), dst); err != nil {
		return tr.errorf("Attach at eps %v: %w", eps, err)
	}
	if !intact() {
		return tr.errorf("Attach at eps %v wrote beyond the slice", eps)
	}
	place := dst
	if tr.self() {
		place = slices.Clone(label)
		if err := a.Attach(ctx, nil, eps, slices.Clone(member), place, place); err != nil {
			return tr.errorf("Attach in place at eps %v: %w", eps, err)
		}
	}
	eps2 := tr.bound(eps)
	for i := range dst {
		if want := tr.attached(i, eps2, member, label); dst[i] != want || place[i] != want {
			return tr.errorf("Attach at eps %v to %d members: row %d: got %d, in place %d, want %d",
				eps, countTrue(member), i, dst[i], place[i], want)
		}
	}
	return nil
}

// checkRoads checks what the index has of [join.Componenter], [join.Weigher] and
// [join.Clusterer], of a self-join, and of [join.Attacher].
func (tr *truth) checkRoads(ctx context.Context, idx join.Index, eps float64, member []bool) error {
	if c, ok := idx.(join.Componenter); ok && tr.self() {
		if err := tr.checkComponents(ctx, c, eps, member); err != nil {
			return err
		}
	}
	if w, ok := idx.(join.Weigher); ok && tr.self() {
		if err := tr.checkWeigh(ctx, w, eps); err != nil {
			return err
		}
	}
	if c, ok := idx.(join.Clusterer); ok && tr.self() {
		if err := tr.checkCluster(ctx, c, eps); err != nil {
			return err
		}
	}
	if a, ok := idx.(join.Attacher); ok {
		return tr.checkAttach(ctx, a, eps, member)
	}
	return nil
}

func countTrue(b []bool) int {
	n := 0
	for _, v := range b {
		if v {
			n++
		}
	}
	return n
}
