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
	if err := validName(p.src.path, append(columnNodeNames(columns), addedNames(added)...)); err != nil {
		return err
	}
	metadata := keptMetadata(p.meta.KeyValueMetadata, len(keep) == len(p.root.children), opt.Metadata)
	describeOutput(metadata, p.columns(), keep, added)
	err := guardWrite(p.src.path, func() error {
		if p.canSplice(columns, opt.Compression) {
			return p.spliced(ctx, out, columns, added, metadata, opt.Compression)
		}
		return p.encoded(ctx, out, columns, leaves, added, metadata, opt.Compression)
	})
	if err != nil {
		return err
	}
	return p.src.unchanged()
}

// encoded encodes the kept columns anew and adds the added ones.
func (p *parquetFile) encoded(ctx context.Context, out io.Writer, keep []*node, leaves []leafSource, added []Added, metadata map[string]string, compression string) error {
	a, err := newAssembly(out)
	if err != nil {
		return err
	}
	keep = thinnedAll(keep, p.weigh(leaves))
	sink := newSideSink(a, newRoot(p.root.name, append(keep, addedNodes(added)...)), compression, p.threads)
	defer sink.close()
	ctx = counting(ctx, len(leaves)+len(added))
	if err := p.copyGroups(ctx, sink, leaves, added); err != nil {
		return err
	}
	meta, err := sink.finish()
	if err != nil {
		return err
	}
	meta.KeyValueMetadata = keyValues(metadata)
	return a.finish(meta)
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
func (p *parquetFile) copyGroups(ctx context.Context, sink *sideSink, leaves []leafSource, added []Added) error {
	from := int64(0)
	for _, part := range p.parts(leaves, len(added)) {
		if err := sink.copyRows(ctx, leaves, added, from, part.rows); err != nil {
			return err
		}
		from += part.rows
		if full := sink.gathered(part.rows); full || part.last {
			if err := sink.endGroup(); err != nil {
				return err
			}
		}
	}
	if err := sink.endGroup(); err != nil {
		return err
	}
	return agreeing(leaves)
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

// stretch is some rows of a file that are written in one go.
type stretch struct {
	rows  int64
	group int64 // rows of the row group that was planned, if this is its first part
	last  bool  // of that row group
}

// parts cuts the rows of a file for writing. A leaf that was read to the end of a
// part stands in a page, which it holds, and in a dictionary; where all leaves
// together would hold more than the budget, parts are row groups of the file.
func (p *parquetFile) parts(leaves []leafSource, added int) []stretch {
	var list []stretch
	total := int64(0)
	for i := range leaves {
		total += leaves[i].need
	}
	if total > p.budget.most {
		gathered := int64(0)
		for i := range p.meta.RowGroups {
			rows := p.meta.RowGroups[i].NumRows
			if rows == 0 {
				continue
			}
			gathered += rows
			list = append(list, stretch{rows: rows, group: rows, last: gathered >= spliceRows})
			gathered %= spliceRows
		}
		return list
	}
	for _, rows := range p.planGroups(leaves, added) {
		group := rows
		for rows > 0 {
			n := min(rows, partRows)
			rows -= n
			list = append(list, stretch{rows: n, group: group, last: rows == 0})
			group = 0
		}
	}
	return list
}

// leafSource is where the values of a leaf of the output come from in one file.
type leafSource struct {
	reader *leafReader // nil: the file lacks the column
	deeper int         // definition levels to add, where it is required here and optional there
	need   int64       // of memory, for reading it
}

// weigh finds out what reading the leaves needs, and tells which have long values
// that may be packed to next to nothing.
func (p *parquetFile) weigh(leaves []leafSource) []bool {
	thin := make([]bool, len(leaves))
	_ = parallel(p.threads, len(leaves), func(i int) error { // has no errors
		if r := leaves[i].reader; r != nil {
			l := p.leafLoad(r.leaf)
			leaves[i].need, thin[i] = l.need(), l.thin
		}
		return nil
	})
	return thin
}

// copyRows copies the next rows of all leaves, and rows from on of what is added
// behind them. Leaves are decoded and encoded side by side, and each counts its rows.
func (s *parquetSink) copyRows(ctx context.Context, leaves []leafSource, added []Added, from, rows int64) error {
	return s.each(len(leaves)+len(added), func(leaf int) error {
		var err error
		switch k := leaf - len(leaves); {
		case k >= 0:
			err = s.writeAdded(leaf, &added[k], from, from+rows)
		case leaves[leaf].reader == nil:
			null := parquet.NullValue().Level(0, 0, leaf)
			err = s.writeRows(leaf, 0, rows, func(int64) parquet.Value { return null })
		default:
			return leaves[leaf].copy(ctx, s, leaf, rows)
		}
		if err == nil {
			meterOf(ctx).count(rows)
		}
		return err
	})
}

// copy copies the next rows of a leaf.
func (l *leafSource) copy(ctx context.Context, sink *parquetSink, leaf int, rows int64) error {
	defer l.reader.p.budget.take(l.need * writeShare)()
	defer l.reader.rest()
	meter := meterOf(ctx)
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
		if err := l.reader.checkRows(values); err != nil {
			return err
		}
		if err := sink.write(leaf, values); err != nil {
			return err
		}
		rows -= n
		meter.count(n)
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
