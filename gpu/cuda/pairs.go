//go:build cuda

package cuda

import (
	"cmp"
	"context"
	"math"
	"slices"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
	"rtcluster/join"
)

const (
	// chunkPairs is how many pairs are copied and given away at a time, at most: between
	// such chunks the context is asked.
	chunkPairs = 1 << 20
	// slots are buffers for pairs: one is filled while another is given away.
	slots = 2
	// mostRoom is the most pairs of a slot: places in it, with those of holes, are int32.
	mostRoom = 1 << 30
)

// slot is a buffer for pairs on the card.
type slot struct {
	pairs, holes *driver.Buffer
	n            int64          // places in use, and
	unused       []kernels.Pair // ranges of these that hold nothing
}

// lister is a join that lists pairs. Slots go from the goroutine that fills them to
// the one that gives their pairs away, and back.
type lister struct {
	*joining
	copier      *driver.Stream
	host        [2]*driver.Pinned[join.Pair] // chunks: one is copied while the other is given away
	room        int64                        // pairs a slot
	warps       int                          // that list by themselves, and leave holes
	take        int                          // items to be tried next
	empty, full chan *slot
}

// Pairs streams the pairs in batches.
func (x *index) Pairs(ctx context.Context, q *join.Points, eps float64, emit func([]join.Pair) error) error {
	if err := x.check(ctx, q, eps); err != nil {
		return err
	}
	rows := int64(x.queries(q))
	report := join.ReportTo(ctx)
	report(join.StagePairs, 0, rows)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	err := x.join(ctx, q, eps, func(j *joining) error {
		l := &lister{joining: j, empty: make(chan *slot, slots), full: make(chan *slot, slots)}
		err := l.open()
		if err == nil {
			err = l.run(emit, stop)
		}
		return cmp.Or(err, l.close())
	})
	if err == nil {
		report(join.StagePairs, rows, rows)
	}
	return err
}

// open takes the slots. They are as large as the engine's options, and what is free,
// allow, and hold an item's pairs at least.
func (l *lister) open() error {
	free, err := l.dev.Memory()
	if err != nil {
		return err
	}
	l.itemEntries = min(l.itemEntries, listEntries)
	for l.itemEntries > 1 && free/8/4/slots < l.itemPairs() {
		l.itemEntries /= 2
	}
	l.room = max(min(int64(l.opt.BatchPairs), free/4/slots/8, mostRoom), l.itemPairs())
	if most := int64(l.q.pts.Rows()) * int64(l.rows.pts.Rows()); l.room > most {
		l.room = max(most, 1) // of few rows
	}
	l.take = 1 << 30
	if l.layout.Steps > 0 {
		// Each warp leaves a hole; these take no more than the pairs.
		each := l.layout.Threads()/32 - 1
		l.mostBlocks = int(max(1, l.room/kernels.ListPiece/int64(each)))
		l.warps = l.tensorBlocks() * each
		l.room += int64(l.warps) * kernels.ListPiece
	}
	if l.copier, err = l.dev.Stream(); err != nil {
		return err
	}
	for i := range l.host {
		if l.host[i], err = l.pairBuffers.take(l.dev, chunkPairs); err != nil {
			return err
		}
	}
	for range slots {
		s := new(slot)
		l.empty <- s
		if s.pairs, err = l.s.Alloc(8 * l.room); err != nil {
			return err
		}
		if s.holes, err = l.s.Alloc(8 * int64(max(1, l.warps))); err != nil {
			return err
		}
	}
	return l.s.Wait()
}

func (l *lister) close() error {
	var err error
	for range len(l.empty) {
		s := <-l.empty
		err = cmp.Or(err, l.s.Free(s.pairs), l.s.Free(s.holes))
	}
	for _, b := range l.host {
		if b != nil {
			err = cmp.Or(err, l.pairBuffers.give(b))
		}
	}
	if l.copier != nil {
		err = cmp.Or(err, l.copier.Close())
	}
	return err
}

// run fills slots in a goroutine of its own, and gives away what is in them. It ends
// with all slots empty.
func (l *lister) run(emit func([]join.Pair) error, stop func()) error {
	filled := make(chan error, 1)
	go func() {
		err := l.rounds(l.group(), nil, l.list)
		close(l.full)
		filled <- err
	}()
	var given error
	for s := range l.full {
		if given == nil {
			if given = l.give(s, emit); given != nil {
				stop()
			}
		}
		l.empty <- s
	}
	return cmp.Or(given, <-filled)
}

// give copies a slot to the host and gives its pairs away, chunk by chunk.
func (l *lister) give(s *slot, emit func([]join.Pair) error) error {
	holes := slices.Concat(s.unused, []kernels.Pair{{I: math.MaxInt32}}) // and an end
	copied := l.copyChunk(s, 0)
	for from := int64(0); from < s.n; from += chunkPairs {
		if err := cmp.Or(<-copied, l.ctx.Err()); err != nil {
			return err
		}
		to := min(from+chunkPairs, s.n)
		pairs := l.host[from/chunkPairs%2].Data
		if to < s.n {
			copied = l.copyChunk(s, to)
		}
		err := between(holes, from, to, func(a, b int64) error { return emit(pairs[a-from : b-from]) })
		if err != nil {
			if to < s.n { // no copy goes on
				err = cmp.Or(err, <-copied)
			}
			return err
		}
	}
	return nil
}

// copyChunk begins to copy the chunk of a slot from one place on.
func (l *lister) copyChunk(s *slot, from int64) <-chan error {
	done := make(chan error, 1)
	if from >= s.n {
		return done
	}
	go func() {
		n := min(chunkPairs, s.n-from)
		done <- driver.Download(l.copier, l.host[from/chunkPairs%2].Data[:n], s.pairs, 8*from)
	}()
	return done
}

// between calls do for the ranges of places from one to another that are in no hole.
// Holes are in order.
func between(holes []kernels.Pair, from, to int64, do func(a, b int64) error) error {
	at, _ := slices.BinarySearchFunc(holes, from, func(h kernels.Pair, from int64) int {
		if h.I != math.MaxInt32 && int64(h.J) <= from {
			return -1
		}
		return 1
	})
	for ; from < to; at++ {
		if end := min(int64(holes[at].I), to); from < end {
			if err := do(from, end); err != nil {
				return err
			}
		}
		from = max(from, min(int64(holes[at].I), to), int64(holes[at].J))
	}
	return nil
}

// list refines a round into slots: as many of the items as one is thought to hold, and
// fewer if it does not.
func (l *lister) list(r round) error {
	for from := 0; from < r.n; {
		var s *slot
		select {
		case s = <-l.empty:
		case <-l.ctx.Done():
			return l.ctx.Err()
		}
		for done := 0; done == 0; {
			part := r.part(from, min(l.take, r.n-from))
			n, found, err := l.fill(s, part)
			if err != nil {
				l.empty <- s
				return err
			}
			if n == 0 { // no room for doubt: the next launch is smaller
				continue
			}
			// The next has most of the room for as many pairs an item.
			l.take = max(1, int(0.8*float64(n)*float64(l.room)/float64(max(found, 1))))
			if found > l.room {
				l.take = min(l.take, max(1, n-1))
			} else {
				done = n
			}
			from += done
		}
		l.full <- s
	}
	return nil
}

// fill lists the pairs of some items, and returns how many of them it came to, and how
// many places they wanted.
func (l *lister) fill(s *slot, r round) (items int, found int64, err error) {
	w := l.work()
	w.Pairs, w.PairRoom, w.PairCount, w.Holes = s.pairs.Addr(), l.room, l.scratch.Addr()+8, s.holes.Addr()
	if err := cmp.Or(l.s.Zero(l.scratch, 8, 8), l.s.Zero(s.holes, 0, s.holes.Size())); err != nil {
		return 0, 0, err
	}
	if items, err = l.refine("list", &w, r); err != nil {
		return 0, 0, err
	}
	var count [1]int64
	if err := driver.Download(l.s, count[:], l.scratch, 8); err != nil {
		return 0, 0, err
	}
	if s.n = count[0]; s.n > l.room || l.warps == 0 {
		s.unused = nil
		return items, s.n, nil
	}
	s.unused = make([]kernels.Pair, l.warps)
	if err := driver.Download(l.s, s.unused, s.holes, 0); err != nil {
		return 0, 0, err
	}
	s.unused = slices.DeleteFunc(s.unused, func(h kernels.Pair) bool { return h.I == h.J })
	slices.SortFunc(s.unused, func(a, b kernels.Pair) int { return cmp.Compare(a.I, b.I) })
	return items, s.n, nil
}
