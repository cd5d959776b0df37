package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// This file puts a Parquet file together out of column chunks that are encoded
// already, those of other files (splice) and new ones (sideSink):
//
//	PAR1 | a b c new | a b c new filters | ... | indexes | footer | PAR1
//
// The library copies whole row groups, so that nothing could be added.

// assembly is a file that is put together.
type assembly struct {
	out    io.Writer
	at     int64 // bytes written
	groups []format.RowGroup
	index  [][]chunkIndex // one list a row group
	buf    []byte
}

// chunkIndex is what stands behind the row groups about one chunk.
type chunkIndex struct{ column, offset []byte } // nil: there is none

// extent is a range of bytes.
type extent struct{ at, n int64 }

// newAssembly begins a file.
func newAssembly(out io.Writer) (*assembly, error) {
	a := &assembly{out: out}
	return a, a.write(magicParquet)
}

// write appends to the file.
func (a *assembly) write(b []byte) error {
	n, err := a.out.Write(b)
	a.at += int64(n)
	return err
}

// room returns room for a part of so many bytes that are to be copied.
func (a *assembly) room(n int64) []byte {
	if a.buf == nil {
		a.buf = make([]byte, 1<<20)
	}
	return a.buf[:min(n, int64(len(a.buf)))]
}

// begin begins a row group.
func (a *assembly) begin(rows int64, sorting []format.SortingColumn) error {
	if len(a.groups) > math.MaxInt16 {
		return errors.New("more row groups than a Parquet file can have; write several files")
	}
	a.groups = append(a.groups, format.RowGroup{
		NumRows: rows, FileOffset: a.at, Ordinal: int16(len(a.groups)), SortingColumns: sorting,
	})
	a.index = append(a.index, nil)
	return nil
}

// add adds a chunk, whose bytes were written, to a row group.
func (a *assembly) add(group int, m format.ColumnMetaData, x chunkIndex) {
	a.groups[group].Columns = append(a.groups[group].Columns, format.ColumnChunk{MetaData: m})
	a.index[group] = append(a.index[group], x)
}

// finish writes indexes and the footer, which is meta with the row groups.
func (a *assembly) finish(meta *format.FileMetaData) error {
	for g := range a.groups {
		group := &a.groups[g]
		meta.NumRows += group.NumRows
		for i := range group.Columns {
			group.TotalByteSize += group.Columns[i].MetaData.TotalUncompressedSize
			group.TotalCompressedSize += group.Columns[i].MetaData.TotalCompressedSize
		}
	}
	meta.RowGroups, meta.ColumnOrders = a.groups, nil
	for _, e := range meta.Schema {
		if e.Type.Valid {
			meta.ColumnOrders = append(meta.ColumnOrders, format.ColumnOrder{Value: new(format.TypeDefinedOrder)})
		}
	}
	err := a.eachIndex(func(c *format.ColumnChunk, x *chunkIndex) error {
		if x.column == nil {
			return nil
		}
		c.ColumnIndexOffset, c.ColumnIndexLength = a.at, int32(len(x.column))
		return a.write(x.column)
	})
	if err != nil {
		return err
	}
	err = a.eachIndex(func(c *format.ColumnChunk, x *chunkIndex) error {
		if x.offset == nil {
			return nil
		}
		c.OffsetIndexOffset, c.OffsetIndexLength = a.at, int32(len(x.offset))
		return a.write(x.offset)
	})
	if err != nil {
		return err
	}
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), meta)
	if err != nil {
		return fmt.Errorf("write the footer: %w", err)
	}
	tail := binary.LittleEndian.AppendUint32(footer, uint32(len(footer)))
	return a.write(append(tail, magicParquet...))
}

// eachIndex calls fn for every chunk.
func (a *assembly) eachIndex(fn func(*format.ColumnChunk, *chunkIndex) error) error {
	for g := range a.groups {
		for i := range a.groups[g].Columns {
			if err := fn(&a.groups[g].Columns[i], &a.index[g][i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// moveChunk changes the places in the metadata of a chunk. What stands behind the
// chunks is put in later.
func moveChunk(m *format.ColumnMetaData, shift int64) {
	m.DataPageOffset += shift
	if m.DictionaryPageOffset != 0 {
		m.DictionaryPageOffset += shift
	}
	m.IndexPageOffset, m.BloomFilterOffset, m.BloomFilterLength = 0, 0, 0
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
