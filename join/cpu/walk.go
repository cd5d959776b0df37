package cpu

import (
	"math"
	"math/bits"

	"rtcluster/join/internal/dist"
)

// walker takes one leaf of queries down a tree, near nodes first, so that early
// stops come early. It is used by one goroutine.
type walker struct {
	leafPair
	from int // leaves before from are passed over

	// limit is the squared distance beyond which nodes are apart, hit the same
	// for the float32 sums of fans. Callbacks may lower both.
	limit float64
	hit   float32
	// stop ends the walk when a callback sets it.
	stop bool
	// accepts says that enter wants to know of nodes that are within.
	accepts bool
	// point says that the node at hand has equal rows only, so that inside tells
	// which of the queries' rows it is within.
	point bool
	// enter is told of each node v over leaves [a, b) that is not apart, and
	// whether all its rows are within limit of all the queries' rows that inside
	// gives. It returns whether to go on below it.
	enter func(v, a, b int, within bool) bool
	// leaf is told of each leaf a that is reached.
	leaf func(a int)

	lastPoint int // the last leaf that repeats was asked for, −1 for none

	coarse bool // the boxes of fans are too wide to tell alone
	box    []float32
	stack  []step
}

// step is a node that the walk has before it.
type step struct {
	v, a, b int32
	below   int32   // its fan, −1 for a leaf, or leaves searched as one
	point   bool    // all its rows are equal
	gap2    float32 // of its box, as fans.gaps has it
}

// newWalker returns a walker without callbacks.
func newWalker(q, t *tree) walker {
	return walker{leafPair: newLeafPair(q, t), lastPoint: -1, box: make([]float32, 2*t.basis.boxed)}
}

// setLimit sets the limits to those of a guard for the squared limit.
func (w *walker) setLimit(limit float64, g *guard) {
	w.limit = limit
	_, hit, ok := g.limits(0)
	if !ok {
		hit = float32(math.Inf(1))
	}
	w.hit = hit
	w.coarse = (!ok || g.above < fineLimit) && w.t.basis.opt.IndexDims == 0
}

// fineLimit is the scaled limit from which on the boxes of fans, 2^-22 wider than
// exact ones in a space of extent 1, part almost as well.
const fineLimit = 0x1p-16

// run walks with leaf a of the queries. In a self-join the child that holds the
// leaf itself comes first.
func (w *walker) run(a int) {
	w.a, w.stop = a, false
	if w.t.leaves == 0 {
		return
	}
	home, u := int32(-1), int(w.q.nodes[a])
	if w.q == w.t {
		home = int32(a)
	}
	f := w.t.fans
	f.narrow(w.box, w.q, u)
	accepts := w.accepts && w.q.widths[u] <= 4.0001*w.limit
	root := step{v: 0, a: 0, b: int32(w.t.leaves), below: 0}
	if w.t.leaves <= w.t.group {
		root.below = -1
	}
	w.stack = append(w.stack[:0], root)
	for len(w.stack) > 0 && !w.stop {
		s := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		if !(s.gap2 <= w.hit) || w.coarse && nodeDistance2(w.q, u, w.t, int(s.v), w.limit) > w.limit {
			continue
		}
		within := accepts && nodesWithin(w.q, u, w.t, int(s.v), w.limit)
		w.point = !within && w.accepts && s.point
		if !w.enter(int(s.v), int(s.a), int(s.b), within || w.point) {
			continue
		}
		if s.below < 0 {
			for leaf := max(int(s.a), w.from); leaf < int(s.b) && !w.stop; leaf++ {
				w.leaf(leaf)
			}
			continue
		}
		w.push(s.below, home)
	}
}

// push puts the children of a fan on the stack that are not apart and not
// before w.from: the nearest last, and of those equally near the first. Leaves of
// equal rows stand in the order of the rows, so that the nearest of many equal
// rows are met first.
func (w *walker) push(at, home int32) {
	var gap2 [dist.Lanes]float32
	f := &w.t.fans.list[at]
	near := w.t.fans.gaps(&gap2, at, w.box, w.hit)
	first := len(w.stack)
	for ; near != 0; near &= near - 1 {
		j := bits.TrailingZeros32(near)
		s := step{v: f.nodes[j], a: f.from[j], b: f.from[j+1], below: f.below[j], gap2: gap2[j], point: f.point>>j&1 != 0}
		if int(s.b) <= w.from {
			continue
		}
		if s.a <= home && home < s.b {
			s.gap2 = -1
		}
		i := len(w.stack)
		w.stack = append(w.stack, s)
		for ; i > first && w.stack[i-1].gap2 <= s.gap2; i-- {
			w.stack[i] = w.stack[i-1]
		}
		w.stack[i] = s
	}
}
