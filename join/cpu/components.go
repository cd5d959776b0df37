package cpu

import (
	"context"
	"sync/atomic"

	"rtcluster/join"
)

// Components unites members from the leaves up: when the two halves of a node
// are linked, each is united in itself as far as its own rows go. Nodes whose
// members are known to be one set count as one: two such nodes of the same set
// are passed over, and one close pair unites two of different sets. So where
// clusters are dense, a link ends with the first pair.
func (x *index) Components(ctx context.Context, eps float64, member []bool, dst []int32) error {
	t := x.tree
	if err := x.checkMembers(eps, member, dst); err != nil {
		return err
	}
	s := newMemberSets(t, member)
	rounds := linkRounds(t)
	total := 0
	for _, tasks := range rounds {
		for _, task := range tasks {
			total += task.rows(t)
		}
	}
	m := newWorkMeter(ctx, join.StageComponents, len(t.rows), total)
	for _, tasks := range rounds {
		err := forEach(ctx, x.threads, len(tasks), func(int) func(task int) error {
			l := newLinker(s, join.Squared(eps))
			done := m.hand()
			return func(task int) error {
				l.do(tasks[task])
				done.add(tasks[task].rows(t))
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

// isWhole reports whether all members of a node are in one set, going down no
// further than to children that are leaves or known to be whole. The node has a
// member.
func (s *memberSets) isWhole(n node) bool {
	if s.whole[n.v].Load() {
		return true
	}
	if n.leaves() == 1 {
		from, to := s.t.span(n.a, n.b)
		root := s.sets.find(s.first[n.v])
		for p := from; p < to; p++ {
			if s.member[p] && s.sets.find(int32(p)) != root {
				return false
			}
		}
		s.whole[n.v].Store(true)
		return true
	}
	left, right := n.children()
	if !s.isWholeOrEmpty(left) || !s.isWholeOrEmpty(right) {
		return false
	}
	if s.first[left.v] >= 0 && s.first[right.v] >= 0 && !s.sets.same(s.first[left.v], s.first[right.v]) {
		return false
	}
	s.whole[n.v].Store(true)
	return true
}

func (s *memberSets) isWholeOrEmpty(child node) bool {
	return s.first[child.v] < 0 || s.whole[child.v].Load() || child.leaves() == 1 && s.isWhole(child)
}

// uniteAll puts all members of a node into one set.
func (s *memberSets) uniteAll(n node) {
	if s.whole[n.v].Load() {
		return
	}
	from, to := s.t.span(n.a, n.b)
	for p := from; p < to; p++ {
		if s.member[p] {
			s.sets.unite(s.first[n.v], int32(p))
		}
	}
	s.whole[n.v].Store(true)
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
