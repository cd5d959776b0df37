package table

import (
	"encoding/binary"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// openShell opens a file without pages that has the schema of another. Its only
// row group serves for all.
func openShell(meta *format.FileMetaData) (*parquet.File, error) {
	shell := &format.FileMetaData{Version: 1, Schema: meta.Schema}
	if len(meta.RowGroups) > 0 {
		g := format.RowGroup{}
		for i := range meta.RowGroups[0].Columns {
			m := &meta.RowGroups[0].Columns[i].MetaData
			g.Columns = append(g.Columns, format.ColumnChunk{MetaData: format.ColumnMetaData{
				Type: m.Type, Encoding: m.Encoding, PathInSchema: m.PathInSchema,
				DataPageOffset: int64(len(magicParquet)), TotalCompressedSize: math.MaxInt64 >> 1,
			}})
		}
		shell.RowGroups = []format.RowGroup{g}
	}
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), shell)
	if err != nil {
		return nil, err
	}
	b := append(append([]byte{}, magicParquet...), footer...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(footer)))
	b = append(b, magicParquet...)
	return parquet.OpenFile(bytesAt(b), int64(len(b)), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
}

// bytesAt is a file in memory.
type bytesAt []byte

// ReadAt reads as io.ReaderAt says.
func (b bytesAt) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 || at >= int64(len(b)) {
		return 0, io.EOF
	}
	n := copy(p, b[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
