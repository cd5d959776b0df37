package outlier

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// The number of rows that a goroutine takes at a time, unless these are not enough for
// all to have something to do to the end.
const (
	chunkRows = 1 << 12
	fewRows   = 1 << 6
	chunks    = 8 // a goroutine
)

// eachRows calls do with parts of rows 0 to n−1 that cover them, on that number of
// goroutines at once, 0 for one a processor. Parts begin at multiples of 64, so that no
// two share a word of bits by row. It returns ctx's error if that is done.
func eachRows(ctx context.Context, threads, n int, do func(from, to int)) error {
	if threads < 1 {
		threads = runtime.GOMAXPROCS(0)
	}
	chunk := min(chunkRows, max(fewRows, n/(chunks*threads)/fewRows*fewRows))
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(threads, (n+chunk-1)/chunk) {
		all.Go(func() {
			for ctx.Err() == nil {
				to := int(next.Add(int64(chunk)))
				if to-chunk >= n {
					return
				}
				do(to-chunk, min(to, n))
			}
		})
	}
	all.Wait()
	return ctx.Err()
}

// eachHood calls do with N of each row to score, on several goroutines at once.
func eachHood(ctx context.Context, opt *Options, near *lists, do func(i int, h *hood)) error {
	return eachRows(ctx, opt.Threads, near.n, func(from, to int) {
		var h hood // one for all: it is on the heap
		for i := from; i < to; i++ {
			h = near.hood(i, opt.K)
			do(i, &h)
		}
	})
}
