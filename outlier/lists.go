package outlier

import (
	"context"
	"fmt"
	"slices"

	"rtcluster/join"
)

// hood is the neighbours N of a row by rank, with their squared distances.
type hood struct {
	rows []int32
	d2   []float64
}

// lists has the k nearest rows of each of some rows, by rank.
type lists struct {
	n, k int
	rows []int32 // rows[i·k : (i+1)·k] are those of row i
	d2   []float64
}

// newLists looks for the k nearest rows of the rows of q, or if that is nil for the
// k nearest others of the indexed rows.
func newLists(ctx context.Context, idx join.Index, q *join.Points, k int) (*lists, error) {
	l := &lists{n: idx.Points().Rows(), k: k}
	if q != nil {
		l.n = q.Rows()
	}
	l.rows, l.d2 = make([]int32, l.n*k), make([]float64, l.n*k)
	if err := join.Lists(ctx, idx, q, k, l.rows, l.d2); err != nil {
		return nil, err
	}
	if at := slices.Index(l.rows, -1); at >= 0 {
		return nil, shortList(at/k, at%k, k)
	}
	return l, nil
}

// hood returns the k nearest rows of row i.
func (l *lists) hood(i, k int) hood {
	return hood{rows: l.rows[i*l.k:][:k], d2: l.d2[i*l.k:][:k]}
}

// far returns the squared distance of row i from its k-th nearest row.
func (l *lists) far(i, k int) float64 { return l.d2[i*l.k+k-1] }

// collect gives all rows' hoods of k to c.
func (l *lists) collect(ctx context.Context, threads, k int, c collection) (*Result, error) {
	err := eachRows(ctx, threads, l.n, func(from, to int) {
		for i := from; i < to; i++ {
			h := l.hood(i, k)
			c.take(i, &h)
		}
	})
	if err != nil {
		return nil, err
	}
	return c.result(), nil
}

// stream gives the hoods of all rows, each cut to k[c] rows, to collections c, and
// keeps none.
func stream(ctx context.Context, idx join.Index, q *join.Points, k []int, to []collection) error {
	most := slices.Max(k)
	rows, d2 := make([]int32, most), make([]float64, most)
	return idx.KNN(ctx, q, most, func(row int, near []join.Neighbor) error {
		if len(near) != most {
			return shortList(row, len(near), most)
		}
		join.SetList(rows, d2, near)
		for c, k := range k {
			to[c].take(row, &hood{rows: rows[:k], d2: d2[:k]})
		}
		return nil
	})
}

// shortList says that an engine found too few neighbours.
func shortList(row, found, want int) error {
	return fmt.Errorf("the engine gives row %d %d neighbours, want %d", row, found, want)
}
