package catalog

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// voField is a FIELD.
type voField struct {
	column   Column
	datatype string
	shape    string // arraysize
	null     string // the value that stands for null, or ""

	values   int  // in a cell; of text 1
	variable bool // how many is said in each cell
	chars    int  // of a text of one size, else 0
}

// newVOField understands the attributes of a FIELD.
func newVOField(e xml.StartElement) voField {
	f := voField{datatype: attr(e, "datatype"), shape: strings.TrimSpace(attr(e, "arraysize"))}
	f.column = Column{Name: attr(e, "name"), Unit: attr(e, "unit"), UCD: attr(e, "ucd"), Nullable: true}
	if f.column.Name == "" {
		f.column.Name = attr(e, "ID")
	}
	return f
}

// made returns the columns that it becomes.
func (f *voField) made() ([]Column, error) {
	t, known := map[string]Type{
		"boolean": Bool, "bit": Bool, "unsignedByte": Uint8, "short": Int16, "int": Int32, "long": Int64, "char": Text, "unicodeChar": Text,
		"float": Float32, "double": Float64, "floatComplex": Float32, "doubleComplex": Float64,
	}[f.datatype]
	if !known {
		return nil, fmt.Errorf("column %s: the datatype %q is not known", f.column.Name, f.datatype)
	}
	f.column.Type = t
	n, err := f.elements()
	if err != nil {
		return nil, err
	}
	f.values = n
	switch {
	case t == Text:
		f.values, f.chars = 1, n
		if f.variable {
			f.chars = 0
		}
		return []Column{f.column}, nil
	case f.variable:
		f.values = 1
		f.column.Type = Text
		return []Column{f.column}, nil
	case strings.HasSuffix(f.datatype, "Complex"):
		return flattenComplex(f.column, n), nil
	}
	return flatten(f.column, n), nil
}

// elements returns how many values arraysize says, and sees whether it is open.
func (f *voField) elements() (int, error) {
	if f.shape == "" {
		return 1, nil
	}
	n := 1
	for part := range strings.SplitSeq(f.shape, "x") {
		if strings.HasSuffix(part, "*") {
			f.variable = true
			return 1, nil
		}
		k, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || k < 1 || k > maxPiece/n {
			return 0, fmt.Errorf("column %s: the arraysize %q cannot be read", f.column.Name, f.shape)
		}
		n *= k
	}
	if n > maxColumns && f.column.Type != Text {
		return 0, fmt.Errorf("column %s has %d values in each row; each becomes a column, of which there may be %d", f.column.Name, n, maxColumns)
	}
	return n, nil
}

// parts is how many columns it is.
func (f *voField) parts() int {
	if strings.HasSuffix(f.datatype, "Complex") && !f.variable {
		return 2 * f.values
	}
	return f.values
}

// voCells makes values of the texts of cells.
type voCells struct {
	fields []voField
	rows   int64
	arena  []byte // of the texts of a row
	column int    // first column behind it
}

// at says in which row something is wrong.
func (c *voCells) at(err error) error {
	if errors.Is(err, errCut) || errors.Is(err, io.EOF) {
		return fmt.Errorf("%w, after %d rows", err, c.rows)
	}
	return fmt.Errorf("row %d (counted from 0): %w", c.rows, err)
}

// keep makes a text that of a value. A row has maxPiece bytes at most.
func (c *voCells) keep(v *Value, text string) error {
	at := len(c.arena)
	if at+len(text) > maxPiece {
		return errTooLong
	}
	c.arena = append(c.arena, text...)
	v.Text = c.arena[at:]
	return nil
}

// parse puts the values of a cell where they belong.
func (c *voCells) parse(cell int, text string, row []Value) error {
	if cell == 0 {
		c.column = 0
	}
	f := &c.fields[cell]
	to := row[c.column:][:f.parts()]
	c.column += len(to)
	if f.column.Type == Text {
		to[0] = Value{Null: text == "" || f.null != "" && text == f.null}
		return c.keep(&to[0], text)
	}
	words := strings.Fields(text)
	if len(words) == 0 {
		for i := range to {
			to[i] = Value{Null: true}
		}
		return nil
	}
	if f.datatype == "bit" && len(words) == 1 && len(to) > 1 {
		words = strings.Split(words[0], "")
	}
	if len(words) != len(to) {
		return fmt.Errorf("the cell has %d values, want %d", len(words), len(to))
	}
	for i, word := range words {
		var err error
		if to[i], err = f.parseOne(word); err != nil {
			return err
		}
	}
	return nil
}

// parseOne parses a value that is no text.
func (f *voField) parseOne(word string) (Value, error) {
	if word == f.null {
		return Value{Null: true}, nil
	}
	return parseWord(f.column.Type, word)
}

// bits is how many bits the integers of a type have, and whether they are signed.
func (t Type) bits() (n int, signed bool) {
	switch t {
	case Int8, Uint8:
		return 8, t == Int8
	case Int16, Uint16:
		return 16, t == Int16
	case Int32, Uint32:
		return 32, t == Int32
	}
	return 64, t == Int64
}

// parseWord parses a value of a type that is not Text.
func parseWord(t Type, word string) (Value, error) {
	switch t {
	case Bool:
		switch strings.ToLower(word) {
		case "t", "true", "1":
			return Value{Int: 1}, nil
		case "f", "false", "0":
			return Value{}, nil
		case "?":
			return Value{Null: true}, nil
		}
		return Value{}, fmt.Errorf("%.40q is neither true nor false", word)
	case Float32, Float64:
		bits := 64
		if t == Float32 {
			bits = 32
		}
		x, err := strconv.ParseFloat(word, bits)
		if err != nil && !math.IsInf(x, 0) || strings.ContainsAny(word, "_xX") {
			return Value{}, fmt.Errorf("%.40q is no number", word)
		}
		if err != nil {
			return Value{}, fmt.Errorf("%.40q is beyond the range of its type", word)
		}
		return Value{Float: x}, nil
	}
	bits, signed := t.bits()
	base := 10
	if rest, ok := strings.CutPrefix(word, "0x"); ok {
		word, base = rest, 16
	}
	word = strings.TrimPrefix(word, "+")
	if signed {
		n, err := strconv.ParseInt(word, base, bits)
		if err != nil {
			return Value{}, fmt.Errorf("%.40q is no whole number of %d bits", word, bits)
		}
		return Value{Int: n}, nil
	}
	n, err := strconv.ParseUint(word, base, bits)
	if err != nil {
		return Value{}, fmt.Errorf("%.40q is no whole number of %d bits from 0 on", word, bits)
	}
	return Value{Int: int64(n)}, nil
}

// trimText cuts a text at a NUL character.
func trimText(s string) string {
	s, _, _ = strings.Cut(s, "\x00")
	if !utf8.ValidString(s) {
		return strings.ToValidUTF8(s, "�")
	}
	return s
}
