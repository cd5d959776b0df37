package table

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// This file walks over the pages of a column chunk by their headers, whose sizes
// must fit into it.

const (
	// pageBase and pageRatio bound a page by its compressed size: what is larger
	// than pageBase bytes must not be packed more than that.
	pageBase  = 64 << 20
	pageRatio = 1100
)

// pageWalk is a walk over the pages of a column chunk.
type pageWalk struct {
	r       io.ReaderAt
	at, end int64 // the next page header, the end of the chunk
	buf     []byte

	dictionary int64 // length of the dictionary page that the chunk begins with, or 0
	pages      int   // data pages that were passed
	values     int64 // values in them
}

// newPageWalk returns a walk that stands at the beginning of a column chunk.
func newPageWalk(r io.ReaderAt, m *format.ColumnMetaData) pageWalk {
	at := chunkStart(m)
	return pageWalk{r: r, at: at, end: at + m.TotalCompressedSize, buf: make([]byte, 512)}
}

// pagesEnd walks over the pages of a column chunk, by their headers, and returns
// where the last one ends.
func pagesEnd(r io.ReaderAt, m *format.ColumnMetaData) (int64, error) {
	w := newPageWalk(r, m)
	for w.values < m.NumValues {
		h, body, err := w.next(m.NumValues)
		if err != nil {
			return 0, err
		}
		w.pass(h, body)
	}
	return w.at, nil
}

// next returns the header of the next page of a chunk of so many values, and where
// its body begins. The header may be nil if there is an error.
func (w *pageWalk) next(values int64) (*format.PageHeader, int64, error) {
	h, length, err := w.header()
	if err != nil {
		return nil, 0, err
	}
	return h, w.at + length, checkPage(h, w.end-w.at-length, values-w.values)
}

// pass passes over a page.
func (w *pageWalk) pass(h *format.PageHeader, body int64) {
	end := body + int64(h.CompressedPageSize)
	if h.Type == format.DictionaryPage && w.pages == 0 && w.dictionary == 0 {
		w.dictionary = end - w.at
	}
	if h.Type == format.DataPage || h.Type == format.DataPageV2 {
		w.pages++
	}
	w.at = end
	w.values += pageValuesOf(h)
}

// pageValuesOf returns how many values a data page has, and 0 for others.
func pageValuesOf(h *format.PageHeader) int64 {
	switch h.Type {
	case format.DataPage:
		return int64(h.DataPageHeader.V.NumValues)
	case format.DataPageV2:
		return int64(h.DataPageHeaderV2.V.NumValues)
	}
	return 0
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

// checkPage sees that a page fits into the bytes that are left of its chunk, and
// its values into those of the chunk.
func checkPage(h *format.PageHeader, left, values int64) error {
	packed, plain := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
	n := pageValuesOf(h)
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
