package table

import (
	"sync"
	"sync/atomic"
)

// parallel calls fn for 0 to n-1 on so many threads, and returns the error of the
// smallest number that failed: the same whatever the threads did.
func parallel(threads, n int, fn func(i int) error) error {
	var next, failed atomic.Int64
	failed.Store(int64(n))
	errs := make([]error, n)
	work := func() {
		for {
			i := next.Add(1) - 1
			if i >= failed.Load() {
				return // i >= n, or what comes before has failed
			}
			if errs[i] = fn(int(i)); errs[i] == nil {
				continue
			}
			for {
				f := failed.Load()
				if f <= i || failed.CompareAndSwap(f, i) {
					break
				}
			}
		}
	}
	var wg sync.WaitGroup
	for range min(threads, n) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	if f := failed.Load(); f < int64(n) {
		return errs[f]
	}
	return nil
}
