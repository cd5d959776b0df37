package join

import (
	"cmp"
	"errors"
	"fmt"
)

// ErrVerify is returned, wrapped, when recomputing rows by brute force gives
// another result than the engine gave.
var ErrVerify = errors.New("verification failed")

// PairCheck compares the pairs that an engine emits with a brute-force [Scan]
// of some of the query rows. Memory is one bit for each sampled row and
// indexed row.
type PairCheck struct {
	q, pts *Points
	self   bool
	eps    float64
	rows   []int         // distinct
	slot   map[int32]int // query row → index into rows
	seen   [][]uint64    // bitset over indexed rows, for each of rows
	fault  error         // the first pair that came twice or has no such row
}

// NewPairCheck returns a check of the given query rows, of a self-join of pts
// if q is nil. A row that is given twice is checked once.
func NewPairCheck(q, pts *Points, eps float64, rows []int) *PairCheck {
	c := &PairCheck{q: q, pts: pts, self: q == nil, eps: eps, slot: map[int32]int{}}
	if c.self {
		c.q = pts
	}
	for _, row := range rows {
		if _, given := c.slot[int32(row)]; given {
			continue
		}
		c.slot[int32(row)] = len(c.rows)
		c.rows = append(c.rows, row)
		c.seen = append(c.seen, make([]uint64, (pts.Rows()+63)/64))
	}
	return c
}

// See takes note of emitted pairs.
func (c *PairCheck) See(pairs []Pair) {
	for _, p := range pairs {
		c.note(p.I, p.J)
		if c.self {
			c.note(p.J, p.I)
		}
	}
}

func (c *PairCheck) note(i, j int32) {
	at, sampled := c.slot[i]
	if !sampled {
		return
	}
	if j < 0 || int(j) >= c.pts.Rows() {
		c.fault = cmp.Or(c.fault, fmt.Errorf("join: row %d was paired with row %d of %d: %w", i, j, c.pts.Rows(), ErrVerify))
		return
	}
	word, bit := &c.seen[at][j/64], uint64(1)<<(j%64)
	if *word&bit != 0 && c.fault == nil {
		c.fault = fmt.Errorf("join: rows %d and %d were paired twice: %w", i, j, ErrVerify)
	}
	*word |= bit
}

// Err returns nil if the pairs seen of the sampled rows are those of a brute
// force, and else an error that wraps [ErrVerify] and names a pair. It is
// called once, after the last See.
func (c *PairCheck) Err() error {
	if c.fault != nil {
		return c.fault
	}
	for at, row := range c.rows {
		seen := c.seen[at]
		var missed error
		Scan(c.pts, c.q.Row(row), c.pts.metric.Bound(c.eps), func(j int, _ float64) {
			word, bit := &seen[j/64], uint64(1)<<(j%64)
			if *word&bit == 0 && !(c.self && j == row) && missed == nil {
				missed = fmt.Errorf("join: rows %d and %d are within eps but were not paired: %w", row, j, ErrVerify)
			}
			*word &^= bit
		})
		if missed != nil {
			return missed
		}
		for w, word := range seen {
			for bit := range 64 {
				if word>>bit&1 != 0 {
					return fmt.Errorf("join: rows %d and %d were paired but are not within eps: %w", row, w*64+bit, ErrVerify)
				}
			}
		}
	}
	return nil
}
