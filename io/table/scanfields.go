package table

import "bytes"

// This file splits records that take more than a search for delimiters: those
// between blanks, and those with quotes.

// splitBlanks finds the fields of a record between runs of blanks. A field may be
// quoted, if its quote is closed in the same line; else the quote is text.
func (s *scanner) splitBlanks() {
	raw := s.rec.raw
	for i := 0; i < len(raw); {
		switch {
		case isBlank(raw[i]):
			i++
			continue
		case s.trails(raw[i:]):
			s.cutComment(i)
			return
		}
		f := field{start: i, end: closedQuote(raw, i)}
		if f.quoted = f.end > 0; !f.quoted {
			for f.end = i; f.end < len(raw) && !isBlank(raw[f.end]) && (f.end == i || !s.trails(raw[f.end:])); {
				f.end++
			}
		}
		s.rec.fields = append(s.rec.fields, f)
		i = f.end
	}
	if len(s.rec.fields) == 0 {
		s.rec.fields = append(s.rec.fields, field{})
	}
}

// closedQuote returns the place behind the quote that closes the one at raw[at],
// where a blank or the end must follow, or 0 if there is none.
func closedQuote(raw []byte, at int) int {
	if raw[at] != '"' {
		return 0
	}
	for i := at + 1; i < len(raw); i++ {
		if raw[i] != '"' {
			continue
		}
		if i+1 < len(raw) && raw[i+1] == '"' {
			i++
			continue
		}
		if i+1 < len(raw) && !isBlank(raw[i+1]) {
			return 0
		}
		return i + 1
	}
	return 0
}

// splitQuoted finds the fields of a record with quotes, which may go over
// several lines, as split does.
func (s *scanner) splitQuoted(b []byte) (int, error) {
	s.rec.multiline = true
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
		next := bytes.IndexByte(b[f.end:], '\n') + 1 // a CR or a comment may stand before it
		if next == 0 {
			if !s.eof {
				return 0, nil
			}
			next = len(b) - f.end
		}
		next += f.end
		s.cut(b[:next])
		if s.trails(b[f.end:]) && s.cutComment(f.end) {
			return next, nil
		}
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
		for i < len(b) && b[i] != s.delim && b[i] != '\n' && !s.trails(b[i:]) {
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
	if end+max(1, len(s.comment)) >= len(b) && !s.eof {
		return more, nil
	}
	rest := b[end:]
	if len(rest) > 0 && rest[0] != s.delim && rest[0] != '\n' && !bytes.HasPrefix(rest, crlf) && !bytes.Equal(rest, crlf[:1]) && !s.trails(rest) {
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
