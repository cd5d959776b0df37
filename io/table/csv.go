package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// checkEvery is how many records are read between two looks at the context.
const checkEvery = 1024

// csvFile is a table in a CSV file. Each use of it reads the file from its
// start.
type csvFile struct {
	src     *source
	pack    string
	dialect dialect
	fromTSV bool // the input is .tsv by name or option

	names   []string
	header  []byte  // raw header record, nil if there is none
	fields  []field // of the header
	eol     []byte  // line end of the first record
	profile []profile
	count   int64
	counted bool
}

// profile is what the first reading tells about a column.
type profile struct {
	numbers int64 // finite and infinite
	nans    int64
	floats  bool // a number is no integer literal
	text    *DataError
}

// openCSV finds out the dialect and the header, and reads the file once.
func openCSV(ctx context.Context, src *source, magic []byte, opt ReadOptions) (*csvFile, error) {
	c := &csvFile{src: src, pack: packOf(magic), fromTSV: opt.Format == formatTSV}
	r, err := c.reader()
	if err != nil {
		return nil, err
	}
	sample := make([]byte, sniffSize)
	n, err := io.ReadFull(r, sample)
	whole := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	if err = errors.Join(notEOF(err), r.Close()); err != nil {
		return nil, c.readError(err, 1)
	}
	if c.dialect, err = findDialect(src.path, sample[:n], whole, opt); err != nil {
		return nil, err
	}
	if err := c.readHeader(opt.Header); err != nil {
		return nil, err
	}
	c.profile = make([]profile, len(c.names))
	if err := c.scan(ctx, c.look); err != nil {
		return nil, err
	}
	return c, nil
}

// notEOF returns err unless it is an end of input.
func notEOF(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// reader returns the text of the file from its start.
func (c *csvFile) reader() (io.ReadCloser, error) {
	r, err := decompressor(io.NewSectionReader(c.src, 0, c.src.size), c.pack)
	if err != nil {
		return nil, c.readError(err, 1)
	}
	return r, nil
}

// readError says where reading broke off. Faults of the system keep their own
// words; what remains is about the data.
func (c *csvFile) readError(err error, line int64) error {
	var system *fs.PathError
	if errors.As(err, &system) {
		return fmt.Errorf("%s: %w", c.src.path, err)
	}
	if c.pack != "" && !isScanError(err) {
		err = fmt.Errorf("%s data is broken: %w", c.pack, err)
	}
	return &DataError{Path: c.src.path, Row: -1, Line: line, Err: err}
}

// isScanError reports whether err comes from the scanner and not from below.
func isScanError(err error) bool {
	return errors.Is(err, errNUL) || errors.Is(err, errLong) || errors.Is(err, errOpen) || errors.Is(err, errTrailed)
}

// readHeader reads the first record for the names of the columns.
func (c *csvFile) readHeader(option string) error {
	r, err := c.reader()
	if err != nil {
		return err
	}
	s, rec, err := c.first(r)
	if err != nil {
		err = c.readError(err, s.line)
		if s.eof && s.pos == s.end {
			err = badFile(c.src.path, "holds nothing but blanks")
		}
		return errors.Join(err, r.Close())
	}
	header, err := isHeader(rec, option)
	if err != nil {
		return errors.Join(err, r.Close())
	}
	c.names = columnNames(rec, header)
	c.eol = bytes.Clone(rec.eol)
	if header {
		c.header = append([]byte{}, rec.raw...)
		c.fields = append([]field{}, rec.fields...)
	}
	return r.Close()
}

// first begins a reading: it skips the byte order mark and blank lines, and
// returns the first record.
func (c *csvFile) first(r io.Reader) (*scanner, *record, error) {
	s := newScanner(r, c.dialect.delim)
	if c.dialect.bom {
		if _, err := io.CopyN(io.Discard, r, int64(len(bomUTF8))); err != nil {
			return s, nil, err
		}
	}
	for {
		rec, err := s.next()
		if err != nil || !rec.blank(c.dialect.delim) {
			return s, rec, err
		}
	}
}

// scan reads all rows in order. The record that fn gets is valid during the call.
func (c *csvFile) scan(ctx context.Context, fn func(row int64, r *record) error) error {
	if err := c.src.unchanged(); err != nil {
		return err
	}
	in, err := c.reader()
	if err != nil {
		return err
	}
	rows, err := c.scanFrom(ctx, in, fn)
	if err = errors.Join(err, in.Close()); err != nil {
		if changed := c.src.unchanged(); changed != nil {
			return changed // which explains it
		}
		return err
	}
	if err := c.src.unchanged(); err != nil {
		return err
	}
	if c.counted && rows != c.count {
		return c.changed()
	}
	c.count, c.counted = rows, true
	return nil
}

// scanFrom does the reading for scan and returns the number of rows.
func (c *csvFile) scanFrom(ctx context.Context, in io.Reader, fn func(row int64, r *record) error) (int64, error) {
	s, rec, err := c.first(in)
	if err == nil && c.header != nil {
		rec, err = s.next()
	}
	var empty pendingBlanks
	take := func(row int64, r *record) error {
		if c.counted && row >= c.count {
			return c.changed() // there is no place for it
		}
		return fn(row, r)
	}
	rows := int64(0)
	for ; err == nil; rec, err = s.next() {
		if c.isBlank(rec) {
			empty.add(rec)
			continue
		}
		if empty.n > 0 {
			if err := empty.flush(c, &rows, take); err != nil {
				return rows, err
			}
		}
		if len(rec.fields) != len(c.names) {
			return rows, badLine(c.src.path, rec.line, "the record has %d fields, want %d as in the first one", len(rec.fields), len(c.names))
		}
		if rows%checkEvery == 0 && ctx.Err() != nil {
			return rows, ctx.Err()
		}
		if err := take(rows, rec); err != nil {
			return rows, err
		}
		rows++
	}
	if !errors.Is(err, io.EOF) {
		return rows, c.readError(err, s.line)
	}
	return rows, nil
}

// changed is the error for a file that is not what it was when it was read
// before.
func (c *csvFile) changed() error { return &DataError{Path: c.src.path, Row: -1, Err: ErrChanged} }

// isBlank reports whether a record is a blank line. In a table of one column
// blanks alone are a value of it.
func (c *csvFile) isBlank(r *record) bool {
	if len(c.names) == 1 {
		return len(r.raw) == 0
	}
	return r.blank(c.dialect.delim)
}

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

// flush turns blank lines before another record into rows of one empty field.
// In a table of several columns they are an error.
func (p *pendingBlanks) flush(c *csvFile, rows *int64, fn func(row int64, r *record) error) error {
	if len(c.names) != 1 {
		return badLine(c.src.path, p.line, "is a blank line between records")
	}
	blank := record{eol: p.eol, fields: []field{{}}, line: p.line}
	for ; p.n > 0; p.n-- {
		if err := fn(*rows, &blank); err != nil {
			return err
		}
		*rows++
		blank.line++
	}
	return nil
}

// look takes a row into the profile of each column.
func (c *csvFile) look(row int64, r *record) error {
	var buf []byte
	for i := range c.profile {
		p := &c.profile[i]
		if p.text != nil {
			continue // is no number, whatever follows
		}
		text := r.text(i, buf)
		switch k, integer := kindOf(text); k {
		case kindNumber:
			p.numbers++
			p.floats = p.floats || !integer
		case kindInf:
			p.numbers++
			p.floats = true
		case kindNaN:
			p.nans++
		case kindText:
			p.text = c.notNumber(i, row, r.line, text)
		}
	}
	return nil
}

// notNumber is the error for a word in a column of numbers.
func (c *csvFile) notNumber(column int, row, line int64, text []byte) *DataError {
	return &DataError{
		Path: c.src.path, Column: c.names[column], Row: row, Line: line,
		Err: fmt.Errorf("%q is not a number", clip(trimBlanks(text))),
	}
}

// rows returns the number of rows.
func (c *csvFile) rows() int64 { return c.count }

// columns describes the columns as the first reading found them.
func (c *csvFile) columns() []Column {
	list := make([]Column, len(c.names))
	for i, p := range c.profile {
		list[i] = Column{Name: c.names[i], Type: "empty", Numeric: p.text == nil && p.numbers > 0 || c.count == 0}
		switch {
		case p.text != nil:
			list[i].Type = "string"
		case p.numbers+p.nans > 0 && (p.floats || p.nans > 0):
			list[i].Type = "double"
		case p.numbers > 0:
			list[i].Type = "int64"
		}
	}
	return list
}

// floats parses the columns of the given places.
func (c *csvFile) floats(ctx context.Context, columns []int, f *Floats) error {
	for _, i := range columns {
		if c.profile[i].text != nil {
			return c.profile[i].text
		}
	}
	var buf []byte
	return c.scan(ctx, func(row int64, r *record) error {
		out := f.Data[int(row)*f.Cols:]
		for j, i := range columns {
			text := r.text(i, buf)
			v, k, err := parseNumber(text)
			switch {
			case err != nil:
				return &DataError{Path: c.src.path, Column: c.names[i], Row: row, Line: r.line, Err: err}
			case k == kindText:
				return c.notNumber(i, row, r.line, text)
			case k != kindNumber:
				f.Bad[j].note(k, row, r.line)
			}
			out[j] = v
		}
		return nil
	})
}
