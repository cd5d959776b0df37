package table_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"rtcluster/io/table"
)

// astropyFile is a file of package catalog's tests.
func astropyFile(name string) string { return filepath.Join("..", "catalog", "testdata", name) }

// starsCSV is what those of FITS are as CSV.
const starsCSV = `id,ra,dec,mag,flag,u8,i16,i32,u16,u32,u64,name,pm_1,pm_2,z_re,z_im
9007199254740993,10.684708,41.26875,0.1,true,0,-32768,,0,0,0,M 31,1,2,1,2
-2,0.1,-90,1.5,false,255,32767,6,65535,4294967295,18446744073709551615,"a,b",3,4,0,3
3,359.999,NaN,-2.25,true,7,,7,1,1,1,it's,5,6,-1,0
`

// described returns the columns with their types and what is said of them.
func described(tab *table.Table) string {
	var list []string
	for _, c := range tab.Columns() {
		list = append(list, strings.Join([]string{c.Name, c.Type, c.Unit, c.UCD, c.Description}, "|"))
	}
	return strings.Join(list, "\n")
}

// TestCatalogRoundTrip sends a table from FITS through Parquet and FITS again, and
// compares values, types and what is said of the columns.
func TestCatalogRoundTrip(t *testing.T) {
	dir := t.TempDir()
	tab := open(t, astropyFile("stars.fits.gz"), table.ReadOptions{})
	want := described(tab)
	if !strings.HasPrefix(want, "id|int64|||\nra|double|deg|pos.eq.ra;meta.main|right ascension, ICRS\n") || tab.Format() != "fits" {
		t.Fatalf("got format %s and columns\n%s", tab.Format(), want)
	}
	for i, name := range []string{"a.parquet", "b.fits", "c.parquet", "d.fits.gz", "e.fits"} {
		path := filepath.Join(dir, name)
		if err := tab.WriteWith(t.Context(), path, nil, nil, table.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		if tab = open(t, path, table.ReadOptions{}); described(tab) != want {
			t.Fatalf("file %d, %s: got columns\n%s, want\n%s", i, name, described(tab), want)
		}
		csv := path + ".csv"
		if err := tab.WriteWith(t.Context(), csv, nil, nil, table.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(csv); err != nil || string(got) != starsCSV {
			t.Fatalf("file %d, %s: got error %v and\n%s, want\n%s", i, name, err, got, starsCSV)
		}
	}
	first, err := os.ReadFile(filepath.Join(dir, "b.fits"))
	if err != nil {
		t.Fatal(err)
	}
	if last, err := os.ReadFile(filepath.Join(dir, "e.fits")); err != nil || string(last) != string(first) {
		t.Errorf("FITS of FITS is not the same bytes; error %v", err)
	}
}

// TestCatalogDescriptions keeps what is said of columns where some are left out,
// others added, and several files are one.
func TestCatalogDescriptions(t *testing.T) {
	files := []table.Input{{Path: astropyFile("stars.fits.gz")}, {Path: astropyFile("stars.fits.gz#STARS")}}
	tab, err := table.OpenAll(t.Context(), files, table.SetOptions{ReadOptions: table.ReadOptions{}, FilenameColumn: "file"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tab.Close() })
	path := filepath.Join(t.TempDir(), "a.parquet")
	added := []table.Added{{Name: "cluster", Values: []int64{0, 1, 2, 3, 4, 5}}}
	if err := tab.WriteWith(t.Context(), path, []string{"mag", "ra"}, added, table.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	got := described(open(t, path, table.ReadOptions{}))
	want := "mag|float|mag|phot.mag|\nra|double|deg|pos.eq.ra;meta.main|right ascension, ICRS\ncluster|int64|||"
	if got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
}

// TestCatalogNumbers reads columns as numbers, nulls counted.
func TestCatalogNumbers(t *testing.T) {
	for _, name := range []string{"stars.fits.gz", "stars_tabledata.vot", "stars_binary2.vot", "stars.ecsv"} {
		tab := open(t, astropyFile(name), table.ReadOptions{})
		f, err := tab.Floats(t.Context(), []string{"ra", "i16", "dec"})
		if err != nil {
			t.Fatal(err)
		}
		if f.Data[3] != 0.1 || f.Data[4] != 32767 || f.Bad[1].Nulls != 1 || f.Bad[1].FirstRow != 2 || f.Bad[2].NaNs != 1 {
			t.Errorf("%s: got %v and %+v", name, f.Data, f.Bad)
		}
		if _, err := tab.Floats(t.Context(), []string{"id"}); err == nil {
			t.Errorf("%s: got no error for an integer that float64 does not hold", name)
		}
	}
}

// TestCatalogUnfit is about tables that FITS cannot hold: an error, and no file.
func TestCatalogUnfit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.fits")
	tab := open(t, writeFile(t, "a.csv", "name,x\nété,1\n"), table.ReadOptions{})
	err := tab.WriteWith(t.Context(), path, nil, nil, table.WriteOptions{})
	wantDataError(t, err, `cannot be written as FITS: column name has the text "été", and FITS knows ASCII from blank to ~ only`)
	if _, err := os.Stat(path); err == nil {
		t.Error("there is a file")
	}
	if err := tab.WriteWith(t.Context(), path, []string{"x"}, nil, table.WriteOptions{}); err != nil {
		t.Error(err)
	}
}

// TestCatalogNameless names columns that have no name, and says so.
func TestCatalogNameless(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.fits")
	var b bytes.Buffer
	w := parquet.NewWriter(&b, parquet.NewSchema("s", parquet.Group{"": parquet.Leaf(parquet.DoubleType), "col1": parquet.Leaf(parquet.Int32Type)}))
	_, err := w.WriteRows([]parquet.Row{{parquet.DoubleValue(1.5).Level(0, 0, 0), parquet.Int32Value(2).Level(0, 0, 1)}})
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	tab := open(t, writeFile(t, "a.parquet", b.String()), table.ReadOptions{})
	for range 2 {
		if err := tab.WriteWith(t.Context(), path, nil, nil, table.WriteOptions{Force: true}); err != nil {
			t.Fatal(err)
		}
	}
	if got := described(open(t, path, table.ReadOptions{})); got != "col1_|double|||\ncol1|int32|||" {
		t.Errorf("got columns\n%s", got)
	}
	want := table.Note{Loud: true, Text: "column 1 has no name, and FITS wants one: it is written as col1_"}
	if notes := tab.Notes(); len(notes) != 1 || notes[0] != want {
		t.Errorf("got notes %v, want %v", notes, want)
	}
}

// TestCatalogLeftOut says which columns of a file are not read.
func TestCatalogLeftOut(t *testing.T) {
	tab := open(t, astropyFile("varying.fits.gz"), table.ReadOptions{})
	want := table.Note{Loud: true, Text: "left out columns of arrays of varying length, which are not read: spec, words"}
	if notes := tab.Notes(); len(notes) != 1 || notes[0] != want || described(tab) != "x|int32|||\ny|int16|||" {
		t.Errorf("got notes %v and columns %s, want %v", notes, described(tab), want)
	}
}

// TestCatalogOverflow tells that a server cut its answer off, which stands behind the rows.
func TestCatalogOverflow(t *testing.T) {
	path := writeFile(t, "a.vot", `<VOTABLE><RESOURCE><TABLE><FIELD name="x" datatype="int"/><DATA><TABLEDATA><TR><TD>1</TD></TR></TABLEDATA></DATA></TABLE><INFO name="QUERY_STATUS" value="OVERFLOW"/></RESOURCE></VOTABLE>`)
	notes := open(t, path, table.ReadOptions{}).Notes()
	if len(notes) != 1 || !notes[0].Loud || !strings.HasPrefix(notes[0].Text, "the server cut its answer off") {
		t.Errorf("got notes %v", notes)
	}
}

// TestParquetDescribed reads what the metadata of Parquet says of its columns, in the two
// ways that there are, and writes it in one.
func TestParquetDescribed(t *testing.T) {
	const (
		astropy = "datatype:\n- {name: z, datatype: int64}\n- name: ra\n  unit: deg\n  datatype: float64\n  description: x\n  meta: !!omap\n  - {ucd: pos.eq.ra}\nmeta: !!omap\n- {k: 1}"
		vo      = `<VOTABLE><RESOURCE><TABLE><FIELD name="ra" datatype="double" unit="mas"/></TABLE></RESOURCE></VOTABLE>`
		voKey   = "IVOA.VOTable-Parquet.content"
	)
	rows := []struct {
		RA float64 `parquet:"ra"`
	}{{1}}
	kv := parquet.KeyValueMetadata
	for _, c := range []struct {
		name    string
		options []parquet.WriterOption
		want    string
	}{
		{"astropy", []parquet.WriterOption{kv("table_meta_yaml", astropy)}, "ra|double|deg|pos.eq.ra|x"},
		{"VOParquet", []parquet.WriterOption{kv(voKey, vo)}, "ra|double|mas||"},
		{"both", []parquet.WriterOption{kv("table_meta_yaml", astropy), kv(voKey, vo)}, "ra|double|mas||"},
		{"neither can be read", []parquet.WriterOption{kv("table_meta_yaml", "- ["), kv(voKey, "<x")}, "ra|double|||"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab := open(t, writeRows(t, rows, c.options...), table.ReadOptions{})
			if got := described(tab); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			path := filepath.Join(t.TempDir(), "out.parquet")
			if err := tab.WriteWith(t.Context(), path, nil, nil, table.WriteOptions{}); err != nil {
				t.Fatal(err)
			}
			if got := described(open(t, path, table.ReadOptions{})); got != c.want {
				t.Errorf("got %s from the output, want %s", got, c.want)
			}
		})
	}
}

// TestCSVUnits keeps the units under a header, of one file and of several.
func TestCSVUnits(t *testing.T) {
	one := writeFile(t, "a.csv", "name,ra,v\n,deg,km/s\na,1.5,2.5\n")
	two := writeFile(t, "b.csv", "name,ra,v\n,deg,km/s\nb,3.5,4.5\n")
	for _, files := range [][]table.Input{{{Path: one}}, {{Path: one}, {Path: two}}} {
		tab, err := table.OpenAll(t.Context(), files, table.SetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = tab.Close() })
		for _, name := range []string{"out.parquet", "out.fits"} {
			path := filepath.Join(t.TempDir(), name)
			if err := tab.WriteWith(t.Context(), path, []string{"v", "name"}, nil, table.WriteOptions{}); err != nil {
				t.Fatal(err)
			}
			if got, want := described(open(t, path, table.ReadOptions{})), "v|double|km/s||\nname|string|||"; got != want {
				t.Errorf("%d files, %s: got\n%s, want\n%s", len(files), name, got, want)
			}
		}
	}
}

// TestCatalogMemory sees that the conversion counts.
func TestCatalogMemory(t *testing.T) {
	fits := open(t, astropyFile("stars.fits.gz"), table.ReadOptions{})
	path := filepath.Join(t.TempDir(), "a.parquet")
	if err := fits.WriteWith(t.Context(), path, nil, nil, table.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	copied := open(t, path, table.ReadOptions{})
	if a, b := fits.ReadMemory([]string{"ra"}), copied.ReadMemory([]string{"ra"}); a < b+4<<20 {
		t.Errorf("got %d bytes for FITS, %d for Parquet, want a batch of values more", a, b)
	}
}

// TestCatalogWide opens a table of many columns and one row: what a column takes while it
// is encoded must not be a page of the size that few have.
func TestCatalogWide(t *testing.T) {
	if testing.Short() {
		t.Skip("counts allocations, and the race detector, whose tests are the short ones, has pools drop what they hold")
	}
	const columns = 4000
	var b strings.Builder
	fmt.Fprintf(&b, "%-2880s", cards("SIMPLE  = T", "BITPIX  = 8", "NAXIS   = 0"))
	fmt.Fprintf(&b, "%-2880s", cards("XTENSION= 'BINTABLE'", "BITPIX  = 8", "NAXIS   = 2", fmt.Sprint("NAXIS1  = ", 8*columns), "NAXIS2  = 1", "PCOUNT  = 0", "GCOUNT  = 1",
		"TFIELDS = 1", "TTYPE1  = 'x'", fmt.Sprintf("TFORM1  = '%dD'", columns)))
	b.WriteString(strings.Repeat("\x00", 8*columns))
	path := writeFile(t, "a.fits", b.String())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	tab := open(t, path, table.ReadOptions{})
	runtime.ReadMemStats(&after)
	if n := len(tab.Columns()); n != columns {
		t.Fatalf("got %d columns", n)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 512<<20 {
		t.Errorf("took %d MiB for one row of %d columns", used>>20, columns)
	}
}

// cards are lines of a FITS header.
func cards(lines ...string) string {
	var b strings.Builder
	for _, line := range append(lines, "END") {
		fmt.Fprintf(&b, "%-80s", line)
	}
	return b.String()
}

// TestScratch says what to do where no temporary file can be made.
func TestScratch(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	path := writeFile(t, "a.csv", "x\n1\n")
	_, err := table.Open(t.Context(), astropyFile("stars.ecsv"), table.ReadOptions{})
	fits := open(t, path, table.ReadOptions{}).WriteWith(t.Context(), path+".fits", nil, nil, table.WriteOptions{})
	for _, err := range []error{err, fits} {
		if !errors.Is(err, table.ErrScratch) || !strings.Contains(err.Error(), "set TMPDIR") {
			t.Errorf("got error %v, want one about TMPDIR", err)
		}
	}
}
