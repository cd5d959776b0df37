package cpu

import (
	"math"
	"math/bits"
	"slices"

	"rtcluster/join"
	"rtcluster/join/internal/dist"
)

const (
	spareCandidates = 64 // room beyond k
	candidateSize   = 28 // bytes, its exact neighbour included
)

// sumBounds turns a float32 sum into bounds of the scaled distance σ·‖x−z‖ of
// the rows, such that low(x) > up(z) means d2(x) > d2(z) for the contract's
// squared distances. The derivation stands in package dist: with r = √s,
//
//	r·(1−2g) − √(2a) − δ ≤ ‖y(x) − y(z)‖ ≤ r·(1+2g) + √(2a) + δ
//
// and near, far, and the slack for the rounding of d2 as there. A low bound
// that stands for squares below lowest is taken as none, so that d2 keeps its
// relative error where it counts.
type sumBounds struct {
	g, rootFloor     float64
	upward, downward float64 // factors from the axes to the points
	grow, floor      float64
	lowest           float64
	scale2           float64 // 1/σ², with slack
	off              bool    // the data's range leaves no room for the argument
}

func newSumBounds(b *basis) sumBounds {
	g := newGuard(b, 1)
	slack := float64(b.dim+8) * unit
	return sumBounds{
		g: g.grow - 1, rootFloor: math.Sqrt(2 * g.floor),
		upward: (1 + slack) / b.near, downward: (1 - slack) / b.far,
		grow: b.far * (1 + slack), floor: g.floor,
		lowest: 1e-139 * b.sigma, scale2: (1 + 4*slack) / b.sigma / b.sigma,
		off: !(b.sigma > 0x1p-430 && b.sigma < 0x1p430 && g.grow < 1.01),
	}
}

// hitLimit returns the float32 sum above which a row is farther than reach, at
// an error of delta.
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

// candidates are rows that may be among the k nearest of a row: positions in a
// tree, with bounds of their scaled distances.
type candidates struct {
	k       int
	up, low []float32
	at      []int32
	reach   float64 // the k nearest are no farther: the k-th smallest of up

	// worst is the last of k exact neighbours, once keepExact has found them:
	// what comes after it by (d2, row) is no candidate.
	worst join.Neighbor
	near  []join.Neighbor // the exact neighbours, in the end

	exactly int64 // how many distances the contract's sum was taken for
}

func newCandidates(k, room int) candidates {
	return candidates{k: k, up: make([]float32, 0, room), low: make([]float32, 0, room), at: make([]int32, 0, room)}
}

func (c *candidates) reset() {
	c.truncate(0)
	c.reach = math.Inf(1)
	c.worst = join.Neighbor{D2: math.Inf(1), Row: join.MaxRows}
}

func (c *candidates) truncate(n int) { c.up, c.low, c.at = c.up[:n], c.low[:n], c.at[:n] }

// full reports whether another leaf's rows may find no room, or whether the
// reach is to be had for the first time.
func (c *candidates) full() bool {
	return len(c.at) > cap(c.at)-leafRows || len(c.at) >= c.k && math.IsInf(c.reach, 1)
}

// add notes the hits among the positions from at on.
func (c *candidates) add(at int, hits uint32, sums []float32, b *sumBounds, delta float64) {
	spread := b.rootFloor + delta
	for ; hits != 0; hits &= hits - 1 {
		j := bits.TrailingZeros32(hits)
		r := math.Sqrt(float64(sums[j]))
		up := (r*(1+2*b.g) + spread) * b.upward
		low := (r*(1-2*b.g) - spread) * b.downward
		if low < b.lowest {
			low = -1
		}
		c.up = append(c.up, float32(up*(1+0x1p-22)))
		c.low = append(c.low, float32(low*(1-0x1p-22)))
		c.at = append(c.at, int32(at+j))
	}
}

// addUnknown notes positions whose distances float32 can't bound.
func (c *candidates) addUnknown(at int, hits uint32) {
	for ; hits != 0; hits &= hits - 1 {
		c.up = append(c.up, float32(math.Inf(1)))
		c.low = append(c.low, -1)
		c.at = append(c.at, int32(at+bits.TrailingZeros32(hits)))
	}
}

// compact drops the candidates beyond the reach. If that makes no room, it
// keeps the k nearest of row x exactly.
func (c *candidates) compact(x []float64, t *tree) {
	c.drop()
	if len(c.at) > cap(c.at)-leafRows {
		c.keepExact(x, t)
	}
}

// drop sets the reach and drops the candidates that are beyond it.
func (c *candidates) drop() {
	if len(c.at) < c.k {
		return
	}
	reach := dist.Cut(c.up, c.k)
	if float64(reach) < c.reach {
		c.reach = float64(reach)
	}
	n := 0
	for i, low := range c.low {
		c.up[n], c.low[n], c.at[n] = c.up[i], low, c.at[i]
		if low <= reach {
			n++
		}
	}
	c.truncate(n)
}

// keepExact keeps the k candidates that are nearest by (d2, row).
func (c *candidates) keepExact(x []float64, t *tree) {
	c.near = c.exact(c.near[:0], x, t)
	c.worst = c.near[c.k-1]
	c.exactly += int64(len(c.at))
	n := 0
	for i, p := range c.at {
		found := join.Neighbor{D2: join.SquaredDistance(x, t.row(int(p))), Row: t.rows[p]}
		if !c.worst.Less(found) {
			c.up[n], c.low[n], c.at[n] = c.up[i], c.low[i], p
			n++
		}
	}
	c.truncate(n)
}

// exact appends the candidates that may be among the k nearest to dst, by (d2,
// row).
func (c *candidates) exact(dst []join.Neighbor, x []float64, t *tree) []join.Neighbor {
	c.drop()
	var few [4 * leafRows]uint64
	order := few[:0]
	for i, up := range c.up {
		order = append(order, uint64(math.Float32bits(up))<<32|uint64(i)) // up is not negative
	}
	slices.Sort(order)
	c.exactly += int64(len(order))
	for len(order) > 0 {
		four := order[:min(4, len(order))]
		order = order[len(four):]
		var near [4]join.Neighbor
		c.distances(near[:len(four)], four, x, t)
		for _, n := range near[:len(four)] {
			dst = append(dst, n)
			// The order by up is nearly the one wanted.
			i := len(dst) - 1
			for ; i > 0 && n.Less(dst[i-1]); i-- {
				dst[i] = dst[i-1]
			}
			dst[i] = n
		}
	}
	return dst
}

// distances sets near to the candidates that order names, four at most, with
// the contract's squared distances from x. Four sums at a time do not wait for
// each other.
func (c *candidates) distances(near []join.Neighbor, order []uint64, x []float64, t *tree) {
	var rows [4][]float64
	for i, o := range order {
		p := c.at[uint32(o)]
		near[i].Row = t.rows[p]
		rows[i] = t.row(int(p))
	}
	if len(order) < 4 {
		for i := range near {
			near[i].D2 = join.SquaredDistance(x, rows[i])
		}
		return
	}
	z0, z1, z2, z3 := rows[0][:len(x)], rows[1][:len(x)], rows[2][:len(x)], rows[3][:len(x)]
	var s0, s1, s2, s3 float64
	for k, v := range x {
		d0, d1, d2, d3 := v-z0[k], v-z1[k], v-z2[k], v-z3[k]
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
	}
	near[0].D2, near[1].D2, near[2].D2, near[3].D2 = s0, s1, s2, s3
}
