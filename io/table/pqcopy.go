package table

import (
	"context"
	"io"

	"github.com/parquet-go/parquet-go"
)

// writeParquet copies the kept columns and adds the added ones, the columns of
// each row group side by side.
func (p *parquetFile) writeParquet(ctx context.Context, out io.Writer, keep []int, added []Added, opt WriteOptions) error {
	if err := p.src.unchanged(); err != nil {
		return err
	}
	var columns []*node
	var leaves []leafSource
	for _, i := range keep {
		n := p.root.children[i]
		columns = append(columns, n)
		for leaf := n.firstLeaf; leaf < n.firstLeaf+n.leaves; leaf++ {
			r := p.newLeafReader(leaf)
			defer r.close()
			leaves = append(leaves, leafSource{reader: r})
		}
	}
	columns = append(columns, addedNodes(added)...)
	if err := validName(p.src.path, columnNodeNames(columns)); err != nil {
		return err
	}
	metadata := keptMetadata(p.meta.KeyValueMetadata, len(keep) == len(p.root.children), opt.Metadata)
	if kept := columns[:len(keep)]; p.canSplice(kept, opt.Compression) {
		err := guardWrite(p.src.path, func() error { return p.spliced(ctx, out, kept, added, metadata, opt.Compression) })
		if err != nil {
			return err
		}
		return p.src.unchanged()
	}
	err := guardWrite(p.src.path, func() error {
		sink := newParquetSink(out, newRoot(p.root.name, columns), metadata, opt.Compression, p.threads)
		return p.copyGroups(ctx, sink, leaves, added)
	})
	if err != nil {
		return err
	}
	return p.src.unchanged()
}

// columnNodeNames returns the names of columns.
func columnNodeNames(columns []*node) []string {
	list := make([]string, len(columns))
	for i, n := range columns {
		list[i] = n.name
	}
	return list
}

// copyGroups writes all row groups.
func (p *parquetFile) copyGroups(ctx context.Context, sink *parquetSink, leaves []leafSource, added []Added) error {
	from := int64(0)
	for _, rows := range p.planGroups(leaves, len(added)) {
		for end := from + rows; from < end; {
			n := min(end-from, partRows)
			if err := sink.copyRows(ctx, leaves, added, from, n); err != nil {
				return err
			}
			from += n
			if full := sink.gathered(n); full || from == end {
				if err := sink.flush(); err != nil {
					return err
				}
			}
		}
	}
	if err := agreeing(leaves); err != nil {
		return err
	}
	return sink.finish()
}

// agreeing is agree for the sources of leaves, which are read to their end.
func agreeing(leaves []leafSource) error {
	var readers []*leafReader
	for i := range leaves {
		if r := leaves[i].reader; r != nil {
			readers = append(readers, r)
		}
	}
	return agree(readers)
}

// partRows is after how many rows the size of a row group is looked at. What was
// planned by the sizes in the source may be more here: long values, each of which
// stood there once, in a dictionary.
const partRows = 1 << 16

// leafSource is where the values of a leaf of the output come from in one file.
type leafSource struct {
	reader *leafReader // nil: the file lacks the column
	deeper int         // definition levels to add, where it is required here and optional there
}

// copyRows copies the next rows of all leaves, and rows from on of what is added
// behind them. Leaves are decoded and encoded side by side.
func (s *parquetSink) copyRows(ctx context.Context, leaves []leafSource, added []Added, from, rows int64) error {
	return s.each(len(leaves)+len(added), func(leaf int) error {
		if k := leaf - len(leaves); k >= 0 {
			return s.writeAdded(leaf, &added[k], from, from+rows)
		}
		if leaves[leaf].reader == nil {
			null := parquet.NullValue().Level(0, 0, leaf)
			return s.writeRows(leaf, 0, rows, func(int64) parquet.Value { return null })
		}
		return leaves[leaf].copy(ctx, s, leaf, rows)
	})
}

// copy copies the next rows of a leaf.
func (l *leafSource) copy(ctx context.Context, sink *parquetSink, leaf int, rows int64) error {
	for rows > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := l.reader.step(rows)
		values, err := l.reader.read(n)
		if err != nil {
			return err
		}
		for i := range values {
			v := &values[i]
			*v = v.Level(v.RepetitionLevel(), v.DefinitionLevel()+l.deeper, leaf)
		}
		if err := sink.write(leaf, values); err != nil {
			return err
		}
		rows -= n
	}
	return nil
}

// planGroups cuts the rows into row groups: those of the source where they are
// of a good size, small ones put together, large ones split.
func (p *parquetFile) planGroups(leaves []leafSource, added int) []int64 {
	bytes := int64(8 * added)
	if rows := p.meta.NumRows; rows > 0 {
		for i := range p.meta.RowGroups {
			for _, l := range leaves {
				if l.reader != nil {
					bytes += p.meta.RowGroups[i].Columns[l.reader.leaf].MetaData.TotalUncompressedSize / rows
				}
			}
		}
	}
	most := min(groupRows, max(groupBytes/max(bytes, 1), 1024))
	enough := most / 16
	var plan []int64
	gathered := int64(0)
	for i := range p.meta.RowGroups {
		rows := p.meta.RowGroups[i].NumRows
		if gathered > 0 && (gathered >= enough || gathered+rows > most) {
			plan = append(plan, gathered)
			gathered = 0
		}
		for rows > most {
			plan = append(plan, most)
			rows -= most
		}
		gathered += rows
	}
	if gathered > 0 {
		plan = append(plan, gathered)
	}
	return plan
}
