package cpu

import (
	"math"
	"math/bits"
	"sync/atomic"
)

// unionFind is a forest over positions that goroutines share without locks:
// the larger of two roots is hung under the smaller by compare-and-swap, and
// paths are halved on the way (Anderson and Woll, 1991,
// doi:10.1145/103418.103458).
//
// A parent is never larger than its child, so there are no cycles. A root once
// hung is never a root again: a swap succeeds only on a root, and a stale read
// only makes the loop go round again.
type unionFind struct{ parent []int32 }

// reset makes the members from one to before another sets of their own. No other
// goroutine may look at them meanwhile.
func (u *unionFind) reset(from, to int) {
	for i := from; i < to; i++ {
		u.parent[i] = int32(i)
	}
}

// resetTo makes the members from one to before another one set with a root among
// them that is smaller than all that are asked for.
func (u *unionFind) resetTo(from, to int, root int32) {
	for i := from; i < to; i++ {
		u.parent[i] = root
	}
}

// join makes members of their own from one on, as the bits of set say, one set. No
// other goroutine may look at them meanwhile.
func (u *unionFind) join(from int32, set uint32) {
	root := from + int32(bits.TrailingZeros32(set))
	for ; set != 0; set &= set - 1 {
		u.parent[from+int32(bits.TrailingZeros32(set))] = root
	}
}

// find returns the root of i.
func (u *unionFind) find(i int32) int32 {
	for {
		p := atomic.LoadInt32(&u.parent[i])
		if p == i {
			return i
		}
		up := atomic.LoadInt32(&u.parent[p])
		if up == p {
			return p
		}
		atomic.CompareAndSwapInt32(&u.parent[i], p, up)
		i = up
	}
}

// same reports whether i and j are in one set. While others unite, a true is
// true and a false may be late.
func (u *unionFind) same(i, j int32) bool { return u.find(i) == u.find(j) }

// unite puts i and j into one set.
func (u *unionFind) unite(i, j int32) {
	for {
		i, j = u.find(i), u.find(j)
		if i == j {
			return
		}
		if i < j {
			i, j = j, i
		}
		if atomic.CompareAndSwapInt32(&u.parent[i], i, j) {
			return
		}
	}
}

// When all is united, the parent of a root makes way for a name of its set: the
// smallest row, less than 0 as no parent is. What follows is for that time.

// name lowers the name of the set of a root to that of a row.
func (u *unionFind) name(root, row int32) {
	at := &u.parent[root]
	name := row + math.MinInt32
	for old := atomic.LoadInt32(at); name < old && !atomic.CompareAndSwapInt32(at, old, name); old = atomic.LoadInt32(at) {
	}
}

// nameOf returns the row that i's set, which has a name, is named by.
func (u *unionFind) nameOf(i int32) int32 {
	return atomic.LoadInt32(&u.parent[u.rootOf(i)]) - math.MinInt32
}

// rootOf returns the root of i, and hangs i under it.
func (u *unionFind) rootOf(i int32) int32 {
	first := atomic.LoadInt32(&u.parent[i])
	if first < 0 || first == i {
		return i
	}
	root := first
	for {
		p := atomic.LoadInt32(&u.parent[root])
		if p < 0 || p == root {
			break
		}
		root = p
	}
	if root != first {
		atomic.StoreInt32(&u.parent[i], root)
	}
	return root
}
