package outlier

import (
	"context"
	"math"

	"rtcluster/join"
)

// lists has the k nearest other rows of every row i, by rank:
// rows[i·k : (i+1)·k] and their distances.
type lists struct {
	k    int
	rows []int32
	dist []float64
}

func newLists(ctx context.Context, idx join.Index, opt *Options) (*lists, error) {
	n, k := idx.Points().Rows(), opt.K
	l := &lists{k: k, rows: make([]int32, n*k), dist: make([]float64, n*k)}
	err := nearest(ctx, idx, opt, func(row int, dist []float64, near []join.Neighbor) {
		copy(l.dist[row*k:], dist)
		for r, n := range near {
			l.rows[row*k+r] = n.Row
		}
	})
	return l, err
}

// near returns the rows and distances of the k nearest of row i.
func (l *lists) near(i int) (rows []int32, dist []float64) {
	return l.rows[i*l.k : (i+1)*l.k], l.dist[i*l.k : (i+1)*l.k]
}

// farthest returns the k-th distance of row i.
func (l *lists) farthest(i int32) float64 { return l.dist[(int(i)+1)*l.k-1] }

// scoreFactors computes LOF, Breunig et al. 2000,
// https://doi.org/10.1145/335191.335388, from the sums R of the package
// comment.
func scoreFactors(ctx context.Context, idx join.Index, opt *Options, res *Result) error {
	l, err := newLists(ctx, idx, opt)
	if err != nil {
		return err
	}
	reach := make([]float64, len(res.Scores))
	for i := range reach {
		rows, dist := l.near(i)
		reach[i] = reachability(rows, dist, l.farthest)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for i := range reach {
		rows, _ := l.near(i)
		res.Scores[i] = factor(reach[i], rows, func(j int32) float64 { return reach[j] })
		if reach[i] == 0 || math.IsInf(res.Scores[i], 1) {
			res.Duplicates++
		}
	}
	return nil
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
