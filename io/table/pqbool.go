package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/format"
)

// This file reads columns of booleans with run-length encoded values. The library
// takes a run of n values as n/8 whole bytes, which is what it writes itself, so
// that it misreads the files of others: a run of ones is a single bit there, and
// its length need not be a multiple of eight.

// boolPages reads the pages of a chunk.
type boolPages struct {
	w      pageWalk
	leaf   *node
	column int
	codec  compress.Codec
	values int64 // of the chunk
}

// newBoolPages returns a reader of a chunk that checkPages has found good.
func newBoolPages(r io.ReaderAt, m *format.ColumnMetaData, leaf *node, column int) *boolPages {
	at := chunkStart(m)
	return &boolPages{
		w:    pageWalk{r: r, at: at, end: at + m.TotalCompressedSize, buf: make([]byte, 512)},
		leaf: leaf, column: column, codec: parquet.LookupCompressionCodec(m.Codec), values: m.NumValues,
	}
}

// next returns the values of the next data page and how many of them are null;
// io.EOF says that there are no more.
func (p *boolPages) next() (parquet.ValueReader, int64, error) {
	for {
		if p.w.values >= p.values {
			return nil, 0, io.EOF
		}
		h, length, err := p.w.header()
		if err != nil {
			return nil, 0, err
		}
		body := make([]byte, h.CompressedPageSize)
		if n, err := p.w.r.ReadAt(body, p.w.at+length); n < len(body) {
			return nil, 0, err
		}
		p.w.at += length + int64(len(body))
		if h.Type != format.DataPage && h.Type != format.DataPageV2 {
			continue
		}
		v, err := p.page(h, body)
		if err != nil {
			return nil, 0, err
		}
		p.w.values += int64(v.n)
		return v, v.nulls(), nil
	}
}

// page decodes a data page.
func (p *boolPages) page(h *format.PageHeader, body []byte) (*boolValues, error) {
	v := &boolValues{maxDef: byte(p.leaf.maxDef), column: p.column}
	var err error
	var code format.Encoding
	plain := int(h.UncompressedPageSize)
	if h.Type == format.DataPage {
		d := &h.DataPageHeader.V
		v.n, code = int(d.NumValues), d.Encoding
		body, err = p.unpack(body, plain)
		if err == nil && p.leaf.maxRep > 0 {
			v.rep, body, err = prefixedLevels(d.RepetitionLevelEncoding, body, v.n, p.leaf.maxRep)
		}
		if err == nil && p.leaf.maxDef > 0 {
			v.def, body, err = prefixedLevels(d.DefinitionLevelEncoding, body, v.n, p.leaf.maxDef)
		}
	} else {
		d := &h.DataPageHeaderV2.V
		v.n, code = int(d.NumValues), d.Encoding
		rep, def := int(d.RepetitionLevelsByteLength), int(d.DefinitionLevelsByteLength)
		if rep < 0 || def < 0 || rep > len(body) || def > len(body)-rep {
			return nil, errShort
		}
		if p.leaf.maxRep > 0 {
			v.rep, err = runs(body[:rep], v.n, bitWidth(p.leaf.maxRep))
		}
		if err == nil && p.leaf.maxDef > 0 {
			v.def, err = runs(body[rep:rep+def], v.n, bitWidth(p.leaf.maxDef))
		}
		body = body[rep+def:]
		if err == nil && (!d.IsCompressed.Valid || d.IsCompressed.V) {
			body, err = p.unpack(body, max(plain-rep-def, 0))
		}
	}
	if err != nil {
		return nil, err
	}
	v.bits, err = booleans(code, body, v.n-int(v.nulls()))
	return v, err
}

// unpack decompresses a page.
func (p *boolPages) unpack(b []byte, plain int) ([]byte, error) {
	if p.codec.CompressionCodec() == format.Uncompressed || plain == 0 {
		return b, nil
	}
	return p.codec.Decode(make([]byte, plain), b)
}

// bitWidth is how many bits levels up to most take.
func bitWidth(most int) int {
	n := 0
	for ; most > 0; most >>= 1 {
		n++
	}
	return n
}

// prefixedLevels decodes the levels that a page begins with, and returns what
// follows.
func prefixedLevels(code format.Encoding, b []byte, n, most int) (levels, rest []byte, err error) {
	if code != format.RLE {
		return nil, nil, fmt.Errorf("levels are encoded as %s, which is not supported for booleans", code)
	}
	b, rest, err = prefixed(b)
	if err != nil {
		return nil, nil, err
	}
	levels, err = runs(b, n, bitWidth(most))
	return levels, rest, err
}

// prefixed splits bytes that begin with the length of their first part.
func prefixed(b []byte) (first, rest []byte, err error) {
	if len(b) < 4 {
		return nil, nil, errShort
	}
	n := binary.LittleEndian.Uint32(b)
	if b = b[4:]; uint64(n) > uint64(len(b)) {
		return nil, nil, errShort
	}
	return b[:n], b[n:], nil
}

// booleans decodes n values to a byte each.
func booleans(code format.Encoding, b []byte, n int) ([]byte, error) {
	switch code {
	case format.RLE:
		b, _, err := prefixed(b)
		if err != nil {
			return nil, err
		}
		return runs(b, n, 1)
	case format.Plain:
		if (n+7)/8 > len(b) {
			return nil, errShort
		}
		list := make([]byte, n)
		for i := range list {
			list[i] = b[i/8] >> (i % 8) & 1
		}
		return list, nil
	}
	return nil, fmt.Errorf("booleans are encoded as %s, which is not supported", code)
}

// runs decodes n numbers of a few bits each in Parquet's hybrid of run lengths
// and packed bits.
func runs(b []byte, n, width int) ([]byte, error) {
	if n < 0 || width > 8 {
		return nil, errors.New("levels are out of range")
	}
	list := make([]byte, 0, n)
	for len(list) < n {
		u, k := binary.Uvarint(b)
		if k <= 0 {
			return nil, errShort
		}
		b = b[k:]
		count := min(u>>1, uint64(n-len(list)))
		if u&1 == 0 {
			if len(b) < (width+7)/8 || u>>1 == 0 {
				return nil, errShort
			}
			value := byte(0)
			if width > 0 {
				value, b = b[0], b[1:]
			}
			for range count {
				list = append(list, value)
			}
			continue
		}
		groups := u >> 1
		if groups > uint64(len(b)) && width > 0 || groups*uint64(width) > uint64(len(b)) || groups == 0 {
			return nil, errShort
		}
		for i := range min(8*groups, uint64(n-len(list))) {
			list = append(list, packedBits(b, i*uint64(width), width))
		}
		b = b[groups*uint64(width):]
	}
	return list, nil
}

// packedBits returns a number of so many bits, eight at most, from bit at on.
func packedBits(b []byte, at uint64, width int) byte {
	word := uint16(0)
	if i := at / 8; i < uint64(len(b)) {
		word = uint16(b[i])
		if i+1 < uint64(len(b)) {
			word |= uint16(b[i+1]) << 8
		}
	}
	return byte(word >> (at % 8) & (1<<width - 1))
}

// boolValues is a decoded page.
type boolValues struct {
	n, at    int
	rep, def []byte // nil where all are 0, or the greatest
	maxDef   byte
	bits     []byte // of those that are there
	column   int
}

// nulls counts the values that are not there.
func (v *boolValues) nulls() int64 {
	n := int64(0)
	for _, d := range v.def {
		if d < v.maxDef {
			n++
		}
	}
	return n
}

// ReadValues reads as parquet.ValueReader says.
func (v *boolValues) ReadValues(values []parquet.Value) (int, error) {
	k := 0
	for ; k < len(values) && v.at < v.n; k++ {
		rep, def := byte(0), v.maxDef
		if v.rep != nil {
			rep = v.rep[v.at]
		}
		if v.def != nil {
			def = v.def[v.at]
		}
		x := parquet.NullValue()
		if def == v.maxDef {
			x = parquet.BooleanValue(v.bits[0] == 1)
			v.bits = v.bits[1:]
		}
		values[k] = x.Level(int(rep), int(def), v.column)
		v.at++
	}
	if v.at == v.n {
		return k, io.EOF
	}
	return k, nil
}
