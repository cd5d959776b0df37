package table

import (
	"bytes"
	"errors"
	"io"
)

const (
	// chunkSize is how much text goes through a pass in one piece, in bytes: small
	// enough for several to stay in a processor's cache, large enough that handing
	// them on costs nothing.
	chunkSize = 512 << 10

	// maxRecord is the largest record, in bytes. A quote that is never closed
	// would otherwise take the rest of the file into memory.
	maxRecord = 64 << 20
)

// cutter cuts text into chunks of whole records. How it cuts depends on the
// text and the size alone, so that every reading of a file has the same chunks.
type cutter struct {
	rule
	r    io.Reader
	max  int // largest record in bytes
	rest []byte
	line int64 // of the first byte of rest
	err  error // of r, io.EOF at its end
}

// next fills buf with the next chunk, and returns it and the number of its first
// line. buf grows to what one record needs. After the last chunk there is
// io.EOF. An error of the reader, or that a record is too long, comes after what
// could be read before.
func (c *cutter) next(buf []byte) (data []byte, line int64, err error) {
	end := copy(c.room(&buf, len(c.rest)), c.rest)
	c.rest = c.rest[:0]
	for {
		for c.err == nil && end < len(buf) {
			n, err := c.r.Read(buf[end:])
			end += n
			c.err = err
		}
		n := end
		if !errors.Is(c.err, io.EOF) {
			n = c.wholeRecords(buf[:end])
		}
		switch {
		case n > 0:
			c.rest = append(c.rest, buf[n:end]...)
			line = c.line
			c.line += int64(bytes.Count(buf[:n], newline))
			return buf[:n], line, nil
		case c.err != nil:
			return buf[:0], c.line, c.err
		case len(buf) >= c.max:
			return buf[:0], c.line, errLong
		}
		c.room(&buf, min(2*len(buf), c.max))
	}
}

// room makes buf at least n bytes long and returns it.
func (c *cutter) room(buf *[]byte, n int) []byte {
	if n > len(*buf) {
		*buf = append(*buf, make([]byte, n-len(*buf))...)
	}
	return *buf
}

// wholeRecords returns how many bytes at the start of b are whole records with
// their line ends. Quotes count as the scanner counts them, as long as it finds
// no fault; behind a fault nothing matters.
func (r *rule) wholeRecords(b []byte) int {
	if r.delim == blanks || bytes.IndexByte(b, '"') < 0 {
		return bytes.LastIndexByte(b, '\n') + 1
	}
	if r.trailing {
		return r.scanRecords(b)
	}
	start := 0 // of the record that holds b[i]
	for i := 0; ; {
		k := bytes.IndexByte(b[i:], '"')
		until := i + k
		if k < 0 {
			until = len(b)
		}
		if n := bytes.LastIndexByte(b[i:until], '\n'); n >= 0 {
			start = i + n + 1
		}
		if k < 0 {
			return start
		}
		if i = until + 1; !r.opensAt(b, start, until) {
			continue // is text
		}
		for {
			k := bytes.IndexByte(b[i:], '"')
			if k < 0 || i+k+1 == len(b) {
				return start // not closed, or perhaps doubled
			}
			if i += k + 1; b[i] != '"' {
				break
			}
			i++
		}
	}
}

// scanRecords is wholeRecords where quotes in comments do not count, so that only
// the scanner tells.
func (r *rule) scanRecords(b []byte) int {
	var s scanner
	s.reset(*r, b, 1, false)
	s.nul = -1 // is found when the chunk is read
	for {
		switch _, err := s.next(); {
		case errors.Is(err, errMore), errors.Is(err, io.EOF):
			return s.pos
		case err != nil:
			return len(b) // whoever reads the chunk meets the fault
		}
	}
}

// opensAt reports whether the quote at b[q] begins a field of the record that
// begins at b[start].
func (r *rule) opensAt(b []byte, start, q int) bool {
	i := q - 1
	for i >= start && (b[i] == ' ' || b[i] == '\t' && r.delim != '\t') {
		i--
	}
	return (i < start || b[i] == r.delim) && !r.isComment(b[start:])
}
