package cpu

import (
	"context"
	"fmt"
	"math"
	"slices"

	"rtcluster/join"
)

// heapBytes bounds the candidate neighbours that a goroutine holds at a time,
// unless one query alone needs more.
const heapBytes = 16 << 20

// KNN takes each leaf of queries through the tree, with the distance of the
// k-th best candidate as the limit. A node is skipped only if it lies farther
// than that of every query, so that rows tied at the k-th place are all seen.
func (x *index) KNN(ctx context.Context, q *join.Points, k int, emit func(row int, near []join.Neighbor) error) error {
	if k < 1 {
		return fmt.Errorf("cpu: k is %d, want at least 1", k)
	}
	queries, err := x.queries(ctx, q)
	if err != nil {
		return err
	}
	k = min(k, max(len(x.tree.rows), 1))
	m := newMeter(ctx, join.StageKNN, len(queries.rows))
	out := gate{ctx: ctx}
	send := func(row int32, near []join.Neighbor) error {
		return out.pass(func() error { return emit(int(row), near) })
	}
	err = forEach(ctx, x.threads, queries.leaves, func(int) func(leaf int) error {
		s := newNearest(queries, x.tree, k)
		return func(leaf int) error {
			for lane := 0; lane < queries.size(leaf); lane += s.group {
				if err := s.run(leaf, lane, send); err != nil {
					return err
				}
			}
			m.add(queries.size(leaf))
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
	k     int
	group int // lanes at a time

	rows  []int32 // the rows of the lanes
	lane  int     // the first lane
	block []float64
	heaps [][]join.Neighbor // the candidates of each row, the worst on top
	d2    [leafRows]float64
}

func newNearest(q, t *tree, k int) *nearest {
	const neighborBytes = 16
	s := &nearest{k: k, group: min(leafRows, max(1, heapBytes/neighborBytes/k))}
	s.heaps = make([][]join.Neighbor, s.group)
	s.walker = walker{q: q, t: t, enter: s.enter, leaf: s.leaf}
	return s
}

func (s *nearest) run(leaf, lane int, send func(row int32, near []join.Neighbor) error) error {
	from, to := s.q.span(leaf, leaf+1)
	s.rows = s.q.rows[from+lane : min(to, from+lane+s.group)]
	s.lane, s.block, s.limit = lane, s.q.block(leaf), math.Inf(1)
	for i := range s.rows {
		s.heaps[i] = s.heaps[i][:0]
	}
	s.walker.run(leaf, s.q.leafNode(leaf))
	for i, row := range s.rows {
		near := s.heaps[i]
		slices.SortFunc(near, compareNeighbors)
		if err := send(row, near); err != nil {
			return err
		}
	}
	return nil
}

func (s *nearest) enter(int, int, int, bool) bool { return true }

func (s *nearest) leaf(v, a int) {
	box, block := s.t.box(v), s.t.block(a)
	from, to := s.t.span(a, a+1)
	others := s.t.rows[from:to]
	s.limit = 0
	for i, row := range s.rows {
		worst := s.worst(i)
		if laneDistance2(s.block, s.lane+i, box, worst) <= worst {
			tile(&s.d2, s.block, s.lane+i, block, worst)
			for lane, other := range others {
				if s.d2[lane] <= worst && (other != row || s.q != s.t) {
					s.offer(i, join.Neighbor{D2: s.d2[lane], Row: other})
					worst = s.worst(i)
				}
			}
		}
		s.limit = max(s.limit, worst)
	}
}

// worst returns the squared distance up to which a row may still be one of
// the k nearest of row i.
func (s *nearest) worst(i int) float64 {
	if len(s.heaps[i]) < s.k {
		return math.Inf(1)
	}
	return s.heaps[i][0].D2
}

// offer puts a candidate on heap i if it is among the k best seen.
func (s *nearest) offer(i int, n join.Neighbor) {
	h := s.heaps[i]
	if len(h) < s.k {
		h = append(h, n)
		for at := len(h) - 1; at > 0; {
			up := (at - 1) / 2
			if !h[up].Less(h[at]) {
				break
			}
			h[up], h[at] = h[at], h[up]
			at = up
		}
		s.heaps[i] = h
		return
	}
	if !n.Less(h[0]) {
		return
	}
	at := 0
	for {
		down := 2*at + 1
		if down+1 < len(h) && h[down].Less(h[down+1]) {
			down++
		}
		if down >= len(h) || !n.Less(h[down]) {
			break
		}
		h[at] = h[down]
		at = down
	}
	h[at] = n
}

func compareNeighbors(a, b join.Neighbor) int {
	switch {
	case a.Less(b):
		return -1
	case b.Less(a):
		return 1
	}
	return 0
}
