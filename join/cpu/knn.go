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

// KNN passes on what eachNearest finds, one call at a time.
func (x *index) KNN(ctx context.Context, q *join.Points, k int, emit func(row int, near []join.Neighbor) error) error {
	out := gate{ctx: ctx}
	return x.eachNearest(ctx, q, k, func(rows []int32, found *candidates) error {
		return out.pass(func() error { // one turn for all: turns cost more than calls
			for i, row := range rows {
				if err := emit(int(row), found.nearest(i)); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// Lists writes what eachNearest finds.
func (x *index) Lists(ctx context.Context, q *join.Points, k int, rows []int32, d2 []float64) error {
	n := len(x.tree.rows)
	if q != nil {
		n = q.Rows()
	}
	if err := join.CheckLists(n, k, rows, d2); err != nil {
		return fmt.Errorf("cpu: %w", err)
	}
	return x.eachNearest(ctx, q, k, func(of []int32, found *candidates) error {
		for i, row := range of {
			from, to := int(row)*k, int(row)*k+k
			join.SetList(rows[from:to], d2[from:to], found.nearest(i))
		}
		return nil
	})
}

// eachNearest takes each leaf of queries through the tree. Candidates are gathered by
// float32 sums with the bounds that those prove, and put in order by the
// contract's squared distances at the end (candidates.go). done is called with
// some rows and what is found for them, by several goroutines at once.
func (x *index) eachNearest(ctx context.Context, q *join.Points, k int, done func(rows []int32, found *candidates) error) error {
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
	m.groups = pairsOf(queries, x.tree, false)
	err = forEach(ctx, x.threads, queries.leaves, func(int) func(leaf int) error {
		s := newNearest(queries, x.tree, k)
		var equal *pointNearest
		work := m.hand(&s.effort)
		return func(leaf int) error {
			isPoint := queries.isPoint(int(queries.nodes[leaf]))
			if isPoint && equal == nil {
				equal = newPointNearest(queries, x.tree, k)
				m.hand(&equal.one.effort)
			}
			for lane := 0; lane < queries.size(leaf); lane += s.group {
				if isPoint {
					s.take(leaf, lane)
					equal.run(leaf, s.rows, &s.found)
				} else {
					s.run(leaf, lane)
				}
				if err := done(s.rows, &s.found); err != nil {
					return err
				}
			}
			work.add(queries.size(leaf))
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
	group  int // lanes at a time

	rows  []int32 // the rows of the lanes
	lane  int     // the first lane
	found candidates

	withSelf bool // rows are among their own neighbours

	// slack is at least the error of all sums in found; +Inf says that they
	// tell nothing.
	slack      float64
	worstTail2 float64           // what axes that were not measured add at most, for all sums in found
	most       float64           // the greatest tail2 to accept
	limits     [leafRows]float32 // sums beyond which a leaf's rows are too far for a lane
	moved      bool              // some row's reach may be less now
	exact      bool              // some row has a worst neighbour

	worst join.Neighbor // the greatest d2 and row of the worst of all rows

	sums   []float32
	picked [leafRows]float32
	within [leafRows]uint8 // lanes, counted from the first
}

func newNearest(q, t *tree, k int) *nearest {
	s := &nearest{bounds: newSumBounds(t.basis), sums: make([]float32, leafRows*leafRows)}
	s.group = min(leafRows, max(1, candidateBytes/candidateSize(k)))
	s.found = newCandidates(s.group, k)
	s.walker = newWalker(q, t)
	s.enter, s.leaf = s.enterNode, s.meetLeaf
	return s
}

// take sets the rows to the lanes of a leaf from one on.
func (s *nearest) take(leaf, lane int) {
	from, to := s.q.span(leaf, leaf+1)
	s.rows = s.q.rows[from+lane : min(to, from+lane+s.group)]
	s.lane = lane
}

// run finds the neighbours of the lanes of a leaf from one on.
func (s *nearest) run(leaf, lane int) {
	s.take(leaf, lane)
	s.found.reset()
	s.slack, s.worstTail2, s.exact = 0, 0, false
	if s.bounds.off {
		s.slack = math.Inf(1)
	}
	s.lowerLimit()
	s.walker.run(leaf)
	for i := range s.rows {
		s.drop(i, 1)
		s.found.finish(i, s.q.row(s.q.first(leaf)+lane+i), s.t)
	}
	s.effort.Rechecked += s.found.exactly
	s.found.exactly = 0
}

// enterNode passes over nodes whose rows come after the worst neighbours of all
// queries: among many equal rows, those with greater numbers.
func (s *nearest) enterNode(v, _, _ int, _ bool) bool {
	if !s.exact || math.IsInf(s.worst.D2, 1) {
		return true
	}
	low := nodeDistance2(s.q, int(s.q.nodes[s.a]), s.t, v, s.worst.D2)
	return low < s.worst.D2 || low == s.worst.D2 && s.t.lowest[v] <= s.worst.Row
}

func (s *nearest) meetLeaf(b int) {
	s.meet(b, s.most)
	s.worstTail2 = max(s.worstTail2, s.tail2)
	if !s.blind() && !(s.delta <= s.slack) { // NaN, too
		s.loosen()
	}
	live := ^uint32(0) >> (leafRows - len(s.rows)) << s.lane
	if !s.blind() {
		live &= dist.NearEach(s.boxed(), s.t.innerBox(b), &s.limits)
	}
	if s.exact {
		live = s.mayGain(b, live)
	}
	lanes := s.list(live)
	size := int64(s.t.size(b))
	s.effort.Method.Mixed++
	s.effort.Candidates += int64(len(s.rows)) * size
	s.effort.Refined += int64(len(lanes)) * size
	if len(lanes) == 0 {
		return
	}
	hits, within := s.hits[:len(lanes)], s.within[:len(lanes)]
	for i, lane := range lanes {
		s.picked[i] = s.limits[lane]
		within[i] = lane - uint8(s.lane)
		hits[i] = s.t.full(b)
	}
	if !s.blind() {
		dist.Distances(s.sums, hits, s.axes(s.block), lanes, s.axes(s.t.block(b)), s.picked[:len(lanes)])
	}
	if s.q == s.t && b == s.a && !s.withSelf {
		for i, lane := range lanes {
			hits[i] &^= 1 << lane // the row itself
		}
	}
	s.found.add(within, s.sums[:len(lanes)*leafRows], hits, s.t.first(b))
	for _, i := range within {
		if s.found.full(int(i)) {
			s.compact(int(i))
		}
	}
	if s.moved {
		s.lowerLimit()
	}
}

// blind reports whether the sums tell nothing.
func (s *nearest) blind() bool { return math.IsInf(s.slack, 1) }

// loosen makes room for the error of the leaf that is met, and for some more, so
// that it is not called often.
func (s *nearest) loosen() {
	s.slack = 2 * s.delta
	if !s.tame() {
		s.slack = math.Inf(1)
	}
	for i := range s.rows {
		s.limits[s.lane+i] = s.bounds.hitLimit(s.found.reach[i], s.slack)
	}
}

// compact drops the candidates beyond the reach. If that makes no room, it
// keeps the k nearest exactly.
func (s *nearest) compact(i int) {
	s.drop(i, s.found.k/8)
	if s.found.crowded(i) {
		s.found.keepExact(i, s.q.row(s.q.first(s.a)+s.lane+i), s.t)
		s.exact = true
	}
	s.moved = true
}

// drop sets the reach of a row and drops the candidates that are beyond it.
func (s *nearest) drop(i, play int) {
	f := &s.found
	if s.blind() || int(f.counts[i]) < f.k {
		return
	}
	sums, at := f.list(i)
	f.reach[i] = min(f.reach[i], s.bounds.reach(dist.Cut(sums, f.k, f.k+play), s.slack, s.worstTail2))
	limit := s.bounds.hitLimit(f.reach[i], s.slack)
	s.limits[s.lane+i] = limit
	f.counts[i] = int32(dist.Keep(sums, at, limit))
}

// lowerLimit sets the limit of the walk to the greatest reach of the rows.
func (s *nearest) lowerLimit() {
	s.moved = false
	reach, least := 0.0, math.Inf(1)
	for _, r := range s.found.reach[:len(s.rows)] {
		reach, least = max(reach, r), min(least, r)
	}
	if s.most = 0; reach < math.Inf(1) {
		s.most = tailShare * least * least
	}
	if s.exact {
		s.worst = join.Neighbor{D2: -1, Row: -1}
		for _, w := range s.found.worst[:len(s.rows)] {
			s.worst = join.Neighbor{D2: max(s.worst.D2, w.D2), Row: max(s.worst.Row, w.Row)}
		}
	}
	s.limit, s.hit = s.bounds.squared(reach), s.bounds.hitLimit(reach, 0)
	s.coarse = reach < fineLimit && s.t.basis.opt.IndexDims == 0
}
