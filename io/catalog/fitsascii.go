package catalog

import (
	"fmt"
	"strconv"
	"strings"
)

// This file reads ASCII tables, the extensions TABLE of FITS.

// asciiField is a column of an ASCII table as it stands there.
type asciiField struct {
	column   Column
	form     string
	code     byte // of TFORM: A, I, F, E or D
	decimals bool // TFORM says how many digits are behind a point
	scale    scale
	scaled   bool   // by scale
	null     string // the text that stands for null, or ""
}

// asciiFields reads what is said of the columns of an ASCII table.
func (t *fitsTable) asciiFields(h header, n int) error {
	all := 0
	for k := 1; k <= n; k++ {
		f := &asciiField{column: h.column(k), form: strings.ToUpper(h.text(fmt.Sprintf("TFORM%d", k)))}
		width, err := f.parse(h, k)
		if err != nil {
			return fmt.Errorf("column %s: %w", f.column.Name, err)
		}
		at, err := h.size(fmt.Sprintf("TBCOL%d", k))
		if err != nil {
			return fmt.Errorf("column %s: %w", f.column.Name, err)
		}
		if at < 1 || at > int64(t.width) || width > t.width-int(at-1) {
			return fmt.Errorf("has columns of more bytes than its rows of %d: column %s does not fit", t.width, f.column.Name)
		}
		if all += width; all > maxPiece {
			return fmt.Errorf("has rows of more than %d MiB, with columns that lie upon each other", maxPiece>>20)
		}
		t.columns = append(t.columns, f.column)
		t.list = append(t.list, fitsPart{f.column.Name, int(at - 1), width, f.decode})
	}
	return nil
}

// parse reads TFORM, TSCAL, TZERO and TNULL, and returns how many characters there are.
func (f *asciiField) parse(h header, k int) (width int, err error) {
	size, digits, _ := strings.Cut(strings.TrimLeft(f.form, "AIFED"), ".")
	width, err = strconv.Atoi(size)
	if err != nil || width < 1 || len(f.form) != len(strings.TrimLeft(f.form, "AIFED"))+1 {
		return 0, fmt.Errorf("TFORM %q is not known of ASCII tables", f.form)
	}
	f.code = f.form[0]
	f.decimals = strings.Trim(digits, "0") != ""
	if f.scale, err = h.scale(k); err != nil {
		return 0, err
	}
	f.null = h.text(fmt.Sprintf("TNULL%d", k))
	f.scaled = f.code != 'A' && !f.scale.plain()
	const most32 = 9 // digits that int32 always holds
	switch {
	case f.code == 'A':
		f.column.Type = Text
	case f.code == 'I' && !f.scaled && width <= most32:
		f.column.Type = Int32
	case f.code == 'I' && !f.scaled:
		f.column.Type = Int64
	default:
		f.column.Type = Float64
	}
	f.column.Nullable = f.code != 'A' || f.null != ""
	return width, nil
}

// decode decodes a value. A number of blanks is null, as TOPCAT has it too: that it is 0
// is a rule of punched cards.
func (f *asciiField) decode(b []byte, to []Value) (int, error) {
	if f.code == 'A' {
		text := fitsField{strings: 1}
		if _, err := text.decodeTexts(b, to); err != nil {
			return 0, err
		}
		to[0].Null = f.null != "" && string(to[0].Text) == f.null
		return 1, nil
	}
	word := strings.TrimSpace(string(b))
	if word == "" || word == f.null {
		to[0] = Value{Null: true}
		return 1, nil
	}
	if f.code == 'I' && !f.scaled {
		v, err := parseWord(f.column.Type, word)
		to[0] = v
		return 1, err
	}
	word = withE(word)
	if f.decimals && strings.Trim(word, "+-0123456789") == "" {
		return 0, fmt.Errorf("%.40q has no decimal point, and TFORM %s would put one into it, which is not done: write it with one", word, f.form)
	}
	v, err := parseWord(Float64, word)
	if f.scaled {
		v.Float = f.scale.of(v.Float)
	}
	to[0] = v
	return 1, err
}
