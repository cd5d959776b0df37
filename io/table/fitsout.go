package table

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"rtcluster/io/catalog"
)

// This file writes FITS. Its header says what only all rows tell: how long texts
// are, and which integer stands for null. So the rows are written as Parquet first,
// to a temporary file, which is read twice.

// writeFITS writes the kept columns and the added ones as FITS.
func (t *Table) writeFITS(ctx context.Context, out io.Writer, pack string, places []int, added []Added) error {
	spool, err := newFITSSpool()
	if err != nil {
		return err
	}
	defer spool.close()
	ctx = counting(ctx, 2)
	if err := t.body.writeParquet(ctx, spool.buf, places, added, WriteOptions{Compression: t.fitsCompression()}); err != nil {
		return err
	}
	notes, err := spool.convert(ctx, t.path, out, pack)
	t.addNotes(notes)
	return err
}

// fitsCompression is that of the temporary file. One that is asked for has pages made
// anew, of a size of our own, which those of other temporary files have.
func (t *Table) fitsCompression() string {
	for _, p := range t.files {
		if b, ok := p.body.(*parquetFile); !ok || b.from == formatParquet {
			return packSnappy
		}
	}
	return ""
}

// fitsSpool is the temporary file, to be written as Parquet.
type fitsSpool struct {
	file *scratch
	buf  *bufio.Writer
}

func newFITSSpool() (*fitsSpool, error) {
	file, err := newScratch("")
	if err != nil {
		return nil, err
	}
	return &fitsSpool{file: file, buf: bufio.NewWriterSize(file, 256<<10)}, nil
}

// close removes the file.
func (f *fitsSpool) close() { _ = f.file.Close() } // is of no more use

// convert writes what is there, the table at path, as FITS, and returns what is to be told.
func (f *fitsSpool) convert(ctx context.Context, path string, out io.Writer, pack string) ([]Note, error) {
	if err := f.buf.Flush(); err != nil {
		return nil, fmt.Errorf("write a temporary file (TMPDIR says where): %w", err)
	}
	info, err := f.file.Stat()
	if err != nil {
		return nil, err
	}
	src := &source{path: path, file: f.file.File, size: info.Size(), modTime: info.ModTime()}
	p, err := openParquet(src, magicParquet, 1)
	if err != nil {
		return nil, err
	}
	packed, err := compressor(out, pack)
	if err != nil {
		return nil, err
	}
	notes, err := p.toFITS(ctx, packed)
	if err != nil {
		return nil, err
	}
	return notes, packed.Close()
}

// toFITS writes the whole file as FITS, and returns what is to be told.
func (p *parquetFile) toFITS(ctx context.Context, out io.Writer) ([]Note, error) {
	columns := make([]catalog.Column, len(p.root.children))
	for i, c := range p.columns() {
		columns[i] = c.catalog()
		columns[i].Nullable = p.root.children[i].Optional()
	}
	notes := nameNameless(columns)
	readings := 1
	if slices.ContainsFunc(columns, func(c catalog.Column) bool { return c.Surveyed() }) {
		readings = 2
	}
	ctx = counting(ctx, readings)
	err := catalog.WriteFITS(out, columns, p.rows(), func(places []int, yield func([]catalog.Value) error) error {
		return p.eachRow(ctx, columns, places, yield)
	})
	var unfit *catalog.UnfitError
	if errors.As(err, &unfit) {
		err = badFile(p.src.path, "cannot be written as FITS: %w", err)
	}
	return notes, err
}

// nameNameless names a column without a name by its place, since readers of FITS want a
// name, and says so.
func nameNameless(columns []catalog.Column) []Note {
	taken := map[string]bool{}
	for i := range columns {
		taken[columns[i].Name] = true
	}
	var notes []Note
	for i := range columns {
		if columns[i].Name != "" {
			continue
		}
		name := fmt.Sprintf("col%d", i+1)
		for taken[name] {
			name += "_"
		}
		taken[name] = true
		columns[i].Name = name
		notes = append(notes, Note{Loud: true, Text: fmt.Sprintf("column %d has no name, and FITS wants one: it is written as %s", i+1, name)})
	}
	return notes
}

// eachRow hands the values of columns on, row by row, and counts the rows.
func (p *parquetFile) eachRow(ctx context.Context, columns []catalog.Column, places []int, yield func([]catalog.Value) error) error {
	cells := make([]*cellReader, len(places))
	var leaves []int
	for k, i := range places {
		cells[k] = p.newCellReader(p.root.children[i])
		defer cells[k].close()
		for _, r := range cells[k].leaves {
			leaves = append(leaves, r.leaf)
		}
	}
	row, meter := make([]catalog.Value, len(places)), meterOf(ctx)
	for g := range p.meta.RowGroups {
		for left := p.meta.RowGroups[g].NumRows; left > 0; {
			if err := ctx.Err(); err != nil {
				return err
			}
			n := min(left, p.batchRows(g, leaves...))
			for _, c := range cells {
				if err := c.next(n); err != nil {
					return err
				}
			}
			for range n {
				for k, c := range cells {
					if err := c.value(columns[places[k]].Type, &row[k]); err != nil {
						return err
					}
				}
				if err := yield(row); err != nil {
					return err
				}
			}
			left -= n
			meter.count(n)
		}
	}
	return nil
}

// value takes the value of the next row.
func (c *cellReader) value(t catalog.Type, to *catalog.Value) (err error) {
	if t == catalog.Text {
		text := to.Text[:0]
		*to = catalog.Value{}
		if c.isPlain && c.flat[0].IsNull() {
			to.Null = true
		}
		to.Text, err = c.append(text)
		return err
	}
	v := c.flat[0]
	c.flat = c.flat[1:]
	*to = catalog.Value{Null: v.IsNull(), Text: to.Text}
	if to.Null {
		return nil
	}
	switch c.n.leaf.class {
	case classBool:
		if v.Boolean() {
			to.Int = 1
		}
	case classInt:
		to.Int = signed(v)
	case classUint:
		to.Int = int64(unsigned(v))
	case classFloat:
		to.Float = float64(v.Float())
	case classDouble:
		to.Float = v.Double()
	case classHalf:
		to.Float = half(v)
	}
	return nil
}
