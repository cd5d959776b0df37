package table

import (
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// longField is how long the fields of a column may be for it to have bounds and a
// dictionary in Parquet.
const longField = 16 << 10

// inference finds out which type a CSV column can have in Parquet so that no value
// of a number changes.
type inference struct {
	notInt  bool        // some number is no int64
	long    bool        // some field is longer than longField
	notText bool        // is no UTF-8
	word    bool        // some field is neither number nor missing
	numbers bool        // some field is a number, NaN or infinite
	missing bool        // some field is empty or a word for what is missing
	lost    *lostNumber // the first number that float64 does not hold, if there is one, of those that int64 does not hold either
}

// lostNumber is a number that a column of numbers would change.
type lostNumber struct {
	path      string
	row, line int64 // in its file: row from 0, line from 1
	text      string
	why       loss
}

// String says which number it is and what is wrong with it.
func (l *lostNumber) String() string {
	return fmt.Sprintf("%q in row %d, line %d, %s", l.text, l.row, l.line, l.why)
}

// take looks at one field in the style of a file. It returns what a float64 would
// lose of it, if that is to become lost.
func (f *inference) take(b []byte, style *numberStyle) loss {
	if len(b) == 0 {
		f.missing = true
		return lossNone
	}
	f.long = f.long || len(b) > longField
	if f.word {
		f.notText = f.notText || !utf8.Valid(b)
		return lossNone
	}
	number, _, k := style.normal(b)
	switch k {
	case kindNumber:
		f.numbers = true
		return f.number(number)
	case kindNaN, kindInf:
		f.numbers, f.notInt = true, true
		return lossNone
	case kindNull:
		f.missing = true
	default:
		f.word = true
	}
	f.notText = f.notText || !utf8.Valid(b)
	return lossNone
}

// number looks at a number in the plain style.
func (f *inference) number(b []byte) loss {
	if f.hopeless() {
		return lossNone
	}
	asInt, why := exactNumber(b)
	f.notInt = f.notInt || !asInt
	if why == lossFraction && f.lost != nil {
		return lossNone
	}
	return why
}

// hopeless reports whether a number was found that neither int64 nor float64 holds.
func (f *inference) hopeless() bool { return f.lost != nil && f.lost.why != lossFraction }

// add adds what another part of the column tells.
func (f *inference) add(g *inference) {
	f.notInt = f.notInt || g.notInt
	f.long = f.long || g.long
	f.notText = f.notText || g.notText
	f.word = f.word || g.word
	f.numbers = f.numbers || g.numbers
	f.missing = f.missing || g.missing
	if f.lost == nil || g.hopeless() && !f.hopeless() {
		f.lost = g.lost
	}
}

// fieldType returns the type that was found, and whether it has nulls.
func (f *inference) fieldType() (t FieldType, optional bool) {
	switch {
	case f.numbers && !f.word && !f.notInt:
		return Int64, f.missing
	case f.numbers && !f.word && f.lost == nil:
		return Float64, f.missing
	case f.notText:
		return rawBytes, false
	}
	return String, false
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
	c.notes = append(c.notes, textNotes(columns, found, false)...)
	return columns, nil
}

// textNotes tells which columns have numbers only and are text nevertheless, of a
// table in one file or in several.
func textNotes(columns []*node, found []inference, several bool) []Note {
	const most = 5 // more would hide what matters
	var list []string
	for k := range found {
		f := &found[k]
		if t, _ := f.fieldType(); t != String || f.word || f.lost == nil {
			continue
		}
		where := ""
		if several {
			where = f.lost.path + ": "
		}
		list = append(list, fmt.Sprintf("%s (%s%v)", clip([]byte(columns[k].name)), where, f.lost))
	}
	if list == nil {
		return nil
	}
	if len(list) > most {
		list = append(list[:most], fmt.Sprintf("... (%d in all)", len(list)))
	}
	return []Note{{Loud: true, Text: "written as text, since numbers would change: " + strings.Join(list, "; ") +
		". For a column of numbers mend these in the input; as a coordinate (--columns) it serves as it is"}}
}

// infer looks at the fields of the kept columns; a place below 0 is of none.
func (c *csvFile) infer(ctx context.Context, keep []int, found []inference) error {
	p := pass{c: c, work: func(ch *chunk) error {
		ch.types = append(ch.types[:0], make([]inference, len(keep))...)
		style := c.style
		return ch.rows.rows(func(r *record) error {
			for k, i := range keep {
				if i < 0 {
					continue
				}
				text := r.text(i, nil)
				if why := ch.types[k].take(text, &style); why != lossNone {
					ch.types[k].lost = &lostNumber{path: c.src.path, row: ch.rows.row, line: r.line, text: clip(trimBlanks(text)), why: why}
				}
			}
			return nil
		}, nil)
	}, merge: func(ch *chunk) error {
		for k := range found {
			if lost := ch.types[k].lost; lost != nil {
				lost.row += ch.offset
			}
			found[k].add(&ch.types[k])
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
