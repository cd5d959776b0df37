package table

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// This file finds the records under a header that hold no data: units and rulers
// as VizieR writes them, types as MAST does.

// mostUnder is how many of them are looked for.
const mostUnder = 3

// kindName says what a kind of line holds.
func kindName(kind string) string {
	switch kind {
	case kindRuler:
		return "a ruler"
	case kindAsked:
		return "no row, as asked"
	}
	return kind
}

// Kinds of lines before the rows.
const (
	kindHeader  = "header"
	kindComment = "comment"

	kindUnits = "units"
	kindTypes = "types"
	kindRuler = "ruler"
	kindAsked = "asked" // the option says so
)

// units returns what the first record of units under the header says of each column;
// nil if there is none.
func (p *preamble) units() []string {
	for i := range p.under {
		if l := &p.under[i]; l.kind == kindUnits && !l.comment {
			list := make([]string, len(l.fields))
			for k := range list {
				list[k] = strings.ToValidUTF8(string(trimBlanks(l.text(k, nil))), "?")
			}
			return list
		}
	}
	return nil
}

// findUnder returns the kinds of the records under the first one that hold no
// data.
func (s *sniffer) findUnder() []string {
	if n, err := strconv.Atoi(s.opt.UnitRows); err == nil {
		kinds := make([]string, n)
		for i := range kinds {
			kinds[i] = kindAsked
			if i+1 < len(s.rows) && isRuler(s.rows[i+1].texts) {
				kinds[i] = kindRuler
			}
		}
		return kinds
	}
	var kinds []string
	for i := 1; i < len(s.rows) && i <= mostUnder; i++ {
		if s.hasNumber(i) || len(s.rows[i].fields) != len(s.rows[0].fields) {
			break
		}
		if !s.rows[i].empty() && !s.hasText(i) {
			break // words for missing values
		}
		if isRuler(s.rows[i].texts) {
			for len(kinds) < i-1 {
				kinds = append(kinds, kindUnits)
			}
			return append(kinds, kindRuler)
		}
	}
	for i := 1; i < len(s.rows) && i <= mostUnder && len(s.rows[i].fields) == len(s.rows[0].fields); i++ {
		switch {
		case s.isOver(i, isType):
			kinds = append(kinds, kindTypes)
		case s.isOver(i, isUnit):
			kinds = append(kinds, kindUnits)
		default:
			return kinds
		}
	}
	return kinds
}

// hasNumber reports whether some field of a record is a number.
func (s *sniffer) hasNumber(row int) bool {
	for _, text := range s.rows[row].texts {
		if k := s.kindOf(text); k == kindNumber || k == kindInf {
			return true
		}
	}
	return false
}

// hasText reports whether some field of a record is neither a number nor missing.
func (s *sniffer) hasText(row int) bool {
	return slices.ContainsFunc(s.rows[row].texts, func(text []byte) bool { return s.kindOf(text) == kindText })
}

// isRuler reports whether all fields are made of - or =, one of them of three at
// least.
func isRuler(texts [][]byte) bool {
	longest := 0
	for _, text := range texts {
		if len(text) == 0 || len(bytes.Trim(text, "-")) > 0 && len(bytes.Trim(text, "=")) > 0 {
			return false
		}
		longest = max(longest, len(text))
	}
	return longest >= 3
}

// isOver reports whether a record has no numbers, and over each column that is
// numeric from the next record on, one at least, nothing or a word of the kind
// that is wanted.
func (s *sniffer) isOver(row int, wanted func(word string) bool) bool {
	found := false
	for i, text := range s.rows[row].texts {
		switch s.kindOf(text) {
		case kindNull:
			continue
		case kindText:
		default:
			return false
		}
		below := row + 1
		for below < len(s.rows)-1 && below <= mostUnder && !s.hasNumber(below) {
			below++ // another one of these
		}
		if !s.isNumeric(i, below) {
			continue
		}
		if !wanted(string(text)) {
			return false
		}
		found = true
	}
	return found
}

// isType reports whether a word is the name of a type.
func isType(word string) bool {
	switch strings.ToLower(word) {
	case "integer", "int", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "short", "long", "bigint", "smallint",
		"float", "float32", "float64", "double", "real", "number", "numeric", "decimal", "ra", "dec", "boolean", "bool",
		"string", "ustring", "substring", "str", "char", "varchar", "text", "object", "date", "datetime", "timestamp":
		return true
	}
	return false
}

// isUnit reports whether a text is a unit of measure: known units, with powers,
// products and quotients, or anything in brackets. No power and no factor has many
// digits.
func isUnit(text string) bool {
	const mostDigits = 3
	if n := len(text); n > 2 && (text[0] == '[' && text[n-1] == ']' || text[0] == '(' && text[n-1] == ')') {
		return true
	}
	digits := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsDigit(r) })
	if slices.ContainsFunc(digits, func(run string) bool { return len(run) > mostDigits }) {
		return false
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '%' && r != '°' })
	for _, w := range words {
		if !isUnitWord(w) && !(len(w) > 1 && strings.ContainsAny(w[:1], "numkMGTcd") && isUnitWord(w[1:])) && !isUnitWord(strings.TrimPrefix(w, "µ")) {
			return false
		}
	}
	return len(words) > 0
}

// isUnitWord reports whether a word is a unit without a prefix.
func isUnitWord(w string) bool {
	switch w {
	case "deg", "degree", "degrees", "rad", "as", "arcsec", "arcmin", "h", "hr", "hour", "hours", "min", "s", "sec", "d", "day", "days",
		"yr", "year", "years", "a", "mag", "pc", "au", "AU", "ly", "m", "K", "C", "eV", "J", "erg", "ergs", "W", "Jy", "Hz", "G", "Gauss", "T",
		"g", "Msun", "Lsun", "Rsun", "solMass", "solLum", "solRad", "sun", "Sun", "jupMass", "jupRad", "geoMass", "geoRad", "sr", "ct", "count",
		"counts", "electron", "photon", "adu", "ADU", "pix", "pixel", "pixels", "px", "%", "dex", "log", "sqrt", "ppm", "V", "A", "N", "Pa",
		"bar", "Angstrom", "angstrom", "AA", "L", "l", "°", "percent", "unitless", "dimensionless", "mol", "Ohm", "F":
		return true
	}
	return false
}
