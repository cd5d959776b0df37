package table

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
)

// csvFile is a table in a CSV file. Each use of it reads the file from its
// start.
type csvFile struct {
	dialect
	src     *source
	pack    string
	fromTSV bool // the input is .tsv by name or option, and has tabs
	threads int
	chunk   int // in bytes

	pre   preamble
	names []string // as the header has them
	calls []string // what columns are called: names, made distinct
	notes []Note

	textInSample []bool // one a column

	profile []profile // one a column
	loaded  *loaded   // what the first reading has kept, until it is asked for
	starts  []int64   // after the first reading: the first row of each chunk, and the number of rows
}

// openCSV finds out the dialect and the preamble, and reads the file once.
func openCSV(ctx context.Context, src *source, magic []byte, opt ReadOptions) (*csvFile, error) {
	if err := checkCSV(opt); err != nil {
		return nil, err
	}
	c := &csvFile{src: src, pack: packOf(magic), threads: opt.threads(), chunk: cmp.Or(opt.chunk, chunkSize)}
	c.pad = opt.Ragged == raggedPad
	var err error
	if c.style, err = newNumberStyle(opt); err != nil {
		return nil, err
	}
	if err := c.begin(opt); err != nil {
		return nil, err
	}
	byName, _ := byExtension(src.path)
	c.fromTSV = c.delim == '\t' && (opt.Format == formatTSV || opt.Format != formatCSV && byName == formatTSV)
	if err := c.load(ctx, opt.Load, !opt.oneOfMany); err != nil {
		return nil, err
	}
	return c, nil
}

// begin looks at the beginning of the file, at more of it if it must.
func (c *csvFile) begin(opt ReadOptions) error {
	in, err := c.open()
	if err != nil {
		return err
	}
	mark := make([]byte, 4)
	n, err := io.ReadFull(in, mark)
	var why string
	if err = notEOF(err); err == nil {
		c.encoding, why, err = findEncoding(opt.Encoding, mark[:n])
	} else {
		err = c.readError(err, 1)
	}
	if err = errors.Join(err, in.Close()); err != nil {
		return err
	}
	if c.encoding != encodingUTF8 {
		c.notes = append(c.notes, Note{Loud: true, Text: fmt.Sprintf("the text is %s, %s; it is written as UTF-8 (--encoding)", c.encoding, why)})
	}
	in, err = c.reader()
	if err != nil {
		return err
	}
	s, err := c.sniff(in, opt)
	if err = errors.Join(err, in.Close()); err != nil {
		return err
	}
	c.rule, c.pre, c.names, c.notes = s.dialect.rule, s.pre, s.names, append(c.notes, s.notes...)
	c.textInSample = s.textColumns()
	c.calls = distinctNames(c.names)
	if d := duplicate(c.names); d != "" {
		c.notes = append(c.notes, Note{Loud: true, Text: fmt.Sprintf("several columns are called %q; by their places they are %s", d, c.called(d))})
	}
	return nil
}

// distinctNames returns the names, with #K behind a name that repeats in column
// K.
func distinctNames(names []string) []string {
	count := make(map[string]int, len(names))
	for _, name := range names {
		count[name]++
	}
	list := slices.Clone(names)
	for i, name := range names {
		if count[name] == 1 {
			continue
		}
		list[i] = name + "#" + strconv.Itoa(i+1)
		for count[list[i]] > 0 { // is a name of its own
			list[i] += "#"
		}
	}
	return list
}

// called lists what the columns of a name are called.
func (c *csvFile) called(name string) string {
	var list []string
	for i := range c.names {
		if c.names[i] == name {
			list = append(list, c.calls[i])
		}
	}
	if len(list) > 4 {
		list = append(list[:3], "...")
	}
	return strings.Join(list, ", ")
}

// sniff reads a sample of the text and finds out the dialect and the preamble.
func (c *csvFile) sniff(in io.Reader, opt ReadOptions) (*sniffer, error) {
	sample := make([]byte, 0, sniffSize)
	for {
		n, err := io.ReadFull(in, sample[len(sample):cap(sample)])
		sample = sample[:len(sample)+n]
		s := &sniffer{path: c.src.path, opt: opt, whole: err != nil, dialect: c.dialect}
		if err = notEOF(err); err != nil {
			return nil, c.readError(err, int64(1+bytes.Count(sample, newline)))
		}
		err = s.sniff(sample)
		if err == nil || !errors.Is(err, errMore) {
			return s, err
		}
		if len(sample) >= maxRecord {
			return nil, c.readError(errLong, 1)
		}
		sample = append(make([]byte, 0, 4*cap(sample)), sample...)
	}
}

// notEOF returns err unless it is an end of input.
func notEOF(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// open returns the file from its start, decompressed.
func (c *csvFile) open() (io.ReadCloser, error) {
	r, err := decompressor(io.NewSectionReader(c.src, 0, c.src.size), c.pack)
	if err != nil {
		return nil, c.readError(err, 1)
	}
	return r, nil
}

// reader returns the text of the file from its start, in UTF-8.
func (c *csvFile) reader() (io.ReadCloser, error) {
	in, err := c.open()
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{decode(in, c.encoding), in}, nil
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

// changed is the error for a file that is not what it was when it was read
// before.
func (c *csvFile) changed() error { return &DataError{Path: c.src.path, Row: -1, Err: ErrChanged} }

// counted reports whether the number of rows is known.
func (c *csvFile) counted() bool { return c.starts != nil }

// rows returns the number of rows.
func (c *csvFile) rows() int64 { return c.starts[len(c.starts)-1] }

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
		r.raw = r.raw[:r.fields[want-1].end]
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
	case len(c.names) == 1 && c.pre.header != nil && rec.line <= c.pre.lines+1:
		hint = "; is the first line no part of the table? (--skip 1)"
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
