package table

import (
	"bufio"
	"context"
	"fmt"

	"github.com/parquet-go/parquet-go"
)

// writeCSV writes the kept columns as text and adds the added ones.
func (p *parquetFile) writeCSV(ctx context.Context, w *csvWriter, keep []int, added []Added) error {
	w.names(names(p.columns(), keep))
	w.addedNames(added)
	if err := w.end(newline); err != nil {
		return err
	}
	return p.writeRows(ctx, w, keep, added)
}

// writeRows writes all rows. A place below 0 is a field without content.
func (p *parquetFile) writeRows(ctx context.Context, w *csvWriter, keep []int, added []Added) error {
	if err := p.src.unchanged(); err != nil {
		return err
	}
	cells, err := p.newCells(keep)
	if err != nil {
		return err
	}
	aside := &asideCells{p: p}
	defer aside.close()
	var leaves []int
	for _, c := range cells {
		defer c.close()
		if c.aside {
			aside.cells = append(aside.cells, c)
			continue
		}
		for _, r := range c.leaves {
			leaves = append(leaves, r.leaf)
		}
	}
	ctx = counting(ctx, 1+len(aside.cells))
	row, meter := int64(0), meterOf(ctx)
	for g := range p.meta.RowGroups {
		left := p.meta.RowGroups[g].NumRows
		if left == 0 {
			continue
		}
		if err := aside.lay(ctx, w, g); err != nil {
			return err
		}
		for left > 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			n := min(left, p.batchRows(g, leaves...))
			if err := p.csvRows(w, cells, added, row, n); err != nil {
				return err
			}
			row += n
			left -= n
			meter.count(n)
		}
	}
	return p.src.unchanged()
}

// csvRows writes the next n rows.
func (p *parquetFile) csvRows(w *csvWriter, cells []*cellReader, added []Added, row, n int64) error {
	for _, c := range cells {
		if c.aside {
			continue
		}
		if err := c.next(n); err != nil {
			return err
		}
	}
	for end := row + n; row < end; row++ {
		err := guard(func() (err error) {
			for _, c := range cells {
				w.separate()
				if c.aside {
					if err := w.copied(c.laid); err != nil {
						return err
					}
					continue
				}
				at := len(w.buf)
				if w.buf, err = c.append(w.buf); err != nil {
					return err
				}
				w.quoteFrom(at)
				if len(w.buf) >= batchBytes {
					if err := w.drain(); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			return &DataError{Path: p.src.path, Row: row, Err: err}
		}
		w.added(added, row)
		if err := w.end(newline); err != nil {
			return err
		}
	}
	return nil
}

// cellReader turns a column, flat or nested, into the text of its rows.
type cellReader struct {
	n       *node
	leaves  []*leafReader
	flat    []parquet.Value // of a flat column: the rows that are left of the batch
	nested  *assembler      // of others
	isPlain bool
	bound   int // bytes of the text of a nested row

	need  int64         // of memory, for reading it
	aside bool          // its texts are laid aside, see asideCells
	laid  *bufio.Reader // those of the row group
}

// newCellReader returns a reader that stands at the first row.
func (p *parquetFile) newCellReader(n *node) *cellReader {
	c := &cellReader{n: n, isPlain: n.Leaf() && !n.Repeated(), bound: p.bound()}
	for leaf := n.firstLeaf; leaf < n.firstLeaf+n.leaves; leaf++ {
		c.leaves = append(c.leaves, p.newLeafReader(leaf))
	}
	if !c.isPlain {
		c.nested = newAssembler(n)
	}
	return c
}

// close frees the pages that are held.
func (c *cellReader) close() {
	for _, r := range c.leaves {
		r.close()
	}
}

// next reads n rows.
func (c *cellReader) next(n int64) error {
	for k, r := range c.leaves {
		values, err := r.read(n)
		if err != nil {
			return err
		}
		if c.isPlain {
			c.flat = values
		} else {
			c.nested.load(k, values)
		}
	}
	return agree(c.leaves)
}

// append appends the text of the next row; null is nothing.
func (c *cellReader) append(dst []byte) ([]byte, error) {
	if c.n == nil {
		return dst, nil
	}
	if c.isPlain {
		v := c.flat[0]
		c.flat = c.flat[1:]
		if v.IsNull() {
			return dst, nil
		}
		return appendValue(dst, v, c.n.leaf), nil
	}
	at := len(dst)
	c.nested.most = at + c.bound
	if dst = c.nested.appendNode(dst, c.n); len(dst) > c.nested.most {
		return dst, fmt.Errorf("%q has more than %d bytes of JSON in a row, which is the most in a file of this size; leave the column out", c.n.name, c.bound)
	}
	if string(dst[at:]) == "null" {
		return dst[:at], nil
	}
	return dst, nil
}
