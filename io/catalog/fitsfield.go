package catalog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// fitsField is a column of a binary table as it stands there.
type fitsField struct {
	column  Column
	code    byte // of TFORM
	repeat  int
	strings int // how many texts a value of code A is
	scale   scale
	scaled  bool  // by scale
	flip    int64 // or, of integers, stored + flip
	null    int64
	hasNull bool
}

// parseField reads what a header says of column k, from 1 on.
func parseField(h header, k int) (fitsField, error) {
	key := func(word string) string { return word + strconv.Itoa(k) }
	f := fitsField{column: h.column(k)}
	form := h.text(key("TFORM"))
	digits := 0
	for digits < len(form) && form[digits] >= '0' && form[digits] <= '9' {
		digits++
	}
	f.repeat = 1
	if digits > 0 {
		n, err := strconv.Atoi(form[:digits])
		if err != nil || n > maxPiece {
			return f, fmt.Errorf("column %s: TFORM %q has too many values", f.column.Name, form)
		}
		f.repeat = n
	}
	if digits == len(form) || !strings.ContainsRune("LXBIJKAEDCMPQ", rune(form[digits])) {
		return f, fmt.Errorf("column %s: TFORM %q is not known", f.column.Name, form)
	}
	if f.code = form[digits]; f.varying() {
		return f, nil
	}
	if err := f.scaling(h, k); err != nil {
		return f, fmt.Errorf("column %s: %w", f.column.Name, err)
	}
	f.texts(h.text(key("TDIM")))
	return f, nil
}

// varying reports whether values are arrays of varying length, which stand elsewhere.
func (f *fitsField) varying() bool { return f.code == 'P' || f.code == 'Q' }

// column returns what a header says of column k in words.
func (h header) column(k int) Column {
	key := func(word string) string { return word + strconv.Itoa(k) }
	c := Column{Name: printable(h.text(key("TTYPE"))), Unit: printable(h.text(key("TUNIT"))), UCD: printable(h.text(key("TUCD")))}
	if c.Name == "" {
		c.Name = fmt.Sprintf("col%d", k)
	}
	c.Description = printable(h.text(key("TCOMM")))
	if c.Description == "" && !strings.HasPrefix(h[key("TTYPE")].comment, "label for ") {
		c.Description = printable(h[key("TTYPE")].comment)
	}
	return c
}

// printable returns UTF-8 without what is none.
func printable(s string) string { return strings.ToValidUTF8(s, "?") }

// scaling reads TSCAL, TZERO and TNULL.
func (f *fitsField) scaling(h header, k int) (err error) {
	if f.scale, err = h.scale(k); err != nil {
		return err
	}
	if c, ok := h[fmt.Sprintf("TNULL%d", k)]; ok && strings.IndexByte("BIJK", f.code) >= 0 {
		if f.null, err = strconv.ParseInt(c.value, 10, 64); err != nil {
			return fmt.Errorf("TNULL is %q, want a whole number", c.value)
		}
		f.hasNull = true
	}
	f.column.Type = map[byte]Type{'L': Bool, 'X': Bool, 'B': Uint8, 'I': Int16, 'J': Int32, 'K': Int64, 'A': Text, 'E': Float32, 'D': Float64, 'C': Float32, 'M': Float64}[f.code]
	f.column.Nullable = f.hasNull || f.code == 'L'
	if f.scale.plain() || strings.IndexByte("LXA", f.code) >= 0 {
		return nil
	}
	for _, u := range []struct {
		code byte
		zero float64
		flip int64
		is   Type
	}{
		{'B', -128, -128, Int8},
		{'I', 1 << 15, 1 << 15, Uint16},
		{'J', 1 << 31, 1 << 31, Uint32},
		{'K', 1 << 63, math.MinInt64, Uint64}, // adds 2^63, as bits
	} {
		if f.code == u.code && f.scale == (scale{1, u.zero}) {
			f.flip, f.column.Type = u.flip, u.is
			return nil
		}
	}
	f.scaled, f.column.Type = true, Float64
	return nil
}

// texts settles how many texts a value is, by TDIM.
func (f *fitsField) texts(dim string) {
	if f.code != 'A' {
		return
	}
	f.strings = 1
	first, _, several := strings.Cut(strings.Trim(dim, "() "), ",")
	n, err := strconv.Atoi(strings.TrimSpace(first))
	if several && err == nil && n > 0 && n <= f.repeat && f.repeat%n == 0 {
		f.strings = f.repeat / n
	}
}

// made returns the columns that it becomes.
func (f *fitsField) made() ([]Column, error) {
	if f.varying() {
		return nil, nil
	}
	n := f.repeat
	if f.code == 'A' {
		n = f.strings
	}
	if n > maxColumns {
		return nil, fmt.Errorf("column %s has %d values in each row; each becomes a column, of which there may be %d", f.column.Name, n, maxColumns)
	}
	if f.code == 'C' || f.code == 'M' {
		return flattenComplex(f.column, n), nil
	}
	return flatten(f.column, n), nil
}

// bytes is how many bytes of a row it has.
func (f *fitsField) bytes() int {
	switch f.code {
	case 'X':
		return (f.repeat + 7) / 8
	case 'I':
		return 2 * f.repeat
	case 'J', 'E':
		return 4 * f.repeat
	case 'K', 'D', 'C', 'P':
		return 8 * f.repeat
	case 'M', 'Q':
		return 16 * f.repeat
	}
	return f.repeat
}

// decode decodes the values, and returns how many there are.
func (f *fitsField) decode(b []byte, to []Value) (int, error) {
	switch f.code {
	case 'A':
		return f.decodeTexts(b, to)
	case 'L':
		for i, c := range b {
			to[i] = Value{Null: c != 'T' && c != 'F'}
			if c == 'T' {
				to[i].Int = 1
			}
		}
		return len(b), nil
	case 'X':
		for i := range f.repeat {
			to[i] = Value{Int: int64(b[i/8] >> (7 - i%8) & 1)}
		}
		return f.repeat, nil
	}
	n, parts := f.repeat, 1
	if f.code == 'C' || f.code == 'M' {
		parts = 2
		n *= parts
	}
	if n == 0 {
		return 0, nil
	}
	size := len(b) / n
	for i := range n {
		to[i] = f.number(b[i*size:][:size], i%parts == 1)
	}
	return n, nil
}

// number decodes one number. TZERO and TSCAL of complex columns are complex numbers whose
// imaginary part is 0 (FITS Standard 4.0, section 7.3.2): the imaginary part of a value is
// multiplied, and nothing is added to it.
func (f *fitsField) number(b []byte, imaginary bool) Value {
	var stored int64
	var x float64
	switch f.code {
	case 'E', 'C':
		x = float64(math.Float32frombits(binary.BigEndian.Uint32(b)))
	case 'D', 'M':
		x = math.Float64frombits(binary.BigEndian.Uint64(b))
	case 'B':
		stored = int64(b[0])
	case 'I':
		stored = int64(int16(binary.BigEndian.Uint16(b)))
	case 'J':
		stored = int64(int32(binary.BigEndian.Uint32(b)))
	case 'K':
		stored = int64(binary.BigEndian.Uint64(b))
	}
	isInt := strings.IndexByte("BIJK", f.code) >= 0
	switch {
	case isInt && f.hasNull && stored == f.null:
		return Value{Null: true}
	case isInt && !f.scaled:
		return Value{Int: stored + f.flip}
	case isInt:
		x = float64(stored)
	}
	switch {
	case f.scaled && imaginary:
		x *= f.scale.factor
	case f.scaled:
		x = f.scale.of(x)
	}
	return Value{Float: x}
}

// errNotUTF8 is returned for text in an encoding that FITS does not have.
var errNotUTF8 = errors.New("its text is neither ASCII nor UTF-8")

// decodeTexts decodes texts.
func (f *fitsField) decodeTexts(b []byte, to []Value) (int, error) {
	size := len(b) / f.strings
	for i := range f.strings {
		text := b[i*size:][:size]
		if end := bytes.IndexByte(text, 0); end >= 0 {
			text = text[:end]
		}
		text = bytes.TrimRight(text, " ")
		if !utf8.Valid(text) {
			return 0, errNotUTF8
		}
		to[i] = Value{Text: text}
	}
	return f.strings, nil
}
