package catalog_test

import (
	"bytes"
	"strings"
	"testing"

	"rtcluster/io/catalog"
)

// asciiOf returns a FITS file of an ASCII table with these header lines, and rows.
func asciiOf(rows string, lines ...string) []byte {
	return bytes.Replace(fitsOf(rows, lines...), []byte("'BINTABLE'"), []byte("'TABLE'   "), 1)
}

// TestASCIITable reads the ASCII table of astropy, and what others have.
func TestASCIITable(t *testing.T) {
	one := func(row string, lines ...string) []byte {
		return asciiOf(row, append([]string{"NAXIS1  = 8", "NAXIS2  = 1", "TFIELDS = 1", "TTYPE1  = 'x'", "TBCOL1  = 1"}, lines...)...)
	}
	for _, c := range []struct {
		name          string
		content       []byte
		columns, rows string // or the error
	}{
		{
			"astropy", sample(t, "ascii.fits.gz"), "name:text n:i64? ra:f64?[deg|pos.eq.ra|] mag:f64?",
			`"M 31" -5 10.684708 0.5; "a,b" 9007199254740993 0.1 -2.25; "" 0 359.999 1500`,
		},
		{"blanks", one("        ", "TFORM1  = 'F8.3'"), "x:f64?", "null"},
		{"short integers", one(" -12    ", "TFORM1  = 'I8'"), "x:i32?", "-12"},
		{"TNULL", one("---     ", "TFORM1  = 'I3'", "TNULL1  = '---'"), "x:i32?", "null"},
		{"TNULL of text", one("none    ", "TFORM1  = 'A8'", "TNULL1  = 'none'"), "x:text?", "null"},
		{"scaled", one("      10", "TFORM1  = 'I8'", "TSCAL1  = 0.5", "TZERO1  = 1"), "x:f64?", "6"},
		{"D", one(" 1.5D+03", "TFORM1  = 'D8.1'"), "x:f64?", "1500"},
		{"E without point", one("    1E05", "TFORM1  = 'E8.1'"), "x:f64?", "100000"},
		{"no digits behind the point", one("      12", "TFORM1  = 'F8.0'"), "x:f64?", "12"},
		{"no point", one("    1205", "TFORM1  = 'F8.2'"), `column x, row 0 (counted from 0): "1205" has no decimal point, and TFORM F8.2 would put one into it`, ""},
		{"no number", one("    1 05", "TFORM1  = 'I8'"), `"1 05" is no whole number of 32 bits`, ""},
		{"too wide", one("", "TFORM1  = 'I9'"), "column x does not fit", ""},
		{"a form", one("", "TFORM1  = '8I'"), `column x: TFORM "8I" is not known of ASCII tables`, ""},
		{"a huge form", one("", "TFORM1  = 'I99999999999999999999'"), "is not known of ASCII tables", ""},
		{"no place", asciiOf("", "NAXIS1  = 8", "NAXIS2  = 1", "TFIELDS = 1", "TFORM1  = 'I8'"), "of TBCOL1 in a header, want a whole number", ""},
		{"cut", one("12", "TFORM1  = 'I8'"), "is cut off: it ends in row 0 of 1", ""},
		{"overlapping", asciiOf("", "NAXIS1  = 16000000", "NAXIS2  = 1", "TFIELDS = 2", "TFORM1  = 'A16000000'", "TBCOL1  = 1", "TFORM2  = 'A16000000'", "TBCOL2  = 1"), "lie upon each other", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			columns, rows, err := read(c.content, catalog.FITS, "")
			switch {
			case c.rows == "" && (err == nil || !strings.Contains(err.Error(), c.columns) || strings.Contains(err.Error(), "\n")):
				t.Errorf("got error %v, want one line with %q", err, c.columns)
			case c.rows != "" && (err != nil || columns != c.columns || strings.Join(rows, "; ") != c.rows):
				t.Errorf("got columns %s, rows %s, error %v; want %s, %s", columns, strings.Join(rows, "; "), err, c.columns, c.rows)
			}
		})
	}
}

// TestLeftOut leaves arrays of varying length out, and says so.
func TestLeftOut(t *testing.T) {
	content := sample(t, "varying.fits.gz")
	r, err := catalog.Open(bytes.NewReader(content), catalog.FITS, "")
	if err != nil || strings.Join(r.LeftOut, " ") != "spec words" {
		t.Fatalf("got %+v, error %v", r, err)
	}
	columns, rows, err := read(content, catalog.FITS, "")
	if got := strings.Join(rows, ","); err != nil || columns != "x:i32 y:i16" || got != "1 7,2 8" {
		t.Errorf("got columns %s, rows %s, error %v", columns, got, err)
	}
}
