package table

import (
	"bytes"
	"fmt"
	"strconv"
)

// sniffSize is how much of a file is looked at to find its dialect, in bytes.
const sniffSize = 64 << 10

// sniffRecords is how many records of it count.
const sniffRecords = 50

// dialect says how a CSV file is to be read.
type dialect struct {
	delim byte
	bom   bool // a byte order mark stands before the first record
}

var (
	bomUTF8    = []byte{0xef, 0xbb, 0xbf}
	bomUTF16LE = []byte{0xff, 0xfe}
	bomUTF16BE = []byte{0xfe, 0xff}
)

// findDialect decides the dialect from the options and the first bytes of the
// text. whole says that they are all of it.
func findDialect(path string, sample []byte, whole bool, opt ReadOptions) (dialect, error) {
	var d dialect
	if bytes.HasPrefix(sample, bomUTF16LE) || bytes.HasPrefix(sample, bomUTF16BE) {
		return d, badFile(path, "is text in UTF-16; convert it to UTF-8")
	}
	d.bom = bytes.HasPrefix(sample, bomUTF8)
	if d.bom {
		sample = sample[len(bomUTF8):]
	}
	switch r := opt.Delimiter; {
	case r == 0 && opt.Format == formatTSV:
		d.delim = '\t'
	case r == 0 && opt.Format == formatCSV:
		d.delim = ','
	case r == 0:
		d.delim = sniffDelimiter(sample, whole)
	case r > '~' || r < ' ' && r != '\t' || r == '"':
		return d, fmt.Errorf("%w: %q is no delimiter; use an ASCII character such as , ; | or a tab", ErrFormat, r)
	default:
		d.delim = byte(r)
	}
	return d, nil
}

// sniffDelimiter returns the first of the usual delimiters that cuts all records
// of the sample into the same number of fields, at least two. Comma comes first;
// blanks come last and must also yield a column of numbers, since text has
// blanks too. If none does, it is a comma.
func sniffDelimiter(sample []byte, whole bool) byte {
	for _, delim := range []byte(",\t;|") {
		if cutsEvenly(sample, whole, delim) {
			return delim
		}
	}
	if cutsEvenly(sample, whole, blanks) && hasNumbers(sample, whole) {
		return blanks
	}
	return ','
}

// sampleRecords calls fn with the records of a sample until fn returns false. It
// returns false if the sample is no CSV of that delimiter.
func sampleRecords(sample []byte, whole bool, delim byte, fn func(r *record) bool) bool {
	s := newScanner(bytes.NewReader(sample), delim)
	for range sniffRecords {
		r, err := s.next()
		if err != nil {
			return whole && s.eof && s.pos == s.end || !whole
		}
		if !whole && len(r.eol) == 0 {
			return true // the sample ends in the middle of this record
		}
		if !r.blank(delim) && !fn(r) {
			return false
		}
	}
	return true
}

// cutsEvenly reports whether delim cuts each record of a sample into the same
// number of fields, two at least.
func cutsEvenly(sample []byte, whole bool, delim byte) bool {
	want := 0
	ok := sampleRecords(sample, whole, delim, func(r *record) bool {
		if want == 0 {
			want = len(r.fields)
		}
		return len(r.fields) == want
	})
	return ok && want > 1
}

// hasNumbers reports whether some column of a sample cut at blanks holds numbers
// only, from the second record on.
func hasNumbers(sample []byte, whole bool) bool {
	var numeric []bool
	n := 0
	sampleRecords(sample, whole, blanks, func(r *record) bool {
		for i := range r.fields {
			k, _ := kindOf(r.bytes(i))
			switch {
			case n == 0:
				numeric = append(numeric, true)
			case k != kindNumber && i < len(numeric):
				numeric[i] = false
			}
		}
		n++
		return true
	})
	for _, yes := range numeric {
		if yes && n > 1 {
			return true
		}
	}
	return false
}

// isHeader decides whether the first record is a header: unless told, it is one
// if not all of its fields are numbers, or missing next to numbers.
func isHeader(r *record, option string) (bool, error) {
	switch option {
	case "yes":
		return true, nil
	case "no":
		return false, nil
	case "", "auto":
	default:
		return false, fmt.Errorf("%w of header %q; known are auto, yes and no", ErrFormat, option)
	}
	numbers := 0
	var buf []byte
	for i := range r.fields {
		switch k, _ := kindOf(r.text(i, buf)); k {
		case kindText:
			return true, nil
		case kindNumber, kindInf:
			numbers++
		}
	}
	return numbers == 0, nil
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
