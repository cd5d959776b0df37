//go:build cuda

package cuda

import (
	"cmp"
	"sync"

	"rtcluster/gpu/internal/driver"
)

// fetchRows is how many numbers are copied at a time.
const fetchRows = 1 << 20

// fetch copies n numbers from the card, and has take look at them, some at a time and
// by several goroutines at once, while the next ones come.
func (j *joining) fetch(b *driver.Buffer, n int, take func(from int, part []int32)) error {
	var slots [2]*driver.Pinned[int32]
	var busy [2]sync.WaitGroup
	var err error
	for from := 0; from < n && err == nil; from += fetchRows {
		at := from / fetchRows % 2
		if slots[at] == nil {
			if slots[at], err = j.labelBuffers.take(j.dev, fetchRows); err != nil {
				break
			}
		}
		busy[at].Wait()
		part := slots[at].Data[:min(fetchRows, n-from)]
		if err = driver.Download(j.s, part, b, int64(4*from)); err != nil {
			break
		}
		share := (len(part) + j.opt.Threads - 1) / j.opt.Threads
		for first := 0; first < len(part); first += share {
			piece := part[first:min(first+share, len(part))]
			busy[at].Go(func() { take(from+first, piece) })
		}
	}
	for at, slot := range slots {
		if busy[at].Wait(); slot != nil {
			err = cmp.Or(err, j.labelBuffers.give(slot))
		}
	}
	return err
}
