package catalog_test

import (
	"strings"
	"testing"

	"rtcluster/io/catalog"
)

// TestAstropy reads what astropy wrote.
func TestAstropy(t *testing.T) {
	const (
		said   = `id:i64# ra:f64#[deg|pos.eq.ra;meta.main|right ascension, ICRS] dec:f64#[deg|pos.eq.dec;meta.main|] mag:f32#[mag|phot.mag|] flag:bool? u8:u8# i16:i16? i32:i32?`
		first  = `9007199254740993 10.684708 41.26875 0.1 1 0 -32768 null`
		second = `-2 0.1 -90 1.5 0 255 32767 6`
		third  = `3 359.999 NaN -2.25 1 7 null 7`
	)
	columns := func(null string, more string) string { return strings.ReplaceAll(said, "#", null) + more }
	unsigned := [3]string{" 0 0 0", " 65535 4294967295 18446744073709551615", " 1 1 1"}
	names := [3]string{` "M 31"`, ` "a,b"`, ` "it's"`}
	pm := [3]string{" 1 2", " 3 4", " 5 6"}
	rest := [3]string{" 1 2", " 0 3", " -1 0"}
	rows := func(parts ...[3]string) []string {
		list := []string{first, second, third}
		for i := range list {
			for _, p := range parts {
				list[i] += p[i]
			}
		}
		return list
	}
	fits := columns("", " u16:u16 u32:u32 u64:u64 name:text pm_1:f32 pm_2:f32 z_re:f64 z_im:f64")
	vot := columns("?", " name:text? pm_1:f32? pm_2:f32?")
	ecsv := columns("?", " u16:u16? u32:u32? u64:u64? name:text?")
	for _, c := range []struct {
		file, format, pick, columns string
		rows                        []string
	}{
		{"stars.fits.gz", catalog.FITS, "", fits, rows(unsigned, names, pm, rest)},
		{"stars.fits.gz", catalog.FITS, "2", fits, rows(unsigned, names, pm, rest)},
		{"stars.fits.gz", catalog.FITS, "stars", fits, rows(unsigned, names, pm, rest)},
		{"stars.fits.gz", catalog.FITS, "SECOND", "x:i32", []string{"1", "2"}},
		{"stars_tabledata.vot", catalog.VOTable, "", vot, rows(names, pm)},
		{"stars_binary.vot", catalog.VOTable, "", vot, rows(names, pm)},
		{"stars_binary2.vot", catalog.VOTable, "STARS", vot, rows(names, pm)},
		{"stars.ecsv", catalog.ECSV, "", ecsv, rows(unsigned, names)},
		{"stars_comma.ecsv", catalog.ECSV, "", ecsv, rows(unsigned, names)},
		{
			"wild.fits.gz", catalog.FITS, "", "scaled:f64? bits_1:bool bits_2:bool bits_3:bool bits_4:bool bits_5:bool bits_6:bool bits_7:bool bits_8:bool " +
				"bits_9:bool bits_10:bool bits_11:bool words_1:text words_2:text i8:i8 " + strings.Repeat("a", 68) + ":i32[" + strings.TrimSpace(strings.Repeat("km s-1 ", 12)) + "||]",
			[]string{`11 1 0 1 0 1 0 1 0 1 0 1 "ab" "cde" -128 1`, `null 0 0 0 0 0 0 0 0 0 0 1 "f" "" 127 2`},
		},
	} {
		t.Run(c.file+"#"+c.pick, func(t *testing.T) {
			content := sample(t, c.file)
			if got := catalog.Detect(content); got != c.format {
				t.Errorf("detected as %q, want %q", got, c.format)
			}
			columns, got, err := read(content, c.format, c.pick)
			if err != nil {
				t.Fatal(err)
			}
			if columns != c.columns {
				t.Errorf("got columns\n%s, want\n%s", columns, c.columns)
			}
			if got, want := strings.Join(got, "\n"), strings.Join(c.rows, "\n"); got != want {
				t.Errorf("got rows\n%s, want\n%s", got, want)
			}
		})
	}
}

// TestEmptyVOTable reads tables without data, as astropy writes those of no rows.
func TestEmptyVOTable(t *testing.T) {
	const (
		empty  = `<TABLE><FIELD name="x" datatype="double" unit="deg"/></TABLE>`
		filled = `<TABLE name="b"><FIELD name="y" datatype="int"/><DATA><TABLEDATA><TR><TD>1</TD></TR></TABLEDATA></DATA></TABLE>`
	)
	for _, c := range []struct{ name, tables, pick, columns, rows string }{
		{"one", empty, "", "x:f64?[deg||]", ""},
		{"one with data behind it", empty + filled, "", "y:i32?", "1"},
		{"chosen", empty + filled, "1", "x:f64?[deg||]", ""},
		{"the other chosen", empty + filled, "b", "y:i32?", "1"},
		{"nothing in DATA", strings.Replace(empty, "</TABLE>", "<DATA></DATA></TABLE>", 1), "", "x:f64?[deg||]", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			content := []byte("<!DOCTYPE VOTABLE><VOTABLE><RESOURCE>" + c.tables + "</RESOURCE></VOTABLE>")
			if got := catalog.Detect(content); got != catalog.VOTable {
				t.Errorf("detected as %q", got)
			}
			columns, rows, err := read(content, catalog.VOTable, c.pick)
			if got := strings.Join(rows, "; "); err != nil || columns != c.columns || got != c.rows {
				t.Errorf("got columns %s, rows %q, error %v; want %s, %q", columns, got, err, c.columns, c.rows)
			}
		})
	}
}
