package table

import (
	"bytes"
	"errors"
	"io"
)

// This file splits CSV into records. encoding/csv is not used: it turns CRLF
// inside quotes into LF, and it hands out fields without their quotes, so that
// what was read could not be written again byte for byte. Its records also cost
// several times what a copy-free scan does.

// blanks as a delimiter stands for runs of spaces and tabs.
const blanks = ' '

var (
	errNUL     = errors.New("has a NUL byte; the file is binary, or text in UTF-16")
	errLong    = errors.New("record is longer than 64 MiB; is a quote left open here?")
	errOpen    = errors.New("quote is never closed")
	errTrailed = errors.New("text after the closing quote of a field; a quote inside is written twice")

	// errMore says that a sample ends before the record does.
	errMore = errors.New("the sample ends in the middle of a record")
)

// rule says where records and fields end.
type rule struct {
	delim    byte
	comment  []byte // what comments begin with; empty: there are none
	trailing bool   // comments may stand behind the fields of a line too
}

// trails reports whether b begins with a comment behind the fields of a line.
func (r *rule) trails(b []byte) bool { return r.trailing && r.isComment(b) }

// isComment reports whether a line that begins like b is a comment.
func (r *rule) isComment(b []byte) bool { return len(r.comment) > 0 && bytes.HasPrefix(b, r.comment) }

// field is a place in record.raw, quotes and blanks around them included.
type field struct {
	start, end int
	quoted     bool
}

// record is one record of a CSV file. It is valid until the next one is read.
type record struct {
	raw    []byte // as in the file, without its line end
	eol    []byte // the rest: a comment behind the fields, and the line end, which may lack at the end of a file
	fields []field
	line   int64 // number of its first line, from 1

	missing   int  // how many fields at the end are not in raw
	comment   bool // is a comment line, without fields
	multiline bool // may have line ends inside
}

// bytes returns field i as it stands in the file.
func (r *record) bytes(i int) []byte {
	f := r.fields[i]
	return r.raw[f.start:f.end]
}

// text returns the content of field i, without its quotes. It may use buf.
func (r *record) text(i int, buf []byte) []byte {
	b := r.bytes(i)
	if !r.fields[i].quoted {
		return b
	}
	b = trimBlanks(b)
	b = b[1 : len(b)-1]
	if bytes.IndexByte(b, '"') < 0 {
		return b
	}
	return appendUnquoted(buf[:0], b)
}

// appendText appends the content of field i, without its quotes.
func (r *record) appendText(dst []byte, i int) []byte {
	b := r.bytes(i)
	if !r.fields[i].quoted {
		return append(dst, b...)
	}
	b = trimBlanks(b)
	return appendUnquoted(dst, b[1:len(b)-1])
}

// appendUnquoted appends b with each doubled quote once.
func appendUnquoted(dst, b []byte) []byte {
	for {
		k := bytes.IndexByte(b, '"')
		if k < 0 {
			return append(dst, b...)
		}
		dst = append(dst, b[:k+1]...)
		b = b[k+2:]
	}
}

// blank reports whether the record holds nothing but blanks that are no
// delimiters.
func (r *record) blank(delim byte) bool { return isBlankLine(r.raw, delim) }

// isBlankLine reports whether a line holds nothing but blanks that are no
// delimiters.
func isBlankLine(line []byte, delim byte) bool {
	for _, c := range line {
		if c != ' ' && (c != '\t' || delim == '\t') {
			return false
		}
	}
	return true
}

// trimBlanks cuts spaces and tabs off both ends.
func trimBlanks(b []byte) []byte {
	for len(b) > 0 && isBlank(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isBlank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// scanner splits text that begins with a record.
type scanner struct {
	rule
	buf  []byte
	pos  int  // the rest of buf is not read yet
	nul  int  // place of the first NUL byte in buf, or -1
	eof  bool // buf ends where a record does, or the file
	line int64
	rec  record
}

// reset begins the reading of text whose first line has the given number. whole
// says that it ends where a record does, or the file.
func (s *scanner) reset(r rule, text []byte, line int64, whole bool) {
	s.rule, s.buf, s.pos, s.eof, s.line = r, text, 0, whole, line
	s.nul = bytes.IndexByte(text, 0)
}

// next returns the next record, io.EOF after the last one, or errMore. Another
// error leaves s.line at the line that it is about.
func (s *scanner) next() (*record, error) {
	n, err := s.split(s.buf[s.pos:])
	switch {
	case err != nil:
		return nil, err
	case n > 0:
		if s.nul >= 0 && s.nul < s.pos+n {
			return nil, s.fail(errNUL, 0, n)
		}
		s.rec.line = s.line
		if s.rec.multiline {
			s.line += int64(bytes.Count(s.buf[s.pos:s.pos+n], newline))
		} else if bytes.HasSuffix(s.rec.eol, newline) {
			s.line++
		}
		s.pos += n
		return &s.rec, nil
	case s.nul >= 0:
		return nil, s.fail(errNUL, 0, len(s.buf)-s.pos)
	case s.eof:
		return nil, io.EOF
	}
	return nil, errMore
}

// newline is what bytes.Count looks for; an array would escape.
var newline = []byte{'\n'}

// fail moves the line on to the unread byte that err is about and returns err. A
// NUL byte among the first seen unread bytes takes precedence, so that the error
// does not depend on how much is in the buffer.
func (s *scanner) fail(err error, at, seen int) error {
	if s.nul >= 0 && s.nul < s.pos+seen {
		err, at = errNUL, s.nul-s.pos
	}
	s.line += int64(bytes.Count(s.buf[s.pos:s.pos+at], newline))
	return err
}

// split finds the first record of b, fills s.rec but for its line, and returns
// how many bytes it takes with its line end: 0 if b does not hold all of it.
func (s *scanner) split(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	next := bytes.IndexByte(b, '\n') + 1
	if next == 0 {
		if !s.eof {
			return 0, nil
		}
		next = len(b)
	}
	line := b[:next]
	s.rec.fields = s.rec.fields[:0]
	s.rec.multiline, s.rec.missing = false, 0
	if s.rec.comment = s.isComment(line); s.rec.comment {
		s.cut(line)
		return next, nil
	}
	quotes := bytes.IndexByte(line, '"') >= 0
	if quotes && s.delim != blanks {
		return s.splitQuoted(b)
	}
	s.cut(line)
	switch {
	case s.delim == blanks:
		s.splitBlanks()
	case s.trailing && s.cutComment(bytes.Index(line, s.comment)):
	default:
		s.splitPlain()
	}
	return next, nil
}

// cutComment moves the comment that begins at raw[at], with the blanks before it,
// from raw to eol. It reports whether that leaves nothing: then the whole line is
// the comment. Below 0 there is none.
func (s *scanner) cutComment(at int) bool {
	if at < 0 {
		return false
	}
	end := at
	for end > 0 && (s.rec.raw[end-1] == ' ' || s.rec.raw[end-1] == '\t' && s.delim != '\t') {
		end--
	}
	if end == 0 {
		s.rec.comment, s.rec.fields = true, s.rec.fields[:0]
		return true
	}
	whole := len(s.rec.raw) + len(s.rec.eol) // they lie one behind the other
	all := s.rec.raw[:whole]
	s.rec.raw, s.rec.eol = all[:end], all[end:]
	return false
}

// cut sets raw and eol of the record from a line.
func (s *scanner) cut(line []byte) {
	n := len(line)
	if n > 0 && line[n-1] == '\n' {
		n--
	}
	if n > 0 && line[n-1] == '\r' {
		n--
	}
	s.rec.raw, s.rec.eol = line[:n], line[n:]
}

// splitPlain finds the fields of a record without quotes.
func (s *scanner) splitPlain() {
	raw, at := s.rec.raw, 0
	for {
		k := bytes.IndexByte(raw[at:], s.delim)
		if k < 0 {
			s.rec.fields = append(s.rec.fields, field{start: at, end: len(raw)})
			return
		}
		s.rec.fields = append(s.rec.fields, field{start: at, end: at + k})
		at += k + 1
	}
}
