package table

import (
	"bytes"
	"errors"
	"io"

	"github.com/parquet-go/parquet-go/format"
)

// Record is a record of CSV as the scanner sees it.
type Record struct {
	Raw, EOL string
	Fields   []string // as they stand in the file
	Texts    []string // their content
	Line     int64
}

// ScanAll cuts text into chunks of about the given size and splits these into
// records. It returns the line that an error is about.
func ScanAll(text []byte, delim byte, comment string, trailing bool, size, limit int) (all []Record, line int64, err error) {
	r := rule{delim: delim, comment: []byte(comment), trailing: trailing}
	cut := cutter{rule: r, r: bytes.NewReader(text), max: limit, line: 1}
	for {
		data, line, err := cut.next(make([]byte, size))
		if errors.Is(err, io.EOF) {
			return all, 0, nil
		}
		if err != nil {
			return all, line, err
		}
		var s scanner
		s.reset(r, data, line, true)
		for {
			r, err := s.next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return all, s.line, err
			}
			rec := Record{Raw: string(r.raw), EOL: string(r.eol), Line: r.line}
			for i := range r.fields {
				rec.Fields = append(rec.Fields, string(r.bytes(i)))
				rec.Texts = append(rec.Texts, string(r.text(i, nil)))
			}
			all = append(all, rec)
		}
	}
}

// Chunked returns options that read text in chunks of about the given size.
func Chunked(opt ReadOptions, size int) ReadOptions {
	opt.chunk = size
	return opt
}

// ExactNumber tells whether an int64 holds a number, and why a float64 does not.
func ExactNumber(text string) (asInt bool, why string) {
	asInt, l := exactNumber([]byte(text))
	return asInt, l.String()
}

// ParseNumber parses a field; word is null, nan, inf, text or "" for a number.
func ParseNumber(b []byte) (v float64, word string, err error) {
	v, k, err := parseNumber(b)
	return v, [...]string{"text", "", "null", "nan", "inf"}[k], err
}

// KindOf classifies a field as ParseNumber does.
func KindOf(b []byte) (word string, integer bool) {
	k, integer := kindOf(b)
	return [...]string{"text", "", "null", "nan", "inf"}[k], integer
}

// AppendFloat formats a number as it is written.
func AppendFloat(v float64, bitSize int) string { return string(appendFloat(nil, v, bitSize)) }

// RoundHalf rounds to float16.
var RoundHalf = roundHalf

// ThriftStructure returns the length of a Thrift structure.
var ThriftStructure = thriftStructure

// ErrShort and others are what the scanners return.
var (
	ErrShort   = errShort
	ErrLong    = errLong
	ErrOpen    = errOpen
	ErrTrailed = errTrailed
	ErrNUL     = errNUL
)

// Spooled returns the name of the spool file that is still to be removed.
func (t *Table) Spooled() string { return t.files[0].src.temp }

// Keeps reports whether the first reading of a CSV file has kept numbers.
func (t *Table) Keeps() bool { return t.body.(*csvFile).loaded != nil }

// Metadata returns the metadata of a Parquet file.
func (t *Table) Metadata() *format.FileMetaData { return t.body.(*parquetFile).meta }

// ReadLevels walks over n levels in runs and returns what was found of them, and
// their runs.
func ReadLevels(b []byte, n, most int) (first, full int, runs []byte, err error) {
	l, err := readLevels(b, n, most)
	return l.first, l.full, l.runs, err
}

// WalkDeltas decodes n numbers that are encoded by their differences, and returns
// what follows them.
func WalkDeltas(b []byte, n int) (list []int, rest []byte, err error) {
	rest, err = walkDeltas(b, n, &list)
	return list, rest, err
}

// BatchRows is how many rows of all leaves of a Parquet file are read at once.
func (t *Table) BatchRows() int64 {
	p := t.body.(*parquetFile)
	return p.batchRows(0, upTo(len(p.leaf))...)
}

// ReadPagesFrom makes a table of one Parquet file read its pages from what wrap
// makes of the file.
func (t *Table) ReadPagesFrom(wrap func(io.ReaderAt) io.ReaderAt) {
	p := t.body.(*parquetFile)
	p.pages = wrap(p.pages)
}

// LimitPages makes a table of one Parquet file do with so many bytes for its pages.
func (t *Table) LimitPages(most int64) {
	b := t.body.(*parquetFile).budget
	b.most, b.left = most, most
}
