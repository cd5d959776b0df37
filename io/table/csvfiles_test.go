package table_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rtcluster/io/table"
)

// csvFiles is what must come out of each of the 38 CSV files of others.
var csvFiles = []struct {
	file string
	opt  table.ReadOptions
	want string // rows and columns, or the error of opening
	note string // in a note
}{
	{"all_quoted_multiline", table.ReadOptions{}, "5 rows upc:int64* name:string description:string price:int64*", ""},
	{"big_number", table.ReadOptions{}, "1 rows bignumber:double*", "there is one column"},
	{"bom_crlf", table.ReadOptions{}, "2 rows id:int64* name:string", ""},
	{"comments_midline", table.ReadOptions{}, "2 rows c1:int64* c2:int64*", "comments stand behind fields too, from # on"},
	{"comments_midline", table.ReadOptions{Trailing: "no"}, "line 3: the record has 2 fields, want 3", ""},
	{"comments_semicolon", table.ReadOptions{}, "2 rows a:int64* b:int64*", "lines that begin with # are comments"},
	{"comments_semicolon", table.ReadOptions{Comment: "none"}, "6 rows # A few comments:string", "there is one column"},
	{"decimal_comma_mixed", table.ReadOptions{}, "line 2: the record has 2 fields, want 1 as in the first one; is the first line no part of the table (--skip 1), or is this one number? (--decimal ,)", ""},
	{"decimal_comma_mixed", table.ReadOptions{Decimal: ','}, "3 rows foo:string", "there is one column"},
	{"decimal_comma_nulls_crlf", table.ReadOptions{}, "8 rows COD_LOCALE_PROGETTO:string", ""},
	{"decimal_comma_semicolon", table.ReadOptions{}, "5 rows commas:string periods:double*", "separated by semicolons"},
	{"decimal_comma_semicolon", table.ReadOptions{Decimal: ','}, "5 rows commas:double* periods:string", "separated by semicolons"},
	{"duplicate_headers", table.ReadOptions{}, "2 rows a#1:int64* a#2:string a#3:string a#4:empty", ""},
	{"elki_3clusters_raw", table.ReadOptions{}, "330 rows c1:double* c2:double* c3:string", "separated by blanks"},
	{"elki_nan_test", table.ReadOptions{}, "10 rows c1:double* c2:double* c3:double*", "there is no header: the first record is all numbers"},
	{"elki_outlier_fire_raw.ascii", table.ReadOptions{}, "1025 rows c1:double* c2:double* c3:string", "lines that begin with # are comments"},
	{"empty", table.ReadOptions{}, "is empty (0 bytes)", ""},
	{"empty_first_line", table.ReadOptions{}, "3 rows c1:string c2:int64*", "separated by blanks"},
	{"gaia_dr2_hyades_vizier.tsv", table.ReadOptions{}, "515 rows _RAJ2000:double* _DEJ2000:double* Source:int64* Cluster:string RA_ICRS:double*", "line 54 holds a ruler, no data"},
	{"header_only", table.ReadOptions{}, "0 rows abs_file_name:empty*", ""},
	{"hyades_rotators", table.ReadOptions{}, "247 rows IDX:int64* RA:double* DEC:double* PERIOD:double*", ""},
	{"junk_first_lines", table.ReadOptions{}, "line 2: the record has 3 fields, want 1 as in the first one; is the first line no part of the table? (--skip 1)", ""},
	{"junk_first_lines", table.ReadOptions{Skip: 1}, "1 rows number:double* text:string date:string", ""},
	{"latin1", table.ReadOptions{}, "12 rows name:string age:int64*", "some bytes are not UTF-8"},
	{"latin1", table.ReadOptions{Encoding: "latin1"}, "12 rows name:string age:int64*", "the text is latin1"},
	{"leading_space_quoted_numbers", table.ReadOptions{}, "3 rows c1:int64* c2:string c3:string", ""},
	{"many_errors", table.ReadOptions{}, "line 4: the record has 5 fields, want 4", ""},
	{"mast_k2c13_targets", table.ReadOptions{}, "132 rows K2 ID:int64* Dataset Name:string Campaign:int64*", "line 2 holds types, no data"},
	{"multiple_nulls", table.ReadOptions{}, "3 rows name:string age:int64* height:double*", ""},
	{"nul_byte", table.ReadOptions{}, "line 2: has a NUL byte", ""},
	{"pipe_noheader", table.ReadOptions{}, "3 rows c1:int64* c2:string c3:string", "separated by bars"},
	{"ragged_long", table.ReadOptions{}, "line 4: the record has 5 fields, want 3", ""},
	{"ragged_long", table.ReadOptions{Ragged: "pad"}, "line 4: the record has 5 fields, want 3", ""},
	{"ragged_short", table.ReadOptions{}, "line 2: the record has 4 fields, want 3", ""},
	{"semicolon_noheader", table.ReadOptions{}, "3 rows c1:int64* c2:string c3:string", "separated by semicolons"},
	{"space_after_comma", table.ReadOptions{}, "4 rows Year:int64* Score:int64* Title:string", ""},
	{"spectrum_escaped_quotes", table.ReadOptions{}, "2 rows a:int64* b:string", ""},
	{"spectrum_newlines_crlf", table.ReadOptions{}, "3 rows a:string b:int64* c:int64*", ""},
	{"spectrum_simple_crlf", table.ReadOptions{}, "1 rows a:int64* b:int64* c:int64*", ""},
	{"thousands_broken", table.ReadOptions{Thousands: ','}, "4 rows c1:string", ""},
	{"thousands_quoted", table.ReadOptions{}, "5 rows name:string money:string city:string", ""},
	{"thousands_quoted", table.ReadOptions{Thousands: ','}, "5 rows name:string money:double* city:string", "separated by commas"},
	{"thousands_simple", table.ReadOptions{}, "line 3: the record has 3 fields, want 2", ""},
	{"thousands_simple", table.ReadOptions{Thousands: ','}, "5 rows c1:double*", ""},
	{"trailing_blank_lines_crlf", table.ReadOptions{}, "2 rows a:int64* b:int64*", ""},
	{"trailing_comma_rows", table.ReadOptions{}, "line 2: the record has more fields than the 2 of the first one, and nothing in them; --ragged pad", ""},
	{"trailing_comma_rows", table.ReadOptions{Ragged: "pad"}, "2 rows c1:int64* c2:int64*", "2 rows, the first on line 2, have another number of fields"},
	{"utf16", table.ReadOptions{}, "5 rows ŁŁŁŁŁŁŁ ŁŁŁŁŁŁŁŁ:string Ł:string", "the text is utf-16le"},
}

// csvPath returns the path of a file of others; names without ending are .csv.
func csvPath(t *testing.T, name string) string {
	t.Helper()
	if filepath.Ext(name) == "" {
		name += ".csv"
	}
	return sharedFile(t, "csv/"+name)
}

func TestCSVFilesOfOthers(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range csvFiles {
		t.Run(c.file, func(t *testing.T) {
			path := csvPath(t, c.file)
			seen[filepath.Base(path)] = true
			tab, err := table.Open(t.Context(), path, c.opt)
			if err != nil {
				wantDataError(t, err, c.want)
				return
			}
			t.Cleanup(func() { _ = tab.Close() })
			if got := fmt.Sprintf("%d rows %s", tab.Rows(), columnNames(tab)); !strings.HasPrefix(got, c.want) {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if c.note != "" && !strings.Contains(notes(tab), c.note) {
				t.Errorf("got notes %q, want %q among them", notes(tab), c.note)
			}
			made := tab.Columns()[0].Name == "c1" || c.opt.Encoding != "" || c.opt.Ragged != "" || c.file == "utf16"
			if got, want := writeText(t, tab, nil, nil), readFile(t, path); !made && trimEnd(got) != trimEnd(want) {
				t.Errorf("came out otherwise than it went in: %q, want %q", clip(got), clip(want))
			}
		})
	}
	entries, err := os.ReadDir(filepath.Join(shared, "csv"))
	if err != nil {
		t.Skipf("test data is not there: %v", err)
	}
	for _, e := range entries {
		if !seen[e.Name()] {
			t.Errorf("%s is not tested", e.Name())
		}
	}
}

// notes returns the notes of a table, a line each.
func notes(tab *table.Table) string {
	var list []string
	for _, n := range tab.Notes() {
		list = append(list, n.Text)
	}
	return strings.Join(list, "\n")
}

func TestCarriageReturnsAlone(t *testing.T) {
	_, err := table.Open(t.Context(), writeFile(t, "old.csv", "x,y\r1,2\r"), table.ReadOptions{})
	if err == nil || !strings.Contains(err.Error(), "carriage returns alone") {
		t.Errorf("got %v, want an error that names the line ends", err)
	}
}
