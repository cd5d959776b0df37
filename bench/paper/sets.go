package paper

import (
	"context"
	"fmt"

	"github.com/dustin/go-humanize"

	"rtcluster/join"
)

// Set is the rows of a data set.
type Set struct {
	Name string
	Data []float64 // row by row
	Dim  int

	whole     bool // they are all rows of the real set
	published []published
}

// Rows returns the number of rows.
func (d *Set) Rows() int { return len(d.Data) / d.Dim }

// String is the set in a few words.
func (d *Set) String() string {
	return fmt.Sprintf("%s, %s × %d", d.Name, humanize.Comma(int64(d.Rows())), d.Dim)
}

// EachSet makes or reads one set after the other, those that were asked for or else those
// given, so that memory holds one of them.
func (s *Setting) EachSet(ctx context.Context, byDefault []string, do func(*Set) error) error {
	names := s.Sets
	if names == nil {
		names = byDefault
	}
	for _, name := range names {
		set, err := s.Set(ctx, name)
		if err == nil {
			err = do(set)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Set makes or reads a set.
func (s *Setting) Set(ctx context.Context, name string) (*Set, error) {
	if s.Read != nil {
		return s.readSet(ctx, name)
	}
	shape, _ := findShape(name)
	n := fractionOf(shape.rows, s.Fraction)
	data, err := shape.make(n, max(1, shape.dim), s.Seed)
	if err != nil {
		return nil, err
	}
	return &Set{Name: name, Data: data, Dim: shape.dim}, ctx.Err()
}

// readSet reads a set from its file, and scales each of its columns to the range from 0
// to 1, as MiSTIC and GDS-Join do.
func (s *Setting) readSet(ctx context.Context, name string) (*Set, error) {
	data, dim, err := s.Read(ctx, name)
	if err != nil {
		return nil, err
	}
	known, ok := findShape(name)
	switch {
	case len(data) == 0:
		return nil, &DataError{name, "the file has no rows"}
	case ok && known.dim != dim:
		return nil, &DataError{name, fmt.Sprintf("the file has %d columns of numbers, and the paper's set %d: leave a label or a number of the row out of it", dim, known.dim)}
	}
	if err := scaleColumns(data, dim); err != nil {
		return nil, &DataError{name, err.Error()}
	}
	set := &Set{Name: name, Data: data, Dim: dim, published: known.published}
	if n := fractionOf(set.Rows(), s.Fraction); n < set.Rows() {
		set.Data = evenRows(data, dim, n)
	}
	set.whole = set.Rows() == known.rows
	return set, nil
}

// scaleColumns maps each column to the range from 0 to 1, a constant one to 0.
func scaleColumns(data []float64, dim int) error {
	if _, err := join.NewPoints(data, dim); err != nil { // such as NaN
		return err
	}
	scaling, err := join.FitScaling("minmax", data, dim)
	if err != nil {
		return err
	}
	scaling.Apply(data)
	return nil
}

// evenRows returns n rows at about equal distances.
func evenRows(data []float64, dim, n int) []float64 {
	rows, kept := len(data)/dim, make([]float64, 0, n*dim)
	for i := range n {
		at := int(int64(i) * int64(rows) / int64(n))
		kept = append(kept, data[at*dim:(at+1)*dim]...)
	}
	return kept
}
