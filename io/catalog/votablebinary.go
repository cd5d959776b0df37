package catalog

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
)

// voBinary reads rows of BINARY or BINARY2.
type voBinary struct {
	*voCells
	in    *bufio.Reader
	nulls []byte // a bit for each field, of BINARY2; else nil
	buf   []byte
}

// binary begins such data, whose STREAM follows.
func (v *voReader) binary(masked bool) (func(row []Value) error, error) {
	for {
		tok, err := v.token()
		if err != nil {
			return nil, err
		}
		start, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		if start.Name.Local != "STREAM" || attr(start, "href") != "" || attr(start, "encoding") != "base64" {
			return nil, errors.New("has binary data that does not stand in it as base64; ask for TABLEDATA")
		}
		break
	}
	for i := range v.cells.fields {
		if f := &v.cells.fields[i]; f.variable && f.datatype != "char" && f.datatype != "unicodeChar" {
			return nil, fmt.Errorf("column %s has arrays of varying length (arraysize %s), which are not read of binary data: ask for TABLEDATA, or leave the column out", f.column.Name, f.shape)
		}
	}
	// The decoder of XML reads its bytes one by one, so that what follows the tag is next.
	b := &voBinary{voCells: v.cells, in: bufio.NewReaderSize(base64.NewDecoder(base64.StdEncoding, v.stream), 64<<10)}
	v.stream = nil
	if masked {
		b.nulls = make([]byte, (len(b.fields)+7)/8)
	}
	return b.row, nil
}

// row reads the next row.
func (b *voBinary) row(row []Value) error {
	if _, err := b.in.Peek(1); err != nil {
		if errors.Is(err, io.EOF) {
			return io.EOF
		}
		return b.at(cutOff(err))
	}
	b.arena = b.arena[:0]
	if _, err := io.ReadFull(b.in, b.nulls); err != nil {
		return b.at(cutOff(err))
	}
	k := 0
	for i := range b.fields {
		f := &b.fields[i]
		to := row[k:][:f.parts()]
		k += len(to)
		if err := b.field(f, to); err != nil {
			return b.at(fmt.Errorf("column %s: %w", f.column.Name, cutOff(err)))
		}
		if b.nulls != nil && b.nulls[i/8]>>(7-i%8)&1 != 0 {
			for j := range to {
				to[j] = Value{Null: true}
			}
		}
	}
	b.rows++
	return nil
}

// cutOff says what the end of the data means.
func cutOff(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errCut
	}
	return err
}

// field reads the values of a field.
func (b *voBinary) field(f *voField, to []Value) error {
	if f.column.Type == Text {
		text, err := b.text(f)
		if err != nil {
			return err
		}
		to[0] = Value{Null: text == "" || f.null != "" && text == f.null}
		return b.keep(&to[0], text)
	}
	if f.datatype == "bit" {
		if err := b.read((len(to) + 7) / 8); err != nil {
			return err
		}
		if len(to) == 1 && b.buf[0] != 0 {
			b.buf[0] = 0x80 // others are filling, but astropy writes 8
		}
		for i := range to {
			to[i] = Value{Int: int64(b.buf[i/8] >> (7 - i%8) & 1)}
		}
		return nil
	}
	size := 1
	switch f.column.Type {
	case Int16:
		size = 2
	case Int32, Float32:
		size = 4
	case Int64, Float64:
		size = 8
	}
	if err := b.read(size * len(to)); err != nil {
		return err
	}
	for i := range to {
		to[i] = f.decode(b.buf[i*size:][:size])
	}
	return nil
}

// decode decodes one value that is no text.
func (f *voField) decode(b []byte) Value {
	v := Value{}
	switch f.column.Type {
	case Bool:
		w, err := parseWord(Bool, string(b))
		w.Null = w.Null || err != nil
		return w
	case Uint8:
		v.Int = int64(b[0])
	case Int16:
		v.Int = int64(int16(binary.BigEndian.Uint16(b)))
	case Int32:
		v.Int = int64(int32(binary.BigEndian.Uint32(b)))
	case Int64:
		v.Int = int64(binary.BigEndian.Uint64(b))
	case Float32:
		return Value{Float: float64(math.Float32frombits(binary.BigEndian.Uint32(b)))}
	case Float64:
		return Value{Float: math.Float64frombits(binary.BigEndian.Uint64(b))}
	}
	v.Null = f.null != "" && f.null == strconv.FormatInt(v.Int, 10)
	return v
}

// text reads a text.
func (b *voBinary) text(f *voField) (string, error) {
	n := f.chars
	if f.variable {
		if err := b.read(4); err != nil {
			return "", err
		}
		length := binary.BigEndian.Uint32(b.buf)
		if length > maxPiece {
			return "", errTooLong
		}
		n = int(length)
	}
	if f.datatype == "char" {
		err := b.read(n)
		return trimText(string(b.buf)), err
	}
	if n > maxPiece/2 {
		return "", errTooLong
	}
	if err := b.read(2 * n); err != nil {
		return "", err
	}
	units := make([]uint16, n)
	for i := range units {
		units[i] = binary.BigEndian.Uint16(b.buf[2*i:])
	}
	return strings.TrimRight(trimText(string(utf16.Decode(units))), " "), nil
}

// read reads n bytes into buf.
func (b *voBinary) read(n int) (err error) {
	if n <= cap(b.buf) {
		b.buf = b.buf[:n]
		_, err = io.ReadFull(b.in, b.buf)
		return err
	}
	b.buf, err = readGrowing(b.in, n)
	return err
}
