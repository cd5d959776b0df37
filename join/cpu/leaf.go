package cpu

import (
	"math"
	"slices"

	"rtcluster/join/internal/dist"
)

// leafFiller computes leaves, one at a time.
type leafFiller struct {
	t    *tree
	x, y []float64 // the leaf's rows, in the points' coordinates and on the axes
	box  []float64 // their box on the axes, where the tree doesn't keep it

	zeros []float32
	keys  [][]float32 // by position and axis, where they tell all of the rows, else nil
}

func newLeafFiller(t *tree, s *splitter) *leafFiller {
	f := &leafFiller{t: t, x: make([]float64, leafRows*t.dim), box: make([]float64, 2*t.dim), zeros: make([]float32, t.dim)}
	if t.turned != nil {
		f.y = make([]float64, leafRows*t.dim)
	}
	if s.exact.Load() {
		f.keys = s.keys
	}
	return f
}

// rows sets x to the rows of a leaf: from their keys, which are next to each other, if
// these are all of them and only scaled by a power of two.
func (f *leafFiller) rows(a int) {
	t := f.t
	from, to := t.span(a, a+1)
	if f.keys == nil {
		t.gather(f.x[:(to-from)*t.dim], a)
		return
	}
	for k, keys := range f.keys {
		at, back := t.basis.coords[k], 1/t.basis.sigma
		for _, key := range keys[from:to] {
			f.x[at] = float64(key) * back
			at += t.dim
		}
	}
}

func (f *leafFiller) fill(a int) {
	t := f.t
	from, to := t.span(a, a+1)
	n, v := to-from, int(t.nodes[a])
	t.lowest[v] = slices.Min(t.rows[from:to])
	f.rows(a)
	dist.Bounds(t.box(v), f.x[:n*t.dim], t.dim)
	if t.isPoint(v) {
		t.points.Add(1)
	}
	var err float64
	if t.turned != nil {
		err = f.turn(t.box(v), t.turnedBox(v), n)
		setCenter(t.center(a), t.turnedBox(v))
		widen(t.turnedBox(v), err)
	} else {
		for k, c := range t.basis.coords {
			f.box[k], f.box[t.dim+k] = t.box(v)[c]*t.basis.sigma, t.box(v)[t.dim+c]*t.basis.sigma
		}
		setCenter(t.center(a), f.box)
	}
	t.widths[v] = t.width2(v)
	t.spread[a] = leafSpread{radius: f.fillBlock(a, n), err: math.Sqrt(float64(t.dim)) * 1.0001 * err}
	if t.tails != nil {
		t.tails[a] = tailOf(f.y, n, t.dim, t.basis.lead, t.spread[a].err)
	}
	if t.halves != nil {
		dist.ShiftNorms(t.block(a), t.block(a), f.zeros, &t.halves[a])
	}
}

// turn sets y and its box, and returns a bound of the errors of its coordinates.
func (f *leafFiller) turn(box, turned []float64, n int) float64 {
	t := f.t
	t.basis.apply(f.y, f.x, n, t.dim)
	dist.Bounds(turned, f.y[:n*t.dim], t.dim)
	return t.basis.errorIn(box)
}

func setCenter(center, box []float64) {
	for k := range center {
		low, high := box[k], box[len(center)+k]
		center[k] = low + (high-low)/2
	}
}

// widen moves the bounds of a box apart by err.
func widen(box []float64, err float64) {
	dim := len(box) / 2
	if math.IsInf(err, 1) || math.IsNaN(err) { // a NaN bound would bound nothing
		err = math.Inf(1)
		clear(box)
	}
	for k := range dim {
		box[k] -= err
		box[dim+k] += err
	}
}

// fillBlock writes the offsets of the leaf's n rows from its center, and their
// box, and returns a bound of their norms.
func (f *leafFiller) fillBlock(a, n int) float64 {
	t := f.t
	block, inner, center := t.block(a), t.innerBox(a), t.center(a)
	y, scale := f.y, 1.0
	if t.turned == nil {
		y, scale = f.x, t.basis.sigma
	}
	var norm2 [leafRows]float64
	for k, c := range center {
		at := k
		if t.turned == nil {
			at = t.basis.coords[k]
		}
		lanes := (*[leafRows]float32)(block[k*leafRows:])
		for i := range n {
			o := float32(y[at]*scale - c)
			at += t.dim
			lanes[i] = o
			norm2[i] += float64(o) * float64(o)
		}
		for i := n; i < leafRows; i++ {
			lanes[i] = float32(math.NaN())
		}
	}
	boxed := t.basis.boxed
	dist.MinMax(inner[:boxed], inner[boxed:], block[:boxed*leafRows])
	return math.Sqrt(slices.Max(norm2[:])) * (1 + 1e-9)
}
