package cpu

import (
	"context"
	"fmt"
	"math"

	"rtcluster/join"
	"rtcluster/join/internal/dist"
)

// candidateBytes bounds the candidate neighbours that a goroutine holds at a
// time, unless one query alone needs more.
const candidateBytes = 16 << 20

// KNN takes each leaf of queries through the tree. Candidates are gathered by
// float32 sums with the bounds that those prove, and put in order by the
// contract's squared distances at the end (candidates.go).
func (x *index) KNN(ctx context.Context, q *join.Points, k int, emit func(row int, near []join.Neighbor) error) error {
	if k < 1 {
		return fmt.Errorf("cpu: k is %d, want at least 1", k)
	}
	queries, err := x.queries(ctx, q, 0)
	if err != nil {
		return err
	}
	if err := x.tree.order(ctx, x.threads); err != nil {
		return err
	}
	k = min(k, max(len(x.tree.rows), 1))
	m := newMeter(ctx, join.StageKNN, len(queries.rows))
	out := gate{ctx: ctx}
	err = forEach(ctx, x.threads, queries.leaves, func(int) func(leaf int) error {
		s := newNearest(queries, x.tree, k, &out)
		done := m.hand(&s.effort)
		return func(leaf int) error {
			for lane := 0; lane < queries.size(leaf); lane += s.group {
				if err := s.run(leaf, lane, emit); err != nil {
					return err
				}
			}
			done.add(queries.size(leaf))
			return nil
		}
	})
	if err != nil {
		return err
	}
	m.end()
	return nil
}

// nearest finds the neighbours of some lanes of a leaf of queries at a time.
type nearest struct {
	walker
	bounds sumBounds
	k      int
	group  int // lanes at a time

	rows  []int32 // the rows of the lanes
	lane  int     // the first lane
	found []candidates
	reach float64       // the greatest reach of the rows
	worst join.Neighbor // the greatest d2 and row of the worst of all rows
	moved bool          // some row's reach may be less now
	sums  []float32
	out   *gate
}

func newNearest(q, t *tree, k int, out *gate) *nearest {
	room := k + spareCandidates
	s := &nearest{
		k: k, out: out, group: min(leafRows, max(1, candidateBytes/candidateSize/room)),
		bounds: newSumBounds(t.basis), sums: make([]float32, leafRows*leafRows),
	}
	for range s.group {
		s.found = append(s.found, newCandidates(k, room))
	}
	s.walker = newWalker(q, t)
	s.enter, s.leaf = s.enterNode, s.meetLeaf
	return s
}

func (s *nearest) run(leaf, lane int, emit func(row int, near []join.Neighbor) error) error {
	from, to := s.q.span(leaf, leaf+1)
	s.rows = s.q.rows[from+lane : min(to, from+lane+s.group)]
	s.lane = lane
	for i := range s.rows {
		s.found[i].reset()
	}
	s.lowerLimit()
	s.walker.run(leaf)
	for i := range s.rows {
		c := &s.found[i]
		c.near = c.exact(c.near[:0], s.q.row(leaf*leafRows+lane+i), s.t)
		s.effort.Rechecked += c.exactly
		c.exactly = 0
	}
	return s.out.pass(func() error { // one turn for all: turns cost more than calls
		for i, row := range s.rows {
			near := s.found[i].near
			if err := emit(int(row), near[:min(s.k, len(near))]); err != nil {
				return err
			}
		}
		return nil
	})
}

// enterNode passes over nodes whose rows come after the worst neighbours of all
// queries: among many equal rows, those with greater numbers.
func (s *nearest) enterNode(v, _, _ int, _ bool) bool {
	if math.IsInf(s.worst.D2, 1) {
		return true
	}
	low := nodeDistance2(s.q, int(s.q.nodes[s.a]), s.t, v, s.worst.D2)
	return low < s.worst.D2 || low == s.worst.D2 && s.t.lowest[v] <= s.worst.Row
}

func (s *nearest) meetLeaf(b int) {
	s.meet(b)
	lanes := s.list(s.candidateLanes(b))
	size := int64(s.t.size(b))
	s.effort.Candidates += int64(len(s.rows)) * size
	s.effort.Refined += int64(len(lanes)) * size
	if len(lanes) == 0 {
		return
	}
	hits := s.hits[:len(lanes)]
	if s.bounds.off || !s.tame() {
		for i := range hits {
			hits[i] = s.t.full(b)
		}
	} else {
		var limits [leafRows]float32
		for i, lane := range lanes {
			limits[i] = s.bounds.hitLimit(s.found[int(lane)-s.lane].reach, s.delta)
		}
		dist.Distances(s.sums[:len(lanes)*leafRows], hits, s.block, lanes, s.t.block(b), limits[:len(lanes)])
	}
	for i, lane := range lanes {
		if hits[i] != 0 {
			s.gather(int(lane), b, hits[i], s.sums[i*leafRows:(i+1)*leafRows])
		}
	}
	if s.moved {
		s.lowerLimit()
	}
}

// candidateLanes returns the lanes that leaf b may hold candidates of.
func (s *nearest) candidateLanes(b int) uint32 {
	live := ^uint32(0) >> (leafRows - len(s.rows)) << s.lane
	if s.bounds.off || !s.tame() {
		return live
	}
	return live & dist.Near(s.block, s.t.innerBox(b), s.bounds.hitLimit(s.reach, s.delta))
}

// gather adds the hits among the lanes of leaf b to the candidates of the row
// at a lane.
func (s *nearest) gather(lane, b int, hits uint32, sums []float32) {
	c := &s.found[lane-s.lane]
	if s.q == s.t && b == s.a {
		hits &^= 1 << lane // the row itself
	}
	if s.bounds.off || !s.tame() {
		c.addUnknown(b*leafRows, hits)
	} else {
		c.add(b*leafRows, hits, sums, &s.bounds, s.delta)
	}
	if c.full() {
		s.moved = true
		c.compact(s.q.row(s.a*leafRows+lane), s.t)
	}
}

// lowerLimit sets the limit of the walk to the greatest reach of the rows.
func (s *nearest) lowerLimit() {
	s.moved = false
	var reach float64
	s.worst = join.Neighbor{D2: -1, Row: -1}
	for i := range s.rows {
		c := &s.found[i]
		reach = max(reach, c.reach)
		s.worst = join.Neighbor{D2: max(s.worst.D2, c.worst.D2), Row: max(s.worst.Row, c.worst.Row)}
	}
	s.reach = reach
	s.limit, s.hit = s.bounds.squared(reach), s.bounds.hitLimit(reach, 0)
	s.coarse = reach < fineLimit
}
