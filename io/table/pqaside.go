package table

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
)

// This file writes columns as CSV whose pages are too large to be in memory side by
// side, one of each column. Their texts are laid aside, one column after the other, a
// row group at a time, and the rows put together from there.

// asideCells are the columns that are laid aside.
type asideCells struct {
	p     *parquetFile
	cells []*cellReader
	file  *scratch
}

// newCells returns readers of columns, that stand at the first row, and marks those
// that have to be laid aside: the largest, so that the others need half of the
// budget at most. A place below 0 is of no column.
func (p *parquetFile) newCells(keep []int) ([]*cellReader, error) {
	cells, order := make([]*cellReader, len(keep)), upTo(len(keep))
	err := parallel(p.threads, len(keep), func(k int) (err error) {
		if keep[k] < 0 {
			cells[k] = &cellReader{}
			return nil
		}
		cells[k] = p.newCellReader(p.root.children[keep[k]])
		cells[k].need, err = p.textNeed(cells[k].n)
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(cells[i].need, cells[j].need) })
	left := p.budget.most / 2
	for _, k := range order {
		left -= cells[k].need
		cells[k].aside = left < 0
	}
	return cells, nil
}

// textNeed is what reading a column as text needs of memory. All leaves of a nested
// one have a page there at once.
func (p *parquetFile) textNeed(n *node) (int64, error) {
	need, held, levels := int64(0), int64(0), int64(0)
	for leaf := n.firstLeaf; leaf < n.firstLeaf+n.leaves; leaf++ {
		l := p.leafLoad(leaf)
		need += l.need()
		held += l.page + l.dictionary
		levels += 2 * l.values
	}
	if most := 2 * int64(p.bound()); n.leaves > 1 && (held > most || levels > 4*most) {
		return 0, badColumn(p.src.path, n.name, "the pages of its %d fields, which as text are in memory together, have %d bytes, more than a file of this size may have (%d); leave the column out", n.leaves, max(held, levels/4), most)
	}
	return need, nil
}

// lay lays the texts of a row group aside, as w would write them, behind their
// lengths.
func (a *asideCells) lay(ctx context.Context, w *csvWriter, group int) (err error) {
	if len(a.cells) == 0 {
		return nil
	}
	if a.file == nil {
		if a.file, err = newScratch(""); err != nil {
			return fmt.Errorf("lay large columns aside: %w", err)
		}
	}
	out := &counter{w: bufio.NewWriterSize(io.NewOffsetWriter(a.file, 0), batchBytes)}
	for _, c := range a.cells {
		at := out.n
		if err := a.layCell(ctx, out, &csvWriter{delim: w.delim}, c, group); err != nil {
			return err
		}
		c.laid = bufio.NewReader(io.NewSectionReader(a.file, at, out.n-at))
	}
	return out.told(out.w.Flush())
}

// layCell lays the texts of one column aside.
func (a *asideCells) layCell(ctx context.Context, out *counter, field *csvWriter, c *cellReader, group int) error {
	defer a.p.budget.take(c.need)()
	leaves := make([]int, len(c.leaves))
	for i, r := range c.leaves {
		leaves[i] = r.leaf
	}
	rows := a.p.meta.RowGroups[group].NumRows
	for left := rows; left > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(left, a.p.batchRows(group, leaves...))
		if err := c.next(n); err != nil {
			return err
		}
		err := guard(func() (err error) {
			for range n {
				if field.buf, err = c.append(field.buf[:0]); err != nil {
					return err
				}
				field.quoteFrom(0)
				if err := out.field(field.buf); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return badFile(a.p.src.path, "%w", err)
		}
		left -= n
		meterOf(ctx).count(n)
	}
	for _, r := range c.leaves {
		r.rest()
	}
	c.flat = nil
	return nil
}

// close removes the file.
func (a *asideCells) close() {
	if a.file != nil {
		_ = a.file.Close() // is of no more use
	}
}

// counter writes fields and counts bytes.
type counter struct {
	w *bufio.Writer
	n int64
}

// field writes a field behind its length.
func (c *counter) field(text []byte) error {
	var head [8]byte
	binary.LittleEndian.PutUint64(head[:], uint64(len(text)))
	c.n += int64(len(head) + len(text))
	_, err := c.w.Write(head[:])
	if err == nil {
		_, err = c.w.Write(text)
	}
	return c.told(err)
}

// told says of an error where it happened.
func (c *counter) told(err error) error {
	if err != nil {
		return fmt.Errorf("write a temporary file for large columns (TMPDIR says where): %w", err)
	}
	return nil
}

// copied appends the next field that was laid aside.
func (c *csvWriter) copied(r *bufio.Reader) error {
	var head [8]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	n := int(binary.LittleEndian.Uint64(head[:]))
	if n < batchBytes {
		at := len(c.buf)
		c.buf = slices.Grow(c.buf, n)[:at+n]
		_, err := io.ReadFull(r, c.buf[at:])
		return err
	}
	if err := c.drain(); err != nil {
		return err
	}
	_, err := io.CopyN(c.w, r, int64(n))
	return err
}

// drain writes what is gathered of a record that is not empty.
func (c *csvWriter) drain() error {
	err := c.flush()
	c.begin = -1
	return err
}
