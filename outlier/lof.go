package outlier

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"rtcluster/join"
)

// lists has the k nearest other rows of every row i, by rank:
// rows[i·k : (i+1)·k] and their distances.
type lists struct {
	k    int
	rows []int32
	dist []float64
	far  []float64 // the k-th distance of every row, side by side
}

func newLists(ctx context.Context, idx join.Index, opt *Options) (*lists, error) {
	n, k := idx.Points().Rows(), opt.K
	l := &lists{k: k, rows: make([]int32, n*k), dist: make([]float64, n*k), far: make([]float64, n)}
	if err := join.Lists(ctx, idx, nil, k, l.rows, l.dist); err != nil {
		return nil, err
	}
	if at := slices.Index(l.rows, -1); at >= 0 {
		return nil, fmt.Errorf("the engine gives row %d %d neighbours, want %d", at/k, at%k, k)
	}
	return l, eachRows(ctx, opt.Threads, n, func(from, to int) {
		for i := from; i < to; i++ {
			_, dist := l.near(i)
			for r, d2 := range dist {
				dist[r] = opt.Distance(d2)
			}
			l.far[i] = dist[k-1]
		}
	})
}

// near returns the rows and distances of the k nearest of row i.
func (l *lists) near(i int) (rows []int32, dist []float64) {
	return l.rows[i*l.k : (i+1)*l.k], l.dist[i*l.k : (i+1)*l.k]
}

// scoreFactors computes LOF, Breunig et al. 2000,
// https://doi.org/10.1145/335191.335388, from the sums R of the package
// comment.
func scoreFactors(ctx context.Context, idx join.Index, opt *Options, res *Result) error {
	l, err := newLists(ctx, idx, opt)
	if err != nil {
		return err
	}
	n := len(res.Scores)
	reach := make([]float64, n)
	err = eachRows(ctx, opt.Threads, n, func(from, to int) {
		for i := from; i < to; i++ {
			rows, dist := l.near(i)
			reach[i] = reachability(rows, dist, func(j int32) float64 { return l.far[j] })
		}
	})
	if err != nil {
		return err
	}
	var duplicates atomic.Int64
	err = eachRows(ctx, opt.Threads, n, func(from, to int) {
		var found int64
		for i := from; i < to; i++ {
			rows, _ := l.near(i)
			res.Scores[i] = factor(reach[i], rows, func(j int32) float64 { return reach[j] })
			if reach[i] == 0 || math.IsInf(res.Scores[i], 1) {
				found++
			}
		}
		duplicates.Add(found)
	})
	res.Duplicates = int(duplicates.Load())
	return err
}

// reachability returns R, the sum of the reachability distances of a row from
// its nearest rows; farthest has the k-th distance of a row.
func reachability(rows []int32, dist []float64, farthest func(int32) float64) float64 {
	var s float64
	for r, j := range rows {
		s += max(farthest(j), dist[r])
	}
	return s
}

// factor returns the mean of own/reach(j), the LOF of a row whose R is own and
// whose nearest rows are given. Equal sums have ratio 1, which rounding would
// not change and which 0/0 and Inf/Inf need: no other quotient is NaN.
func factor(own float64, rows []int32, reach func(int32) float64) float64 {
	var s float64
	for _, j := range rows {
		if other := reach(j); other == own {
			s++
		} else {
			s += own / other
		}
	}
	return s / float64(len(rows))
}
