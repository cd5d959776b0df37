package catalog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Type is the type of the values of a column.
type Type int

// The types. [Value] says where the values of each are.
const (
	Bool Type = iota
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float32
	Float64
	Text
)

// Formats of files.
const (
	FITS    = "fits"
	VOTable = "votable"
	ECSV    = "ecsv"
)

// maxColumns is how many columns a table may have, with those made of arrays.
const maxColumns = 10000

// maxPiece is how many bytes a row, a field or a header may have.
const maxPiece = 16 << 20

// Column is a column of a table.
type Column struct {
	Name        string
	Type        Type
	Nullable    bool // some value can be null
	Unit        string
	UCD         string
	Description string
}

// Described reports whether more is said of the column than its name and type.
func (c *Column) Described() bool { return c.Unit != "" || c.UCD != "" || c.Description != "" }

// Value is a value of a row; what it is depends on the type of its column.
type Value struct {
	Null  bool
	Int   int64   // of integers, bits of an Uint64, and Bool: 0 or 1
	Float float64 // of Float32 too, which it holds exactly
	Text  []byte  // valid until the next row
}

// Reader reads a table row by row.
type Reader struct {
	Columns  []Column
	LeftOut  []string // columns of the file that are not read: FITS arrays of varying length
	Warnings []string // what else is to be told of the table, complete after its last row

	next func(row []Value) error
}

// Next fills row, of as many values as there are columns, with the next row. It
// returns io.EOF after the last; other errors are as those of [Open].
func (r *Reader) Next(row []Value) error { return r.next(row) }

// Open reads the beginning of a table in a format, up to its first row. pick chooses
// one of several tables of a file by number or name, "" the first. An error says what
// is wrong with the file, see the package's comment, or is that of r.
func Open(r io.Reader, format, pick string) (*Reader, error) {
	var t *Reader
	var err error
	switch format {
	case FITS:
		t, err = openFITS(r, pick)
	case VOTable:
		t, err = openVOTable(r, pick)
	case ECSV:
		if pick != "" {
			return nil, errors.New("is ECSV, which has one table only: leave out # and what is behind it")
		}
		t, err = openECSV(r)
	default:
		return nil, fmt.Errorf("catalog: unknown format %q", format)
	}
	if err != nil {
		return nil, err
	}
	if n := len(t.Columns); n == 0 || n > maxColumns {
		return nil, fmt.Errorf("has a table of %d columns, with those that arrays are made into; from 1 to %d can be read", n, maxColumns)
	}
	distinct(t.Columns)
	return t, nil
}

// Detect returns the format of a file by its first bytes, or "".
func Detect(head []byte) string {
	if e := utf16Of(head); e != nil {
		head, _ = e.NewDecoder().Bytes(head[:len(head)&^1]) // what it cannot decode, it replaces
	}
	head = bytes.TrimPrefix(head, []byte(bom))
	switch {
	case bytes.HasPrefix(head, []byte("SIMPLE  =")):
		return FITS
	case bytes.HasPrefix(head, []byte("# %ECSV ")):
		return ECSV
	}
	text := bytes.ToLower(bytes.TrimLeft(head, " \t\r\n"))
	prolog := bytes.HasPrefix(text, []byte("<?xml")) || bytes.HasPrefix(text, []byte("<!"))
	for i := 0; i < len(text) && (i == 0 || prolog); i++ {
		if begins := text[i:]; begins[0] == '<' && isVOTable(begins[1:]) {
			return VOTable
		}
	}
	return ""
}

// bom is the byte order mark of UTF-8.
const bom = "\xef\xbb\xbf"

// isVOTable reports whether the name of a tag, in lower case, is VOTABLE, of any namespace.
func isVOTable(tag []byte) bool {
	if i := bytes.IndexAny(tag, " \t\r\n/>"); i >= 0 {
		tag = tag[:i]
	}
	if i := bytes.IndexByte(tag, ':'); i >= 0 {
		tag = tag[i+1:]
	}
	return string(tag) == "votable"
}

// distinct puts the place behind names that repeat, as x#2, and names columns that
// have no name by their place, as col2.
func distinct(columns []Column) {
	count := map[string]int{}
	for i := range columns {
		if columns[i].Name == "" {
			columns[i].Name = fmt.Sprintf("col%d", i+1)
		}
		count[columns[i].Name]++
	}
	for i := range columns {
		name := columns[i].Name
		for count[name] > 1 {
			if name += fmt.Sprintf("#%d", i+1); count[name] == 0 {
				count[name] = 1
				columns[i].Name = name
			}
		}
	}
}

// flatten returns a column of n values as n columns.
func flatten(c Column, n int) []Column {
	if n == 1 {
		return []Column{c}
	}
	list := make([]Column, n)
	for i := range list {
		list[i] = c
		list[i].Name = fmt.Sprintf("%s_%d", c.Name, i+1)
	}
	return list
}

// flattenComplex returns a column of n complex numbers as 2n columns.
func flattenComplex(c Column, n int) []Column {
	var list []Column
	for _, one := range flatten(c, n) {
		re, im := one, one
		re.Name += "_re"
		im.Name += "_im"
		list = append(list, re, im)
	}
	return list
}

// errTooLong is returned when a piece of a file does not end.
var errTooLong = fmt.Errorf("has a field, a row or an element of more than %d MiB: it is damaged, or no such table", maxPiece>>20)

// bounded reads no more than maxPiece bytes before it is told that a piece ended,
// so that a reader above it cannot gather more.
type bounded struct {
	r    *bufio.Reader
	left int
}

func newBounded(r io.Reader) *bounded {
	return &bounded{r: bufio.NewReaderSize(r, 64<<10), left: maxPiece}
}

// renew says that a piece ended.
func (b *bounded) renew() { b.left = maxPiece }

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLong
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

func (b *bounded) ReadByte() (byte, error) {
	if b.left <= 0 {
		return 0, errTooLong
	}
	b.left--
	return b.r.ReadByte()
}
