package table

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// This file walks over the pages of a column chunk before the library reads
// them: sizes must fit, and where a page has a checksum, it must be right.

const (
	// pageBase and pageRatio bound a page by its compressed size: what is larger
	// than pageBase bytes must not be packed more than that.
	pageBase  = 64 << 20
	pageRatio = 1100
)

// pageWalk is a walk over the pages of a column chunk.
type pageWalk struct {
	r       io.ReaderAt
	codec   format.CompressionCodec
	at, end int64 // the next page header, the end of the chunk
	buf     []byte
	sum     []byte // read for checksums; nil until one is met

	dictionary int64 // length of the dictionary page that the chunk begins with, or 0
	pages      int   // data pages that were passed
	values     int64 // values in them
	runs       bool  // some of them have their values in run lengths
}

// checkPages walks over the pages of a column chunk and sees that their sizes
// fit into it and their checksums are right. The walk tells what was found.
func checkPages(r io.ReaderAt, m *format.ColumnMetaData) (*pageWalk, error) {
	at := chunkStart(m)
	w := &pageWalk{r: r, codec: m.Codec, at: at, end: at + m.TotalCompressedSize, buf: make([]byte, 512)}
	for w.values < m.NumValues {
		if err := w.page(m.NumValues); err != nil {
			return nil, err
		}
	}
	if w.values != m.NumValues {
		return nil, fmt.Errorf("its pages hold %d values, the metadata say %d", w.values, m.NumValues)
	}
	return w, nil
}

// page passes over the next page of a chunk of so many values.
func (w *pageWalk) page(values int64) error {
	h, length, err := w.header()
	if err != nil {
		return fmt.Errorf("%s: %w", w.name(h), err)
	}
	body := w.at + length
	packed := int64(h.CompressedPageSize)
	err = checkPage(h, w.end-body, values)
	if err == nil && h.CRC != 0 {
		err = w.checksum(body, packed, uint32(h.CRC))
	}
	if err == nil {
		err = w.unpacked(h, body)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", w.name(h), err)
	}
	if h.Type == format.DictionaryPage && w.pages == 0 && w.dictionary == 0 {
		w.dictionary = length + packed
	}
	if h.Type == format.DataPage || h.Type == format.DataPageV2 {
		w.pages++
		w.runs = w.runs || h.DataPageHeader.Valid && h.DataPageHeader.V.Encoding == format.RLE ||
			h.DataPageHeaderV2.Valid && h.DataPageHeaderV2.V.Encoding == format.RLE
	}
	w.at = body + packed
	w.values += int64(h.DataPageHeader.V.NumValues) + int64(h.DataPageHeaderV2.V.NumValues)
	return nil
}

// name says which page the walk stands at, counted from 1; h is nil if its header
// is unknown.
func (w *pageWalk) name(h *format.PageHeader) string {
	if h != nil && h.Type == format.DictionaryPage {
		return fmt.Sprintf("dictionary page at byte %d", w.at)
	}
	return fmt.Sprintf("page %d at byte %d", w.pages+1, w.at)
}

// header reads the next page header and returns its length too.
func (w *pageWalk) header() (*format.PageHeader, int64, error) {
	for {
		b := w.buf[:min(int64(len(w.buf)), max(w.end-w.at, 0))]
		if n, err := w.r.ReadAt(b, w.at); n < len(b) {
			return nil, 0, fmt.Errorf("read its header: %w", err)
		}
		n, err := thriftStructure(b)
		if errors.Is(err, errShort) && int64(len(b)) < w.end-w.at {
			w.buf = make([]byte, min(8*int64(len(w.buf)), w.end-w.at))
			continue
		}
		if err != nil {
			return nil, 0, fmt.Errorf("its header: %w", err)
		}
		h := new(format.PageHeader)
		if err := thrift.Unmarshal(new(thrift.CompactProtocol), b[:n], h); err != nil {
			return nil, 0, fmt.Errorf("its header: %w", err)
		}
		return h, int64(n), nil
	}
}

// unpacked bounds what the page whose body begins at a place unpacks to.
func (w *pageWalk) unpacked(h *format.PageHeader, body int64) error {
	plain := int64(0)
	if v := h.DataPageHeaderV2; v.Valid { // its levels are not packed
		if v.V.IsCompressed.Valid && !v.V.IsCompressed.V {
			return nil
		}
		plain = max(int64(v.V.RepetitionLevelsByteLength)+int64(v.V.DefinitionLevelsByteLength), 0)
	}
	return checkUnpacked(w.r, w.codec, body+plain, int64(h.CompressedPageSize)-plain, int64(h.UncompressedPageSize))
}

// checksum sees that n bytes from a place on have a checksum.
func (w *pageWalk) checksum(at, n int64, want uint32) error {
	if w.sum == nil {
		w.sum = make([]byte, min(pageReadBuffer, w.end-at))
	}
	got := uint32(0)
	for n > 0 {
		b := w.sum[:min(n, int64(len(w.sum)))]
		if k, err := w.r.ReadAt(b, at); k < len(b) {
			return fmt.Errorf("read it: %w", err)
		}
		got = crc32.Update(got, crc32.IEEETable, b)
		at += int64(len(b))
		n -= int64(len(b))
	}
	if got != want {
		return fmt.Errorf("its checksum is %08x, its header says %08x: the file is damaged", got, want)
	}
	return nil
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
		return fmt.Errorf("claims %d bytes, %d are left", packed, left)
	case plain < 0 || plain > pageBase+pageRatio*packed:
		return fmt.Errorf("has %d bytes and claims to unpack to %d", packed, plain)
	case n < 0 || n > values:
		return fmt.Errorf("claims %d of %d values", n, values)
	case dict < 0 || dict > 8*plain:
		return fmt.Errorf("is a dictionary of %d bytes and claims %d values", plain, dict)
	}
	return nil
}
