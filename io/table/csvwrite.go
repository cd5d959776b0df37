package table

import (
	"bytes"
	"context"
	"io"
	"strconv"
)

// csvWriter writes records of CSV.
type csvWriter struct {
	w       io.Writer // nil: all is gathered
	delim   byte
	decimal byte // decimal separator of numbers added; 0: a point
	isTSV   bool
	asIs    bool // records are copied whole
	buf     []byte
	begin   int  // where the record begun starts in buf
	fields  int  // of the record begun
	open    bool // the last record has no line end yet
}

// newCSVWriter returns a writer of format csv or tsv.
func newCSVWriter(w io.Writer, format string) *csvWriter {
	c := &csvWriter{w: w, delim: ',', isTSV: format == formatTSV}
	if c.isTSV {
		c.delim = '\t'
	}
	return c
}

// separate begins a field.
func (c *csvWriter) separate() {
	if c.fields > 0 {
		c.buf = append(c.buf, c.delim)
	}
	c.fields++
}

// raw appends a field that is quoted already where it must be.
func (c *csvWriter) raw(b []byte) {
	c.separate()
	c.buf = append(c.buf, b...)
}

// text appends a field and quotes it if it needs that.
func (c *csvWriter) text(b []byte) {
	c.separate()
	n := len(c.buf)
	c.buf = append(c.buf, b...)
	c.quoteFrom(n)
}

// quoteFrom quotes the field that begins at n in the buffer, if it must be.
func (c *csvWriter) quoteFrom(n int) {
	b := c.buf[n:]
	if !c.needsQuotes(b) {
		return
	}
	quotes := bytes.Count(b, quote)
	c.buf = append(c.buf, make([]byte, quotes+2)...)
	b = c.buf[n : n+len(b)]
	k := len(c.buf) - 1
	c.buf[k] = '"'
	for i := len(b) - 1; i >= 0; i-- {
		k--
		c.buf[k] = b[i]
		if b[i] == '"' {
			k--
			c.buf[k] = '"'
		}
	}
	c.buf[n] = '"'
}

var quote = []byte{'"'}

// needsQuotes reports whether a field would be read as something else without
// quotes.
func (c *csvWriter) needsQuotes(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	return isBlank(b[0]) || isBlank(b[len(b)-1]) || bytes.IndexByte(b, c.delim) >= 0 || bytes.ContainsAny(b, "\"\r\n")
}

// end ends a record. A record of one empty field is quoted, since a blank line
// would be none at the end of a file.
func (c *csvWriter) end(eol []byte) error {
	if c.fields == 1 && len(c.buf) == c.begin && !c.asIs {
		c.buf = append(c.buf, `""`...)
	}
	c.buf = append(c.buf, eol...)
	c.fields, c.begin, c.open = 0, len(c.buf), !bytes.HasSuffix(eol, newline)
	if len(c.buf) < 64<<10 || c.w == nil {
		return nil
	}
	return c.flush()
}

// flush writes what is gathered.
func (c *csvWriter) flush() error {
	_, err := c.w.Write(c.buf)
	c.buf, c.begin = c.buf[:0], 0
	return err
}

// added appends the values of added columns in a row; null is an empty field.
func (c *csvWriter) added(added []Added, row int64) {
	for i := range added {
		a := &added[i]
		c.separate()
		if a.null(row) {
			continue
		}
		switch v := a.Values.(type) {
		case []int64:
			c.buf = strconv.AppendInt(c.buf, v[row], 10)
		case []int32:
			c.buf = strconv.AppendInt(c.buf, int64(v[row]), 10)
		case []float64:
			at := len(c.buf)
			c.buf = appendFloat(c.buf, v[row], 64)
			if c.decimal != 0 {
				c.setDecimal(at)
			}
		case []bool:
			c.buf = strconv.AppendBool(c.buf, v[row])
		case constant:
			at := len(c.buf)
			c.buf = append(c.buf, v.text...)
			c.quoteFrom(at)
		}
	}
}

// setDecimal gives the number that begins at n in the buffer the decimal
// separator of the file.
func (c *csvWriter) setDecimal(n int) {
	if k := bytes.IndexByte(c.buf[n:], '.'); k >= 0 {
		c.buf[n+k] = c.decimal
		c.quoteFrom(n)
	}
}

// names appends names as fields.
func (c *csvWriter) names(list []string) {
	for _, name := range list {
		c.text([]byte(name))
	}
}

// addedNames appends the names of added columns.
func (c *csvWriter) addedNames(added []Added) {
	for _, a := range added {
		c.text([]byte(a.Name))
	}
}

// writeCSV copies the kept fields byte for byte and adds the added ones. Lines
// that are no rows are copied too.
func (c *csvFile) writeCSV(ctx context.Context, w *csvWriter, keep []int, added []Added) error {
	w.delim, w.decimal = c.outputDelim(w), c.style.decimal
	if err := c.writeHeader(w, keep, added, c.whole(w, keep)); err != nil {
		return err
	}
	return c.writeRows(ctx, w, keep, added)
}

// whole reports whether records can be copied as they are.
func (c *csvFile) whole(w *csvWriter, keep []int) bool {
	return w.delim == c.delim && identity(keep, len(c.names))
}

// writeRows copies the kept fields of all rows, and adds the added ones. A place
// below 0 is a field without content. Chunks are made by several goroutines.
func (c *csvFile) writeRows(ctx context.Context, w *csvWriter, keep []int, added []Added) error {
	whole := c.whole(w, keep)
	w.asIs = whole
	if w.open {
		w.buf = append(w.buf, c.lineEnd()...)
		w.open, w.begin = false, len(w.buf)
	}
	if err := w.flush(); err != nil {
		return err
	}
	p := pass{c: c, work: func(ch *chunk) error {
		out := &ch.out
		*out = csvWriter{delim: w.delim, decimal: w.decimal, isTSV: w.isTSV, asIs: whole, buf: ch.out.buf[:0]}
		return ch.rows.rows(func(r *record) error {
			if whole {
				out.whole(r)
			} else {
				c.copyFields(out, r, keep)
			}
			out.added(added, ch.rows.row)
			return out.end(r.eol)
		}, out.comment)
	}, merge: func(ch *chunk) error {
		if len(ch.out.buf) > 0 {
			w.open = ch.out.open
		}
		_, err := w.w.Write(ch.out.buf)
		return err
	}}
	return p.run(ctx)
}

// comment copies a line that is no row.
func (c *csvWriter) comment(r *record) error {
	c.buf = append(c.buf, r.raw...)
	c.buf = append(c.buf, r.eol...)
	c.begin, c.open = len(c.buf), !bytes.HasSuffix(r.eol, newline)
	return nil
}

// whole copies a record, with fields that it lacks.
func (c *csvWriter) whole(r *record) {
	c.raw(r.raw)
	c.fields += len(r.fields) - 1
	for range r.missing {
		c.buf = append(c.buf, c.delim)
	}
}

// outputDelim is the delimiter of the output: a tab for .tsv, else the input's
// own, unless that is what .csv would not make one expect.
func (c *csvFile) outputDelim(w *csvWriter) byte {
	switch {
	case w.isTSV:
		return '\t'
	case c.fromTSV, c.delim == blanks:
		return ','
	}
	return c.delim
}

// writeHeader writes what stands before the rows: the old header as it was, if
// all columns are kept, and unit rows with a place for each added column.
func (c *csvFile) writeHeader(w *csvWriter, keep []int, added []Added, whole bool) error {
	raw := c.pre.raw
	if w.delim != c.delim && len(c.pre.sep) > 0 {
		raw = bytes.Replace(raw, c.pre.sep, nil, 1) // says what is no longer so
	}
	w.buf = append(w.buf, raw...)
	w.begin = len(w.buf)
	if c.pre.header == nil {
		for _, i := range keep {
			w.text([]byte(c.names[i]))
		}
		w.addedNames(added)
		if err := w.end(c.lineEnd()); err != nil {
			return err
		}
	} else if err := c.writePreLine(w, c.pre.header, keep, added, whole); err != nil {
		return err
	}
	for i := range c.pre.under {
		if err := c.writePreLine(w, &c.pre.under[i], keep, added, whole); err != nil {
			return err
		}
	}
	return nil
}

// lineEnd is how lines of the file end.
func (c *csvFile) lineEnd() []byte {
	if bytes.HasSuffix(c.pre.eol, crlf) {
		return crlf
	}
	return newline
}

// writePreLine writes one line of the preamble.
func (c *csvFile) writePreLine(w *csvWriter, l *preLine, keep []int, added []Added, whole bool) error {
	switch {
	case len(l.fields) == 0: // a comment
		w.raw(l.raw)
		return w.end(l.lineEnd())
	case l.comment && l.kind == kindTypes:
		return c.writeNames(w, l, keep, make([]Added, len(added)), whole)
	case l.comment:
		return c.writeNames(w, l, keep, added, whole)
	case whole:
		w.whole(&l.record)
	default:
		c.copyFields(w, &l.record, keep)
	}
	switch l.kind {
	case kindHeader:
		w.addedNames(added)
	case kindRuler:
		for range added {
			w.raw([]byte("---"))
		}
	default:
		for range added {
			w.raw(nil)
		}
	}
	return w.end(l.lineEnd())
}

// lineEnd is how the line ends, with a comment behind it perhaps; a file may end
// without.
func (l *preLine) lineEnd() []byte {
	if bytes.HasSuffix(l.eol, newline) {
		return l.eol
	}
	return append(bytes.Clone(l.eol), '\n')
}

// writeNames writes a header that stands in a comment, as a comment.
func (c *csvFile) writeNames(w *csvWriter, l *preLine, keep []int, added []Added, whole bool) error {
	own := csvWriter{delim: l.delim, isTSV: w.isTSV, asIs: true}
	if whole {
		own.whole(&l.record)
	} else {
		own.delim = w.delim
		own.buf = append(own.buf, l.raw[:l.fields[0].start]...)
		c.copyFields(&own, &l.record, keep)
	}
	own.addedNames(added)
	w.raw(own.buf)
	return w.end(l.lineEnd())
}

// copyFields writes the kept fields of a record as they are; a new delimiter may
// ask for quotes that were not there.
func (c *csvFile) copyFields(w *csvWriter, r *record, keep []int) {
	for _, i := range keep {
		if i < 0 {
			w.separate()
			continue
		}
		b := r.bytes(i)
		same := w.delim == c.delim || r.fields[i].quoted
		if same || bytes.IndexByte(b, w.delim) < 0 && !bytes.HasPrefix(b, quote) {
			w.raw(b)
		} else {
			w.text(b)
		}
	}
}
