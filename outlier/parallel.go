package outlier

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// chunkRows is the number of rows that a goroutine takes at a time.
const chunkRows = 1 << 12

// eachRows calls do with parts of rows 0 to n−1 that cover them, on so many
// goroutines at once, 0 for all processors. It returns ctx's error if that is done.
func eachRows(ctx context.Context, threads, n int, do func(from, to int)) error {
	if threads < 1 {
		threads = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(threads, (n+chunkRows-1)/chunkRows) {
		all.Go(func() {
			for ctx.Err() == nil {
				to := int(next.Add(chunkRows))
				if to-chunkRows >= n {
					return
				}
				do(to-chunkRows, min(to, n))
			}
		})
	}
	all.Wait()
	return ctx.Err()
}

// eachHood calls do with N of all rows to score, on so many goroutines at once.
func eachHood(ctx context.Context, opt *Options, near *lists, do func(i int, h *hood)) error {
	return eachRows(ctx, opt.Threads, near.n, func(from, to int) {
		var h hood // one for all: it is on the heap
		for i := from; i < to; i++ {
			h = near.hood(i, opt.K)
			do(i, &h)
		}
	})
}
