package table

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync"

	"github.com/parquet-go/parquet-go/format"
)

// This file stands between the pages of a file and the library that decodes them.
// A feed reads a column chunk page by page, unpacks and checks each one, and hands
// it on in one form: a data page of version 1, not packed, levels in runs. Nothing
// that a damaged file claims gets past it, and the library opens but a shell, a
// file without pages.

// feed hands on the pages of a column chunk.
type feed struct {
	w       pageWalk
	leaf    *node
	codec   format.CompressionCodec
	values  int64    // of the chunk
	indexed bool     // a dictionary was handed on
	parts   [][]byte // of the current page, still to be handed on

	budget               *budget
	spare                *sync.Pool // of buffers
	packed, plain, index []byte     // those of the page, of what it unpacks to, of the dictionary
}

// newFeed returns a feed of a chunk of a leaf.
func (p *parquetFile) newFeed(m *format.ColumnMetaData, leaf int) *feed {
	return &feed{w: newPageWalk(p.pages, m), leaf: p.leaf[leaf], codec: m.Codec, values: m.NumValues, budget: p.budget, spare: &p.spare}
}

// free makes the buffers spare: the library has copied what was handed on. Large
// ones are collected.
func (f *feed) free() {
	large := int64(0)
	for _, b := range [][]byte{f.packed, f.plain, f.index} {
		if n := int64(cap(b)); n >= f.budget.most/largePart {
			large += n
		} else if n > 0 {
			f.spare.Put(&b)
		}
	}
	f.packed, f.plain, f.index, f.parts = nil, nil, nil, nil
	f.budget.collect(large)
}

// ReadAt hands on the bytes of the current page one after the other, wherever
// they are asked for: the library reads them in order.
func (f *feed) ReadAt(b []byte, _ int64) (int, error) {
	n := 0
	for n < len(b) && len(f.parts) > 0 {
		k := copy(b[n:], f.parts[0])
		n += k
		if f.parts[0] = f.parts[0][k:]; len(f.parts[0]) == 0 {
			f.parts = f.parts[1:]
		}
	}
	if n == 0 && len(b) > 0 {
		return 0, io.ErrUnexpectedEOF
	}
	return n, nil
}

// next prepares the next data page that has values, and the dictionary if it
// comes first. io.EOF says that there are no more.
func (f *feed) next() error {
	f.parts = f.parts[:0]
	for f.w.values < f.values {
		h, body, err := f.w.next(f.values)
		if err == nil {
			err = f.page(h, body)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.w.name(h), err)
		}
		f.w.pass(h, body)
		if n := pageValuesOf(h); n > 0 {
			return nil
		}
	}
	return io.EOF
}

// page prepares a page whose body begins at a place.
func (f *feed) page(h *format.PageHeader, body int64) error {
	b, err := f.read(h, body)
	switch {
	case err != nil:
		return err
	case h.Type == format.DictionaryPage && f.w.pages == 0 && !f.indexed:
		return f.dictionary(h, b)
	case h.Type == format.DataPage && h.DataPageHeader.Valid:
		return f.version1(h, b)
	case h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid:
		return f.version2(h, b)
	case h.Type == format.DataPage, h.Type == format.DataPageV2:
		return errors.New("lacks the header of a data page")
	}
	return nil // an index, or a second dictionary
}

// read reads a page and sees that its checksum is right, if it has one. The bytes
// are valid until the next call.
func (f *feed) read(h *format.PageHeader, body int64) ([]byte, error) {
	f.packed = f.room(f.packed, int(h.CompressedPageSize))
	if n, err := f.w.r.ReadAt(f.packed, body); n < len(f.packed) {
		return nil, fmt.Errorf("read it: %w", err)
	}
	if h.CRC != 0 {
		if got, want := crc32.ChecksumIEEE(f.packed), uint32(h.CRC); got != want {
			return nil, fmt.Errorf("its checksum is %08x, its header says %08x: the file is damaged", got, want)
		}
	}
	return f.packed, nil
}

// room returns a buffer of n bytes, b if it is large enough.
func (f *feed) room(b []byte, n int) []byte {
	if cap(b) < n {
		if spare, _ := f.spare.Get().(*[]byte); spare != nil {
			b = *spare
		}
	}
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// unpack unpacks the bytes of a page to so many, into a buffer.
func (f *feed) unpack(buffer *[]byte, b []byte, plain int) ([]byte, error) {
	if f.codec == format.Uncompressed {
		return b, nil
	}
	*buffer = f.room(*buffer, plain)
	return unpackPage(f.codec, *buffer, b)
}
