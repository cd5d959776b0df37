package cpu

import (
	"context"
	"math/bits"
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
	members, err := t.gatherMembers(ctx, x.threads, member)
	if err != nil {
		return err
	}
	s, err := x.unite(ctx, members, join.Squared(eps))
	if err != nil {
		return err
	}
	return s.eachLeaf(ctx, x.threads, func(leaf int) {
		var names [leafRows]int32
		s.names(&names, leaf)
		from, to := t.span(leaf, leaf+1)
		for lane, row := range t.rows[from:to] {
			dst[row] = names[lane]
		}
	})
}

// gatherMembers returns, for each leaf, its lanes that are members.
func (t *tree) gatherMembers(ctx context.Context, threads int, member []bool) ([]uint32, error) {
	members := make([]uint32, t.leaves)
	return members, forEach(ctx, threads, t.leaves, func(int) func(leaf int) error {
		return func(leaf int) error {
			from, to := t.span(leaf, leaf+1)
			for lane, row := range t.rows[from:to] {
				if member[row] {
					members[leaf] |= 1 << lane
				}
			}
			return nil
		}
	})
}

// unite puts members, given by leaf as lanes, that are within the squared limit of
// each other into sets, and names these.
func (x *index) unite(ctx context.Context, members []uint32, eps2 float64) (*memberSets, error) {
	t := x.tree
	rounds := linkRounds(t)
	total := 0
	for _, tasks := range rounds {
		for _, task := range tasks {
			total += task.rows(t)
		}
	}
	m := newWorkMeter(ctx, join.StageComponents, len(t.rows), total)
	s, err := newMemberSets(ctx, t, x.threads, members, eps2)
	if err != nil {
		return nil, err
	}
	for _, tasks := range rounds {
		err := forEach(ctx, x.threads, len(tasks), func(int) func(task int) error {
			l := newLinker(s, eps2)
			done := m.hand(&l.effort)
			return func(task int) error {
				l.do(tasks[task])
				done.add(tasks[task].rows(t))
				return nil
			}
		})
		if err != nil {
			return nil, err
		}
	}
	if err := s.name(ctx, x.threads); err != nil {
		return nil, err
	}
	m.end()
	return s, nil
}

// memberSets is the forest of members, by position, with what the nodes of the
// tree know of it.
type memberSets struct {
	t       *tree
	members []uint32 // by leaf: its lanes that are members
	sets    unionFind
	// first is a member's position in each node, −1 where it has none.
	first []int32
	// whole tells that all members of a node are in one set. Sets only grow,
	// so a flag that is set stays true, and one read too early as unset costs
	// only time.
	whole []atomic.Bool
}

// newMemberSets makes each member a set of its own, but for leaves whose rows are
// all within the squared limit of each other: these are one set from the start.
func newMemberSets(ctx context.Context, t *tree, threads int, members []uint32, eps2 float64) (*memberSets, error) {
	nodes := max(0, 2*t.leaves-1)
	s := &memberSets{
		t: t, members: members, sets: unionFind{make([]int32, len(t.rows))},
		first: make([]int32, nodes), whole: make([]atomic.Bool, nodes),
	}
	err := forEach(ctx, threads, t.leaves, func(int) func(leaf int) error {
		return func(leaf int) error {
			from, to := t.span(leaf, leaf+1)
			v, members := t.nodes[leaf], members[leaf]
			s.first[v] = -1
			if members != 0 {
				s.first[v] = int32(from + bits.TrailingZeros32(members))
			}
			if members != 0 && nodesWithin(t, int(v), t, int(v), eps2) {
				s.whole[v].Store(true)
				s.sets.resetTo(from, to, s.first[v])
			} else {
				s.sets.reset(from, to)
			}
			return nil
		}
	})
	if err != nil {
		return nil, err
	}
	return s, t.upward(ctx, threads, s.findFirst)
}

// findFirst sets the first member of an inner node.
func (s *memberSets) findFirst(n node) {
	left, right := n.children()
	s.first[n.v] = s.first[left.v]
	if s.first[left.v] < 0 {
		s.first[n.v] = s.first[right.v]
	}
}

// isWhole reports whether all members of a node are in one set, going down no
// further than to children that are leaves or known to be whole. The node has a
// member.
func (s *memberSets) isWhole(n node) bool {
	if s.whole[n.v].Load() {
		return true
	}
	if n.leaves() == 1 {
		root := s.sets.find(s.first[n.v])
		for rest := s.members[n.a]; rest != 0; rest &= rest - 1 {
			if s.sets.find(int32(s.t.first(n.a)+bits.TrailingZeros32(rest))) != root {
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
	for a := n.a; a < n.b; a++ {
		for rest := s.members[a]; rest != 0; rest &= rest - 1 {
			s.sets.unite(s.first[n.v], int32(s.t.first(a)+bits.TrailingZeros32(rest)))
		}
	}
	s.whole[n.v].Store(true)
}

// name names each set by its smallest row. The sets are used up: no more can be
// united.
func (s *memberSets) name(ctx context.Context, threads int) error {
	return s.eachLeaf(ctx, threads, func(leaf int) {
		if s.members[leaf] == 0 {
			return
		}
		from, v := s.t.first(leaf), s.t.nodes[leaf]
		whole := s.whole[v].Load()
		root, smallest := s.sets.rootOf(s.first[v]), int32(join.MaxRows)
		for rest := s.members[leaf]; rest != 0; rest &= rest - 1 {
			p := from + bits.TrailingZeros32(rest)
			if !whole {
				if next := s.sets.rootOf(int32(p)); next != root {
					s.sets.name(root, smallest)
					root, smallest = next, join.MaxRows
				}
			}
			smallest = min(smallest, s.t.rows[p])
		}
		s.sets.name(root, smallest)
	})
}

// names sets dst to the name of the set of each member of a leaf, and to −1 for
// other lanes.
func (s *memberSets) names(dst *[leafRows]int32, leaf int) {
	v, from := s.t.nodes[leaf], s.t.first(leaf)
	whole, name := s.whole[v].Load(), int32(-1)
	if whole {
		name = s.sets.nameOf(s.first[v])
	}
	for lane := range dst {
		switch {
		case s.members[leaf]>>lane&1 == 0:
			dst[lane] = -1
		case whole:
			dst[lane] = name
		default:
			dst[lane] = s.sets.nameOf(int32(from + lane))
		}
	}
}

func (s *memberSets) eachLeaf(ctx context.Context, threads int, do func(leaf int)) error {
	return forEach(ctx, threads, s.t.leaves, func(int) func(leaf int) error {
		return func(leaf int) error { do(leaf); return nil }
	})
}
