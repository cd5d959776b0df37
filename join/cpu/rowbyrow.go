package cpu

import (
	"math/bits"

	"rtcluster/join/internal/dist"
)

// rowByRow is what a leafPair needs for [Refine] and [Primitives] but their zero
// values: ways to compare two leaves that give up a tile, or both.
type rowByRow struct {
	one        []float32 // a block of which lane 0 has a row
	hits, sure [1]uint32
	rows       [leafRows]int32
	lanes      [leafRows]uint8
	d2         [leafRows]float64
}

func newRowByRow(t *tree) *rowByRow { return &rowByRow{one: make([]float32, t.dim*leafRows)} }

// testAlone is test by the way that the options name. All of them search alike: the
// leaf of queries is moved along the boxed axes, and its rows are held against the box
// of the other leaf.
func (p *leafPair) testAlone(b int, live uint32, g *guard) []uint8 {
	opt := &p.t.basis.opt
	size := int64(p.t.size(b))
	p.effort.Candidates += int64(bits.OnesCount32(live)) * size
	p.approach(b, tailShare*g.above*g.above)
	if opt.Refine == RefineQuery {
		p.move(p.dims)
	} else {
		p.move(p.t.basis.boxed)
	}
	lanes, sure, hit, ok := p.search(b, live, g)
	if opt.Primitives == PrimitivePoints {
		p.points(b, lanes, hit, ok, g.limit)
		return lanes
	}
	p.effort.Refined += int64(p.tested) * size
	switch {
	case opt.Refine == RefineNone:
		for i, lane := range lanes {
			p.hits[i] = p.measure(b, lane, p.t.full(b), g.limit)
			p.sure[i] = p.hits[i]
		}
	case !ok:
		p.leaveOpen(lanes, p.t.full(b))
	case opt.Refine == RefinePrimitive:
		p.eachQuery(b, lanes, sure, hit)
	default:
		p.eachFound(b, lanes, sure, hit)
	}
	return lanes
}

// points refines those rows of leaf b that are not apart from a query row along the
// boxed axes, as far as float32 can tell. A sum along some axes bounds that along all.
func (p *leafPair) points(b int, lanes []uint8, hit float32, ok bool, limit float64) {
	p.leaveOpen(lanes, p.t.full(b))
	if ok {
		boxed := p.boxed()
		dist.Tile(p.hits[:len(lanes)], p.sure[:len(lanes)], boxed, lanes, p.t.block(b)[:len(boxed)], -1, hit)
	}
	for i, lane := range lanes {
		p.effort.Refined += int64(bits.OnesCount32(p.hits[i]))
		p.hits[i] = p.measure(b, lane, p.hits[i], limit)
		p.sure[i] = p.hits[i]
	}
}

// measure returns those of some lanes of leaf b that are within limit of a lane of leaf
// p.a, by the contract's squared distance.
func (p *leafPair) measure(b int, lane uint8, open uint32, limit float64) (near uint32) {
	s, n := p.alone, 0
	for ; open != 0; open &= open - 1 {
		j := bits.TrailingZeros32(open)
		s.rows[n], s.lanes[n] = p.t.rows[p.t.first(b)+j], uint8(j)
		n++
	}
	dist.Squares(s.d2[:n], p.q.row(p.q.first(p.a)+int(lane)), p.t.pts.Data(), s.rows[:n])
	for i, d2 := range s.d2[:n] {
		if d2 <= limit {
			near |= 1 << s.lanes[i]
		}
	}
	return near
}

// eachQuery compares the lanes of leaf p.a, moved one by one, with the tile of leaf b.
func (p *leafPair) eachQuery(b int, lanes []uint8, sure, hit float32) {
	one, block, mine := p.axes(p.alone.one), p.axes(p.t.block(b)), p.q.block(p.a)
	for i, lane := range lanes {
		for k, by := range p.shift[:p.dims] {
			one[k*leafRows] = mine[k*leafRows+int(lane)] + by
		}
		dist.Tile(p.hits[i:i+1], p.sure[i:i+1], one, []uint8{0}, block, sure, hit)
	}
}

// eachFound compares the rows of leaf b, one by one, with the tile of leaf p.a.
func (p *leafPair) eachFound(b int, lanes []uint8, sure, hit float32) {
	s := p.alone
	p.leaveOpen(lanes, 0)
	for j := range p.t.size(b) {
		dist.Tile(s.hits[:], s.sure[:], p.axes(p.t.block(b)), []uint8{uint8(j)}, p.axes(p.block), sure, hit)
		for i, lane := range lanes {
			p.hits[i] |= s.hits[0] >> lane & 1 << j
			p.sure[i] |= s.sure[0] >> lane & 1 << j
		}
	}
}
