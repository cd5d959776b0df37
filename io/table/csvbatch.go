package table

import (
	"context"
	"io"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// This file writes the rows of CSV as Parquet. Chunks of text become values side
// by side, and the values of the next chunk in order are encoded, the columns side
// by side:
//
//	text -> chunk -> values \            / column -> \
//	        chunk -> values  -> in order   column ->  row group -> file
//	        chunk -> values /            \ column -> /
//
// In memory are threads + 2 chunks with their values (24 bytes each, so 12 times
// the text at most) and one row group, encoded.

// csvBatch sends rows of CSV to a Parquet file.
type csvBatch struct {
	sink     *sideSink
	columns  []*node
	metadata map[string]string
}

// csvCells are the values of a chunk.
type csvCells struct {
	values [][]parquet.Value // one list a column
	text   []byte            // the bytes of strings whose quotes were taken off
	style  numberStyle
	rows   int64
}

// newCSVBatch begins a file of these columns, and others of the types of what is
// added.
func newCSVBatch(out io.Writer, columns []*node, added []Added, opt WriteOptions, threads int) (*csvBatch, error) {
	a, err := newAssembly(out)
	if err != nil {
		return nil, err
	}
	nodes := append(append([]*node{}, columns...), addedNodes(added)...)
	return &csvBatch{columns: columns, metadata: opt.Metadata, sink: newSideSink(a, newRoot("schema", nodes), opt.Compression, threads)}, nil
}

// describe adds to the metadata what is said of the columns of the given places, in all.
func (b *csvBatch) describe(all []Column, keep []int, added []Added) {
	kept := make([]Column, len(keep))
	for k, i := range keep {
		kept[k] = all[i]
		kept[k].Type = b.columns[k].typeName() // which the first reading need not tell
	}
	b.metadata = keptMetadata(nil, true, b.metadata)
	describeOutput(b.metadata, kept, upTo(len(kept)), added)
}

// finish ends the file.
func (b *csvBatch) finish() error {
	if err := b.sink.endGroup(); err != nil {
		return err
	}
	meta, err := b.sink.finish()
	if err != nil {
		return err
	}
	meta.KeyValueMetadata = keyValues(b.metadata)
	return b.sink.a.finish(meta)
}

// file sends the rows of a file: the columns of the given places, where one below
// 0 is of none, and what is added.
func (b *csvBatch) file(ctx context.Context, c *csvFile, keep []int, added []Added) error {
	from := int64(0)
	p := pass{c: c, work: func(ch *chunk) error {
		ch.cells.reset(len(b.columns), c.style)
		return ch.rows.rows(func(r *record) error {
			ch.cells.rows++
			for k, i := range keep {
				v, err := b.value(c, &ch.cells, k, i, r)
				if err != nil {
					return err
				}
				ch.cells.values[k] = append(ch.cells.values[k], v)
			}
			return nil
		}, nil)
	}, merge: func(ch *chunk) error {
		err := guard(func() error { return b.send(&ch.cells, added, from) }) // the pass must end as it should
		from += ch.cells.rows
		return err
	}}
	return p.run(ctx)
}

// reset makes room for a chunk of a file with a style of numbers.
func (c *csvCells) reset(columns int, style numberStyle) {
	if c.values == nil {
		c.values = make([][]parquet.Value, columns)
	}
	for k := range c.values {
		c.values[k] = c.values[k][:0]
	}
	c.text, c.style, c.rows = c.text[:0], style, 0
}

// value returns field i of a row as the value of column k. Strings are those of
// the record.
func (b *csvBatch) value(c *csvFile, cells *csvCells, k, i int, r *record) (parquet.Value, error) {
	if i < 0 { // the file lacks the column
		return parquet.NullValue().Level(0, 0, k), nil
	}
	n := b.columns[k]
	var field []byte
	if r.fields[i].quoted {
		at := len(cells.text)
		cells.text = r.appendText(cells.text, i)
		field = cells.text[at:len(cells.text):len(cells.text)]
	} else {
		field = r.bytes(i)
	}
	v, ok := parquet.ByteArrayValue(field), true
	if n.leaf.class == classInt || n.leaf.class == classDouble {
		v, ok = cells.number(n.leaf.class, field)
	}
	def := 0
	if n.Optional() && !v.IsNull() {
		def = 1
	}
	if !ok || v.IsNull() && n.Required() {
		return v, c.changed()
	}
	return v.Level(0, def, k), nil
}

// number returns a field as a value of a column of numbers, if it can be one.
func (c *csvCells) number(of class, field []byte) (v parquet.Value, ok bool) {
	if of == classDouble {
		x, kind, _, err := c.style.parse(field)
		if kind == kindNull {
			return v, true
		}
		return parquet.DoubleValue(x), err == nil && kind != kindText
	}
	number, _, kind := c.style.normal(field)
	if kind == kindNull {
		return v, true
	}
	x, err := strconv.ParseInt(string(number), 10, 64)
	return parquet.Int64Value(x), err == nil && kind == kindNumber
}

// send encodes the values of a chunk whose rows begin at from in their file. It
// ends row groups that are large enough.
func (b *csvBatch) send(cells *csvCells, added []Added, from int64) error {
	for at := int64(0); at < cells.rows; {
		n := min(cells.rows-at, groupRows-b.sink.rows)
		err := b.sink.each(len(b.columns)+len(added), func(leaf int) error {
			if k := leaf - len(b.columns); k >= 0 {
				return b.sink.writeAdded(leaf, &added[k], from+at, from+at+n)
			}
			return b.sink.writeAll(leaf, cells.values[leaf][at:at+n])
		})
		if err != nil {
			return err
		}
		at += n
		if b.sink.gathered(n) {
			if err := b.sink.endGroup(); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeAll appends any number of values, one a row, to a leaf. Pages end between
// parts of them.
func (s *parquetSink) writeAll(leaf int, values []parquet.Value) error {
	for len(values) > 0 {
		n := min(valueBatch, len(values))
		if err := s.write(leaf, values[:n]); err != nil {
			return err
		}
		values = values[n:]
	}
	return nil
}
