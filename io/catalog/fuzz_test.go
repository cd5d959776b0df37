package catalog_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"rtcluster/io/catalog"
)

// FuzzFITS reads what may be FITS.
func FuzzFITS(f *testing.F) {
	for _, name := range []string{"stars.fits.gz", "wild.fits.gz", "varying.fits.gz", "ascii.fits.gz"} {
		f.Add(sample(f, name))
	}
	f.Add(fitsOf("\x00\x01\x02\x03", "NAXIS1  = 4", "NAXIS2  = 1", "TFIELDS = 2", "TFORM1  = '3X'", "TFORM2  = '1A'", "TDIM2   = '(1,1)'"))
	fuzz(f, catalog.FITS)
}

// FuzzVOTable reads what may be a VOTable.
func FuzzVOTable(f *testing.F) {
	for _, name := range []string{"stars_tabledata.vot", "stars_binary.vot", "stars_binary2.vot"} {
		f.Add(sample(f, name))
	}
	f.Add([]byte("<?xml version='1.0' encoding='latin1'?><VOTABLE><TABLE><FIELD name='x' datatype='floatComplex' arraysize='2'><VALUES null='1'/></FIELD><DATA><TABLEDATA><TR><TD>1 2 3 4</TD></TR></TABLEDATA></DATA></TABLE></VOTABLE>"))
	f.Add([]byte("<!DOCTYPE VOTABLE><VOTABLE><INFO name='QUERY_STATUS' value='OK'/><TABLE><FIELD name='x' datatype='int'/></TABLE></VOTABLE>"))
	fuzz(f, catalog.VOTable)
}

// FuzzECSV reads what may be ECSV.
func FuzzECSV(f *testing.F) {
	f.Add(sample(f, "stars.ecsv"))
	f.Add(sample(f, "stars_comma.ecsv"))
	f.Add([]byte("# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: string, unit: !astropy.units.Unit {unit: deg}, meta: !!omap [{ucd: x}]}\na\n\"\"\n"))
	fuzz(f, catalog.ECSV)
}

// fuzz reads a table to its end, or to an error of one line. What was read can be
// written as FITS, and is the same when it is read again.
func fuzz(f *testing.F, format string) {
	f.Fuzz(func(t *testing.T, content []byte) {
		r, err := catalog.Open(bytes.NewReader(content), format, "")
		var rows [][]catalog.Value
		for cells := 0; err == nil && cells < 1<<16; cells += len(r.Columns) {
			row := make([]catalog.Value, len(r.Columns))
			if err = r.Next(row); err != nil {
				break
			}
			for i := range row {
				row[i].Text = bytes.Clone(row[i].Text)
			}
			rows = append(rows, row)
		}
		if err != nil && (err.Error() == "" || strings.Contains(err.Error(), "\n")) {
			t.Fatalf("got the error %q, want one line", err)
		}
		if r == nil || err != nil && !errors.Is(err, io.EOF) {
			return
		}
		again(t, r.Columns, rows)
	})
}

// again writes rows as FITS, unless that cannot hold them, and reads them.
func again(t *testing.T, columns []catalog.Column, rows [][]catalog.Value) {
	var b bytes.Buffer
	err := catalog.WriteFITS(&b, columns, int64(len(rows)), func(places []int, yield func([]catalog.Value) error) error {
		for _, all := range rows {
			row := make([]catalog.Value, len(places))
			for k, i := range places {
				row[k] = all[i]
			}
			if err := yield(row); err != nil {
				return err
			}
		}
		return nil
	})
	var unfit *catalog.UnfitError
	if errors.As(err, &unfit) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := catalog.Open(&b, catalog.FITS, "")
	if err != nil {
		t.Fatalf("what was written cannot be read: %v", err)
	}
	row := make([]catalog.Value, len(columns))
	for k := range rows {
		if err := r.Next(row); err != nil {
			t.Fatalf("row %d of what was written cannot be read: %v", k, err)
		}
		for i, v := range row {
			c, want := columns[i], rows[k][i]
			switch {
			case c.Type == catalog.Text:
				text := strings.TrimRight(string(want.Text), " ")
				if want.Null {
					text = ""
				}
				if string(v.Text) != text {
					t.Fatalf("row %d, column %s: got %q, want %q", k, c.Name, v.Text, text)
				}
			case c.Type == catalog.Float32 || c.Type == catalog.Float64:
				if none := want.Null || math.IsNaN(want.Float); none != math.IsNaN(v.Float) || !none && v.Float != want.Float {
					t.Fatalf("row %d, column %s: got %v, want %v", k, c.Name, v.Float, want.Float)
				}
			case v.Null != want.Null || !v.Null && v.Int != want.Int:
				t.Fatalf("row %d, column %s: got %+v, want %+v", k, c.Name, v, want)
			}
		}
	}
}
