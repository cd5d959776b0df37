package cpu

import (
	"context"
	"math"
	"sync"

	"rtcluster/join"
)

// leafRows is the number of rows in a leaf; the last leaf may have fewer.
// Thirty-two kept build and search in balance from 2 to 90 dimensions.
const leafRows = 32

// tree is a balanced kd-tree over rows. Nodes stand in preorder:
//
//	node v covers leaves [a, b); one with b−a > 1 has
//	left child  v+1       over [a, m),  m = middle(a, b)
//	right child v+2(m−a)  over [m, b)
//
// Leaf a holds positions a·leafRows and up; rows[p] is the row at position p.
type tree struct {
	pts    *join.Points
	dim    int
	leaves int
	rows   []int32

	// blocks holds the coordinates by leaf, transposed: coordinate k of lane j
	// of leaf a is blocks[(a·dim+k)·leafRows+j]. Lanes beyond the last row are
	// NaN, so that no comparison accepts them.
	blocks []float64

	// boxes holds dim lows, then dim highs, of each node: exact.
	boxes []float64
	// turned holds the same in the m rotated axes of the basis, widened by
	// rounding errors.
	turned []float64
	m      int
	factor float64 // basis.lowFactor
}

// splitKey is a row on its way to its leaf.
type splitKey struct {
	at  [keyAxes]float32
	row int32
}

func middle(a, b int) int { return a + (b-a+1)/2 }

// newTree builds a tree over pts.
func newTree(ctx context.Context, pts *join.Points, b *basis, threads int) (*tree, error) {
	n := pts.Rows()
	t := &tree{
		pts: pts, dim: pts.Dim(), leaves: (n + leafRows - 1) / leafRows,
		rows: make([]int32, n), m: b.rotated(), factor: b.lowFactor,
	}
	if n == 0 {
		return t, nil
	}
	keys := make([]splitKey, n)
	err := forEach(ctx, threads, (n+keyChunk-1)/keyChunk, func(int) func(chunk int) error {
		scratch := make([]float64, max(t.m, 1))
		return func(chunk int) error {
			for i := chunk * keyChunk; i < min(n, (chunk+1)*keyChunk); i++ {
				keys[i].row = int32(i)
				b.key(&keys[i].at, pts.Row(i), scratch)
			}
			return nil
		}
	})
	if err != nil {
		return nil, err
	}
	s := splitter{axes: b.keys(), parallel: max(n/(4*threads), 1<<13)}
	if threads == 1 {
		s.parallel = n
	}
	s.split(keys)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for p, key := range keys {
		t.rows[p] = key.row
	}
	nodes := 2*t.leaves - 1
	t.blocks = make([]float64, t.leaves*leafRows*t.dim)
	t.boxes = make([]float64, nodes*2*t.dim)
	t.turned = make([]float64, nodes*2*t.m)
	err = forEach(ctx, threads, t.leaves, func(int) func(leaf int) error {
		scratch := make([]float64, t.m)
		return func(leaf int) error {
			t.fillLeaf(leaf, b, scratch)
			return nil
		}
	})
	if err != nil {
		return nil, err
	}
	t.joinBoxes(0, 0, t.leaves)
	return t, nil
}

const keyChunk = 1 << 12 // rows whose keys one task computes

// size returns the number of rows in leaf a.
func (t *tree) size(a int) int { return min(leafRows, len(t.rows)-a*leafRows) }

// span returns the positions [from, to) of the rows in leaves [a, b).
func (t *tree) span(a, b int) (from, to int) {
	return a * leafRows, min(len(t.rows), b*leafRows)
}

// block returns the coordinates of leaf a.
func (t *tree) block(a int) []float64 {
	stride := t.dim * leafRows
	return t.blocks[a*stride : (a+1)*stride : (a+1)*stride]
}

// box returns the box of node v: lows, then highs.
func (t *tree) box(v int) []float64 {
	return t.boxes[v*2*t.dim : (v+1)*2*t.dim : (v+1)*2*t.dim]
}

// turnedBox returns the rotated box of node v: lows, then highs.
func (t *tree) turnedBox(v int) []float64 {
	return t.turned[v*2*t.m : (v+1)*2*t.m : (v+1)*2*t.m]
}

// leafNode returns the node of leaf a.
func (t *tree) leafNode(a int) int {
	v, from, to := 0, 0, t.leaves
	for to-from > 1 {
		m := middle(from, to)
		if a < m {
			v, to = v+1, m
		} else {
			v, from = v+2*(m-from), m
		}
	}
	return v
}

// fillLeaf copies the rows of leaf a and sets its boxes.
func (t *tree) fillLeaf(a int, b *basis, scratch []float64) {
	v := t.leafNode(a)
	box, turned, block := t.box(v), t.turnedBox(v), t.block(a)
	emptyBox(box)
	emptyBox(turned)
	from, to := t.span(a, a+1)
	for lane, row := range t.rows[from:to] {
		x := t.pts.Row(int(row))
		for k, v := range x {
			block[k*leafRows+lane] = v
			widen(box, k, v, v)
		}
		if t.m > 0 {
			e := b.project(scratch, x)
			for k, y := range scratch {
				widen(turned, k, y-e, y+e)
			}
		}
	}
	for lane := to - from; lane < leafRows; lane++ {
		for k := range t.dim {
			block[k*leafRows+lane] = math.NaN()
		}
	}
}

// joinBoxes sets the boxes of the inner nodes under node v.
func (t *tree) joinBoxes(v, a, b int) {
	if b-a == 1 {
		return
	}
	m := middle(a, b)
	left, right := v+1, v+2*(m-a)
	t.joinBoxes(left, a, m)
	t.joinBoxes(right, m, b)
	uniteBox(t.box(v), t.box(left), t.box(right))
	uniteBox(t.turnedBox(v), t.turnedBox(left), t.turnedBox(right))
}

func emptyBox(box []float64) {
	half := len(box) / 2
	for k := range half {
		box[k], box[half+k] = math.Inf(1), math.Inf(-1)
	}
}

func widen(box []float64, k int, low, high float64) {
	half := len(box) / 2
	box[k] = min(box[k], low)
	box[half+k] = max(box[half+k], high)
}

func uniteBox(dst, a, b []float64) {
	half := len(dst) / 2
	for k := range half {
		dst[k] = min(a[k], b[k])
		dst[half+k] = max(a[half+k], b[half+k])
	}
}

// splitter puts keys in leaf order.
type splitter struct {
	axes     int
	parallel int // keys above which the halves are split at the same time
}

// split orders keys so that each node's rows are contiguous: every inner node
// is cut at a leaf boundary along the axis on which its keys spread most.
func (s splitter) split(keys []splitKey) {
	leaves := (len(keys) + leafRows - 1) / leafRows
	if leaves <= 1 {
		return
	}
	at := middle(0, leaves) * leafRows
	selectKey(keys, at, s.widest(keys))
	if len(keys) <= s.parallel {
		s.split(keys[:at])
		s.split(keys[at:])
		return
	}
	var left sync.WaitGroup
	left.Go(func() { s.split(keys[:at]) })
	s.split(keys[at:])
	left.Wait()
}

func (s splitter) widest(keys []splitKey) int {
	low, high := keys[0].at, keys[0].at
	for i := range keys {
		for k := range s.axes {
			low[k] = min(low[k], keys[i].at[k])
			high[k] = max(high[k], keys[i].at[k])
		}
	}
	best := 0
	for k := range s.axes {
		if high[k]-low[k] > high[best]-low[best] {
			best = k
		}
	}
	return best
}

// selectKey partially sorts keys along an axis: no key before position at is
// greater than one from there on. Quickselect with the median of nine as pivot;
// equal keys stop both scans, so that they split evenly.
func selectKey(keys []splitKey, at, axis int) {
	for len(keys) > 1 {
		pivot := ninther(keys, axis)
		i, j := 0, len(keys)-1
		for i <= j {
			for keys[i].at[axis] < pivot {
				i++
			}
			for keys[j].at[axis] > pivot {
				j--
			}
			if i <= j {
				keys[i], keys[j] = keys[j], keys[i]
				i++
				j--
			}
		}
		switch {
		case at <= j:
			keys = keys[:j+1]
		case at >= i:
			keys, at = keys[i:], at-i
		default:
			return
		}
	}
}

// ninther returns the median of three medians of three keys.
func ninther(keys []splitKey, axis int) float32 {
	step := len(keys) / 9
	var m [3]float32
	for i := range m {
		m[i] = median3(keys[3*i*step].at[axis], keys[(3*i+1)*step].at[axis], keys[(3*i+2)*step].at[axis])
	}
	return median3(m[0], m[1], m[2])
}

func median3(a, b, c float32) float32 {
	return max(min(a, b), min(max(a, b), c))
}
