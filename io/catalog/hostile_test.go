package catalog_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"rtcluster/io/catalog"
)

// fitsOf returns a FITS file of a table with these header lines, and data behind it.
func fitsOf(data string, lines ...string) []byte {
	var b strings.Builder
	block := func(lines ...string) {
		for _, line := range append(lines, "END") {
			fmt.Fprintf(&b, "%-80s", line)
		}
		b.WriteString(strings.Repeat(" ", (2880-b.Len()%2880)%2880))
	}
	block("SIMPLE  =                    T", "BITPIX  =                    8", "NAXIS   =                    0")
	block(append([]string{"XTENSION= 'BINTABLE'", "BITPIX  =                    8", "NAXIS   =                    2", "PCOUNT  =                    0", "GCOUNT  =                    1"}, lines...)...)
	b.WriteString(data)
	return []byte(b.String())
}

// ecsv returns an ECSV file of these lines of its header under datatype, and behind it.
func ecsv(lines ...string) []byte {
	return []byte("# %ECSV 1.0\n# ---\n# datatype:\n" + strings.Join(lines, "\n") + "\n")
}

// primary returns a primary HDU that claims so many bytes of data, and a block of them.
func primary(bytes string) []byte {
	header := ""
	for _, line := range []string{"SIMPLE  = T", "BITPIX  = 8", "NAXIS   = 1", "NAXIS1  = " + bytes, "END"} {
		header += fmt.Sprintf("%-80s", line)
	}
	return fmt.Appendf(nil, "%-2880s%2880s", header, "")
}

// TestHostile is about files that lie, or end too early: one clear line each.
func TestHostile(t *testing.T) {
	stars := sample(t, "stars.fits.gz")
	vot := func(table string) []byte { return []byte("<VOTABLE><RESOURCE><TABLE>" + table) }
	for _, c := range []struct {
		name, format, pick string
		content            []byte
		want               string
	}{
		{"nothing but a primary header", catalog.FITS, "", stars[:2880], "has no table; there is nothing but its primary HDU"},
		{"no such name", catalog.FITS, "NO", stars, "has no extension NO; there is #1 IMAGE IMAGE, #2 BINTABLE STARS, #3 BINTABLE SECOND"},
		{"an image", catalog.FITS, "1", stars, `has no table in extension 1, but "IMAGE"`},
		{"the primary HDU", catalog.FITS, "0", stars, "has no table in HDU 0"},
		{"cut in a header", catalog.FITS, "", stars[:9000], "is cut off in a header"},
		{"cut in a row", catalog.FITS, "", stars[:5*2880+100], "is cut off: it ends in row 1 of 3"},
		{"a huge primary HDU", catalog.FITS, "", slices.Concat(primary("9223372036854772000"), stars[2880:]), "is cut off in the data of HDU 0, which has "},
		{"cut in the primary HDU", catalog.FITS, "", primary("3000")[:2880+100], "is cut off in the data of HDU 0, which has 100 of 3000 bytes"},
		{"no FITS", catalog.FITS, "", []byte(strings.Repeat("x", 2880)), `has "xxxxxxxx" where a header should begin`},
		{"nothing but arrays of varying length", catalog.FITS, "", fitsOf("", "NAXIS1  = 8", "NAXIS2  = 1", "TFIELDS = 1", "TFORM1  = 'PE(2)'"), "has no columns but arrays of varying length, which are not read"},
		{"many rows", catalog.FITS, "", fitsOf("", "NAXIS1  = 8", "NAXIS2  = 1000000000000", "TFIELDS = 1", "TFORM1  = 'D'"), "is cut off: it ends in row 0 of 1000000000000"},
		{"more bytes than there are", catalog.FITS, "", fitsOf("", "NAXIS1  = 8000000", "NAXIS2  = 9000000000000000", "TFIELDS = 1", "TFORM1  = 'D'"), "claims more bytes in a header than a file can have"},
		{"wide rows", catalog.FITS, "", fitsOf("", "NAXIS1  = 16000000", "NAXIS2  = 10", "TFIELDS = 1", "TFORM1  = '16000000A'"), "is cut off: it ends in row 0 of 10"},
		{"too wide rows", catalog.FITS, "", fitsOf("", "NAXIS1  = 99999999", "NAXIS2  = 1", "TFIELDS = 1", "TFORM1  = 'D'"), "claims rows of 99999999 bytes"},
		{"rows of nothing", catalog.FITS, "", fitsOf("", "NAXIS1  = 0", "NAXIS2  = 1000000000000", "TFIELDS = 1", "TFORM1  = '0A'"), "claims 1000000000000 rows of 0 bytes"},
		{"a column that does not fit", catalog.FITS, "", fitsOf("", "NAXIS1  = 4", "NAXIS2  = 1", "TFIELDS = 1", "TFORM1  = 'D'"), "column col1 does not fit"},
		{"many columns", catalog.FITS, "", fitsOf("", "NAXIS1  = 8", "NAXIS2  = 1", "TFIELDS = 999999999"), "claims 999999999 columns"},
		{"a long array", catalog.FITS, "", fitsOf("", "NAXIS1  = 20000", "NAXIS2  = 1", "TFIELDS = 1", "TFORM1  = '20000B'", "TTYPE1  = 'spec'"), "column spec has 20000 values in each row"},
		{"a form", catalog.FITS, "", fitsOf("", "NAXIS1  = 4", "NAXIS2  = 1", "TFIELDS = 1", "TFORM1  = '4Z'"), `TFORM "4Z" is not known`},
		{"no form", catalog.FITS, "", fitsOf("", "NAXIS1  = 4", "NAXIS2  = 1", "TFIELDS = 1"), `TFORM "" is not known`},
		{"a scale", catalog.FITS, "", fitsOf("", "NAXIS1  = 4", "NAXIS2  = 1", "TFIELDS = 1", "TFORM1  = 'J'", "TSCAL1  = 'x'"), `has the value "x" of TSCAL1, want a number`},
		{"text in another encoding", catalog.FITS, "", fitsOf("\xe9t\xe9 ", "NAXIS1  = 4", "NAXIS2  = 1", "TFIELDS = 1", "TFORM1  = '4A'", "TTYPE1  = 'n'"), "column n, row 0 (counted from 0): its text is neither ASCII nor UTF-8"},
		{"a compressed image", catalog.FITS, "1", fitsOf("", "NAXIS1  = 8", "NAXIS2  = 1", "TFIELDS = 1", "TFORM1  = 'PB(2)'", "ZIMAGE  = T"), `has no table in extension 1, but "a compressed image"`},
		{"compressed", catalog.FITS, "", fitsOf("", "NAXIS1  = 4", "NAXIS2  = 1", "TFIELDS = 1", "ZTABLE  = T"), "has a compressed table in extension 1"},

		{"no table", catalog.VOTable, "", []byte("<VOTABLE><RESOURCE></RESOURCE></VOTABLE>"), "has no table"},
		{"an answer", catalog.VOTable, "", []byte("<VOTABLE><RESOURCE type='results'><INFO name='QUERY_STATUS' value='ERROR'>no such\n table</INFO></RESOURCE></VOTABLE>"), `is the answer of a server that says: "no such table"`},
		{"no fields", catalog.VOTable, "", []byte("<VOTABLE><RESOURCE><TABLE></TABLE></RESOURCE></VOTABLE>"), "has no table"},
		{"no VOTable", catalog.VOTable, "", []byte("<html/>"), `begins with an element "html", not with VOTABLE`},
		{"no such table", catalog.VOTable, "5", sample(t, "stars_tabledata.vot"), "has no table 5; it has 1"},
		{"cut", catalog.VOTable, "", sample(t, "stars_tabledata.vot")[:1500], "is cut off in line 43, after 1 rows"},
		{"cut binary", catalog.VOTable, "", sample(t, "stars_binary2.vot")[:1270], "is cut off"},
		{"a datatype", catalog.VOTable, "", vot(`<FIELD name="x" datatype="quad"/><DATA>`), `column x: the datatype "quad" is not known`},
		{"an array size", catalog.VOTable, "", vot(`<FIELD name="x" datatype="int" arraysize="99999999999x9"/><DATA>`), `the arraysize "99999999999x9" cannot be read`},
		{"an array of varying size", catalog.VOTable, "", vot(`<FIELD name="x" datatype="int" arraysize="*"/><DATA><BINARY2><STREAM encoding="base64">AAAA`), "column x has arrays of varying length"},
		{"a remote stream", catalog.VOTable, "", vot(`<FIELD name="x" datatype="int"/><DATA><BINARY><STREAM href="http://x/"/>`), "ask for TABLEDATA"},
		{"entities", catalog.VOTable, "", []byte(`<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>` + "<VOTABLE><RESOURCE><TABLE><FIELD name='x' datatype='char' arraysize='*'/><DATA><TABLEDATA><TR><TD>&b;</TD></TR>"), "invalid character entity &b;"},
		{"much said of columns", catalog.VOTable, "", vot(strings.Repeat(`<FIELD name="x" datatype="int"><DESCRIPTION>`+strings.Repeat("x", 4<<20)+`</DESCRIPTION></FIELD>`, 5)), "says more than 16 MiB of its columns"},
		{"a long row", catalog.VOTable, "", vot(strings.Repeat(`<FIELD name="x" datatype="char" arraysize="*"/>`, 5) + "<DATA><TABLEDATA><TR>" + strings.Repeat("<TD>"+strings.Repeat("x", 4<<20)+"</TD>", 5)), "row or an element of more than 16 MiB"},
		{"too few cells", catalog.VOTable, "", vot(`<FIELD name="x" datatype="int"/><FIELD name="y" datatype="int"/><DATA><TABLEDATA><TR><TD>1</TD></TR>`), "row 0 (counted from 0): it has 1 cells for 2 columns"},
		{"too many cells", catalog.VOTable, "", vot(`<FIELD name="x" datatype="int"/><DATA><TABLEDATA><TR><TD>1</TD><TD>1</TD></TR>`), "it has more cells than the 1 columns"},
		{"too large a number", catalog.VOTable, "", vot(`<FIELD name="x" datatype="short"/><DATA><TABLEDATA><TR><TD>40000</TD></TR>`), `column x: "40000" is no whole number of 16 bits`},
		{"deep", catalog.VOTable, "", vot(strings.Repeat("<GROUP>", 1000)), "has elements more than 100 deep"},
		{"a long text", catalog.VOTable, "", vot(`<FIELD name="x" datatype="char" arraysize="*"/><DATA><TABLEDATA><TR><TD>` + strings.Repeat("x", 17<<20)), "has a field, a row or an element of more than 16 MiB"},
		{"a long binary text", catalog.VOTable, "", vot(`<FIELD name="x" datatype="char" arraysize="*"/><DATA><BINARY><STREAM encoding="base64">f////w==`), "more than 16 MiB"},

		{"no YAML", catalog.ECSV, "", ecsv("# - {name: x", "x"), "has a header that cannot be read as YAML"},
		{"no columns", catalog.ECSV, "", []byte("# %ECSV 1.0\n# ---\n# datatype: []\nx\n"), "has a header that names no columns"},
		{"no names", catalog.ECSV, "", ecsv("# - {name: x, datatype: int64}"), "has a header, and no line of names behind it"},
		{"other names", catalog.ECSV, "", ecsv("# - {name: x, datatype: int64}", "y"), `has the name "y" in the line of names where its header has "x"`},
		{"an ECSV type", catalog.ECSV, "", ecsv("# - {name: x, datatype: int65}", "x"), `column x: its datatype "int65" is none of ECSV`},
		{"too many fields", catalog.ECSV, "", ecsv("# - {name: x, datatype: int64}", "x", "1 2"), "row 0 (counted from 0): line 6 has 2 fields for the 1 columns of the header"},
		{"an open quote", catalog.ECSV, "", ecsv("# - {name: x, datatype: string}", "x", `"`+strings.Repeat("x\n", 9<<20)), "has a field, a row or an element of more than 16 MiB"},
		{"a long header", catalog.ECSV, "", []byte("# %ECSV 1.0\n# " + strings.Repeat("x", 17<<20)), "has a field, a row or an element of more than 16 MiB"},
		{"an explosion of aliases", catalog.ECSV, "", ecsv("# - {name: x, datatype: int64}", "# a: &a [1,1,1,1,1,1,1,1,1]", "# b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]", "x", "y"), "number"},
		{"one of several", catalog.ECSV, "2", sample(t, "stars.ecsv"), "is ECSV, which has one table only"},
	} {
		t.Run(c.format+" "+c.name, func(t *testing.T) {
			_, _, err := read(c.content, c.format, c.pick)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got error %v, want one line with %q", err, c.want)
			}
		})
	}
}

// TestUnfilled reads on behind data whose last block is not filled, from what seeks and
// from what does not.
func TestUnfilled(t *testing.T) {
	content := primary("100")
	content = content[:2880+100]
	for _, r := range []io.Reader{bytes.NewReader(content), io.MultiReader(bytes.NewReader(content))} {
		_, err := catalog.Open(r, catalog.FITS, "")
		if err == nil || err.Error() != "has no table; there is nothing but its primary HDU" {
			t.Errorf("got error %v, want one that tells of no table", err)
		}
		_, err = catalog.Open(io.MultiReader(bytes.NewReader(content[:2900])), catalog.FITS, "")
		if err == nil || !strings.Contains(err.Error(), "is cut off in the data of HDU 0, which has 20 of 100 bytes") {
			t.Errorf("got error %v, want one that tells of a cut", err)
		}
	}
}

// TestComplexScale is about TZERO and TSCAL of complex columns: the factor is one of both
// parts, and only to the real one something is added.
func TestComplexScale(t *testing.T) {
	b := []byte{}
	for _, x := range []float32{1, 2, 3, -4} {
		b = binary.BigEndian.AppendUint32(b, math.Float32bits(x))
	}
	content := fitsOf(string(b), "NAXIS1  = 8", "NAXIS2  = 2", "TFIELDS = 1", "TTYPE1  = 'z'", "TFORM1  = 'C'", "TSCAL1  = 2", "TZERO1  = 10")
	columns, rows, err := read(content, catalog.FITS, "")
	if got := strings.Join(rows, "; "); err != nil || columns != "z_re:f64 z_im:f64" || got != "12 4; 16 -8" {
		t.Errorf("got columns %s, rows %s, error %v", columns, got, err)
	}
}

// TestMemory reads claims that a file does not fill, which must take no memory.
func TestMemory(t *testing.T) {
	content := fitsOf("", "NAXIS1  = 16000000", "NAXIS2  = 10", "TFIELDS = 1", "TFORM1  = '16000000A'")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 4 {
		if _, _, err := read(content, catalog.FITS, ""); err == nil {
			t.Fatal("got no error")
		}
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
		t.Errorf("took %d bytes for a row that is not there", used)
	}
}

// endless is a reader that fails if more than so many bytes are read of it.
type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left -= len(p); e.left < 0 {
		return 0, errors.New("read on")
	}
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// TestEndless reads pieces that do not end.
func TestEndless(t *testing.T) {
	for _, c := range []struct{ format, begin string }{
		{catalog.VOTable, "<VOTABLE "},
		{catalog.ECSV, "# %ECSV 1.0\n#"},
	} {
		_, err := catalog.Open(io.MultiReader(strings.NewReader(c.begin), &endless{64 << 20}), c.format, "")
		if err == nil || strings.Contains(err.Error(), "read on") {
			t.Errorf("%s: got error %v, want one that stops", c.format, err)
		}
	}
}

// TestDescribe writes what is said of columns as VOTable, and reads it.
func TestDescribe(t *testing.T) {
	columns := []catalog.Column{
		{Name: "ra", Type: catalog.Float64, Unit: "deg", UCD: "pos.eq.ra;meta.main", Description: `a <b> & "c"`},
		{Name: `x<"`, Type: catalog.Text},
	}
	got, err := catalog.Describe(catalog.Document(columns))
	if err != nil || len(got) != 2 {
		t.Fatalf("got %v, error %v", got, err)
	}
	for i, c := range got {
		if want := columns[i]; c.Name != want.Name || c.Unit != want.Unit || c.UCD != want.UCD || c.Description != want.Description {
			t.Errorf("got %+v, want %+v", c, want)
		}
	}
}
