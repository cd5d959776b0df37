package cpu

import (
	"math"
	"math/bits"

	"rtcluster/join"
	"rtcluster/join/internal/dist"
)

// guard turns a squared distance limit into the two float32 limits between
// which the exact predicate has to decide a pair of two leaves. The derivation
// stands in package dist.
type guard struct {
	// below and above are σ·sqrt(limit), moved down and up by the distortion
	// of the basis and the rounding of the contract's sum.
	below, above float64
	shrink, grow float64 // 1 ∓ g for the rounding of the float32 sum
	floor        float64 // absolute error of sums near float32's underflow
	off          bool    // limit outside the range of the argument
	limit        float64
}

const (
	unit32 = 0x1p-24

	// The range of the contract's squared limit in which its sum keeps its
	// relative error, and of the scaled float32 one.
	guardMin, guardMax     = 1e-280, 1e280
	guardMin32, guardMax32 = 1e-34, 1e34
)

func newGuard(b *basis, limit float64) guard {
	d := float64(b.dim)
	g := 1.05 * (d + 4) * unit32
	root := math.Sqrt(max(limit, guardMin)) * b.sigma
	slack := (d + 8) * unit
	guard := guard{
		below: root * b.near * (1 - slack), above: root * b.far * (1 + slack),
		shrink: 1 - g, grow: 1 + g,
		floor: (d + 4) * 0x1p-145,
		off:   !(limit <= guardMax && root <= 1e17 && g < 0.01),
		limit: limit,
	}
	if limit < guardMin { // what is within it is within guardMin too, but none for sure
		guard.below = math.Inf(-1)
	}
	return guard
}

// limits returns the float32 limits for two leaves whose float32 differences
// are wrong by delta at most, in norm: a pair with a sum up to sure is within
// the limit, one with a sum above hit is not. ok is false if float32 can't
// tell.
func (g *guard) limits(delta float64) (sure, hit float32, ok bool) {
	return g.limitsOf(delta, 0, 0)
}

// limitsOf are limits for sums with another absolute error of extra, or over
// leading axes where the others add tail2 at most.
func (g *guard) limitsOf(delta, extra, tail2 float64) (sure, hit float32, ok bool) {
	low, high := g.below, g.above+delta
	if tail2 > 0 && low > 0 {
		low = math.Sqrt(max(low*low-tail2, 0))
	}
	low -= delta
	high2 := high*high*g.grow + g.floor + extra
	if g.off || !(high2 <= guardMax32) {
		return 0, 0, false
	}
	sure = -1
	if low > 0 {
		if low2 := low*low*g.shrink - g.floor - extra; low2 > guardMin32 {
			sure = float32(low2 * (1 - 0x1p-22))
		}
	}
	return sure, float32(high2 * (1 + 0x1p-22)), true
}

// leafPair computes float32 distances between a leaf of q and leaves of t. It
// is used by one goroutine.
type leafPair struct {
	q, t  *tree
	a     int       // the leaf of q
	block []float32 // its rows relative to the center of the leaf of t
	shift []float32
	dims  int     // the axes measured: the leading ones, or all
	tail2 float64 // what the others may add to a squared distance
	delta float64
	reach float64 // ‖q‖ + ‖o‖ is no more, for rows q in block and o of the other leaf

	effort join.Effort
	last   decided
	tested int // lanes of the last leaf that had distances computed

	half  [leafRows]float32 // halves of the squared norms of block's rows, where t has them
	lanes [leafRows]uint8
	hits  [leafRows]uint32
	sure  [leafRows]uint32

	allHits, allSure [leafRows]uint32 // of products, by lane

	alone *rowByRow // what the other ways to compare need, if the tree has one
}

func newLeafPair(q, t *tree) leafPair {
	p := leafPair{q: q, t: t, block: make([]float32, t.dim*leafRows), shift: make([]float32, t.dim)}
	if t.varied {
		p.alone = newRowByRow(t)
	}
	return p
}

// meet moves leaf p.a next to leaf b, by the difference of their centers, along the
// leading axes alone if the others add no more than most to a squared distance.
func (p *leafPair) meet(b int, most float64) {
	p.approach(b, most)
	p.move(p.dims)
}

// approach is what meet does but for moving the leaf.
func (p *leafPair) approach(b int, most float64) {
	p.dims, p.tail2 = p.t.dim, 0
	if p.t.tails != nil {
		tail := p.q.tails[p.a] + p.t.tails[b]
		if tail2 := tail * tail * 1.0001; tail2 <= most {
			p.dims, p.tail2 = p.t.basis.lead, tail2
		}
	}
	from, to, shift := p.q.center(p.a)[:p.dims], p.t.center(b)[:p.dims], p.shift[:p.dims]
	norm2 := dist.Offset(shift, from, to)
	here, there := p.q.spread[p.a], p.t.spread[b]
	d := math.Sqrt(float64(p.t.dim))
	p.reach = 1.0001 * (here.radius + math.Sqrt(norm2) + there.radius)
	p.delta = 1.02*unit32*(2*here.radius+2*math.Sqrt(norm2)+there.radius) +
		1.0001*(here.err+there.err) + d*0x1p-145
}

// move moves leaf p.a along some axes.
func (p *leafPair) move(dims int) {
	block, mine, shift := p.block[:dims*leafRows], p.q.block(p.a)[:dims*leafRows], p.shift[:dims]
	if p.t.halves != nil {
		dist.ShiftNorms(block, mine, shift, &p.half)
	} else {
		dist.Shift(block, mine, shift)
	}
}

// axes returns the axes of a block that are measured.
func (p *leafPair) axes(block []float32) []float32 { return block[:p.dims*leafRows] }

// boxed returns the boxed axes of the block that has met a leaf.
func (p *leafPair) boxed() []float32 { return p.block[:p.t.basis.boxed*leafRows] }

// tame reports whether float32 holds the squares of all differences between the
// leaves that have met, so that none of their sums is NaN.
func (p *leafPair) tame() bool { return p.delta < 1e8 }

// test sets hits and sure, one for each of the live lanes of leaf p.a that are
// not apart from leaf b, and returns those lanes, at least those with hits: bit j of
// hits says that lane j of b may be within the limit, of sure that it is.
func (p *leafPair) test(b int, live uint32, g *guard) []uint8 {
	p.effort.Method.Mixed++
	if p.alone != nil {
		return p.testAlone(b, live, g)
	}
	p.meet(b, tailShare*g.above*g.above)
	size := int64(p.t.size(b))
	p.effort.Candidates += int64(bits.OnesCount32(live)) * size
	if p.tested = bits.OnesCount32(live); p.t.halves != nil && p.tested >= manyLanes {
		if some, ok := p.products(b, g); ok {
			lanes := p.list(live & some)
			for i, lane := range lanes {
				p.hits[i], p.sure[i] = p.allHits[lane], p.allSure[lane]
			}
			p.effort.Refined += int64(p.tested) * size
			return lanes
		}
	}
	lanes, sure, hit, ok := p.search(b, live, g)
	p.effort.Refined += int64(p.tested) * size
	switch {
	case !ok:
		p.leaveOpen(lanes, p.t.full(b))
	case len(lanes) > 0:
		dist.Tile(p.hits[:len(lanes)], p.sure[:len(lanes)], p.axes(p.block), lanes, p.axes(p.t.block(b)), sure, hit)
	}
	return lanes
}

// search returns those of the live lanes that are not apart from the box of leaf b, and
// the limits on sums; ok is false if float32 can't tell.
func (p *leafPair) search(b int, live uint32, g *guard) (lanes []uint8, sure, hit float32, ok bool) {
	sure, hit, ok = g.limitsOf(p.delta, 0, p.tail2)
	if ok && p.t.halves == nil && p.t.group == 1 { // else boxes tell little, or are not asked
		live &= dist.Near(p.boxed(), p.t.innerBox(b), hit)
	}
	lanes = p.list(live)
	p.tested = len(lanes)
	return lanes, sure, hit, ok
}

// leaveOpen sets hits to the lanes of the other leaf that may be within the limit, none
// of them for sure.
func (p *leafPair) leaveOpen(lanes []uint8, open uint32) {
	for i := range lanes {
		p.hits[i], p.sure[i] = open, 0
	}
}

const (
	// manyLanes are so many that products for all lanes cost less than squares for
	// these, where no coordinates can be saved.
	manyLanes = 16

	// productShare bounds the error of products, as a share of the limit: few pairs
	// are nearer to it.
	productShare = 0x1p-12
)

// products tests all lanes by products, if their error is small beside the limit, and
// returns those with hits. The derivation stands in package dist.
func (p *leafPair) products(b int, g *guard) (some uint32, ok bool) {
	extra := 1.02 * unit32 * float64(2*p.t.dim+10) * p.reach * p.reach
	if !(extra <= productShare*g.above*g.above) {
		return 0, false
	}
	sure, hit, ok := g.limitsOf(p.delta, extra, 0)
	if !ok || sure < 0 {
		return 0, false
	}
	some = dist.Products(&p.allHits, &p.allSure, p.block, p.t.block(b), &p.half, &p.t.halves[b], sure/2, hit/2)
	return some, true
}

// list writes the set bits of live as lane numbers.
func (p *leafPair) list(live uint32) []uint8 {
	n := 0
	for rest := live; rest != 0; rest &= rest - 1 {
		p.lanes[n] = uint8(bits.TrailingZeros32(rest))
		n++
	}
	return p.lanes[:n]
}

// decide returns the lanes of leaf b within limit of a lane of leaf p.a: those
// that are sure, and of the other hits those that the exact predicate accepts.
func (p *leafPair) decide(b int, lane uint8, hits, sure uint32, limit float64) uint32 {
	rest := hits &^ sure
	hits &= sure
	if rest == 0 {
		return hits
	}
	x := p.q.row(p.q.first(p.a) + int(lane))
	if p.last.is(p.a, b, rest, x) {
		return hits | p.last.near
	}
	p.last = decided{a: p.a, b: b, open: rest, x: x}
	for ; rest != 0; rest &= rest - 1 {
		j := bits.TrailingZeros32(rest)
		if p.recheck(lane, p.t.first(b)+j, limit) {
			p.last.near |= 1 << j
		}
	}
	return hits | p.last.near
}

// recheck asks the exact predicate about a lane of leaf p.a and a position.
func (p *leafPair) recheck(lane uint8, at int, limit float64) bool {
	p.effort.Rechecked++
	return join.Within(p.q.row(p.q.first(p.a)+int(lane)), p.t.row(at), limit)
}
