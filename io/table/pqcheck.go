package table

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// This file checks what a Parquet file claims about itself before the library
// acts on it, so that memory and time are bounded by the size of the file.

var (
	magicParquet   = []byte("PAR1")
	magicEncrypted = []byte("PARE")
)

const (
	// footerTail is the length of the footer and the magic bytes behind it.
	footerTail = 8

	// rowsPerByte bounds the rows of a file by its size. Run-length encoding packs
	// a million equal values into some twenty bytes; more than this is no file.
	rowsPerByte = 1 << 16

	// valuesPerByte bounds the values of all columns likewise, and with them the
	// time that reading takes.
	valuesPerByte = 1 << 18
)

var errEncrypted = errors.New("is encrypted; decrypt it first")

// readFooter reads and checks the metadata of a file, and what its chunks claim
// to hold.
func readFooter(src *source) (*format.FileMetaData, *statsFooter, error) {
	size := src.size
	if size < int64(len(magicParquet))+footerTail {
		return nil, nil, badFile(src.path, "is too short for a Parquet file (%d bytes)", size)
	}
	var tail [footerTail]byte
	if _, err := src.ReadAt(tail[:], size-footerTail); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", src.path, err)
	}
	switch magic := string(tail[4:]); magic {
	case string(magicParquet):
	case string(magicEncrypted):
		return nil, nil, badFile(src.path, "%w", errEncrypted)
	default:
		return nil, nil, badFile(src.path, "ends in %q, not in \"PAR1\": the Parquet file is cut off, or was not finished", magic)
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	if n > size-int64(len(magicParquet))-footerTail {
		return nil, nil, badFile(src.path, "claims %d bytes of metadata, but has only %d bytes in all", n, size)
	}
	footer := make([]byte, n)
	if _, err := src.ReadAt(footer, size-footerTail-n); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", src.path, err)
	}
	length, err := thriftStructure(footer)
	if err != nil {
		return nil, nil, badFile(src.path, "is corrupt: %w", err)
	}
	meta := new(format.FileMetaData)
	err = guard(func() error { return thrift.Unmarshal(new(thrift.CompactProtocol), footer[:length], meta) })
	if err == nil {
		err = checkMetadata(meta, size)
	}
	if err != nil {
		return nil, nil, badFile(src.path, "is corrupt: %w", err)
	}
	return meta, readCounts(footer[:length]), nil
}

// checkMetadata sees that the parts of the metadata fit together and into the
// file.
func checkMetadata(meta *format.FileMetaData, size int64) error {
	var leaves []*format.SchemaElement
	for i := range meta.Schema {
		e := &meta.Schema[i]
		if !e.Type.Valid {
			continue
		}
		if e.Type.V < format.Boolean || e.Type.V > format.FixedLenByteArray {
			return fmt.Errorf("column %q has the physical type %d, which there is not", clip([]byte(e.Name)), e.Type.V)
		}
		if err := checkAnnotation(e); err != nil {
			return fmt.Errorf("column %q %w", clip([]byte(e.Name)), err)
		}
		leaves = append(leaves, e)
	}
	limit := size * rowsPerByte
	rows, packed, values := int64(0), int64(0), int64(0)
	for i := range meta.RowGroups {
		g := &meta.RowGroups[i]
		if len(g.Columns) != len(leaves) {
			return fmt.Errorf("row group %d has %d columns, the schema %d", i, len(g.Columns), len(leaves))
		}
		if g.NumRows < 0 || g.NumRows > limit {
			return fmt.Errorf("row group %d claims %d rows", i, g.NumRows)
		}
		rows += g.NumRows
		for j := range g.Columns {
			c := &g.Columns[j]
			err := checkChunk(c, size)
			if err == nil && c.MetaData.Type != leaves[j].Type.V {
				err = fmt.Errorf("is of type %s, in the schema %s", c.MetaData.Type, leaves[j].Type.V)
			}
			if err != nil {
				return fmt.Errorf("row group %d, column %q: %w", i, clip([]byte(leaves[j].Name)), err)
			}
			packed += c.MetaData.TotalCompressedSize
			values += c.MetaData.NumValues
			if packed > size || values > size*valuesPerByte {
				return fmt.Errorf("claims column chunks of %d bytes and %d values, in %d bytes", packed, values, size)
			}
		}
	}
	if rows != meta.NumRows || rows > limit {
		return fmt.Errorf("claims %d rows, its row groups have %d, in %d bytes", meta.NumRows, rows, size)
	}
	return nil
}

// checkChunk sees that a column chunk lies in the file.
func checkChunk(c *format.ColumnChunk, size int64) error {
	m := &c.MetaData
	start := chunkStart(m)
	switch {
	case c.FilePath != "":
		return fmt.Errorf("lies in another file, %q", clip([]byte(c.FilePath)))
	case c.CryptoMetadata.Value != nil || len(c.EncryptedColumnMetadata) > 0:
		return errEncrypted
	case m.NumValues < 0 || m.NumValues > size*rowsPerByte:
		return fmt.Errorf("claims %d values", m.NumValues)
	case m.DataPageOffset < 0 || m.DictionaryPageOffset < 0 || m.TotalCompressedSize < 0,
		start > size || m.TotalCompressedSize > size-start:
		return errors.New("lies outside of the file")
	}
	return nil
}

// chunkStart is where the pages of a column chunk begin.
func chunkStart(m *format.ColumnMetaData) int64 {
	if m.DictionaryPageOffset != 0 {
		return m.DictionaryPageOffset
	}
	return m.DataPageOffset
}

// errPanic marks a panic of the library.
var errPanic = errors.New("the data is corrupt, or of a kind that is not supported")

// guard turns a panic of the library into an error: it has some left for corrupt
// files.
func guard(fn func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", errPanic, r)
		}
	}()
	return fn()
}
