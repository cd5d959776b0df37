package cpu

import (
	"context"
	"sync/atomic"

	"rtcluster/join"
)

// Components unites members leaf by leaf. Nodes whose members are known to be
// one set count as one: two such nodes of the same set are passed over, and one
// close pair unites two of different sets.
func (x *index) Components(ctx context.Context, eps float64, member []bool, dst []int32) error {
	t := x.tree
	m := newMeter(ctx, join.StageComponents, len(t.rows))
	s := newMemberSets(t, member)
	err := forEach(ctx, x.threads, t.leaves, func(int) func(leaf int) error {
		u := newUniter(s, join.Squared(eps))
		return func(leaf int) error {
			u.run(leaf)
			m.add(t.size(leaf))
			return nil
		}
	})
	if err != nil {
		return err
	}
	s.smallestRows(dst)
	m.end()
	return nil
}

// memberSets is the forest of members, by position, with what the nodes of the
// tree know of it.
type memberSets struct {
	t      *tree
	member []bool // by position
	sets   *unionFind
	// first is a member's position in each node, −1 where it has none.
	first []int32
	// whole tells that all members of a node are in one set. Sets only grow,
	// so a flag that is set stays true, and one read too early as unset costs
	// only time.
	whole []atomic.Bool
}

func newMemberSets(t *tree, member []bool) *memberSets {
	s := &memberSets{
		t: t, member: make([]bool, len(t.rows)), sets: newUnionFind(len(t.rows)),
		first: make([]int32, max(0, 2*t.leaves-1)), whole: make([]atomic.Bool, max(0, 2*t.leaves-1)),
	}
	for p, row := range t.rows {
		s.member[p] = member[row]
	}
	if t.leaves > 0 {
		s.findFirst(0, 0, t.leaves)
	}
	return s
}

func (s *memberSets) findFirst(v, a, b int) int32 {
	s.first[v] = -1
	if b-a == 1 {
		from, to := s.t.span(a, b)
		for p := from; p < to; p++ {
			if s.member[p] {
				s.first[v] = int32(p)
				break
			}
		}
		return s.first[v]
	}
	m := middle(a, b)
	left, right := s.findFirst(v+1, a, m), s.findFirst(v+2*(m-a), m, b)
	s.first[v] = left
	if left < 0 {
		s.first[v] = right
	}
	return s.first[v]
}

// isWhole reports whether all members of node v are in one set, going down no
// further than to children that are leaves or known to be whole.
func (s *memberSets) isWhole(v, a, b int) bool {
	if s.whole[v].Load() {
		return true
	}
	if b-a == 1 {
		from, to := s.t.span(a, b)
		root := s.sets.find(s.first[v])
		for p := from; p < to; p++ {
			if s.member[p] && s.sets.find(int32(p)) != root {
				return false
			}
		}
		s.whole[v].Store(true)
		return true
	}
	m := middle(a, b)
	left, right := v+1, v+2*(m-a)
	known := func(child, a, b int) bool {
		return s.first[child] < 0 || s.whole[child].Load() || b-a == 1 && s.isWhole(child, a, b)
	}
	if !known(left, a, m) || !known(right, m, b) {
		return false
	}
	if s.first[left] >= 0 && s.first[right] >= 0 && !s.sets.same(s.first[left], s.first[right]) {
		return false
	}
	s.whole[v].Store(true)
	return true
}

// uniteAll puts all members of node v into one set.
func (s *memberSets) uniteAll(v, a, b int) {
	if s.whole[v].Load() {
		return
	}
	from, to := s.t.span(a, b)
	for p := from; p < to; p++ {
		if s.member[p] {
			s.sets.unite(s.first[v], int32(p))
		}
	}
	s.whole[v].Store(true)
}

// smallestRows sets dst, by row, to the smallest row of each member's set.
func (s *memberSets) smallestRows(dst []int32) {
	smallest := make([]int32, len(s.t.rows)) // by root position
	for p := range smallest {
		smallest[p] = join.MaxRows
	}
	for p, row := range s.t.rows {
		if s.member[p] {
			root := s.sets.find(int32(p))
			smallest[root] = min(smallest[root], row)
		}
	}
	for p, row := range s.t.rows {
		dst[row] = -1
		if s.member[p] {
			dst[row] = smallest[s.sets.find(int32(p))]
		}
	}
}

// uniter finds the edges between one leaf after the other and the leaves from
// it on.
type uniter struct {
	walker
	s     *memberSets
	a, u  int // the leaf and its node
	block []float64
	d2    [leafRows]float64
}

func newUniter(s *memberSets, eps2 float64) *uniter {
	w := &uniter{s: s}
	w.walker = walker{q: s.t, t: s.t, limit: eps2, accepts: true, enter: w.enter, leaf: w.leaf}
	return w
}

func (w *uniter) run(leaf int) {
	w.a, w.u = leaf, w.t.leafNode(leaf)
	if w.s.first[w.u] < 0 {
		return
	}
	w.from = leaf
	w.block = w.t.block(leaf)
	w.walker.run(leaf, w.u)
}

func (w *uniter) enter(v, a, b int, within bool) bool {
	s := w.s
	switch {
	case s.first[v] < 0:
		return false
	case w.joined(v, a, b):
		return false
	case within:
		s.uniteAll(v, a, b)
		s.uniteAll(w.u, w.a, w.a+1)
		s.sets.unite(s.first[w.u], s.first[v])
		return false
	}
	return true
}

// joined reports whether the leaf and node v are one set already.
func (w *uniter) joined(v, a, b int) bool {
	s := w.s
	return s.isWhole(w.u, w.a, w.a+1) && s.isWhole(v, a, b) && s.sets.same(s.first[w.u], s.first[v])
}

func (w *uniter) leaf(v, a int) {
	s, box, block := w.s, w.t.box(v), w.t.block(a)
	mine, _ := w.t.span(w.a, w.a+1)
	from, to := w.t.span(a, a+1)
	oneEdge := a != w.a && s.isWhole(w.u, w.a, w.a+1) && s.isWhole(v, a, a+1)
	for lane := range w.t.size(w.a) {
		i := int32(mine + lane)
		if !s.member[i] || laneDistance2(w.block, lane, box, w.limit) > w.limit {
			continue
		}
		tile(&w.d2, w.block, lane, block, w.limit)
		for p := from; p < to; p++ {
			if w.d2[p-from] <= w.limit && s.member[p] {
				s.sets.unite(i, int32(p))
				if oneEdge {
					return
				}
			}
		}
	}
}
