package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

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

	// pageBase and pageRatio bound a page by its compressed size: what is larger
	// than pageBase bytes must not be packed more than that.
	pageBase  = 64 << 20
	pageRatio = 1100
)

var errEncrypted = errors.New("is encrypted; decrypt it first")

// readFooter reads and checks the metadata of a file.
func readFooter(src *source) (*format.FileMetaData, error) {
	size := src.size
	if size < int64(len(magicParquet))+footerTail {
		return nil, badFile(src.path, "is too short for a Parquet file (%d bytes)", size)
	}
	var tail [footerTail]byte
	if _, err := src.ReadAt(tail[:], size-footerTail); err != nil {
		return nil, fmt.Errorf("%s: %w", src.path, err)
	}
	switch magic := string(tail[4:]); magic {
	case string(magicParquet):
	case string(magicEncrypted):
		return nil, badFile(src.path, "%w", errEncrypted)
	default:
		return nil, badFile(src.path, "ends in %q, not in \"PAR1\": the Parquet file is cut off, or was not finished", magic)
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	if n > size-int64(len(magicParquet))-footerTail {
		return nil, badFile(src.path, "claims %d bytes of metadata, but has only %d bytes in all", n, size)
	}
	footer := make([]byte, n)
	if _, err := src.ReadAt(footer, size-footerTail-n); err != nil {
		return nil, fmt.Errorf("%s: %w", src.path, err)
	}
	length, err := thriftStructure(footer)
	if err != nil {
		return nil, badFile(src.path, "is corrupt: %w", err)
	}
	meta := new(format.FileMetaData)
	err = guard(func() error { return thrift.Unmarshal(new(thrift.CompactProtocol), footer[:length], meta) })
	if err == nil {
		err = checkMetadata(meta, size)
	}
	if err != nil {
		return nil, badFile(src.path, "is corrupt: %w", err)
	}
	return meta, nil
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
		leaves = append(leaves, e)
	}
	limit := size * rowsPerByte
	rows := int64(0)
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
			err := checkChunk(c, &meta.RowGroups[0].Columns[j], size)
			if err == nil && c.MetaData.Type != leaves[j].Type.V {
				err = fmt.Errorf("is of type %s, in the schema %s", c.MetaData.Type, leaves[j].Type.V)
			}
			if err != nil {
				return fmt.Errorf("row group %d, column %q: %w", i, clip([]byte(leaves[j].Name)), err)
			}
		}
	}
	if rows != meta.NumRows || rows > limit {
		return fmt.Errorf("claims %d rows, its row groups have %d, in %d bytes", meta.NumRows, rows, size)
	}
	return nil
}

// checkChunk sees that a column chunk lies in the file, and that it is packed as
// the column's first one is: the library reads them all alike.
func checkChunk(c, first *format.ColumnChunk, size int64) error {
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
	case m.Codec != first.MetaData.Codec:
		return fmt.Errorf("is packed as %s, other row groups as %s", m.Codec, first.MetaData.Codec)
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

// checkPages walks over the page headers of a column chunk and sees that their
// sizes fit into it.
func checkPages(r io.ReaderAt, m *format.ColumnMetaData) error {
	at := chunkStart(m)
	end := at + m.TotalCompressedSize
	buf := make([]byte, 512)
	values := int64(0)
	for values < m.NumValues {
		h, length, err := readPageHeader(r, at, end, &buf)
		if err != nil {
			return err
		}
		if err := checkPage(h, end-at-length, m.NumValues); err != nil {
			return err
		}
		at += length + int64(h.CompressedPageSize)
		values += int64(h.DataPageHeader.V.NumValues) + int64(h.DataPageHeaderV2.V.NumValues)
	}
	if values != m.NumValues {
		return fmt.Errorf("its pages hold %d values, the metadata say %d", values, m.NumValues)
	}
	return nil
}

// readPageHeader reads the page header at a place and returns its length too. It
// makes buf larger if need be.
func readPageHeader(r io.ReaderAt, at, end int64, buf *[]byte) (*format.PageHeader, int64, error) {
	for {
		b := (*buf)[:min(int64(len(*buf)), max(end-at, 0))]
		if n, err := r.ReadAt(b, at); n < len(b) {
			return nil, 0, fmt.Errorf("read a page header: %w", err)
		}
		n, err := thriftStructure(b)
		if errors.Is(err, errShort) && int64(len(b)) < end-at {
			*buf = make([]byte, min(8*int64(len(*buf)), end-at))
			continue
		}
		if err != nil {
			return nil, 0, fmt.Errorf("page header at byte %d: %w", at, err)
		}
		h := new(format.PageHeader)
		if err := thrift.Unmarshal(new(thrift.CompactProtocol), b[:n], h); err != nil {
			return nil, 0, fmt.Errorf("page header at byte %d: %w", at, err)
		}
		return h, int64(n), nil
	}
}

// checkPage sees that a page fits into the bytes that are left of its chunk, and
// its values into those of the chunk.
func checkPage(h *format.PageHeader, left, values int64) error {
	packed, plain := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
	n := int64(h.DataPageHeader.V.NumValues)
	if h.DataPageHeaderV2.Valid {
		n = int64(h.DataPageHeaderV2.V.NumValues)
	}
	dict := int64(h.DictionaryPageHeader.V.NumValues)
	switch {
	case packed < 0 || packed > left:
		return fmt.Errorf("a page claims %d bytes, %d are left", packed, left)
	case plain < 0 || plain > pageBase+pageRatio*packed:
		return fmt.Errorf("a page of %d bytes claims to unpack to %d", packed, plain)
	case n < 0 || n > values:
		return fmt.Errorf("a page claims %d of %d values", n, values)
	case dict < 0 || dict > 8*plain:
		return fmt.Errorf("a dictionary of %d bytes claims %d values", plain, dict)
	}
	return nil
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
