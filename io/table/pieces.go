package table

import (
	"context"
	"errors"
)

// FloatsEach reads columns as [Table.Floats] does, but hands them to fn piece by
// piece in the order of the rows, so that memory is bounded whatever the size of
// the table. first is the row of the table that is row 0 of the piece. Its Data
// and Bad are fn's only until it returns; rows in Bad are counted from the start
// of the table. A piece ends with a file, and has about size rows: whole
// row groups of Parquet, one at least; of CSV up to 512 KiB of text more; a file
// that lacks one of the columns is one piece. An error of fn ends the reading and
// is returned.
func (t *Table) FloatsEach(ctx context.Context, columns []string, size int, fn func(first int64, f *Floats) error) error {
	places, err := t.numberPlaces(columns)
	if err != nil {
		return err
	}
	ctx, end := metered(ctx, t.Rows())
	first := int64(0)
	err = t.body.eachFloats(ctx, places, columns, max(size, 1), func(f *Floats) error {
		err := fn(first, f)
		first += int64(f.Rows)
		return err
	})
	if err != nil {
		return err
	}
	end()
	return nil
}

// numberPlaces returns the places of columns that are asked for as numbers.
func (t *Table) numberPlaces(columns []string) ([]int, error) {
	if len(columns) == 0 {
		return nil, errors.New("table: no columns asked for")
	}
	bare, err := t.uncast(columns)
	if err != nil {
		return nil, err
	}
	return t.find(bare)
}

// newFloats returns room for columns of the given names, with nothing counted as
// bad.
func newFloats(names []string, rows int, data []float64) *Floats {
	f := &Floats{Rows: rows, Cols: len(names), Data: data, Bad: make([]Bad, len(names))}
	for j, name := range names {
		f.Bad[j] = Bad{Column: name, FirstRow: -1}
	}
	return f
}

// moveBad counts the first bad rows from an earlier row on.
func (f *Floats) moveBad(by int64) {
	for j := range f.Bad {
		if f.Bad[j].FirstRow >= 0 {
			f.Bad[j].FirstRow += by
		}
	}
}

// eachFloats hands on the pieces of all files.
func (d *dataset) eachFloats(ctx context.Context, columns []int, names []string, size int, fn func(*Floats) error) error {
	base := int64(0)
	for _, p := range d.parts {
		hand := func(piece *Floats) error {
			f := newFloats(names, piece.Rows, piece.Data)
			for j := range f.Bad {
				f.Bad[j].merge(&piece.Bad[j], p.src.path, base)
			}
			return fn(f)
		}
		own := p.ownPlaces(columns)
		err := p.use(func() error {
			if own != nil {
				return p.body.eachFloats(ctx, own, names, size, hand)
			}
			f := newFloats(names, int(p.rows), make([]float64, int(p.rows)*len(names)))
			if err := d.floatsOf(ctx, p, columns, f); err != nil {
				return err
			}
			return hand(f)
		})
		if err != nil {
			return err
		}
		base += p.rows
	}
	return nil
}

// ownPlaces returns the places of the set's columns in a file, or nil if it lacks
// one.
func (p *part) ownPlaces(columns []int) []int {
	own := make([]int, len(columns))
	for j, k := range columns {
		if k >= len(p.places) || p.places[k] < 0 {
			return nil
		}
		own[j] = p.places[k]
	}
	return own
}
