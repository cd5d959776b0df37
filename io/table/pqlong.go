package table

import (
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// longType is the type of a column of byte arrays that may be long, for writing. The
// library's own buffer keeps a second copy of each page of one value until the end
// of the file.
type longType struct {
	parquet.Type
}

// NewColumnBuffer returns a buffer for the values of a page.
func (t longType) NewColumnBuffer(column, _ int) parquet.ColumnBuffer {
	return &longBuffer{ColumnBuffer: t.Type.NewColumnBuffer(column, 0), column: column}
}

// longBuffer gathers the values of a page. The library's buffer, which stays empty,
// has the methods that writing values does not need.
type longBuffer struct {
	parquet.ColumnBuffer
	column  int
	text    []byte
	lent    bool     // text is a value of the caller
	offsets []uint32 // where values begin in text
}

// WriteValues appends values that are not null. One that makes a page of its own is
// not copied: the caller ends the page before it is gone.
func (b *longBuffer) WriteValues(values []parquet.Value) (int, error) {
	if len(b.offsets) == 0 && len(values) == 1 && len(values[0].ByteArray()) >= dictionaryBytes {
		b.text, b.lent = values[0].ByteArray(), true
		b.offsets = append(b.offsets, 0)
		return 1, nil
	}
	if b.lent {
		b.text, b.lent = slices.Clone(b.text), false
	}
	for i := range values {
		b.offsets = append(b.offsets, uint32(len(b.text)))
		b.text = append(b.text, values[i].ByteArray()...)
	}
	return len(values), nil
}

// Len returns the number of values.
func (b *longBuffer) Len() int { return len(b.offsets) }

// NumValues returns the number of values.
func (b *longBuffer) NumValues() int64 { return int64(len(b.offsets)) }

// Size returns what the values take in memory.
func (b *longBuffer) Size() int64 { return int64(len(b.text) + 4*len(b.offsets)) }

// Page returns the values.
func (b *longBuffer) Page() parquet.Page {
	n := len(b.offsets)
	return b.Type().NewPage(b.column, n, encoding.ByteArrayValues(b.text, append(b.offsets, uint32(len(b.text)))))
}

// Reset forgets the values.
func (b *longBuffer) Reset() {
	if b.lent || cap(b.text) > 4*dictionaryBytes {
		b.text, b.lent = nil, false
	}
	b.text, b.offsets = b.text[:0], b.offsets[:0]
}
