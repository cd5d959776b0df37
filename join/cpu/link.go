package cpu

import (
	"math/bits"
)

// taskLeaves is the number of leaves whose links are one task.
const taskLeaves = 64

// linkTask is a node to unite in itself, or two nodes to link.
type linkTask struct {
	left  node
	right node // no leaves: unite left in itself
}

// rows returns the number of rows that stand for the work of the task.
func (l linkTask) rows(t *tree) int { return t.rowsIn(l.left) }

// rowsIn returns the number of rows in a node.
func (t *tree) rowsIn(n node) int {
	from, to := t.span(n.a, n.b)
	return to - from
}

// linkRounds returns the tasks that unite a tree, in rounds: those of a round
// need the rounds before. First come small subtrees, then the links of the
// halves of larger ones, from small to large, the left half in small parts.
func linkRounds(t *tree) [][]linkTask {
	if t.leaves == 0 {
		return nil
	}
	var rounds [][]linkTask
	add := func(height int, task linkTask) {
		for len(rounds) <= height {
			rounds = append(rounds, nil)
		}
		rounds[height] = append(rounds[height], task)
	}
	var visit func(n node) (height int, parts []node)
	visit = func(n node) (int, []node) {
		if n.leaves() <= taskLeaves {
			add(0, linkTask{left: n})
			return 0, []node{n}
		}
		left, right := n.children()
		h1, leftParts := visit(left)
		h2, rightParts := visit(right)
		height := max(h1, h2) + 1
		for _, part := range leftParts {
			add(height, linkTask{left: part, right: right})
		}
		return height, append(leftParts, rightParts...)
	}
	visit(node{0, 0, t.leaves})
	return rounds
}

// linker unites members along the edges between nodes. It is used by one
// goroutine.
type linker struct {
	leafPair
	s     *memberSets
	limit float64
	guard guard
}

func newLinker(s *memberSets, eps2 float64) *linker {
	return &linker{leafPair: newLeafPair(s.t, s.t), s: s, limit: eps2, guard: newGuard(s.t.basis, eps2)}
}

func (l *linker) do(task linkTask) {
	if task.right.leaves() == 0 {
		l.inside(task.left)
		return
	}
	if l.distance2(task.left, task.right) <= l.limit {
		l.link(task.left, task.right)
	}
}

func (l *linker) distance2(u, v node) float64 {
	return nodeDistance2(l.t, u.v, l.t, v.v, l.limit)
}

// inside unites the members of a node along their edges.
func (l *linker) inside(n node) {
	switch {
	case l.s.first[n.v] < 0:
		return
	case n.leaves() > 1:
		left, right := n.children()
		l.inside(left)
		l.inside(right)
		if l.distance2(left, right) <= l.limit {
			l.link(left, right)
		}
	case l.s.whole[n.v].Load(): // from the start
		size := int64(l.t.size(n.a))
		l.effort.Accepted += size * (size - 1) / 2
	default:
		l.within(n)
	}
}

// link unites the members of two nodes, not apart, along the edges between
// them.
func (l *linker) link(u, v node) {
	s := l.s
	if s.first[u.v] < 0 || s.first[v.v] < 0 {
		return
	}
	whole := s.isWhole(u) && s.isWhole(v)
	switch {
	case whole && s.sets.same(s.first[u.v], s.first[v.v]):
	case nodesWithin(l.t, u.v, l.t, v.v, l.limit):
		l.effort.Accepted += int64(l.t.rowsIn(u)) * int64(l.t.rowsIn(v))
		s.uniteAll(u)
		s.uniteAll(v)
		s.sets.unite(s.first[u.v], s.first[v.v])
	case u.leaves() == 1 && v.leaves() == 1:
		l.pairs(u, v, whole)
	case u.leaves() >= v.leaves():
		near, far := u.children()
		l.linkNearFirst(v, near, far)
	default:
		near, far := v.children()
		l.linkNearFirst(u, near, far)
	}
}

func (l *linker) linkNearFirst(u, near, far node) {
	first, second := l.distance2(u, near), l.distance2(u, far)
	if second < first {
		near, far, first, second = far, near, second, first
	}
	if first <= l.limit {
		l.link(u, near)
	}
	if second <= l.limit {
		l.link(u, far)
	}
}

// pairs unites the members of two leaves, pair by pair. If both are whole, one pair
// is enough.
func (l *linker) pairs(u, v node, whole bool) {
	s := l.s
	l.a = u.a
	live, theirs := s.members[u.a], s.members[v.a]
	target := int32(-1) // a member that stands for all of v
	if whole || s.isWhole(v) {
		target = s.first[v.v]
		live = l.notIn(live, s.sets.find(target))
	}
	if live == 0 {
		return
	}
	// joined are lanes of v that are in the set of root, as far as is known.
	root, joined := int32(-1), uint32(0)
	for i, lane := range l.test(v.a, live, &l.guard) {
		p := int32(l.s.t.first(u.a) + int(lane))
		hits, sure := l.hits[i]&theirs, l.sure[i]
		if hits == 0 {
			continue
		}
		if now := s.sets.find(p); now != root {
			root, joined = now, 0
		}
		if target >= 0 {
			if s.sets.find(target) == root || !l.anyOf(v.a, lane, hits, sure) {
				continue
			}
			s.sets.unite(p, target)
			if whole {
				return
			}
			continue
		}
		for hits &^= joined; hits != 0; hits &= hits - 1 {
			j := bits.TrailingZeros32(hits)
			other := int32(l.s.t.first(v.a) + j)
			if s.sets.find(other) != root { // else one set already, near or not
				if sure>>j&1 == 0 && !l.recheck(lane, int(other), l.limit) {
					continue
				}
				s.sets.unite(p, other)
				root = s.sets.find(p)
			}
			joined |= 1 << j
		}
	}
}

// anyOf reports whether a lane of leaf l.a is within the limit of any of some lanes
// of leaf b, hits of which some are sure.
func (l *linker) anyOf(b int, lane uint8, hits, sure uint32) bool {
	if hits&sure != 0 {
		return true
	}
	for ; hits != 0; hits &= hits - 1 {
		if l.recheck(lane, l.t.first(b)+bits.TrailingZeros32(hits), l.limit) {
			return true
		}
	}
	return false
}

// within unites the members of a leaf, each a set of its own, pair by pair.
func (l *linker) within(n node) {
	s := l.s
	l.a = n.a
	members := s.members[n.a]
	lanes := l.test(n.a, members, &l.guard)
	var near [leafRows]uint32 // by lane: those that it is united with if it is
	var unsure bool
	for i, lane := range lanes {
		near[lane] = l.hits[i] & l.sure[i] & members
		unsure = unsure || l.hits[i]&^l.sure[i]&members != 0
	}
	if unsure {
		l.decideNear(n.a, lanes, members, &near)
	}
	for rest := members; rest != 0; {
		set := rest & -rest
		for grown := set; grown != 0; {
			lane := bits.TrailingZeros32(grown)
			grown &= grown - 1
			grown |= near[lane] &^ set
			set |= near[lane]
		}
		if set == members {
			s.whole[n.v].Store(true)
		}
		from := int32(l.s.t.first(n.a))
		s.sets.join(from, set&rest)
		for met := set &^ rest; met != 0; met &= met - 1 { // none where near is symmetric
			s.sets.unite(from+int32(bits.TrailingZeros32(set&rest)), from+int32(bits.TrailingZeros32(met)))
		}
		rest &^= set
	}
}

// decideNear asks the exact predicate about the pairs of members of a leaf that
// are not sure, once each.
func (l *linker) decideNear(a int, lanes []uint8, members uint32, near *[leafRows]uint32) {
	for i, lane := range lanes {
		rest := l.hits[i] &^ l.sure[i] & members
		rest &= ^uint32(0) << lane << 1 // the lanes after this one
		for ; rest != 0; rest &= rest - 1 {
			j := bits.TrailingZeros32(rest)
			if l.recheck(lane, l.t.first(a)+j, l.limit) {
				near[lane] |= 1 << j
				near[j] |= 1 << lane
			}
		}
	}
}

// notIn returns the lanes of leaf l.a among live that are not in the set of a
// root.
func (l *linker) notIn(live uint32, root int32) uint32 {
	for rest := live; rest != 0; rest &= rest - 1 {
		lane := bits.TrailingZeros32(rest)
		if l.s.sets.find(int32(l.t.first(l.a)+lane)) == root {
			live &^= 1 << lane
		}
	}
	return live
}
