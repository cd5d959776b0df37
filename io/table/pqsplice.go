package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/parquet-go/parquet-go/format"
)

// This file copies column chunks of a Parquet file byte for byte. Only places,
// which the footer and the indexes tell, differ from the source.

// splice is a file whose chunks are copied.
type splice struct {
	a       *assembly
	p       *parquetFile
	leaves  []int     // those copied, in the order of the output
	side    *sideSink // for what stands behind them, or nil
	trusted bool      // the bounds in the source's statistics have an order
	spare   int64     // bytes that filters and indexes of the source may still have
}

// newSplice copies these columns of a file.
func newSplice(a *assembly, p *parquetFile, keep []*node, side *sideSink) *splice {
	s := &splice{a: a, p: p, side: side, trusted: p.ordered(), spare: p.src.size}
	for _, n := range keep {
		for leaf := range n.leaves {
			s.leaves = append(s.leaves, n.firstLeaf+leaf)
		}
	}
	return s
}

// spliced copies the kept columns and adds the added ones.
func (p *parquetFile) spliced(ctx context.Context, out io.Writer, keep []*node, added []Added, metadata map[string]string, compression string) error {
	a, err := newAssembly(out)
	if err != nil {
		return err
	}
	var side *sideSink
	if len(added) > 0 {
		side = newSideSink(a, newRoot(p.root.name, addedNodes(added)), compression, p.threads)
	}
	if err := newSplice(a, p, keep, side).copy(ctx, added); err != nil {
		return err
	}
	root := p.meta.Schema[0]
	root.NumChildren.V, root.NumChildren.Valid = int32(len(keep)+len(added)), true
	meta := &format.FileMetaData{Version: max(p.meta.Version, 1), Schema: []format.SchemaElement{root}, CreatedBy: "rtcluster"}
	for _, n := range keep {
		meta.Schema = appendElements(meta.Schema, n)
	}
	if side != nil {
		own, err := side.finish()
		if err != nil {
			return err
		}
		meta.Schema, meta.CreatedBy = append(meta.Schema, own.Schema[1:]...), own.CreatedBy
	}
	meta.KeyValueMetadata = keyValues(metadata)
	return a.finish(meta)
}

// keyValues are metadata in the order of their keys.
func keyValues(metadata map[string]string) []format.KeyValue {
	var list []format.KeyValue
	for _, k := range slices.Sorted(maps.Keys(metadata)) {
		list = append(list, format.KeyValue{Key: k, Value: metadata[k]})
	}
	return list
}

// appendElements appends the schema elements of a node, depth first.
func appendElements(list []format.SchemaElement, n *node) []format.SchemaElement {
	list = append(list, *n.element)
	for _, c := range n.children {
		list = appendElements(list, c)
	}
	return list
}

// copy copies all row groups, with what is added behind them. A row is done once it was
// read through, and copied, in each of the leaves, and added to.
func (s *splice) copy(ctx context.Context, added []Added) error {
	var groups []int
	for g := range s.p.meta.RowGroups {
		if s.p.meta.RowGroups[g].NumRows > 0 {
			groups = append(groups, g)
		}
	}
	times := 2 * len(s.leaves)
	if s.side != nil {
		times += len(added)
	}
	ctx = counting(ctx, times)
	from, meter := int64(0), meterOf(ctx)
	ahead := s.p.threads/max(len(s.leaves), 1) + 1 // row groups that keep all threads busy
	for some := range slices.Chunk(groups, ahead) {
		nulls, err := s.p.readThrough(ctx, some, s.leaves)
		if err != nil {
			return err
		}
		for i, g := range some {
			rows := s.p.meta.RowGroups[g].NumRows
			if err := s.group(ctx, g, nulls[i*len(s.leaves):]); err != nil {
				return err
			}
			if s.side != nil {
				err := s.side.each(len(added), func(k int) error { return s.side.writeAdded(k, &added[k], from, from+rows) })
				meter.count(rows * int64(len(added)))
				if err == nil {
					err = s.side.flush()
				}
				if err != nil {
					return err
				}
			}
			if err := s.filters(g); err != nil {
				return err
			}
			from += rows
		}
	}
	return nil
}

// group copies the chunks of a row group, which have so many nulls each.
func (s *splice) group(ctx context.Context, g int, nulls []int64) error {
	source := &s.p.meta.RowGroups[g]
	if err := s.a.begin(source.NumRows, s.sorting(source.SortingColumns)); err != nil {
		return err
	}
	for i, leaf := range s.leaves {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.chunk(leaf, &source.Columns[leaf], nulls[i]); err != nil {
			return err
		}
		meterOf(ctx).count(source.NumRows)
	}
	return nil
}

// write appends bytes of the source to the file.
func (s *splice) write(from extent) error {
	for from.n > 0 {
		b := s.a.room(from.n)
		if n, err := s.p.src.ReadAt(b, from.at); n < len(b) {
			return fmt.Errorf("%s: %w", s.p.src.path, errors.Join(err, io.ErrUnexpectedEOF))
		}
		if err := s.a.write(b); err != nil {
			return err
		}
		from.at += int64(len(b))
		from.n -= int64(len(b))
	}
	return nil
}

// sorting returns the leading columns by which rows are sorted that are still
// there, by their new numbers.
func (s *splice) sorting(source []format.SortingColumn) []format.SortingColumn {
	var list []format.SortingColumn
	for _, c := range source {
		i := slices.Index(s.leaves, int(c.ColumnIdx))
		if i < 0 {
			break
		}
		c.ColumnIdx = int32(i)
		list = append(list, c)
	}
	return list
}

// chunk copies a chunk of the source that has so many nulls.
func (s *splice) chunk(leaf int, source *format.ColumnChunk, nulls int64) error {
	m := source.MetaData
	from := extent{chunkStart(&m), m.TotalCompressedSize}
	shift := s.a.at - from.at
	if err := s.write(from); err != nil {
		return err
	}
	x := chunkIndex{}
	if s.trusted {
		x.column, x.offset = s.indexes(source, from, shift)
	}
	moveChunk(&m, shift)
	m.Statistics.NullCount = nulls // the library takes an absent count for 0
	m.Statistics.Min, m.Statistics.Max = nil, nil
	if !s.trusted {
		m.Statistics.MinValue, m.Statistics.MaxValue = nil, nil
	}
	if n, h := s.p.leaf[leaf], &m.SizeStatistics; !counts(h.RepetitionLevelHistogram, n.maxRep) || !counts(h.DefinitionLevelHistogram, n.maxDef) {
		m.SizeStatistics = format.SizeStatistics{} // readers refuse the file
	}
	s.a.add(len(s.a.groups)-1, m, x)
	return nil
}

// counts reports whether a histogram is one of levels up to most, or is not there.
func counts(histogram []int64, most int) bool {
	return len(histogram) == 0 || len(histogram) == most+1
}

// filters copies the filters of the chunks of row group g, which is the last one
// of the output.
func (s *splice) filters(g int) error {
	columns := s.a.groups[len(s.a.groups)-1].Columns
	for i, leaf := range s.leaves {
		m := &s.p.meta.RowGroups[g].Columns[leaf].MetaData
		from := extent{m.BloomFilterOffset, int64(m.BloomFilterLength)}
		if from.n <= 0 || !s.inside(from) {
			continue
		}
		columns[i].MetaData.BloomFilterOffset, columns[i].MetaData.BloomFilterLength = s.a.at, m.BloomFilterLength
		if err := s.write(from); err != nil {
			return err
		}
	}
	return nil
}

// inside reports whether bytes are part of the source, and not more than it can
// have: many chunks might claim the same bytes.
func (s *splice) inside(b extent) bool {
	if b.at <= 0 || b.n <= 0 || b.n > s.spare || b.at > s.p.src.size-b.n {
		return false
	}
	s.spare -= b.n
	return true
}

// indexes returns the page indexes of a chunk that is moved, or nil where the
// source has none that fit.
func (s *splice) indexes(c *format.ColumnChunk, chunk extent, shift int64) (column, offset []byte) {
	column = s.structure(extent{c.ColumnIndexOffset, int64(c.ColumnIndexLength)})
	offset = s.structure(extent{c.OffsetIndexOffset, int64(c.OffsetIndexLength)})
	if column == nil || offset == nil {
		return nil, nil
	}
	moved, err := moveIndex(offset, chunk, shift)
	if err != nil {
		return nil, nil
	}
	return column, moved
}

// structure returns a Thrift structure that stands in the source, or nil.
func (s *splice) structure(from extent) []byte {
	if !s.inside(from) {
		return nil
	}
	b := make([]byte, from.n)
	if k, _ := s.p.src.ReadAt(b, from.at); k < len(b) {
		return nil
	}
	if k, err := thriftStructure(b); err != nil || k != len(b) {
		return nil
	}
	return b
}
