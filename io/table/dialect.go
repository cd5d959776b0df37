package table

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

const (
	// sniffSize is how much of a file is looked at first to find its dialect, in
	// bytes. More is if its table begins later.
	sniffSize = 64 << 10

	// sniffRecords is how many records of it count.
	sniffRecords = 50
)

// dialect says how a CSV file is to be read.
type dialect struct {
	rule
	encoding string
	style    numberStyle
	pad      bool // records that are too short are filled up
}

// checkCSV sees that the options for CSV are ones that we know.
func checkCSV(opt ReadOptions) error {
	switch r := opt.Delimiter; {
	case r > '~' || r < ' ' && r != '\t' && r != 0 || r == '"':
		return fmt.Errorf("%w: %q is no delimiter; use an ASCII character such as , ; | or a tab", ErrFormat, r)
	case strings.ContainsAny(opt.Comment, "\r\n\"\x00"):
		return fmt.Errorf("%w: %q is nothing that comments begin with; use # or none", ErrFormat, opt.Comment)
	case opt.Skip < 0:
		return fmt.Errorf("%w: %d lines cannot be skipped", ErrFormat, opt.Skip)
	}
	switch opt.Header {
	case "", formatAuto, "yes", "no", headerComment:
	default:
		return fmt.Errorf("%w of header %q; known are auto, yes, no and comment", ErrFormat, opt.Header)
	}
	switch opt.Ragged {
	case "", "error", raggedPad:
	default:
		return fmt.Errorf("%w of ragged rows %q; known are error and pad", ErrFormat, opt.Ragged)
	}
	switch opt.Trailing {
	case "", formatAuto, trailingYes, trailingNo:
	default:
		return fmt.Errorf("%w of trailing comments %q; known are auto, yes and no", ErrFormat, opt.Trailing)
	}
	if n, err := strconv.Atoi(opt.UnitRows); opt.UnitRows != "" && opt.UnitRows != formatAuto && (err != nil || n < 0 || n > sniffRecords/2) {
		return fmt.Errorf("%w: %q is no number of unit rows; use auto, or a number such as 0 or 1", ErrFormat, opt.UnitRows)
	}
	return nil
}

const (
	headerComment = "comment"
	raggedPad     = "pad"
	commentNone   = "none"
	trailingYes   = "yes"
	trailingNo    = "no"
)

// findRule decides the delimiter and the comments of a sample of text.
func (s *sniffer) findRule() {
	r := &s.dialect.rule
	switch first := firstLine(s.text); {
	case s.opt.Comment == commentNone:
	case s.opt.Comment != "" && s.opt.Comment != formatAuto:
		r.comment = []byte(s.opt.Comment)
	case bytes.HasPrefix(first, hash):
		r.comment = hash
		s.say(false, "lines that begin with # are comments, as the first line is one (--comment)")
	}
	if s.opt.Trailing == trailingYes {
		r.comment, r.trailing = s.mark(), true
	}
	switch d := s.opt.Delimiter; {
	case d != 0:
		r.delim = byte(d)
	case s.opt.Format == formatTSV:
		r.delim = '\t'
	case s.opt.Format == formatCSV:
		r.delim = ','
	case s.sepLine != nil:
		r.delim = s.sepLine[len("sep=")]
		s.say(false, "fields are separated by %s, as the first line says (--delimiter)", delimName(r.delim))
	default:
		s.findDelimiter()
		return
	}
	if _, fields := s.cutsEvenly(*r); fields > 0 {
		s.cutComments()
	} else {
		s.settle(string(rune(r.delim)))
	}
}

// mark is what comments begin with, or would if there were any; empty: nothing.
func (s *sniffer) mark() []byte {
	if auto := s.opt.Comment == "" || s.opt.Comment == formatAuto; auto && len(s.dialect.comment) == 0 {
		return hash
	}
	return s.dialect.comment
}

// hash is what comments begin with unless told otherwise.
var hash = []byte{'#'}

// firstLine returns the first line that is not blank.
func firstLine(text []byte) []byte {
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, newline)
		if len(bytes.TrimSpace(line)) > 0 {
			return line
		}
		text = rest
	}
	return nil
}
