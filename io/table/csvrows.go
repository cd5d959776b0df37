package table

import (
	"bytes"
	"errors"
	"io"
	"math"
)

// rowReader hands out the rows of text, chunk by chunk.
type rowReader struct {
	scanner
	c      *csvFile
	row    int64 // number of the next row
	most   int64 // there must not be a row of this number
	blanks pendingBlanks
	saw    bool // some record other than blank lines

	padded, firstPadded int64 // rows that were filled up, and the line of the first
}

// begin makes chunk the text to read.
func (r *rowReader) begin(ch *chunk) { r.reset(r.c.rule, ch.data, ch.line, true) }

// rows calls fn with each row, and other, if it is not nil, with each comment.
// The record that they get is valid during the call.
func (r *rowReader) rows(fn, other func(r *record) error) error {
	for {
		if more, err := r.one(fn, other); !more || err != nil {
			return err
		}
	}
}

// one does so with the next record, if there is one more.
func (r *rowReader) one(fn, other func(r *record) error) (more bool, err error) {
	rec, err := r.next()
	switch {
	case errors.Is(err, io.EOF):
		return false, nil
	case err != nil:
		return false, r.c.readError(err, r.line)
	case !rec.comment:
		return true, r.take(rec, fn)
	case other != nil:
		return true, other(rec)
	}
	return true, nil
}

// take counts a record and calls fn with it if it is a row.
func (r *rowReader) take(rec *record, fn func(r *record) error) error {
	if r.c.isBlank(rec) {
		r.blanks.add(rec)
		return nil
	}
	r.saw = true
	if r.blanks.n > 0 {
		if err := r.flush(fn); err != nil {
			return err
		}
	}
	if len(rec.fields) != len(r.c.names) {
		if err := r.fit(rec); err != nil {
			return err
		}
	}
	if r.row >= r.most {
		return r.c.changed() // there is no place for it
	}
	err := fn(rec)
	r.row++
	return err
}

// fit makes a record as long as the first one, if that may be done.
func (r *rowReader) fit(rec *record) error {
	want := len(r.c.names)
	if !r.c.pad || !rec.fit(want) {
		return r.c.ragged(rec)
	}
	r.notePadded(rec.line, 1)
	return nil
}

// notePadded counts rows that were filled up.
func (r *rowReader) notePadded(line, n int64) {
	if r.padded == 0 {
		r.firstPadded = line
	}
	r.padded += n
}

// fit adds missing fields at the end of a record, or takes empty ones away. It
// fails if more than empty ones would have to go.
func (r *record) fit(want int) bool {
	for len(r.fields) < want {
		r.fields = append(r.fields, field{start: len(r.raw), end: len(r.raw)})
		r.missing++
	}
	for i := want; i < len(r.fields); i++ {
		if len(trimBlanks(r.text(i, nil))) > 0 {
			return false
		}
	}
	if len(r.fields) > want {
		r.fields = r.fields[:want]
		if r.raw = r.raw[:r.fields[want-1].end]; len(r.raw) == 0 { // not a blank line
			r.raw, r.fields[0] = []byte(`""`), field{end: 2, quoted: true}
		}
	}
	return true
}

// ragged is the error for a record that has another number of fields than the
// first one.
func (c *csvFile) ragged(rec *record) error {
	hint := ""
	switch {
	case bytes.HasPrefix(rec.raw, hash) && len(c.comment) == 0:
		hint = "; is it a comment? (--comment '#')"
	case len(c.names) == 1 && c.style.otherStyle(rec.raw) != "":
		hint = "; is the first line no part of the table (--skip 1), or is this one number? (" + c.style.otherStyle(rec.raw) + ")"
	case len(c.names) == 1 && c.pre.header != nil && rec.line <= c.pre.lines+1:
		hint = "; is the first line no part of the table? (--skip 1)"
	case len(rec.fields) > len(c.names) && rec.fit(len(c.names)):
		return badLine(c.src.path, rec.line, "the record has more fields than the %d of the first one, and nothing in them; --ragged pad takes them off", len(c.names))
	case len(rec.fields) < len(c.names):
		hint = "; --ragged pad fills up with missing values"
	}
	return badLine(c.src.path, rec.line, "the record has %d fields, want %d as in the first one%s", len(rec.fields), len(c.names), hint)
}

// isBlank reports whether a record is a blank line. In a table of one column
// blanks alone are a value of it.
func (c *csvFile) isBlank(r *record) bool {
	if len(c.names) == 1 {
		return len(r.raw) == 0
	}
	return r.blank(c.delim)
}

// blanksAreRows reports whether blank lines between records are rows without
// values.
func (c *csvFile) blanksAreRows() bool { return len(c.names) == 1 || c.pad }

// pendingBlanks are blank lines of which it is not known yet whether they stand
// at the end of the file, where they count for nothing.
type pendingBlanks struct {
	n    int64
	line int64
	eol  []byte
}

// add counts one more.
func (p *pendingBlanks) add(r *record) {
	if p.n == 0 {
		p.line = r.line
		p.eol = append(p.eol[:0], r.eol...)
	}
	p.n++
}

// flush turns blank lines before another record into rows without values, or
// into an error.
func (r *rowReader) flush(fn func(r *record) error) error {
	p := &r.blanks
	if !r.c.blanksAreRows() {
		return r.c.blankBetween(p.line)
	}
	width := len(r.c.names)
	if width > 1 {
		r.notePadded(p.line, p.n)
	}
	blank := record{eol: p.eol, fields: make([]field, width), line: p.line, missing: width - 1}
	for ; p.n > 0; p.n-- {
		if r.row >= r.most {
			return r.c.changed()
		}
		if err := fn(&blank); err != nil {
			return err
		}
		r.row++
		blank.line++
	}
	return nil
}

// blankBetween is the error for a blank line that stands between records.
func (c *csvFile) blankBetween(line int64) error {
	return badLine(c.src.path, line, "is a blank line between records; take it out, or take it as a row without values (--ragged pad)")
}

// noLimit is the number of a row that never comes.
const noLimit = math.MaxInt64
