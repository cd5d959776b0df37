package main

import (
	"runtime"
	"sync"
	"sync/atomic"

	"rtcluster/join"
)

// checked is what a comparison with brute force found.
type checked struct{ Rows, Wrong int }

// check compares counts of some rows with brute force over all rows.
func check(pts *join.Points, eps float64, counts []int32, samples int) *checked {
	rows := spread(pts.Rows(), samples)
	var wrong atomic.Int64
	inParallel(len(rows), func(i int) {
		n := 0
		join.Scan(pts, pts.Row(rows[i]), join.Squared(eps), func(int, float64) { n++ })
		if n != int(counts[rows[i]]) {
			wrong.Add(1)
		}
	})
	return &checked{Rows: len(rows), Wrong: int(wrong.Load())}
}

// inParallel calls do for 0 to n−1, by all threads.
func inParallel(n int, do func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}
