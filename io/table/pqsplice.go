package table

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// This file writes Parquet out of the column chunks of another file, byte for
// byte, and puts chunks of added columns beside them:
//
//	PAR1 | a b c new | a b c new | ... | filters, indexes | footer | PAR1
//
// Only places, which the footer and the indexes tell, differ from the source.
// The library copies whole row groups, so that nothing could be added.

// splice is a file that is put together.
type splice struct {
	p       *parquetFile
	out     io.Writer
	at      int64 // bytes written
	leaves  []int // of the source, in the order of the output
	trusted bool  // the bounds in the source's statistics have an order
	buf     []byte
	meta    *format.FileMetaData
	index   []spliceIndex // one a chunk, in order
	spare   int64         // bytes that filters and indexes of the source may still have
}

// spliceIndex is what stands behind the row groups about one chunk.
type spliceIndex struct {
	filter         extent // in the source
	column, offset []byte // nil: there is none
}

// extent is a range of bytes.
type extent struct{ at, n int64 }

// spliced copies the kept columns and adds the added ones.
func (p *parquetFile) spliced(ctx context.Context, out io.Writer, keep []*node, added []Added, metadata map[string]string, compression string) error {
	s := &splice{p: p, out: out, trusted: p.ordered(), buf: make([]byte, 1<<20), spare: p.src.size}
	for _, n := range keep {
		for leaf := range n.leaves {
			s.leaves = append(s.leaves, n.firstLeaf+leaf)
		}
	}
	side, err := s.side(added, 0, 0, compression)
	if err != nil {
		return err
	}
	s.begin(keep, side, metadata)
	if err := s.write(magicParquet); err != nil {
		return err
	}
	from := int64(0)
	for g := range p.meta.RowGroups {
		rows := p.meta.RowGroups[g].NumRows
		if rows == 0 {
			continue
		}
		if err := s.group(ctx, g, added, from, compression); err != nil {
			return err
		}
		from += rows
	}
	return s.finish()
}

// begin sets up the metadata.
func (s *splice) begin(keep []*node, side *sideFile, metadata map[string]string) {
	source := s.p.meta
	root := source.Schema[0]
	root.NumChildren.V = int32(len(keep))
	root.NumChildren.Valid = true
	schema := []format.SchemaElement{root}
	for _, n := range keep {
		schema = appendElements(schema, n)
	}
	created := "rtcluster"
	if side != nil {
		schema[0].NumChildren.V += int32(len(side.meta.Schema) - 1)
		schema = append(schema, side.meta.Schema[1:]...)
		created = side.meta.CreatedBy
	}
	s.meta = &format.FileMetaData{Version: max(source.Version, 1), Schema: schema, NumRows: source.NumRows, CreatedBy: created}
	for _, k := range slices.Sorted(maps.Keys(metadata)) {
		s.meta.KeyValueMetadata = append(s.meta.KeyValueMetadata, format.KeyValue{Key: k, Value: metadata[k]})
	}
}

// appendElements appends the schema elements of a node, depth first.
func appendElements(list []format.SchemaElement, n *node) []format.SchemaElement {
	list = append(list, *n.element)
	for _, c := range n.children {
		list = appendElements(list, c)
	}
	return list
}

// write appends to the file.
func (s *splice) write(b []byte) error {
	n, err := s.out.Write(b)
	s.at += int64(n)
	return err
}

// copy appends bytes of the source.
func (s *splice) copy(from extent) error {
	for from.n > 0 {
		b := s.buf[:min(from.n, int64(len(s.buf)))]
		if n, err := s.p.src.ReadAt(b, from.at); n < len(b) {
			return fmt.Errorf("%s: %w", s.p.src.path, errors.Join(err, io.ErrUnexpectedEOF))
		}
		if err := s.write(b); err != nil {
			return err
		}
		from.at += int64(len(b))
		from.n -= int64(len(b))
	}
	return nil
}

// group writes a row group: the kept chunks of row group g, and rows from on of
// what is added.
func (s *splice) group(ctx context.Context, g int, added []Added, from int64, compression string) error {
	source := &s.p.meta.RowGroups[g]
	nulls, err := s.p.readThrough(ctx, g, s.leaves)
	if err != nil {
		return err
	}
	side, err := s.side(added, from, from+source.NumRows, compression)
	if err != nil {
		return err
	}
	group := format.RowGroup{NumRows: source.NumRows, FileOffset: s.at, Ordinal: int16(len(s.meta.RowGroups))}
	for i, leaf := range s.leaves {
		if err := ctx.Err(); err != nil {
			return err
		}
		c, err := s.chunk(&source.Columns[leaf], nulls[i])
		if err != nil {
			return err
		}
		group.Columns = append(group.Columns, c)
	}
	if side != nil {
		for i := range side.meta.RowGroups[0].Columns {
			c, err := s.sideChunk(side, i)
			if err != nil {
				return err
			}
			group.Columns = append(group.Columns, c)
		}
	}
	for i := range group.Columns {
		group.TotalByteSize += group.Columns[i].MetaData.TotalUncompressedSize
		group.TotalCompressedSize += group.Columns[i].MetaData.TotalCompressedSize
	}
	group.SortingColumns = s.sorting(source.SortingColumns)
	s.meta.RowGroups = append(s.meta.RowGroups, group)
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
func (s *splice) chunk(source *format.ColumnChunk, nulls int64) (format.ColumnChunk, error) {
	m := source.MetaData
	from := extent{chunkStart(&m), m.TotalCompressedSize}
	shift := s.at - from.at
	if err := s.copy(from); err != nil {
		return format.ColumnChunk{}, err
	}
	x := spliceIndex{}
	if m.BloomFilterLength > 0 && s.inside(m.BloomFilterOffset, int64(m.BloomFilterLength)) {
		x.filter = extent{m.BloomFilterOffset, int64(m.BloomFilterLength)}
	}
	if s.trusted {
		x.column, x.offset = s.indexes(source, from, shift)
	}
	s.index = append(s.index, x)
	moveChunk(&m, shift)
	m.Statistics.NullCount = nulls // the library takes an absent count for 0
	m.Statistics.Min, m.Statistics.Max = nil, nil
	if !s.trusted {
		m.Statistics.MinValue, m.Statistics.MaxValue = nil, nil
	}
	return format.ColumnChunk{MetaData: m}, nil
}

// moveChunk changes the places in the metadata of a chunk. What stands behind the
// row groups is put in later.
func moveChunk(m *format.ColumnMetaData, shift int64) {
	m.DataPageOffset += shift
	if m.DictionaryPageOffset != 0 {
		m.DictionaryPageOffset += shift
	}
	m.IndexPageOffset, m.BloomFilterOffset, m.BloomFilterLength = 0, 0, 0
}

// inside reports whether n bytes from at on are part of the source, and not more
// than it can have: many chunks might claim the same bytes.
func (s *splice) inside(at, n int64) bool {
	if at <= 0 || n <= 0 || n > s.spare || at > s.p.src.size-n {
		return false
	}
	s.spare -= n
	return true
}

// indexes returns the page indexes of a chunk that is moved, or nil where the
// source has none that fit.
func (s *splice) indexes(c *format.ColumnChunk, chunk extent, shift int64) (column, offset []byte) {
	column = s.structure(c.ColumnIndexOffset, int64(c.ColumnIndexLength))
	offset = s.structure(c.OffsetIndexOffset, int64(c.OffsetIndexLength))
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
func (s *splice) structure(at, n int64) []byte {
	if !s.inside(at, n) {
		return nil
	}
	b := make([]byte, n)
	if k, _ := s.p.src.ReadAt(b, at); k < len(b) {
		return nil
	}
	if k, err := thriftStructure(b); err != nil || k != len(b) {
		return nil
	}
	return b
}

// moveIndex changes the places in an offset index.
func moveIndex(b []byte, chunk extent, shift int64) ([]byte, error) {
	index := new(format.OffsetIndex)
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), b, index); err != nil {
		return nil, err
	}
	for i := range index.PageLocations {
		l := &index.PageLocations[i]
		if l.Offset < chunk.at || l.Offset >= chunk.at+chunk.n {
			return nil, errors.New("a page lies outside of its chunk")
		}
		l.Offset += shift
	}
	return thrift.Marshal(new(thrift.CompactProtocol), index)
}

// finish writes filters, indexes and the footer.
func (s *splice) finish() error {
	leaves := 0
	if len(s.meta.RowGroups) > 0 {
		leaves = len(s.meta.RowGroups[0].Columns)
	}
	for range leaves {
		s.meta.ColumnOrders = append(s.meta.ColumnOrders, format.ColumnOrder{Value: new(format.TypeDefinedOrder)})
	}
	if err := s.eachIndex(s.writeFilter); err != nil {
		return err
	}
	err := s.eachIndex(func(c *format.ColumnChunk, x *spliceIndex) error {
		if x.column == nil {
			return nil
		}
		c.ColumnIndexOffset, c.ColumnIndexLength = s.at, int32(len(x.column))
		return s.write(x.column)
	})
	if err != nil {
		return err
	}
	err = s.eachIndex(func(c *format.ColumnChunk, x *spliceIndex) error {
		if x.offset == nil {
			return nil
		}
		c.OffsetIndexOffset, c.OffsetIndexLength = s.at, int32(len(x.offset))
		return s.write(x.offset)
	})
	if err != nil {
		return err
	}
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), s.meta)
	if err != nil {
		return fmt.Errorf("write the footer: %w", err)
	}
	tail := binary.LittleEndian.AppendUint32(footer, uint32(len(footer)))
	return s.write(append(tail, magicParquet...))
}

// writeFilter copies the filter of a chunk.
func (s *splice) writeFilter(c *format.ColumnChunk, x *spliceIndex) error {
	if x.filter.n == 0 {
		return nil
	}
	c.MetaData.BloomFilterOffset, c.MetaData.BloomFilterLength = s.at, int32(x.filter.n)
	return s.copy(x.filter)
}

// eachIndex calls fn for every chunk.
func (s *splice) eachIndex(fn func(*format.ColumnChunk, *spliceIndex) error) error {
	i := 0
	for g := range s.meta.RowGroups {
		for k := range s.meta.RowGroups[g].Columns {
			if err := fn(&s.meta.RowGroups[g].Columns[k], &s.index[i]); err != nil {
				return err
			}
			i++
		}
	}
	return nil
}

// sideFile is a Parquet file in memory, of the added columns.
type sideFile struct {
	b    []byte
	meta *format.FileMetaData
}

// side returns rows from to to of the added columns, or nil if there are none.
func (s *splice) side(added []Added, from, to int64, compression string) (*sideFile, error) {
	if len(added) == 0 {
		return nil, nil
	}
	var out bytes.Buffer
	sink := newParquetSink(&out, newRoot(s.p.root.name, addedNodes(added)), nil, compression, s.p.threads)
	err := sink.each(len(added), func(k int) error { return sink.writeAdded(k, &added[k], from, to) })
	if err != nil {
		return nil, err
	}
	if err := sink.finish(); err != nil {
		return nil, err
	}
	f := &sideFile{b: out.Bytes(), meta: new(format.FileMetaData)}
	end := len(f.b) - footerTail
	n := int(binary.LittleEndian.Uint32(f.b[end:]))
	return f, thrift.Unmarshal(new(thrift.CompactProtocol), f.b[end-n:end], f.meta)
}

// sideChunk copies a chunk of added values.
func (s *splice) sideChunk(f *sideFile, i int) (format.ColumnChunk, error) {
	c := f.meta.RowGroups[0].Columns[i]
	m := c.MetaData
	from := extent{chunkStart(&m), m.TotalCompressedSize}
	shift := s.at - from.at
	if err := s.write(f.b[from.at : from.at+from.n]); err != nil {
		return c, err
	}
	x := spliceIndex{column: slices.Clone(f.b[c.ColumnIndexOffset : c.ColumnIndexOffset+int64(c.ColumnIndexLength)])}
	var err error
	x.offset, err = moveIndex(f.b[c.OffsetIndexOffset:c.OffsetIndexOffset+int64(c.OffsetIndexLength)], from, shift)
	if err != nil {
		return c, err
	}
	s.index = append(s.index, x)
	moveChunk(&m, shift)
	return format.ColumnChunk{MetaData: m}, nil
}
