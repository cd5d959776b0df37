package cpu

// walker takes one leaf of queries down a tree, near nodes first, so that early
// stops come early. It is used by one goroutine.
type walker struct {
	leafPair
	from int // leaves before from are passed over

	// limit is the squared distance beyond which nodes are apart. Callbacks
	// may lower it.
	limit float64
	// stop ends the walk when a callback sets it.
	stop bool
	// accepts says that enter wants to know of nodes that are within.
	accepts bool
	// enter is told of each node v over leaves [a, b) that is not apart, and
	// whether all its rows are within limit of all the queries' rows. It
	// returns whether to go on below it. low is a lower bound of the squared
	// distances meanwhile.
	enter func(v, a, b int, within bool) bool
	// leaf is told of each leaf a that is reached.
	leaf func(a int)
	low  float64

	stack []step
}

type step struct {
	v, a, b int
	low     float64 // lower bound of the squared distances
}

// run walks with leaf a of the queries. In a self-join the child that holds the
// leaf itself comes first.
func (w *walker) run(a int) {
	w.a, w.stop = a, false
	if w.t.leaves == 0 {
		return
	}
	home, u := -1, int(w.q.nodes[a])
	if w.q == w.t {
		home = a
	}
	w.stack = w.stack[:0]
	w.push(u, 0, 0, w.t.leaves)
	for len(w.stack) > 0 && !w.stop {
		s := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		if s.low > w.limit {
			continue
		}
		w.low = s.low
		within := w.accepts && nodesWithin(w.q, u, w.t, s.v, w.limit)
		if !w.enter(s.v, s.a, s.b, within) {
			continue
		}
		if s.b-s.a == 1 {
			w.leaf(s.a)
			continue
		}
		w.pushChildren(u, home, s)
	}
}

func (w *walker) pushChildren(u, home int, s step) {
	m := middle(s.a, s.b)
	before := len(w.stack)
	w.push(u, s.v+2*(m-s.a), m, s.b)
	right := len(w.stack) > before
	w.push(u, s.v+1, s.a, m)
	top := len(w.stack) - 1
	if !right || top == before {
		return
	}
	// The left child is on top and comes first, unless the right one is nearer.
	nearer := w.stack[before].low < w.stack[top].low
	if home >= s.a && home < s.b {
		nearer = home >= m
	}
	if nearer {
		w.stack[before], w.stack[top] = w.stack[top], w.stack[before]
	}
}

// push puts a node on the stack unless it is apart or lies before from.
func (w *walker) push(u, v, a, b int) {
	if b <= w.from {
		return
	}
	low := nodeDistance2(w.q, u, w.t, v, w.limit)
	if low > w.limit {
		return
	}
	w.stack = append(w.stack, step{v: v, a: a, b: b, low: low})
}
