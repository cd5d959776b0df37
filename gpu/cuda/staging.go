//go:build cuda

package cuda

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"unsafe"

	"rtcluster/gpu/internal/driver"
)

// laneSize is how many float64 a lane holds, 1 MiB.
const laneSize = 1 << 17

// staging is pinned memory on the way to the card. It is kept, since pinning takes
// longer than copying.
type staging struct {
	mu    sync.Mutex // held by who copies
	lanes [][2]*lane // of each thread, which so finds them in its caches; made when needed
}

// lane is a piece of pinned memory with a queue of its own: when that is done, the
// memory may be written again.
type lane struct {
	s      *driver.Stream
	pinned *driver.Pinned[float64]
}

func (l *lane) wide() []float64 { return l.pinned.Data }

// narrow is the same memory for twice as many float32.
func (l *lane) narrow() []float32 {
	data := l.pinned.Data
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(data))), 2*len(data)) // plain numbers, aligned for the larger
}

func newLane(dev *driver.Device) (*lane, error) {
	s, err := dev.Stream()
	if err != nil {
		return nil, err
	}
	pinned, err := driver.Pin[float64](dev, laneSize)
	if err != nil {
		return nil, cmp.Or(s.Close(), err)
	}
	return &lane{s: s, pinned: pinned}, nil
}

// send calls fill for pieces 0 to n−1, on several threads, each time with a lane that
// is free: fill writes to it and queues the copy. It returns when all is on the card.
func (c *card) send(ctx context.Context, threads, n int, fill func(l *lane, piece int) error) error {
	st := &c.staging
	st.mu.Lock()
	defer st.mu.Unlock()
	threads = min(threads, n)
	for len(st.lanes) < threads {
		st.lanes = append(st.lanes, [2]*lane{})
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	errs := make([]error, threads)
	for t := range threads {
		wait.Go(func() {
			own := &st.lanes[t]
			for turn := 0; errs[t] == nil; turn ^= 1 {
				piece := int(next.Add(1)) - 1
				if piece >= n {
					break
				}
				if errs[t] = ctx.Err(); errs[t] == nil {
					errs[t] = c.fill(&own[turn], piece, fill)
				}
			}
			if errs[t] != nil {
				next.Store(int64(n)) // others may stop
			}
			for _, l := range own {
				if l != nil {
					errs[t] = cmp.Or(errs[t], l.s.Wait())
				}
			}
		})
	}
	wait.Wait()
	return cmp.Or(errs...)
}

// fill fills a lane, once it is free.
func (c *card) fill(at **lane, piece int, fill func(l *lane, piece int) error) error {
	var err error
	if *at == nil {
		*at, err = newLane(c.dev)
	} else {
		err = (*at).s.Wait()
	}
	if err != nil {
		return err
	}
	return fill(*at, piece)
}

// sendWide copies coordinates as they are.
func (c *card) sendWide(ctx context.Context, to *driver.Buffer, data []float64, threads int) error {
	return c.send(ctx, threads, (len(data)+laneSize-1)/laneSize, func(l *lane, piece int) error {
		from := piece * laneSize
		n := copy(l.wide(), data[from:])
		return driver.Send(l.s, to, int64(8*from), l.wide()[:n])
	})
}

// sendNarrow copies coordinates as float32. It returns errWide if one is none.
func (c *card) sendNarrow(ctx context.Context, to *driver.Buffer, data []float64, threads int) error {
	const size = 2 * laneSize
	return c.send(ctx, threads, (len(data)+size-1)/size, func(l *lane, piece int) error {
		from := piece * size
		part := data[from:min(len(data), from+size)]
		if !driver.Narrow(l.narrow(), part) {
			return errWide
		}
		return driver.Send(l.s, to, int64(4*from), l.narrow()[:len(part)])
	})
}

// sampleSize is how many coordinates of a sample are sent at a time, at most.
const sampleSize = laneSize / 4

// sendSample copies the rows of a sample, of no more coordinates than sampleSize.
func (c *card) sendSample(ctx context.Context, to *driver.Buffer, data []float64, dim int, sample sampling, threads int) error {
	size := sampleSize / dim
	return c.send(ctx, threads, (sample.count+size-1)/size, func(l *lane, piece int) error {
		from, at := piece*size, 0
		for i := from; i < min(sample.count, from+size); i++ {
			row := sample.row(i)
			at += copy(l.wide()[at:], data[row*dim:(row+1)*dim])
		}
		return driver.Send(l.s, to, int64(8*from*dim), l.wide()[:at])
	})
}

// sampling is a choice of evenly spaced rows, a little shaken so that no period of the
// rows meets that of the choice.
type sampling struct {
	rows, count int
}

// row returns the i-th row chosen, each once.
func (s sampling) row(i int) int {
	from := int(int64(i) * int64(s.rows) / int64(s.count))
	to := int(int64(i+1) * int64(s.rows) / int64(s.count))
	h := (uint64(i) + 1) * 0x9e3779b97f4a7c15
	h ^= h >> 31
	return from + int(h%uint64(to-from))
}
