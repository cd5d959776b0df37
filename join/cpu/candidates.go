package cpu

import (
	"math"
	"slices"

	"rtcluster/join"
	"rtcluster/join/internal/dist"
)

// spareCandidates is the room that a row's candidates have beyond k.
const spareCandidates = 2 * leafRows

// candidateSize returns the bytes that a row's candidates and neighbours take.
func candidateSize(k int) int { return 8*(k+spareCandidates) + 16*k }

// sumBounds turns float32 sums into bounds of the scaled distance σ·‖x−z‖ of
// rows, such that low(x) > up(z) means d2(x) > d2(z) for the contract's squared
// distances. The derivation stands in package dist: with r = √s,
//
//	r·(1−2g) − √(2a) − δ ≤ ‖y(x) − y(z)‖ ≤ r·(1+2g) + √(2a) + δ
//
// and near, far, and the slack for the rounding of d2 as there. A low bound
// that stands for squares below lowest is taken as none, so that d2 keeps its
// relative error where it counts.
type sumBounds struct {
	g, rootFloor float64
	upward       float64 // factor from the axes to the points
	grow, floor  float64
	lowest       float64
	scale2       float64 // 1/σ², with slack
	off          bool    // the data's range leaves no room for the argument
}

func newSumBounds(b *basis) sumBounds {
	g := newGuard(b, 1)
	slack := float64(b.dim+8) * unit
	return sumBounds{
		g: g.grow - 1, rootFloor: math.Sqrt(2 * g.floor),
		upward: (1 + slack) / b.near,
		grow:   b.far * (1 + slack), floor: g.floor,
		lowest: 1e-139 * b.sigma, scale2: (1 + 4*slack) / b.sigma / b.sigma,
		off: !(b.sigma > 0x1p-430 && b.sigma < 0x1p430 && g.grow < 1.01),
	}
}

// reach returns a distance within which a row is whose sum is at most sum, at an
// error of delta, if the axes that were not measured add tail2 at most.
func (s *sumBounds) reach(sum float32, delta, tail2 float64) float64 {
	up := math.Sqrt(float64(sum))*(1+2*s.g) + s.rootFloor + delta
	if tail2 > 0 {
		up = math.Sqrt(up*up + tail2)
	}
	return up * s.upward * (1 + 0x1p-40)
}

// hitLimit returns the sum above which a row is farther than reach, at an error
// of delta.
func (s *sumBounds) hitLimit(reach, delta float64) float32 {
	high := max(reach, s.lowest)*s.grow + delta
	high2 := high*high*(1+s.g) + s.floor
	if !(high2 <= guardMax32) {
		return float32(math.Inf(1))
	}
	return float32(high2 * (1 + 0x1p-22))
}

// squared returns a squared distance that d2 does not exceed for rows within
// reach.
func (s *sumBounds) squared(reach float64) float64 {
	limit := reach * reach * s.scale2
	switch {
	case limit < guardMin:
		return guardMin
	case limit <= guardMax:
		return limit
	}
	return math.Inf(1)
}

// candidates are, for each of some rows, the rows that may be among its k nearest:
// positions in a tree, with float32 sums.
type candidates struct {
	k, room int
	counts  []int32
	sums    []float32 // room a row
	at      []int32
	reach   []float64 // the k nearest of a row are no farther

	// worst is the last of k exact neighbours, once keepExact has found them:
	// what comes after it by (d2, row) is no candidate.
	worst   []join.Neighbor
	near    []join.Neighbor // k a row, in the end
	exactly int64           // how many distances the contract's sum was taken for

	d2    []float64 // room
	ids   []int32   // rows
	ranks []int32
	order []join.Neighbor
}

func newCandidates(rows, k int) candidates {
	room := k + spareCandidates
	return candidates{
		k: k, room: room, counts: make([]int32, rows), sums: make([]float32, rows*room), at: make([]int32, rows*room),
		reach: make([]float64, rows), worst: make([]join.Neighbor, rows), near: make([]join.Neighbor, rows*k),
		d2: make([]float64, room), ids: make([]int32, room), ranks: make([]int32, room),
	}
}

func (c *candidates) reset() {
	clear(c.counts)
	for i := range c.reach {
		c.reach[i] = math.Inf(1)
		c.worst[i] = join.Neighbor{D2: math.Inf(1), Row: join.MaxRows}
	}
}

// list returns the sums and the positions of the candidates of row i.
func (c *candidates) list(i int) (sums []float32, at []int32) {
	from, to := i*c.room, i*c.room+int(c.counts[i])
	return c.sums[from:to], c.at[from:to]
}

// crowded reports whether another leaf's rows may find no room.
func (c *candidates) crowded(i int) bool { return int(c.counts[i]) > c.room-leafRows }

// full reports whether it is time to compact: there is no room, or the reach is
// to be had for the first time.
func (c *candidates) full(i int) bool {
	return c.crowded(i) || int(c.counts[i]) >= c.k && math.IsInf(c.reach[i], 1)
}

// add notes the hits of some rows among the positions from at on.
func (c *candidates) add(rows []uint8, sums []float32, hits []uint32, at int) {
	dist.Append(c.sums, c.at, c.counts, c.room, rows, sums, hits, int32(at))
}

// keepExact keeps the k candidates that are nearest to row i, at x, by (d2, row).
func (c *candidates) keepExact(i int, x []float64, t *tree) {
	c.finish(i, x, t)
	c.worst[i] = c.near[(i+1)*c.k-1]
	sums, at := c.list(i)
	n := 0
	for j, p := range at {
		if !c.worst[i].Less(join.Neighbor{D2: c.d2[j], Row: t.rows[p]}) {
			sums[n], at[n] = sums[j], p
			n++
		}
	}
	c.counts[i] = int32(n)
}

// nearest returns what finish has found for row i.
func (c *candidates) nearest(i int) []join.Neighbor {
	return c.near[i*c.k : i*c.k+min(c.k, int(c.counts[i]))]
}

// mostRanked is the number of values up to which comparing all with all is faster
// than to sort them.
const mostRanked = 512

// finish sets the nearest rows of row i, at x, to the first k of its candidates by
// (d2, row).
func (c *candidates) finish(i int, x []float64, t *tree) {
	_, at := c.list(i)
	n := len(at)
	d2 := c.d2[:n]
	ids := c.ids[:n]
	for j, p := range at {
		ids[j] = t.rows[p]
	}
	if ordered := t.ordered.Load(); ordered != nil {
		dist.Squares(d2, x, *ordered, at)
	} else {
		dist.Squares(d2, x, t.pts.Data(), ids)
	}
	c.exactly += int64(n)
	near := c.near[i*c.k : (i+1)*c.k]
	if n <= mostRanked {
		ranks, sum := c.ranks[:n], 0
		dist.Ranks(ranks, d2)
		for _, r := range ranks {
			sum += int(r)
		}
		if sum == n*(n-1)/2 { // no two are equal
			for j, r := range ranks {
				if int(r) < len(near) {
					near[r] = join.Neighbor{D2: d2[j], Row: ids[j]}
				}
			}
			return
		}
	}
	if c.k <= mostInserted {
		c.insert(near, d2, ids)
		return
	}
	c.order = c.order[:0]
	for j, id := range ids {
		c.order = append(c.order, join.Neighbor{D2: d2[j], Row: id})
	}
	slices.SortFunc(c.order, func(a, b join.Neighbor) int {
		if a.Less(b) {
			return -1
		}
		return 1
	})
	copy(near, c.order)
}

// mostInserted is the k up to which keeping the first k in order, one candidate after
// the other, is faster than to sort them all: among many equal rows, those of
// smaller numbers mostly come first.
const mostInserted = 64

// insert sets near to the first of the rows by (d2, row).
func (c *candidates) insert(near []join.Neighbor, d2 []float64, rows []int32) {
	n := 0
	for j, row := range rows {
		next := join.Neighbor{D2: d2[j], Row: row}
		switch {
		case n < len(near):
			n++
		case !next.Less(near[n-1]):
			continue
		}
		i := n - 1
		for ; i > 0 && next.Less(near[i-1]); i-- {
			near[i] = near[i-1]
		}
		near[i] = next
	}
}
