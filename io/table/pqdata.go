package table

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// This file turns pages into the form in which the library gets them.

// dictionary prepares a dictionary page.
func (f *feed) dictionary(h *format.PageHeader, b []byte) error {
	d := &h.DictionaryPageHeader.V
	if !h.DictionaryPageHeader.Valid {
		return errors.New("lacks the header of a dictionary")
	}
	if d.Encoding != format.Plain && d.Encoding != oldDictionary {
		return fmt.Errorf("it is encoded as %s, which is not supported", d.Encoding)
	}
	plain, err := f.unpack(&f.index, b, int(h.UncompressedPageSize))
	if err != nil {
		return err
	}
	v := f.pageValues(format.Plain, plain, int(d.NumValues))
	if v.data, err = v.checked(); err != nil {
		return err
	}
	if f.codec == format.Uncompressed { // handed on together with the first data page
		f.index, f.packed = f.packed, nil
	}
	f.indexed = true
	return f.put(format.PageHeader{Type: format.DictionaryPage, DictionaryPageHeader: thrift.Null[format.DictionaryPageHeader]{
		Valid: true, V: format.DictionaryPageHeader{NumValues: d.NumValues, Encoding: format.Plain},
	}}, v.data)
}

// pageValues describes n values of the feed's leaf.
func (f *feed) pageValues(code format.Encoding, data []byte, n int) pageValues {
	v := pageValues{code: code, data: data, n: n, kind: f.leaf.typ.Kind(), most: pageBase + pageRatio*len(f.packed)}
	if v.kind == parquet.FixedLenByteArray {
		v.length = f.leaf.typ.Length()
	}
	return v
}

// version1 prepares a data page of version 1.
func (f *feed) version1(h *format.PageHeader, b []byte) error {
	d := &h.DataPageHeader.V
	plain, err := f.unpack(&f.plain, b, int(h.UncompressedPageSize))
	if err != nil {
		return err
	}
	p := dataPage{n: int(d.NumValues), code: d.Encoding, data: plain}
	if f.leaf.maxRep > 0 {
		p.rep, p.data, err = splitLevels(d.RepetitionLevelEncoding, p.data, p.n, f.leaf.maxRep)
	}
	if err == nil && f.leaf.maxDef > 0 {
		p.def, p.data, err = splitLevels(d.DefinitionLevelEncoding, p.data, p.n, f.leaf.maxDef)
	}
	if err != nil {
		return fmt.Errorf("its levels: %w", err)
	}
	return f.data(&p)
}

// splitLevels splits a page of n values into the runs of the levels that it
// begins with, and what follows them.
func splitLevels(code format.Encoding, b []byte, n, most int) (runs, rest []byte, err error) {
	switch code {
	case format.RLE:
		return prefixed(b)
	case format.BitPacked:
		return oldLevels(b, n, most)
	}
	return nil, nil, fmt.Errorf("they are encoded as %s, which is not supported", code)
}

// version2 prepares a data page of version 2, whose levels are not packed.
func (f *feed) version2(h *format.PageHeader, b []byte) error {
	d := &h.DataPageHeaderV2.V
	rep, def := int(d.RepetitionLevelsByteLength), int(d.DefinitionLevelsByteLength)
	if rep < 0 || def < 0 || rep > len(b) || def > len(b)-rep {
		return fmt.Errorf("its levels of %d and %d bytes are said to be in %d bytes", rep, def, len(b))
	}
	if min(d.NumRows, d.NumNulls) < 0 || max(d.NumRows, d.NumNulls) > d.NumValues {
		return fmt.Errorf("its header says %d rows and %d nulls of %d values", d.NumRows, d.NumNulls, d.NumValues)
	}
	p := dataPage{n: int(d.NumValues), code: d.Encoding, rep: b[:rep], def: b[rep : rep+def], data: b[rep+def:], second: true}
	if !d.IsCompressed.Valid || d.IsCompressed.V {
		var err error
		p.data, err = f.unpack(&f.plain, p.data, max(int(h.UncompressedPageSize)-rep-def, 0))
		if err != nil {
			return err
		}
	}
	if err := f.data(&p); err != nil {
		return err
	}
	if f.leaf.maxRep == 0 && p.n-p.there != int(d.NumNulls) { // writers count those of lists differently
		return fmt.Errorf("its header says %d nulls, there are %d", d.NumNulls, p.n-p.there)
	}
	return nil
}

// dataPage is an unpacked page of n values.
type dataPage struct {
	n              int
	there          int // those that are not null
	code           format.Encoding
	rep, def, data []byte
	second         bool // of version 2: it begins with a row
}

// data checks a data page and prepares it.
func (f *feed) data(p *dataPage) error {
	if p.n == 0 {
		return nil
	}
	var parts [][]byte
	p.there = p.n
	if f.leaf.maxRep > 0 {
		l, err := readLevels(p.rep, p.n, f.leaf.maxRep)
		if err == nil && l.first > 0 && (p.second || f.w.values == 0) {
			err = errors.New("the first one continues a row")
		}
		if err != nil {
			return fmt.Errorf("its repetition levels: %w", err)
		}
		parts = append(parts, binary.LittleEndian.AppendUint32(nil, uint32(len(l.runs))), l.runs)
	}
	if f.leaf.maxDef > 0 {
		l, err := readLevels(p.def, p.n, f.leaf.maxDef)
		if err != nil {
			return fmt.Errorf("its definition levels: %w", err)
		}
		p.there = l.full
		parts = append(parts, binary.LittleEndian.AppendUint32(nil, uint32(len(l.runs))), l.runs)
	}
	v := f.pageValues(p.code, p.data, p.there)
	code, data := format.Plain, []byte(nil)
	if p.there > 0 {
		var err error
		if data, err = v.checked(); err != nil {
			return err
		}
		if code = p.code; code == format.RLE {
			code = format.Plain
		}
		if inDictionary(code) && !f.indexed {
			return errors.New("its values are in a dictionary, and there is none")
		}
	}
	return f.put(format.PageHeader{Type: format.DataPage, DataPageHeader: thrift.Null[format.DataPageHeader]{
		Valid: true, V: format.DataPageHeader{
			NumValues: int32(p.n), Encoding: code, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE,
		},
	}}, append(parts, data)...)
}

// put appends a page to what is handed on.
func (f *feed) put(h format.PageHeader, parts ...[]byte) error {
	for _, b := range parts {
		h.UncompressedPageSize += int32(len(b))
	}
	h.CompressedPageSize = h.UncompressedPageSize
	head, err := thrift.Marshal(new(thrift.CompactProtocol), h)
	if err != nil {
		return err
	}
	f.parts = append(f.parts, head)
	for _, b := range parts {
		if len(b) > 0 {
			f.parts = append(f.parts, b)
		}
	}
	return nil
}
