package table

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
)

// This file finds out what parts the fields of a sample.

// findDelimiter takes the first of the usual delimiters that cuts all records of
// the sample into the same number of fields, at least two. Comma comes first, or
// tab for .tsv; blanks come last and must also yield a column of numbers, since
// text has blanks too. If none does, lines with # may be comments; else a
// delimiter that most records have is taken, or the first one.
func (s *sniffer) findDelimiter() {
	r := &s.dialect.rule
	order := s.candidates()
	for _, comment := range s.commentsToTry() {
		for _, delim := range order + string(rune(blanks)) {
			try := rule{delim: byte(delim), comment: comment, trailing: r.trailing}
			n, fields := s.cutsEvenly(try)
			if fields < 2 || byte(delim) == blanks && !s.hasNumbers(try) {
				continue
			}
			if r.comment == nil && comment != nil {
				s.say(true, "lines that begin with %s are comments, as the other lines then have the same number of fields (--comment)", comment)
			}
			if *r = try; byte(delim) != ',' || !s.commasInNumbers() {
				s.say(false, "fields are separated by %s, which cut each of the first %d records into %d fields (--delimiter)", delimName(r.delim), n, fields)
			}
			s.cutComments()
			return
		}
	}
	if s.settle(order + string(rune(blanks))) {
		return
	}
	for _, delim := range strings.TrimSuffix(order, ",") { // a comma there is one of numbers
		try := rule{delim: byte(delim), comment: r.comment, trailing: r.trailing}
		if s.mostHave(try) {
			*r = try
			s.say(false, "fields are separated by %s, which most of the first records have (--delimiter)", delimName(r.delim))
			return
		}
	}
	r.delim = order[0]
	_, below, _ := bytes.Cut(s.text, newline)
	if second := bytes.Fields(firstLine(below)); len(second) > 1 && isRuler(second) {
		s.say(true, "the lines are one column: a ruler under the first one parts it by widths, and some fields are empty or hold blanks; write the table with a delimiter")
	}
	s.say(false, "there is one column, as no delimiter cuts the first records (--delimiter)")
	s.cutComments()
}

// commentsToTry lists what comments may begin with: what is settled already, or
// nothing; then a # that begins some line, and other marks that begin the first one.
func (s *sniffer) commentsToTry() [][]byte {
	list := [][]byte{s.dialect.comment}
	if s.dialect.comment != nil || s.opt.Comment != "" && s.opt.Comment != formatAuto {
		return list
	}
	if bytes.Contains(s.text, []byte("\n#")) {
		list = append(list, hash)
	}
	for _, mark := range []string{"%", "//", "!"} {
		if bytes.HasPrefix(firstLine(s.text), []byte(mark)) {
			list = append(list, []byte(mark))
		}
	}
	return list
}

// settle looks for what else may explain a sample that no delimiter cuts evenly:
// a header that lacks a name, or comments behind the fields. Of several delimiters
// it takes the first that does. It reports whether it has found one.
func (s *sniffer) settle(delims string) bool {
	r := &s.dialect.rule
	for _, delim := range delims {
		try := *r
		if try.delim = byte(delim); s.headerLacksName(try) {
			*r, s.rowNames = try, true
			s.say(false, "fields are separated by %s (--delimiter)", delimName(r.delim))
			return true
		}
	}
	for _, delim := range delims {
		try := rule{delim: byte(delim), comment: s.mark(), trailing: true}
		if !s.mayTrail() {
			break
		}
		if n, fields := s.cutsEvenly(try); fields >= 2 && (byte(delim) != blanks || s.hasNumbers(try)) {
			*r = try
			s.say(false, "fields are separated by %s, which cut each of the first %d records into %d fields (--delimiter)", delimName(r.delim), n, fields)
			s.say(true, "comments stand behind fields too, from %s on, as all lines then have the same number of fields (--trailing-comments)", r.comment)
			return true
		}
	}
	return false
}

// mayTrail reports whether comments behind fields are worth a trial.
func (s *sniffer) mayTrail() bool {
	mark := s.mark()
	return s.opt.Trailing != trailingNo && s.opt.Trailing != trailingYes && len(mark) > 0 && bytes.Contains(s.text, mark)
}

// cutComments takes what stands behind a mark and a blank in lines that are cut
// evenly as it is for comments, if only that makes numbers of a column, or if the
// delimiter is a blank and so each line happens to have as many words.
func (s *sniffer) cutComments() {
	r := &s.dialect.rule
	try := rule{delim: r.delim, comment: s.mark(), trailing: true}
	lines := len(r.comment) == 0 && bytes.Contains(s.text, append([]byte{'\n'}, try.comment...))
	if !s.mayTrail() || lines { // whole lines were seen to be no comments
		return
	}
	_, before := s.cutsEvenly(*r)
	_, after := s.cutsEvenly(try)
	gain := s.countNumeric(try) - s.countNumeric(*r)
	if after == 0 || !(after == before && gain > 0 || r.delim == blanks && after < before && gain >= 0) || !s.afterBlanks(try) {
		return
	}
	*r = try
	s.say(true, "comments stand behind fields too, from %s on, as the fields before them are numbers (--trailing-comments)", r.comment)
}

// afterBlanks reports whether comments behind fields have a blank before them.
func (s *sniffer) afterBlanks(r rule) bool {
	return s.records(r, func(rec *record) bool {
		return len(rec.eol) == 0 || isBlank(rec.eol[0]) || rec.eol[0] == '\n' || bytes.HasPrefix(rec.eol, crlf)
	})
}

// headerLacksName reports whether all records but the first one have one field
// more than that, which is of texts, as R's write.table writes names of rows:
// quoted, or text, or counted from 1 on. If the last field of all is empty, it is
// rather that lines end in a delimiter.
func (s *sniffer) headerLacksName(r rule) bool {
	if s.opt.Header != "" && s.opt.Header != formatAuto && s.opt.Header != "yes" {
		return false
	}
	n, names, empty := 0, 0, 0
	even := s.records(r, func(rec *record) bool {
		if n++; n == 1 {
			names = len(rec.fields)
			return s.areNames(rec)
		}
		if len(rec.fields) != names+1 {
			return false
		}
		if len(rec.bytes(names)) == 0 {
			empty++
		}
		k, _ := s.dialect.style.kindOf(rec.bytes(0))
		return rec.fields[0].quoted || k == kindText || string(rec.bytes(0)) == strconv.Itoa(n-1)
	})
	return even && n > 2 && empty < n-1 && s.hasNumbers(r)
}

// commasInNumbers looks for a delimiter under which all commas, but for those of
// the first record, are decimal commas: then that is the delimiter. It reports
// whether there is one.
func (s *sniffer) commasInNumbers() bool {
	comma := numberStyle{decimal: ','}
	for _, delim := range "\t;|" + string(rune(blanks)) {
		try := s.dialect.rule
		try.delim = byte(delim)
		n, fields := s.cutsEvenly(try)
		if fields < 2 {
			continue
		}
		commas, at := 0, 0
		numbers := s.records(try, func(rec *record) bool {
			at++
			for i := range rec.fields {
				text := rec.bytes(i)
				if at == 1 && n > 1 || bytes.IndexByte(text, ',') < 0 {
					continue
				}
				commas++
				if k, _ := comma.kindOf(text); k != kindNumber || bytes.HasSuffix(trimBlanks(text), []byte(",")) {
					return false
				}
			}
			return true
		})
		if numbers && commas > 0 {
			s.dialect.rule = try
			s.say(true, "fields are separated by %s, which leave commas in numbers only (--delimiter , takes them apart at the commas)", delimName(try.delim))
			return true
		}
	}
	return false
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
func (s *sniffer) hasNumbers(r rule) bool { return s.countNumeric(r) > 0 }

// countNumeric returns how many columns do so; of a single record all fields must
// be numbers, else there is none.
func (s *sniffer) countNumeric(r rule) int {
	var numeric []bool
	n, numbers := 0, 0
	var texts [][]byte
	s.records(r, func(rec *record) bool {
		if n == 1 { // a ruler under the header says nothing of columns
			texts = texts[:0]
			for i := range rec.fields {
				texts = append(texts, rec.bytes(i))
			}
			if isRuler(texts) {
				return true
			}
		}
		for i := range rec.fields {
			k, _ := s.dialect.style.kindOf(rec.bytes(i))
			switch {
			case i >= len(numeric) && n <= 1:
				numeric = append(numeric, n == 0 || k == kindNumber)
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
	if n == 1 && numbers < len(numeric) {
		return 0
	}
	return len(slices.DeleteFunc(numeric, func(is bool) bool { return !is }))
}

// separatorLine returns the first line if it tells spreadsheets the delimiter, as
// sep=; does, and a table follows, else nil.
func separatorLine(text []byte) []byte {
	n := bytes.IndexByte(text, '\n') + 1
	line := bytes.TrimRight(text[:n], "\r\n")
	if len(line) != len("sep=;") || !bytes.EqualFold(line[:4], []byte("sep=")) || len(bytes.TrimSpace(text[n:])) == 0 {
		return nil
	}
	if c := line[4]; c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || checkCSV(ReadOptions{Delimiter: rune(c)}) != nil {
		return nil
	}
	return bytes.Clone(text[:n])
}
