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

const (
	// scanBuffer is the first size of the buffer, in bytes. It grows to what one
	// record needs.
	scanBuffer = 256 << 10

	// maxRecord is the largest record, in bytes. A quote that is never closed
	// would otherwise take the rest of the file into memory.
	maxRecord = 64 << 20
)

// blanks as a delimiter stands for runs of spaces and tabs.
const blanks = ' '

var (
	errNUL     = errors.New("has a NUL byte; the file is binary, or text in UTF-16")
	errLong    = errors.New("record is longer than 64 MiB; is a quote left open here?")
	errOpen    = errors.New("quote is never closed")
	errTrailed = errors.New("text after the closing quote of a field")
)

// field is a place in record.raw, quotes and blanks around them included.
type field struct {
	start, end int
	quoted     bool
}

// record is one record of a CSV file. It is valid until the next one is read.
type record struct {
	raw    []byte // as in the file, without its line end
	eol    []byte // its line end, empty at the end of a file
	fields []field
	line   int64 // number of its first line, from 1
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
	buf = buf[:0]
	for {
		k := bytes.IndexByte(b, '"')
		if k < 0 {
			return append(buf, b...)
		}
		buf = append(buf, b[:k+1]...)
		b = b[k+2:]
	}
}

// blank reports whether the record holds nothing but blanks that are no
// delimiters.
func (r *record) blank(delim byte) bool {
	for _, c := range r.raw {
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

// scanner reads records from r. Its buffer holds the record that was read last
// and what follows it.
type scanner struct {
	r     io.Reader
	delim byte
	max   int // largest record in bytes

	buf      []byte
	pos, end int // unread bytes are buf[pos:end]
	nul      int // place of the first NUL byte in buf, or -1
	eof      bool
	line     int64
	rec      record
}

// newScanner returns a scanner of records separated by delim.
func newScanner(r io.Reader, delim byte) *scanner {
	return &scanner{r: r, delim: delim, max: maxRecord, buf: make([]byte, scanBuffer), nul: -1, line: 1}
}

// next returns the next record, or io.EOF after the last one. An error leaves
// s.line at the line that it is about.
func (s *scanner) next() (*record, error) {
	for {
		n, err := s.split(s.buf[s.pos:s.end])
		switch {
		case err != nil:
			return nil, err
		case n > 0:
			if s.nul >= 0 && s.nul < s.pos+n {
				return nil, s.fail(errNUL, 0, n)
			}
			s.rec.line = s.line
			s.line += int64(bytes.Count(s.buf[s.pos:s.pos+n], newline))
			s.pos += n
			return &s.rec, nil
		case s.nul >= 0:
			return nil, s.fail(errNUL, 0, s.end-s.pos)
		case s.eof:
			return nil, io.EOF
		}
		if err := s.fill(); err != nil {
			return nil, err
		}
	}
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

// fill reads until the buffer is full or the input ends, and makes room first.
// Full reads keep the cost of starting a record anew linear.
func (s *scanner) fill() error {
	if s.pos == 0 && s.end == len(s.buf) {
		if len(s.buf) >= s.max {
			return errLong
		}
		s.buf = append(s.buf, make([]byte, min(len(s.buf), s.max-len(s.buf)))...)
	}
	copy(s.buf, s.buf[s.pos:s.end])
	if s.nul >= 0 {
		s.nul -= s.pos
	}
	s.end -= s.pos
	s.pos = 0
	start := s.end
	for s.end < len(s.buf) {
		// Not io.ReadFull, which hides a stream that breaks off among plain ends.
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		if errors.Is(err, io.EOF) {
			s.eof = true
			break
		}
		if err != nil {
			return err
		}
	}
	if k := bytes.IndexByte(s.buf[start:s.end], 0); k >= 0 && s.nul < 0 {
		s.nul = start + k
	}
	return nil
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
	if s.delim == blanks {
		s.cut(line)
		s.splitBlanks()
		return next, nil
	}
	if bytes.IndexByte(line, '"') >= 0 {
		return s.splitQuoted(b)
	}
	s.cut(line)
	s.splitPlain()
	return next, nil
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

// splitBlanks finds the fields of a record between runs of blanks. Quotes mean
// nothing there.
func (s *scanner) splitBlanks() {
	raw := s.rec.raw
	for i := 0; i < len(raw); {
		if isBlank(raw[i]) {
			i++
			continue
		}
		start := i
		for i < len(raw) && !isBlank(raw[i]) {
			i++
		}
		s.rec.fields = append(s.rec.fields, field{start: start, end: i})
	}
	if len(s.rec.fields) == 0 {
		s.rec.fields = append(s.rec.fields, field{})
	}
}

// splitQuoted finds the fields of a record with quotes, which may go over
// several lines, as split does.
func (s *scanner) splitQuoted(b []byte) (int, error) {
	for at := 0; ; {
		f, err := s.quotedField(b, at)
		if err != nil || f.end < 0 {
			return 0, err
		}
		s.rec.fields = append(s.rec.fields, f)
		if f.end < len(b) && b[f.end] == s.delim {
			at = f.end + 1
			continue
		}
		next := bytes.IndexByte(b[f.end:], '\n') + 1 // only a CR can stand before it
		if next == 0 {
			if !s.eof {
				return 0, nil
			}
			next = len(b) - f.end
		}
		next += f.end
		s.cut(b[:next])
		last := &s.rec.fields[len(s.rec.fields)-1]
		last.end = min(last.end, len(s.rec.raw))
		return next, nil
	}
}

// quotedField returns the field that begins at b[at], quoted or not. Its end is
// -1 if more bytes are needed to tell.
func (s *scanner) quotedField(b []byte, at int) (field, error) {
	more := field{end: -1}
	i := s.skipBlanks(b, at)
	if i == len(b) || b[i] != '"' {
		for i < len(b) && b[i] != s.delim && b[i] != '\n' {
			i++
		}
		if i == len(b) && !s.eof {
			return more, nil
		}
		return field{start: at, end: i}, nil
	}
	for open := i; ; {
		k := bytes.IndexByte(b[i+1:], '"')
		if k < 0 {
			if s.eof {
				return more, s.fail(errOpen, open, len(b))
			}
			return more, nil
		}
		i += 1 + k + 1 // after the quote
		if i == len(b) && !s.eof {
			return more, nil
		}
		if i == len(b) || b[i] != '"' {
			break
		}
	}
	end := s.skipBlanks(b, i)
	if end+1 >= len(b) && !s.eof {
		return more, nil
	}
	rest := b[end:]
	if len(rest) > 0 && rest[0] != s.delim && rest[0] != '\n' && !bytes.HasPrefix(rest, crlf) && !bytes.Equal(rest, crlf[:1]) {
		firstLine := len(b)
		if k := bytes.IndexByte(b, '\n'); k >= 0 {
			firstLine = k // all of it was looked at before
		}
		return more, s.fail(errTrailed, end, max(end+1, firstLine))
	}
	return field{start: at, end: end, quoted: true}, nil
}

// crlf is a line end as Windows writes it.
var crlf = []byte("\r\n")

// skipBlanks returns the place of the first byte from at on that is no blank.
func (s *scanner) skipBlanks(b []byte, at int) int {
	for at < len(b) && (b[at] == ' ' || b[at] == '\t' && s.delim != '\t') {
		at++
	}
	return at
}
