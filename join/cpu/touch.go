package cpu

import "sync/atomic"

// touchBytes and touchAxisBytes, for each coordinate, are the memory a row for what
// Counts remembers: with many coordinates, a search costs more, and what is near
// is in more leaves.
const touchBytes, touchAxisBytes = 16, 3

// touching remembers which leaves and nodes a count with a limit has found near
// each leaf, so that Attach, which follows with the same ε, need not search
// again. It is for rows that did not reach the limit: their search was complete.
type touching struct {
	eps2  float64
	lists [][]int32 // by leaf: leaves b with a pair within ε, ^v for nodes v that are within
	full  []uint32  // by leaf: the lanes whose lists are complete

	room atomic.Int64 // entries that may still come; negative once there were too many
}

func newTouching(t *tree, eps2 float64) *touching {
	m := &touching{eps2: eps2, lists: make([][]int32, t.leaves), full: make([]uint32, t.leaves)}
	m.room.Store(int64(len(t.rows)) * int64(touchBytes+touchAxisBytes*t.dim) / 4)
	return m
}

// toucher adds to touching what one goroutine finds. A nil one adds nothing.
type toucher struct {
	m     *touching
	list  []int32 // of the leaf at work
	chunk []int32 // room for finished lists
}

func (m *touching) hand() *toucher {
	if m == nil {
		return nil
	}
	return &toucher{m: m}
}

// note adds a leaf, or ^v for a node v that is within, to the list at work.
func (h *toucher) note(entry int32) {
	if h != nil {
		h.list = append(h.list, entry)
	}
}

// keep ends the list at work: that of leaf a, complete for the lanes in full.
func (h *toucher) keep(a int, full uint32) {
	if h == nil {
		return
	}
	list := h.list
	h.list = h.list[:0]
	if full == 0 || h.m.room.Add(-int64(len(list))) < 0 {
		return
	}
	const chunkEntries = 1 << 14
	if len(list) > len(h.chunk) {
		h.chunk = make([]int32, max(chunkEntries, len(list)))
	}
	copy(h.chunk, list)
	h.m.lists[a], h.m.full[a] = h.chunk[:len(list):len(list)], full
	h.chunk = h.chunk[len(list):]
}

// enough reports whether there is anything to remember, and was room for it.
func (m *touching) enough() bool { return m != nil && m.room.Load() >= 0 }

// mirror adds the other side of each pair of leaves, where lists have only
// leaves from their own on. It reports whether there was room.
func (m *touching) mirror() bool {
	sizes, total := make([]int32, len(m.lists)), 0
	for a, list := range m.lists {
		for _, b := range list {
			if b < 0 {
				return false // a node's leaves have no place for their side
			}
			sizes[a]++
			if int(b) != a {
				sizes[b]++
			}
		}
	}
	for _, n := range sizes {
		total += int(n)
	}
	if m.room.Load() < int64(total/2) {
		return false
	}
	all, lists := make([]int32, total), make([][]int32, len(m.lists))
	for a, n := range sizes {
		lists[a], all = all[:0:n], all[n:]
	}
	for a, list := range m.lists {
		for _, b := range list {
			lists[a] = append(lists[a], b)
			if int(b) != a {
				lists[b] = append(lists[b], int32(a))
			}
		}
	}
	m.lists = lists
	return true
}
