package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// Note is something that was found out about a file rather than asked for.
type Note struct {
	Text string // what, why, and in brackets which flag decides otherwise
	Loud bool   // people should know without asking
}

// preamble is what stands before the rows of a CSV file.
type preamble struct {
	raw    []byte    // text before the header, or before the first row without one
	sep    []byte    // the line of it that says sep=; for a spreadsheet
	header *preLine  // nil: none
	under  []preLine // lines under the header that hold no row
	size   int64     // bytes before the rows
	lines  int64     // lines before the rows
	eol    []byte    // of the first record
}

// preLine is a record of a preamble.
type preLine struct {
	record
	kind  string // header, comment, units, types or ruler
	delim byte   // between its fields
	start int    // of a comment before the first record: its place in the sample
}

// keep copies a record that is about to be overwritten.
func (r *record) keep() record {
	k := *r
	k.raw, k.eol = bytes.Clone(r.raw), bytes.Clone(r.eol)
	k.fields = append([]field{}, r.fields...)
	return k
}

// sniffer finds out the dialect and the preamble of a file from a sample of it.
type sniffer struct {
	path    string
	opt     ReadOptions
	text    []byte // the sample, from where the table may begin
	at      int    // bytes before that
	whole   bool   // it is all there is
	dialect dialect

	pre   preamble
	names []string
	notes []Note

	lead []preLine // comments before the first record
	rows []sampleRow

	sepLine  []byte // sep=; as the first line of the text
	rowNames bool   // the header lacks a name for the first column
}

// sampleRow is one of the first records of a sample, the header perhaps.
type sampleRow struct {
	record
	texts    [][]byte
	start    int       // place in text
	end      int       // likewise
	comments []preLine // between the record before and this one
}

// say adds a note.
func (s *sniffer) say(loud bool, format string, args ...any) {
	s.notes = append(s.notes, Note{Text: fmt.Sprintf(format, args...), Loud: loud})
}

// sniff looks at the sample. It returns errMore if a longer one is needed.
func (s *sniffer) sniff(sample []byte) error {
	if err := s.refuseOthers(sample); err != nil {
		return err
	}
	if n := bytes.IndexByte(sample, '\r'); n >= 0 && n < len(sample)-1 && bytes.IndexByte(sample, '\n') < 0 {
		return badFile(s.path, "its lines end in carriage returns alone: convert it first, such as by tr '\\r' '\\n'")
	}
	at, lines, err := s.skip(sample)
	if err != nil {
		return err
	}
	s.text, s.at = sample[at:], at
	s.findRule()
	if err := s.readRows(lines); err != nil {
		return err
	}
	if err := s.findHeader(); err != nil {
		return err
	}
	s.pre.raw, s.pre.sep = append(bytes.Clone(sample[:at]), s.pre.raw...), s.sepLine
	s.pre.size += int64(at)
	sample = bytes.TrimPrefix(sample, bomUTF8)
	if !utf8.Valid(sample[:max(0, len(sample)-utf8.UTFMax)]) {
		s.say(false, "some bytes are not UTF-8; they pass as they are (--encoding latin1 decodes them)")
	}
	return nil
}

// skip returns where the table may begin: behind a byte order mark and the lines
// to skip.
func (s *sniffer) skip(sample []byte) (at int, lines int64, err error) {
	if bytes.HasPrefix(sample, bomUTF8) {
		at = len(bomUTF8)
	}
	if s.sepLine = separatorLine(sample[at:]); s.sepLine != nil && s.opt.Skip == 0 {
		return at + len(s.sepLine), 1, nil
	}
	for range s.opt.Skip {
		n := bytes.IndexByte(sample[at:], '\n') + 1
		switch {
		case n == 0 && !s.whole:
			return 0, 0, errMore
		case n == 0:
			return 0, 0, badFile(s.path, "has %d lines, so %d cannot be skipped", lines+1, s.opt.Skip)
		}
		at += n
		lines++
	}
	return at, lines, nil
}

// readRows reads the first records of the sample, with the comments before them.
func (s *sniffer) readRows(lines int64) error {
	var sc scanner
	sc.reset(s.dialect.rule, s.text, lines+1, s.whole)
	var comments []preLine
	for len(s.rows) < sniffRecords {
		start := sc.pos
		rec, err := sc.next()
		if err != nil {
			return s.endRows(err, sc.line)
		}
		if rec.comment {
			c := preLine{record: rec.keep(), kind: kindComment, delim: s.dialect.delim}
			comments = append(comments, c)
			if len(s.rows) == 0 {
				c.start = start
				s.lead = append(s.lead, c)
			}
			continue
		}
		if rec.blank(s.dialect.delim) {
			if len(s.rows) > 0 {
				break // is a row, or an error
			}
			continue
		}
		row := sampleRow{record: rec.keep(), start: start, end: sc.pos, comments: comments}
		if s.rowNames && len(s.rows) == 0 {
			row.fields = append([]field{{}}, row.fields...)
		}
		for i := range row.fields {
			row.texts = append(row.texts, trimBlanks(row.text(i, nil)))
		}
		s.rows = append(s.rows, row)
		comments = nil
	}
	return nil
}

// endRows decides what the end of the sample means, or a fault in it. Faults
// behind the first record are found again, in their order, by whoever reads the
// rows.
func (s *sniffer) endRows(err error, line int64) error {
	const enough = 5 // for a header and what may stand under it
	switch {
	case errors.Is(err, errMore) && len(s.rows) < enough:
		return errMore
	case len(s.rows) > 0:
		return nil
	case errors.Is(err, io.EOF) && len(s.lead) > 0:
		return badFile(s.path, "holds nothing but comments (--comment none reads them as data)")
	case errors.Is(err, io.EOF):
		return badFile(s.path, "holds nothing but blanks")
	}
	return &DataError{Path: s.path, Row: -1, Line: line, Err: err}
}

// after returns the number of lines up to the end of a record.
func (r *sampleRow) after() int64 {
	return r.line - 1 + int64(bytes.Count(r.raw, newline)) + int64(bytes.Count(r.eol, newline))
}

// takeUnder makes records, from the given one on, part of the preamble.
func (s *sniffer) takeUnder(from int, kinds []string) error {
	for i, kind := range kinds {
		if from+i >= len(s.rows) {
			return badFile(s.path, "has too few records for %d unit rows", len(kinds))
		}
		row := &s.rows[from+i]
		if len(row.fields) != len(s.names) {
			return badLine(s.path, row.line, "the record has %d fields, want %d as in the first one", len(row.fields), len(s.names))
		}
		if from+i > 0 {
			s.pre.under = append(s.pre.under, row.comments...)
		}
		s.pre.under = append(s.pre.under, preLine{record: row.record, kind: kind, delim: s.dialect.delim})
		s.pre.size, s.pre.lines = int64(row.end), row.after()
		if s.opt.UnitRows == "" || s.opt.UnitRows == formatAuto {
			s.say(true, "line %d holds %s, no data (--unit-rows)", row.line, kindName(kind))
		}
	}
	return nil
}
