package groups

import (
	"fmt"
	"math"
)

// Extent tells of the rows of a group along a coordinate.
//
// Along one that wraps, the mean and the deviation are those along the shortest arc
// that holds all rows, as if the box were rolled so that it does not cross the end,
// and Low and High are its ends: Low is the greater one where the arc crosses the
// end of the box. If it takes half of the box or more, the rows are taken as if the
// coordinate did not wrap.
type Extent struct {
	Mean      float64
	Deviation float64 // standard deviation, with the number of rows as the divisor
	Low, High float64
}

// Summary is of groups of rows along each coordinate.
type Summary struct {
	box    []float64 // by coordinate, 0 for one that does not wrap
	width  int       // tracks of a group
	tracks []track   // of each group by coordinate, one that wraps as rolled and as it is
	rows   []int
}

// NewSummary returns a summary of groups without rows, along dim coordinates. Box is
// the length of a periodic box along each of them, 0 for one that does not wrap, or
// nil. It returns an error if box is something else.
func NewSummary(groups, dim int, box []float64) (*Summary, error) {
	s := &Summary{box: make([]float64, dim), width: dim, rows: make([]int, groups)}
	if box != nil && len(box) != dim {
		return nil, fmt.Errorf("groups: a box of %d lengths for %d coordinates", len(box), dim)
	}
	for k, length := range box {
		if !(length >= 0) || math.IsInf(length, 1) {
			return nil, fmt.Errorf("groups: coordinate %d wraps after %v, want a length, or 0", k, length)
		}
		if s.box[k] = length; length > 0 {
			s.width++
		}
	}
	s.tracks = make([]track, groups*s.width)
	return s, nil
}

// Add adds a row to a group: finite coordinates, from 0 to below the length of the
// box where they wrap.
func (s *Summary) Add(group int, x []float64) {
	tracks := s.tracks[group*s.width:]
	begins := s.rows[group] == 0
	s.rows[group]++
	at := 0
	step := func(x, wrap float64) {
		if begins {
			tracks[at].begin(x)
		} else {
			tracks[at].add(x, wrap)
		}
		at++
	}
	for k, length := range s.box {
		if length > 0 {
			step(x[k], length)
		}
		step(x[k], 0)
	}
}

// Rows returns the number of rows of a group.
func (s *Summary) Rows(group int) int { return s.rows[group] }

// At returns the extent of a group along a coordinate; zeros for a group without
// rows.
func (s *Summary) At(group, coordinate int) Extent {
	at := group * s.width
	for k := range coordinate {
		at++
		if s.box[k] > 0 {
			at++
		}
	}
	n, wrap := s.rows[group], s.box[coordinate]
	if wrap > 0 {
		if rolled := &s.tracks[at]; rolled.narrow(wrap) {
			return rolled.extent(n, wrap)
		}
		at++
	}
	return s.tracks[at].extent(n, 0)
}
