package cpu

import "sync/atomic"

// unionFind is a forest over positions that goroutines share without locks:
// the larger of two roots is hung under the smaller by compare-and-swap, and
// paths are halved on the way (Anderson and Woll, 1991,
// doi:10.1145/103418.103458).
//
// A parent is never larger than its child, so there are no cycles. A root once
// hung is never a root again: a swap succeeds only on a root, and a stale read
// only makes the loop go round again.
type unionFind struct{ parent []atomic.Int32 }

// reset makes the members from one to before another sets of their own.
func (u *unionFind) reset(from, to int) {
	for i := from; i < to; i++ {
		u.parent[i].Store(int32(i))
	}
}

// find returns the root of i.
func (u *unionFind) find(i int32) int32 {
	for {
		p := u.parent[i].Load()
		if p == i {
			return i
		}
		up := u.parent[p].Load()
		if up == p {
			return p
		}
		u.parent[i].CompareAndSwap(p, up)
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
		if u.parent[i].CompareAndSwap(i, j) {
			return
		}
	}
}
