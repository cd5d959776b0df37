package table

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
)

// This file finds the names of the columns.

// findHeader decides where the names of the columns come from.
func (s *sniffer) findHeader() error {
	first := &s.rows[0]
	under := s.findUnder()
	header, why, loud := s.judgeFirst(len(under))
	if s.rowNames {
		header, why, loud = true, "the header has one name fewer than the records have fields: they begin with names of rows, here called c1 (--header)", true
	}
	var comment, types *preLine
	switch s.opt.Header {
	case "yes":
		header, why, loud = true, "", false
	case "no":
		header, why, loud = false, "", false
	case headerComment:
		if comment, types = s.commentHeader(); comment == nil {
			return badLine(s.path, first.line, "no comment line before the first record holds %d names", len(first.fields))
		}
		header, why = false, ""
	default:
		if comment, types = s.commentHeader(); header && types == nil {
			comment = nil
		}
		if header = header && comment == nil; comment != nil {
			why, loud = fmt.Sprintf("the names are in the comment on line %d, which has as many fields as the records (--header no)", comment.line), true
		}
	}
	if why != "" {
		s.say(loud, "%s", why)
	}
	s.pre.eol = first.eol
	switch {
	case header:
		s.pre.raw = s.text[:first.start]
		s.pre.header = &preLine{record: first.record, kind: kindHeader, delim: s.dialect.delim}
		s.pre.size, s.pre.lines = int64(first.end), first.after()
		s.names = columnNames(&first.record, true)
		return s.takeUnder(1, under)
	case comment != nil:
		s.pre.raw, s.pre.header = s.text[:comment.start], comment
		s.names = columnNames(&comment.record, true)
		if types != nil {
			s.pre.under = append(s.pre.under, *types)
		}
	default:
		s.pre.raw = s.text[:first.start]
		s.names = columnNames(&first.record, false)
	}
	s.pre.size, s.pre.lines = int64(first.start), first.line-1
	if n, err := strconv.Atoi(s.opt.UnitRows); err != nil || n == 0 {
		return nil
	}
	return s.takeUnder(0, under)
}

// judgeFirst decides whether the first record is a header: it is one if it has
// text over a column of numbers, or has text and no numbers; under is how many
// unit rows follow.
func (s *sniffer) judgeFirst(under int) (header bool, why string, loud bool) {
	numbers, texts := 0, 0
	for i, text := range s.rows[0].texts {
		switch s.kindOf(text) {
		case kindText:
			texts++
			if s.isNumeric(i, 1+under) {
				return true, fmt.Sprintf("the first record is a header: it has the text %q over numbers (--header)", clip(text)), false
			}
		case kindNumber, kindInf:
			numbers++
		}
	}
	counted := s.isCounted()
	switch {
	case numbers == 0 && (texts > 0 || s.rows[0].empty()):
		return true, "the first record is a header: it has no numbers (--header)", false
	case counted && s.hasFractions():
		return true, "the first record is taken for a header, as pandas writes it for columns without names: it counts them from 0 (--header no)", true
	case texts == 0:
		return false, "there is no header: the first record is all numbers (--header)", counted
	}
	return false, "there is no header: the first record has numbers, and text only where others have text (--header yes)", true
}

// empty reports whether there is nothing in the fields of a record.
func (r *sampleRow) empty() bool {
	return !slices.ContainsFunc(r.texts, func(text []byte) bool { return len(text) > 0 })
}

// isCounted reports whether the first record counts the columns, from 0 on in the
// first one, or in the second if nothing stands in the first. Two numbers alone
// may be anything.
func (s *sniffer) isCounted() bool {
	texts := s.rows[0].texts
	if len(texts) > 0 && len(texts[0]) == 0 {
		texts = texts[1:]
	}
	for i, text := range texts {
		if string(text) != strconv.Itoa(i) {
			return false
		}
	}
	return len(s.rows[0].texts) > 2
}

// hasFractions reports whether some field after the first record is a number and
// no integer.
func (s *sniffer) hasFractions() bool {
	for _, row := range s.rows[1:] {
		for _, text := range row.texts {
			if k, integer := s.dialect.style.kindOf(text); k == kindNumber && !integer {
				return true
			}
		}
	}
	return false
}

// kindOf classifies a field for what concerns the header and what stands under it:
// there numbers of another style, which have to be asked for, are numbers too.
func (s *sniffer) kindOf(text []byte) kind {
	k, _ := s.dialect.style.kindOf(text)
	if k == kindText && s.dialect.style.otherStyle(text) != "" {
		return kindNumber
	}
	return k
}

// isNumeric reports whether a column has numbers and no text in the records of
// the sample from the given one on.
func (s *sniffer) isNumeric(column, from int) bool {
	numbers := 0
	for i := from; i < len(s.rows); i++ {
		if column >= len(s.rows[i].texts) {
			continue
		}
		switch s.kindOf(s.rows[i].texts[column]) {
		case kindText:
			return false
		case kindNumber, kindInf:
			numbers++
		}
	}
	return numbers > 0
}

// textColumns reports which columns have text in the rows of the sample.
func (s *sniffer) textColumns() []bool {
	list := make([]bool, len(s.names))
	for _, row := range s.rows {
		if int64(row.start) < s.pre.size-int64(s.at) {
			continue // stands before the rows
		}
		for i, text := range row.texts[:min(len(row.texts), len(list))] {
			k, _ := s.dialect.style.kindOf(text)
			list[i] = list[i] || k == kindText
		}
	}
	return list
}

// commentHeader returns the last comment before the first record if it holds as
// many names as that has fields, or the one before if the last holds types, as those
// of MAST's portal do: then it returns both.
func (s *sniffer) commentHeader() (names, types *preLine) {
	n := len(s.lead)
	if n == 0 {
		return nil, nil
	}
	last := s.commentFields(&s.lead[n-1])
	if n > 1 && last != nil && s.areTypes(&last.record) {
		if before := s.commentFields(&s.lead[n-2]); before != nil && s.areNames(&before.record) {
			last.kind = kindTypes
			return before, last
		}
	}
	if last == nil || !s.areNames(&last.record) {
		return nil, nil
	}
	return last, nil
}

// commentFields returns a comment with its fields, if it has as many as the first
// record.
func (s *sniffer) commentFields(comment *preLine) *preLine {
	c := *comment
	skip := 0
	for rest := c.raw; len(rest) > 0; rest = c.raw[skip:] {
		if n := len(s.dialect.comment); bytes.HasPrefix(rest, s.dialect.comment) {
			skip += n
		} else if isBlank(rest[0]) {
			skip++
		} else {
			break
		}
	}
	for _, delim := range []byte{s.dialect.delim, blanks} {
		var sc scanner
		sc.reset(rule{delim: delim}, bytes.Clone(c.raw[skip:]), 1, true)
		r, err := sc.next()
		if err != nil || len(r.raw) != len(c.raw)-skip || len(r.fields) != len(s.rows[0].fields) {
			continue
		}
		c.delim, c.fields = delim, nil
		for _, f := range r.fields {
			c.fields = append(c.fields, field{start: f.start + skip, end: f.end + skip, quoted: f.quoted})
		}
		return &c
	}
	return nil
}

// areTypes reports whether fields are names of types, or nothing.
func (s *sniffer) areTypes(r *record) bool {
	types := 0
	for i := range r.fields {
		text := string(trimBlanks(r.text(i, nil)))
		if text != "" && !isType(text) {
			return false
		}
		if text != "" {
			types++
		}
	}
	return types > 0
}

// areNames reports whether no field is empty or a number.
func (s *sniffer) areNames(r *record) bool {
	for i := range r.fields {
		if k, _ := kindOf(r.text(i, nil)); k != kindText {
			return false
		}
	}
	return true
}

// columnNames returns the names that a header gives, or c1 to cd.
func columnNames(r *record, header bool) []string {
	names := make([]string, len(r.fields))
	for i := range names {
		if header {
			names[i] = string(trimBlanks(r.text(i, nil)))
		}
		if names[i] == "" {
			names[i] = "c" + strconv.Itoa(i+1)
		}
	}
	return names
}
