package table

import (
	"context"

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
	cells, leaves := make([]*cellReader, len(keep)), []int(nil)
	for k, i := range keep {
		if i < 0 {
			cells[k] = &cellReader{}
			continue
		}
		cells[k] = p.newCellReader(p.root.children[i])
		for _, r := range cells[k].leaves {
			leaves = append(leaves, r.leaf)
		}
		defer cells[k].close()
	}
	group, left := 0, int64(0)
	for row := int64(0); row < p.rows(); {
		if err := ctx.Err(); err != nil {
			return err
		}
		for ; left == 0; group++ {
			left = p.meta.RowGroups[group].NumRows
		}
		n := min(left, p.batchRows(group-1, leaves...))
		if err := p.csvRows(w, cells, added, row, n); err != nil {
			return err
		}
		row += n
		left -= n
	}
	return p.src.unchanged()
}

// csvRows writes the next n rows.
func (p *parquetFile) csvRows(w *csvWriter, cells []*cellReader, added []Added, row, n int64) error {
	for _, c := range cells {
		if err := c.next(n); err != nil {
			return err
		}
	}
	for end := row + n; row < end; row++ {
		err := guard(func() error {
			for _, c := range cells {
				w.separate()
				at := len(w.buf)
				w.buf = c.append(w.buf)
				w.quoteFrom(at)
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
}

// newCellReader returns a reader that stands at the first row.
func (p *parquetFile) newCellReader(n *node) *cellReader {
	c := &cellReader{n: n, isPlain: n.Leaf() && !n.Repeated()}
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
func (c *cellReader) append(dst []byte) []byte {
	if c.n == nil {
		return dst
	}
	if c.isPlain {
		v := c.flat[0]
		c.flat = c.flat[1:]
		if v.IsNull() {
			return dst
		}
		return appendValue(dst, v, c.n.leaf)
	}
	at := len(dst)
	dst = c.nested.appendNode(dst, c.n)
	if string(dst[at:]) == "null" {
		return dst[:at]
	}
	return dst
}
