package table

import (
	"bytes"
	"fmt"
	"math"
)

// numberStyle says how a CSV file writes numbers. The zero value is plain: a
// decimal point, digits without gaps, the usual words for what is missing.
type numberStyle struct {
	decimal   byte     // instead of the point; 0: the point
	thousands byte     // between groups of three digits; 0: nothing
	nulls     [][]byte // more words for what is missing

	buf []byte // for a number in the plain style, so a style serves one goroutine
}

// newNumberStyle checks the options that make up a style.
func newNumberStyle(opt ReadOptions) (s numberStyle, err error) {
	for _, o := range []struct {
		name string
		char rune
		to   *byte
	}{{"decimal", opt.Decimal, &s.decimal}, {"thousands", opt.Thousands, &s.thousands}} {
		r := o.char
		if r > '~' || r < ' ' && r != 0 || r == '"' || r >= '0' && r <= '9' || r == '+' || r == '-' || r|0x20 >= 'a' && r|0x20 <= 'z' {
			return s, fmt.Errorf("%w: %q is no %s separator; use a comma, a point or the like", ErrFormat, r, o.name)
		}
		*o.to = byte(r)
	}
	if s.decimal == '.' {
		s.decimal = 0
	}
	if s.thousands != 0 && s.thousands == s.point() {
		return s, fmt.Errorf("%w: %q cannot be both the decimal and the thousands separator", ErrFormat, opt.Thousands)
	}
	for _, word := range opt.Null {
		s.nulls = append(s.nulls, trimBlanks([]byte(word)))
	}
	return s, nil
}

// point is the decimal separator.
func (s *numberStyle) point() byte {
	if s.decimal == 0 {
		return '.'
	}
	return s.decimal
}

// plain reports whether numbers and words are the usual ones.
func (s *numberStyle) plain() bool { return s.decimal == 0 && s.thousands == 0 && len(s.nulls) == 0 }

// parse returns what a field holds, as parseNumber does, and whether a number is
// an integer literal.
func (s *numberStyle) parse(b []byte) (v float64, k kind, integer bool, err error) {
	if s.plain() {
		b = trimBlanks(b)
		if v, next, integer, ok := fastNumber(b, 0, noDelim); ok && next == len(b) {
			return v, kindNumber, integer, nil
		}
	}
	b, integer, k = s.normal(b)
	if k == kindNumber {
		v, k, err = parseNumber(b)
		return v, k, integer, err
	}
	if k == kindNull {
		return math.NaN(), k, false, nil
	}
	v, k = wordKind(b)
	return v, k, false, nil
}

// kindOf classifies a field without computing its value.
func (s *numberStyle) kindOf(b []byte) (kind, bool) {
	_, integer, k := s.normal(b)
	return k, integer
}

// normal returns a field in the plain style: a number, or else a word. What it
// returns is valid until the next call.
func (s *numberStyle) normal(b []byte) (plain []byte, integer bool, k kind) {
	b = trimBlanks(b)
	for _, word := range s.nulls {
		if bytes.Equal(b, word) {
			return nil, false, kindNull
		}
	}
	if s.decimal != 0 || s.thousands != 0 {
		number, ok := s.toPlain(b)
		if !ok {
			_, k = wordKind(b)
			return b, false, k
		}
		b = number
	}
	k, integer = kindOf(b)
	return b, integer, k
}

// toPlain turns a number into one with a decimal point and without separators.
// It is not ok if b does not begin as a number, if the groups before the decimal
// separator have other than three digits, the first one to three, or if b has a
// point that means something else.
func (s *numberStyle) toPlain(b []byte) ([]byte, bool) {
	i := skipSign(b)
	s.buf = append(s.buf[:0], b[:i]...)
	for groups := 0; ; groups++ {
		end := skipDigits(b, i)
		n := end - i
		s.buf = append(s.buf, b[i:end]...)
		i = end
		more := s.thousands != 0 && i < len(b) && b[i] == s.thousands
		if groups > 0 && n != 3 || more && (n == 0 || n > 3) {
			return nil, false
		}
		if !more {
			break
		}
		i++
	}
	if i < len(b) && b[i] == s.point() {
		s.buf = append(s.buf, '.')
		end := skipDigits(b, i+1)
		s.buf = append(s.buf, b[i+1:end]...)
		i = end
	}
	if i < len(b) && b[i]|0x20 != 'e' {
		return nil, false
	}
	s.buf = append(s.buf, b[i:]...)
	return s.buf, len(b) > 0
}

// otherStyle returns the flags under which a text would be a number, if it is none
// in the plain style and s is that, or "".
func (s *numberStyle) otherStyle(text []byte) string {
	if !s.plain() || bytes.IndexByte(text, ',') < 0 && bytes.IndexByte(text, '.') < 0 {
		return ""
	}
	for _, o := range []struct {
		style numberStyle
		flags string
	}{
		{numberStyle{decimal: ','}, "--decimal ,"},
		{numberStyle{thousands: ','}, "--thousands ,"},
		{numberStyle{thousands: '.', decimal: ','}, "--decimal , --thousands ."},
	} {
		if k, _ := o.style.kindOf(text); k == kindNumber {
			return o.flags
		}
	}
	return ""
}
