package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
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
	if n, err := strconv.Atoi(opt.UnitRows); opt.UnitRows != "" && opt.UnitRows != formatAuto && (err != nil || n < 0 || n > sniffRecords/2) {
		return fmt.Errorf("%w: %q is no number of unit rows; use auto, or a number such as 0 or 1", ErrFormat, opt.UnitRows)
	}
	return nil
}

const (
	headerComment = "comment"
	raggedPad     = "pad"
	commentNone   = "none"
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
	switch d := s.opt.Delimiter; {
	case d != 0:
		r.delim = byte(d)
	case s.opt.Format == formatTSV:
		r.delim = '\t'
	case s.opt.Format == formatCSV:
		r.delim = ','
	default:
		s.findDelimiter()
	}
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

// findDelimiter takes the first of the usual delimiters that cuts all records of
// the sample into the same number of fields, at least two. Comma comes first, or
// tab for .tsv; blanks come last and must also yield a column of numbers, since
// text has blanks too. If none does, lines with # may be comments; else a
// delimiter that most records have is taken, or the first one.
func (s *sniffer) findDelimiter() {
	r := &s.dialect.rule
	order := s.candidates()
	auto := s.opt.Comment == "" || s.opt.Comment == formatAuto
	for _, comment := range [][]byte{r.comment, hash} {
		if comment != nil && r.comment == nil && (!auto || !bytes.Contains(s.text, []byte("\n#"))) {
			break
		}
		for _, delim := range order + string(rune(blanks)) {
			try := rule{delim: byte(delim), comment: comment}
			n, fields := s.cutsEvenly(try)
			if fields < 2 || byte(delim) == blanks && !s.hasNumbers(try) {
				continue
			}
			if r.comment == nil && comment != nil {
				s.say(true, "lines that begin with # are comments, as the other lines then have the same number of fields (--comment)")
			}
			*r = try
			s.say(false, "fields are parted by %s, which cut each of the first %d records into %d fields (--delimiter)", delimName(r.delim), n, fields)
			return
		}
	}
	for _, delim := range strings.TrimSuffix(order, ",") { // a comma there is one of numbers
		try := rule{delim: byte(delim), comment: r.comment}
		if s.mostHave(try) {
			*r = try
			s.say(false, "fields are parted by %s, which most of the first records have (--delimiter)", delimName(r.delim))
			return
		}
	}
	r.delim = order[0]
	s.say(false, "there is one column, as no delimiter cuts the first records (--delimiter)")
}

// candidates lists the delimiters to try. A comma that numbers have inside comes
// last.
func (s *sniffer) candidates() string {
	byName, _ := byExtension(s.path)
	switch style := &s.dialect.style; {
	case style.decimal == ',' || style.thousands == ',':
		return ";\t|,"
	case byName == formatTSV:
		return "\t,;|"
	}
	return ",\t;|"
}

// delimName is what messages call a delimiter.
func delimName(delim byte) string {
	switch delim {
	case ',':
		return "commas"
	case '\t':
		return "tabs"
	case ';':
		return "semicolons"
	case '|':
		return "bars"
	case blanks:
		return "blanks"
	}
	return strconv.QuoteRune(rune(delim))
}

// records calls fn with the first records of the sample, without comments and
// blank lines, until fn returns false. It returns false if the sample is no CSV
// of that rule.
func (s *sniffer) records(r rule, fn func(r *record) bool) bool {
	var sc scanner
	sc.reset(r, s.text, 1, s.whole)
	for n := 0; n < sniffRecords; {
		rec, err := sc.next()
		if err != nil {
			return errors.Is(err, io.EOF) || errors.Is(err, errMore)
		}
		if rec.comment || rec.blank(r.delim) {
			continue
		}
		if n++; !fn(rec) {
			return false
		}
	}
	return true
}

// cutsEvenly returns the number of records of the sample and the number of
// fields that each of them has, or 0.
func (s *sniffer) cutsEvenly(r rule) (n, fields int) {
	ok := s.records(r, func(rec *record) bool {
		if n++; n == 1 {
			fields = len(rec.fields)
		}
		return len(rec.fields) == fields
	})
	if !ok {
		return n, 0
	}
	return n, fields
}

// mostHave reports whether the first record and most others have several fields.
func (s *sniffer) mostHave(r rule) bool {
	n, several := 0, 0
	s.records(r, func(rec *record) bool {
		if n++; len(rec.fields) > 1 {
			several++
		}
		return several > 0
	})
	return several > 0 && 2*several > n
}

// hasNumbers reports whether some column of the sample holds numbers only, from
// the second record on; of a single record all fields must be numbers.
func (s *sniffer) hasNumbers(r rule) bool {
	var numeric []bool
	n, numbers := 0, 0
	s.records(r, func(rec *record) bool {
		for i := range rec.fields {
			k, _ := s.dialect.style.kindOf(rec.bytes(i))
			switch {
			case n == 0:
				numeric = append(numeric, true)
				if k == kindNumber {
					numbers++
				}
			case k != kindNumber && i < len(numeric):
				numeric[i] = false
			}
		}
		n++
		return true
	})
	if n == 1 {
		return numbers == len(numeric)
	}
	return slices.Contains(numeric, true)
}
