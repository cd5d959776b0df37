package cpu

import (
	"context"
	"math/bits"
	"sync/atomic"

	"rtcluster/join"
)

// Components unites members leaf by leaf, first with the leaves next to them in
// the tree, then with all: what has grown together in the first round, the
// second passes over. Nodes whose members are known to be one set count as one:
// two such nodes of the same set are passed over, and one close pair unites two
// of different sets.
func (x *index) Components(ctx context.Context, eps float64, member []bool, dst []int32) error {
	t := x.tree
	m := newMeter(ctx, join.StageComponents, 2*len(t.rows))
	s := newMemberSets(t, member)
	for _, near := range []bool{true, false} {
		err := forEach(ctx, x.threads, t.leaves, func(int) func(leaf int) error {
			u := newUniter(s, join.Squared(eps))
			return func(leaf int) error {
				u.run(leaf, near)
				m.add(t.size(leaf))
				return nil
			}
		})
		if err != nil {
			return err
		}
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

// lanes returns the lanes of leaf a that are members.
func (s *memberSets) lanes(a int) uint32 {
	from, to := s.t.span(a, a+1)
	var lanes uint32
	for lane, member := range s.member[from:to] {
		if member {
			lanes |= 1 << lane
		}
	}
	return lanes
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

// nearLeaves is the number of leaves in the blocks that the first round stays
// within: those of two levels above a leaf.
const nearLeaves = 4

// uniter finds the edges between one leaf after the other and the leaves from
// it on.
type uniter struct {
	walker
	s     *memberSets
	guard guard
	u     int    // the node of the leaf
	mine  uint32 // its members
	until int    // leaves from until on are passed over
	whole bool   // all its members are in one set
}

func newUniter(s *memberSets, eps2 float64) *uniter {
	w := &uniter{s: s, guard: newGuard(s.t.basis, eps2)}
	w.walker = walker{leafPair: newLeafPair(s.t, s.t), limit: eps2, accepts: true, enter: w.enter, leaf: w.leaf}
	return w
}

func (w *uniter) run(leaf int, near bool) {
	w.u = int(w.t.nodes[leaf])
	if w.s.first[w.u] < 0 {
		return
	}
	w.from, w.until = leaf, w.t.leaves
	if near {
		w.until = leaf - leaf%nearLeaves + nearLeaves
	}
	w.mine = w.s.lanes(leaf)
	w.walker.run(leaf)
}

func (w *uniter) enter(v, a, b int, within bool) bool {
	s := w.s
	if s.first[v] < 0 || a >= w.until {
		return false
	}
	w.whole = s.isWhole(w.u, w.a, w.a+1)
	switch {
	case w.whole && s.isWhole(v, a, b) && s.sets.same(s.first[w.u], s.first[v]):
		return false
	case within && b <= w.until:
		s.uniteAll(v, a, b)
		s.uniteAll(w.u, w.a, w.a+1)
		s.sets.unite(s.first[w.u], s.first[v])
		return false
	}
	return true
}

func (w *uniter) leaf(b int) {
	s, theirs := w.s, w.s.lanes(b)
	live := w.mine
	oneEdge := false
	if b != w.a {
		whole := s.isWhole(int(w.t.nodes[b]), b, b+1)
		oneEdge = whole && w.whole
		if whole {
			live = w.apartFrom(s.sets.find(s.first[w.t.nodes[b]]))
		}
	}
	if live == 0 {
		return
	}
	from := b * leafRows
	for i, lane := range w.test(b, live, &w.guard) {
		p := int32(w.a*leafRows + int(lane))
		hits := w.hits[i] & theirs
		if b == w.a {
			hits &= ^uint32(0) << lane << 1
		}
		// Pairs of one set already need no decision.
		root := s.sets.find(p)
		for rest := hits; rest != 0; rest &= rest - 1 {
			j := bits.TrailingZeros32(rest)
			other := int32(from + j)
			if s.sets.find(other) == root {
				continue
			}
			if w.sure[i]>>j&1 == 0 && !join.Within(w.t.row(int(p)), w.t.row(int(other)), w.limit) {
				continue
			}
			s.sets.unite(p, other)
			if oneEdge {
				return
			}
			root = s.sets.find(p)
		}
	}
}

// apartFrom returns the members of the leaf that are not in the set of a root.
func (w *uniter) apartFrom(root int32) uint32 {
	live := w.mine
	for rest := live; rest != 0; rest &= rest - 1 {
		lane := bits.TrailingZeros32(rest)
		if w.s.sets.find(int32(w.a*leafRows+lane)) == root {
			live &^= 1 << lane
		}
	}
	return live
}
