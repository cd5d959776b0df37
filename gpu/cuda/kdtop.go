//go:build cuda

package cuda

import (
	"math/bits"
	"sync"

	"rtcluster/gpu/kernels"
)

const (
	bucketSample = 32                // rows of the sample that a bucket should have
	maxLead      = kernels.SplitAxes // axes that the tree is split along, at most
	minLead      = 4                 // and at least, where there are as many
	leadShare    = 0.45              // of the variance, which the axes should have
	spreadKeys   = 1 << 11           // keys that are worth a goroutine
)

// leadOf returns along how many axes the tree is split, by the variance along all:
// more cut leaves thin along more of them, and so leave them longer along those that
// matter most.
func leadOf(variance []float64) int {
	var all, first float64
	for _, v := range variance {
		all += v
	}
	lead := 0
	for lead < len(variance) && lead < maxLead && (lead < minLead || first < leadShare*all) {
		first += variance[lead]
		lead++
	}
	return lead
}

// top is the upper part of a kd-tree, made from a sample. Its ends are buckets,
// numbered from left to right; a number may have no rows.
type top struct {
	nodes   []kernels.Node
	buckets int
}

// bucketRoom is how many rows a bucket has at most: what the shared memory of a block
// holds on a card of this compute capability, of which two should fit at a time.
func bucketRoom(capability int) int {
	switch capability {
	case 80, 90, 100, 103:
		return 8192
	}
	return 4096
}

// bucketsOf is how many buckets n rows get, so that they are half full as a rule: a
// sample does not part them evenly.
func bucketsOf(n, room int) int { return (2*n + room - 1) / room }

// passes is by how many digits rows are sorted into buckets.
func (t *top) passes() int {
	return max(1, (bits.Len(uint(t.buckets-1))+kernels.DigitBits-1)/kernels.DigitBits)
}

// scale multiplies all places where nodes are split.
func (t *top) scale(by float64) {
	for i := range t.nodes {
		t.nodes[i].At = float32(float64(t.nodes[i].At) * by)
	}
}

// plant makes the top of a tree with so many buckets over a sample, of which coordinate
// k of row i is at key[i·stride + k]. It is the same for any number of threads.
func plant(key []float32, stride, lead, buckets, threads int) *top {
	g := &gardener{key: key, stride: stride, lead: lead, slots: make(chan struct{}, max(0, threads-1))}
	g.nodes = make([]kernels.Node, 2*buckets-1)
	all := make([]rowKey, len(key)/stride)
	for i := range all {
		all[i].row = int32(i)
	}
	g.grow(all, 0, 0, buckets)
	g.wait.Wait()
	return &top{nodes: g.nodes, buckets: buckets}
}

// gardener grows a tree. A part goes to a goroutine of its own while there is a slot.
type gardener struct {
	key          []float32
	stride, lead int
	nodes        []kernels.Node
	slots        chan struct{}
	wait         sync.WaitGroup
}

// rowKey is a row of the sample, and its place along an axis.
type rowKey struct {
	x   float32
	row int32
}

func (a rowKey) less(b rowKey) bool { return a.x < b.x || a.x == b.x && a.row < b.row }

// grow makes node at, which has the numbers of so many buckets from first on, and 2n−1
// nodes for n of them.
func (g *gardener) grow(rows []rowKey, at, first, buckets int) {
	axis, cut, split := g.split(rows, buckets)
	if !split {
		g.nodes[at] = kernels.Node{Axis: -1, Left: int32(first)}
		return
	}
	left := 0
	for i, r := range rows {
		if r.x < cut {
			rows[left], rows[i] = r, rows[left]
			left++
		}
	}
	share := min(max((buckets*left+len(rows)/2)/len(rows), 1), buckets-1)
	g.nodes[at] = kernels.Node{At: cut, Axis: int32(axis), Left: int32(at + 1), Right: int32(at + 2*share)}
	lower := func() { g.grow(rows[:left], at+1, first, share) }
	if len(rows) < spreadKeys {
		lower()
	} else {
		select {
		case g.slots <- struct{}{}:
			g.wait.Go(func() {
				lower()
				<-g.slots
			})
		default:
			lower()
		}
	}
	g.grow(rows[left:], at+2*share, first+share, buckets-share)
}

// split finds where to part rows, along the axis with the greatest variance: what is
// less than cut, which some rows are and some are not. It reports whether it could.
func (g *gardener) split(rows []rowKey, buckets int) (axis int, cut float32, ok bool) {
	if buckets < 2 || len(rows) < 2 {
		return 0, 0, false
	}
	var sum, squares [maxLead]float64
	for _, r := range rows {
		for k, v := range g.key[int(r.row)*g.stride:][:g.lead] {
			sum[k] += float64(v)
			squares[k] += float64(v) * float64(v)
		}
	}
	most := -1.0
	for k := range g.lead {
		if v := squares[k] - sum[k]/float64(len(rows))*sum[k]; v > most {
			axis, most = k, v
		}
	}
	for i := range rows {
		rows[i].x = g.key[int(rows[i].row)*g.stride+axis]
	}
	at := min(max(len(rows)*((buckets+1)/2)/buckets, 1), len(rows)-1)
	selectKeys(rows, at)
	cut = rows[at].x
	for _, r := range rows[at:] {
		cut = min(cut, r.x)
	}
	for _, r := range rows[:at] {
		if r.x < cut {
			return axis, cut, true
		}
	}
	// All on the left are equal to cut: the next greater value is the cut then.
	least := cut
	for _, r := range rows[at:] {
		if r.x > least && (!ok || r.x < cut) {
			cut, ok = r.x, true
		}
	}
	return axis, cut, ok
}

// selectKeys moves the n least keys to the front. All keys differ.
func selectKeys(keys []rowKey, n int) {
	for len(keys) > 1 && n > 0 && n < len(keys) {
		pivot := middle(keys[0], keys[len(keys)/2], keys[len(keys)-1])
		i, j := 0, len(keys)-1
		for i <= j {
			for keys[i].less(pivot) {
				i++
			}
			for pivot.less(keys[j]) {
				j--
			}
			if i <= j {
				keys[i], keys[j] = keys[j], keys[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			keys = keys[:j+1]
		case n >= i+1:
			keys, n = keys[i:], n-i
		default:
			return
		}
	}
}

func middle(a, b, c rowKey) rowKey {
	if b.less(a) {
		a, b = b, a
	}
	if c.less(b) {
		b = c
	}
	if b.less(a) {
		b = a
	}
	return b
}

// partsOf cuts buckets, of which b has the rows from start[b] to start[b+1], into parts
// of as many rows as there is room for, and numbers their leaves. A bucket that is too
// large, as equal rows make it, is cut by position.
func partsOf(start []int32, room int) (parts []kernels.Part, leaves int) {
	for b := range len(start) - 1 {
		first, rows := int(start[b]), int(start[b+1]-start[b])
		pieces := (rows + room - 1) / room
		for i := range pieces {
			from, to := rows*i/pieces, rows*(i+1)/pieces
			own := (to - from + kernels.Leaf - 1) / kernels.Leaf
			parts = append(parts, kernels.Part{
				First: int32(first + from), Rows: int32(to - from), Leaf: int32(leaves), Leaves: int32(own),
			})
			leaves += own
		}
	}
	return parts, leaves
}
