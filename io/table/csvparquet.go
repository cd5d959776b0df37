package table

import (
	"bytes"
	"context"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// longField is how long the fields of a column may be for it to have bounds and a
// dictionary in Parquet.
const longField = 16 << 10

// inference finds out which type a CSV column can have in Parquet so that it can
// be written as CSV again with the same bytes.
type inference struct {
	notInt, notFloat bool
	long             bool // some field is longer than longField
	notText          bool // is no UTF-8
	word             bool // some field is neither number nor missing
	values, empty    bool // some field is not empty, or is
}

// take looks at one field.
func (f *inference) take(b []byte) {
	if len(b) == 0 {
		f.empty = true
		return
	}
	f.values = true
	f.long = f.long || len(b) > longField
	if f.notFloat && !f.word {
		f.word = isWord(b)
	}
	if f.notInt && f.notFloat {
		f.notText = f.notText || !utf8.Valid(b)
		return
	}
	isInt, small := canonicalInt(b)
	if isInt && (small || f.notFloat) {
		return // a float64 prints it likewise
	}
	f.notInt = f.notInt || !isInt
	if canonicalFloat(b) {
		return
	}
	f.notFloat = true
	f.word = isWord(b)
	f.notText = f.notText || !utf8.Valid(b)
}

// isWord reports whether a field is neither a number nor missing.
func isWord(b []byte) bool {
	k, _ := kindOf(b)
	return k == kindText
}

// textNumbers reports whether a column of numbers has to be text, since some
// would not print the same again: 1.50, or 007.
func (f *inference) textNumbers() bool {
	t, _ := f.fieldType()
	return f.values && t == String && !f.word
}

// add adds what another part of the column tells.
func (f *inference) add(g inference) {
	f.notInt = f.notInt || g.notInt
	f.notFloat = f.notFloat || g.notFloat
	f.long = f.long || g.long
	f.notText = f.notText || g.notText
	f.word = f.word || g.word
	f.values = f.values || g.values
	f.empty = f.empty || g.empty
}

// fieldType returns the type that was found, and whether it has nulls.
func (f *inference) fieldType() (t FieldType, optional bool) {
	switch {
	case !f.values:
		return String, false
	case !f.notInt:
		return Int64, f.empty
	case !f.notFloat:
		return Float64, f.empty
	case f.notText:
		return rawBytes, false
	}
	return String, false
}

// canonicalInt reports whether b is how an int64 is printed, and whether it is
// below 2^53, so that a float64 prints the same.
func canonicalInt(b []byte) (ok, small bool) {
	digits := b
	if len(b) > 1 && b[0] == '-' {
		digits = b[1:]
	}
	if len(digits) > 19 || digits[0] == '0' && len(b) > 1 {
		return false, false // "-0" too
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false, false
		}
	}
	if len(digits) <= 15 {
		return true, true
	}
	_, err := strconv.ParseInt(string(b), 10, 64)
	return err == nil, false
}

// canonicalFloat reports whether b is how we print a float64.
func canonicalFloat(b []byte) bool {
	v, k, err := parseNumber(b)
	if err != nil || k == kindText || k == kindNull {
		return false
	}
	var room [32]byte
	return bytes.Equal(appendFloat(room[:0], v, 64), b)
}

// writeParquet writes the kept columns with the types that they allow, and adds
// the added ones.
func (c *csvFile) writeParquet(ctx context.Context, out io.Writer, keep []int, added []Added, opt WriteOptions) error {
	kept := make([]string, 0, len(keep)+len(added))
	for _, i := range keep {
		kept = append(kept, c.names[i])
	}
	if err := validName(c.src.path, kept); err != nil {
		return err
	}
	ctx = counting(ctx, 2)
	columns, err := c.inferTypes(ctx, keep)
	if err != nil {
		return err
	}
	return guardWrite(c.src.path, func() error {
		b, err := newCSVBatch(out, columns, added, opt, c.threads)
		if err != nil {
			return err
		}
		defer b.sink.close()
		b.describe(c.columns(), keep, added)
		if err := b.file(ctx, c, keep, added); err != nil {
			return err
		}
		return b.finish()
	})
}

// inferTypes reads the file for the types of the kept columns.
func (c *csvFile) inferTypes(ctx context.Context, keep []int) ([]*node, error) {
	found := make([]inference, len(keep))
	if err := c.infer(ctx, keep, found); err != nil {
		return nil, err
	}
	columns := make([]*node, len(keep))
	for k, i := range keep {
		columns[k] = found[k].node(c.names[i], false)
	}
	c.notes = append(c.notes, textNotes(columns, found)...)
	return columns, nil
}

// textNotes tells which columns have numbers and are text nevertheless.
func textNotes(columns []*node, found []inference) []Note {
	var list []string
	for k := range found {
		if found[k].textNumbers() {
			list = append(list, columns[k].name)
		}
	}
	if list == nil {
		return nil
	}
	return []Note{{Loud: true, Text: "written as text, since their numbers would not print the same again (1.50, 007): " + strings.Join(list, ", ")}}
}

// infer looks at the fields of the kept columns; a place below 0 is of none.
func (c *csvFile) infer(ctx context.Context, keep []int, found []inference) error {
	p := pass{c: c, work: func(ch *chunk) error {
		ch.types = append(ch.types[:0], make([]inference, len(keep))...)
		return ch.rows.rows(func(r *record) error {
			for k, i := range keep {
				if i >= 0 {
					ch.types[k].take(r.text(i, nil))
				}
			}
			return nil
		}, nil)
	}, merge: func(ch *chunk) error {
		for k := range found {
			found[k].add(ch.types[k])
		}
		return nil
	}}
	return p.run(ctx)
}

// node is the column that was found, which can also hold nulls if it is lacking
// somewhere.
func (f *inference) node(name string, lacking bool) *node {
	t, optional := f.fieldType()
	n := newNode(name, t, optional || lacking)
	n.leaf = leafType{class: classOf(t)}
	return n.thinned([]bool{f.long})
}

// classOf is the class of values of a type of our own.
func classOf(t FieldType) class {
	switch t {
	case Int64:
		return classInt
	case Float64:
		return classDouble
	case Bool:
		return classBool
	case String:
		return classText
	}
	return classBytes
}
