package outlier

import (
	"context"
	"fmt"
	"slices"

	"rtcluster/join"
)

// lists has the nearest rows of each of some rows, by rank: so many that their
// neighbours N for any k up to the one they were made for are a beginning of them.
type lists struct {
	search
	n    int
	rows []int32 // rows[i·asked : (i+1)·asked] are those of row i, −1 where there are no more
	d2   []float64

	// Lists of rows whose ties do not fit are here; nil if all fit.
	longer   []span
	moreRows []int32
	moreD2   []float64
}

// span is where a list begins, and how many rows it has, 0 for a list that fits.
type span struct{ from, size int }

// newLists looks for the neighbours of rows.
func newLists(ctx context.Context, s search, threads int) (*lists, error) {
	l := &lists{search: s, n: s.from().Rows()}
	l.rows, l.d2 = make([]int32, l.n*s.asked), make([]float64, l.n*s.asked)
	if err := join.Lists(ctx, s.at.idx, s.q, s.asked, l.rows, l.d2); err != nil {
		return nil, err
	}
	var open openRows
	err := eachRows(ctx, threads, l.n, func(from, to int) {
		for i := from; i < to; i++ {
			rows, d2 := l.list(i)
			if found := slices.Index(rows, -1); found >= 0 && found < s.others() {
				open.fail(shortList(i, found, s.others()))
			} else if _, complete := s.settle(int32(i), rows, d2); !complete {
				open.add(int32(i))
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if len(open.rows) > 0 {
		l.longer = make([]span, l.n)
	}
	return l, open.ask(ctx, s, func(row int32, h hood) {
		l.longer[row] = span{len(l.moreRows), len(h.rows)}
		l.moreRows, l.moreD2 = append(l.moreRows, h.rows...), append(l.moreD2, h.d2...)
	})
}

// list returns what is known of the nearest rows of row i.
func (l *lists) list(i int) (rows []int32, d2 []float64) {
	if l.longer != nil && l.longer[i].size > 0 {
		from, to := l.longer[i].from, l.longer[i].from+l.longer[i].size
		return l.moreRows[from:to], l.moreD2[from:to]
	}
	return l.rows[i*l.asked : (i+1)*l.asked], l.d2[i*l.asked : (i+1)*l.asked]
}

// hood returns N of row i for a k.
func (l *lists) hood(i, k int) hood {
	if !l.at.ties { // as below, but quick
		from := i * l.asked
		return hood{rows: l.rows[from : from+k], d2: l.d2[from : from+k], size: k}
	}
	rows, d2 := l.list(i)
	h := l.found(int32(i), rows, d2)
	l.cut(&h, k)
	return h
}

// stream gives the hoods of all rows, for k[c], to collections c, and keeps none.
func stream(ctx context.Context, s search, k []int, to []collection) error {
	var h hood // one for all: it is on the heap
	give := func(row int32, whole hood) {
		for c, k := range k {
			h = whole
			s.cut(&h, k)
			to[c].take(int(row), &h)
		}
	}
	var open openRows
	rows, d2 := make([]int32, s.asked), make([]float64, s.asked)
	err := s.at.idx.KNN(ctx, s.q, s.asked, func(row int, near []join.Neighbor) error {
		if len(near) != s.others() {
			return shortList(row, len(near), s.others())
		}
		join.SetList(rows, d2, near)
		if whole, complete := s.settle(int32(row), rows, d2); complete {
			give(int32(row), whole)
		} else {
			open.add(int32(row))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return open.ask(ctx, s, give)
}

// shortList says that an engine found too few neighbours.
func shortList(row, found, want int) error {
	return fmt.Errorf("the engine gives row %d %d neighbours, want %d", row, found, want)
}
