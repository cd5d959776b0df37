package table_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"

	"rtcluster/io/table"
)

// pieced reads columns in pieces of about size rows and puts them together again.
func pieced(t *testing.T, tab *table.Table, columns []string, size int) (all *table.Floats, pieces int, err error) {
	t.Helper()
	all = &table.Floats{Cols: len(columns), Bad: make([]table.Bad, len(columns))}
	err = tab.FloatsEach(t.Context(), columns, size, func(first int64, f *table.Floats) error {
		if first != int64(all.Rows) || f.Rows == 0 || len(f.Data) != f.Rows*f.Cols || f.Cols != all.Cols {
			t.Errorf("piece %d begins at row %d and has %d rows and %d values, after %d rows", pieces, first, f.Rows, len(f.Data), all.Rows)
		}
		for j, bad := range f.Bad {
			if pieces == 0 {
				all.Bad[j] = bad
				continue
			}
			sum := &all.Bad[j]
			sum.Nulls, sum.NaNs, sum.Infs = sum.Nulls+bad.Nulls, sum.NaNs+bad.NaNs, sum.Infs+bad.Infs
			if sum.FirstRow < 0 {
				sum.FirstRow, sum.FirstLine, sum.Path, sum.FileRow = bad.FirstRow, bad.FirstLine, bad.Path, bad.FileRow
			}
		}
		all.Rows += f.Rows
		all.Data = append(all.Data, f.Data...)
		pieces++
		return nil
	})
	return all, pieces, err
}

// piecesText is CSV with n rows, of which some lack values.
func piecesText(from, n int) string {
	text := "x,s,i,flag\n"
	for i := from; i < from+n; i++ {
		x := fmt.Sprint(float64(i) / 7)
		switch i % 400 {
		case 331:
			x = ""
		case 332:
			x = "nan"
		case 333:
			x = "-inf"
		}
		text += fmt.Sprintf("%s,name,%d,%t\n", x, i, i%3 == 0)
	}
	return text
}

// TestFloatsEach compares the pieces with the whole: of CSV and Parquet, one file
// and several, for columns in any order and again, and casts.
func TestFloatsEach(t *testing.T) {
	const rows = 900
	dir := t.TempDir()
	csv := writeFile(t, "one.csv", piecesText(0, rows))
	var many []string
	for i, n := range []int{300, 0, 1, 599} {
		path := filepath.Join(dir, fmt.Sprint(i, ".csv"))
		if err := os.WriteFile(path, []byte(piecesText(300*i, n)), 0o600); err != nil {
			t.Fatal(err)
		}
		many = append(many, path)
	}
	type row struct {
		X    *float64 `parquet:"x,optional"`
		S    string   `parquet:"s"`
		I    int64    `parquet:"i"`
		Flag bool     `parquet:"flag"`
	}
	list := make([]row, rows)
	for i := range list {
		list[i] = row{X: ptr(float64(i) / 7), I: int64(i), Flag: i%3 == 0}
		switch i % 400 {
		case 331:
			list[i].X = nil
		case 332:
			*list[i].X = math.NaN()
		}
	}
	pq := parquetFile(t, dir, "one.parquet", list, parquet.MaxRowsPerRowGroup(100))
	fewer := writeFile(t, "fewer.csv", "i\n5\n6\n")
	tests := []struct {
		name  string
		paths []string
		least int // pieces of 1 row
	}{
		{"csv", []string{csv}, 9},
		{"several csv", many, 8},
		{"a column less", []string{csv, fewer}, 9},
		{"parquet", []string{pq}, 9},
		{"several parquet", []string{pq, pq}, 18},
	}
	for _, tc := range tests {
		for _, columns := range [][]string{{"x"}, {"i", "x"}, {"x", "i", "x"}, {"flag:double", "i"}} {
			t.Run(fmt.Sprint(tc.name, columns), func(t *testing.T) {
				whole, err := openSet(t, tc.paths).Floats(t.Context(), columns)
				if err != nil {
					t.Fatal(err)
				}
				for _, size := range []int{0, 1, 250, rows, 1 << 20} {
					got, pieces, err := pieced(t, openSet(t, tc.paths), columns, size)
					if err != nil {
						t.Fatal(err)
					}
					if size < 2 && pieces < tc.least || size == 1<<20 && pieces > len(tc.paths) {
						t.Errorf("size %d: %d pieces, want %d of one row at least, and one a file", size, pieces, tc.least)
					}
					same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
					if got.Rows != whole.Rows || !slices.EqualFunc(got.Data, whole.Data, same) {
						t.Errorf("size %d: the values differ", size)
					}
					if !slices.Equal(got.Bad, whole.Bad) {
						t.Errorf("size %d: bad %+v, want %+v", size, got.Bad, whole.Bad)
					}
				}
			})
		}
	}
}

// openSet opens files as one table, in small chunks.
func openSet(t *testing.T, paths []string) *table.Table {
	t.Helper()
	inputs := make([]table.Input, len(paths))
	for i, path := range paths {
		inputs[i] = table.Input{Path: path, Name: filepath.Base(path)}
	}
	opt := table.Chunked(table.ReadOptions{Stream: true, Load: func(string) bool { return true }}, 1<<11)
	tab, err := table.OpenAll(t.Context(), inputs, table.SetOptions{ReadOptions: opt, UnionByName: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tab.Close() })
	return tab
}

// TestStream sees that the first reading keeps numbers only for Floats.
func TestStream(t *testing.T) {
	path := writeFile(t, "in.csv", "x\n1\n")
	for _, stream := range []bool{false, true} {
		tab := open(t, path, table.ReadOptions{Load: func(string) bool { return true }, Stream: stream})
		if tab.Keeps() == stream {
			t.Errorf("stream %t: numbers are kept: %t", stream, !stream)
		}
	}
}

// TestFloatsEachErrors has faults late in a table: pieces before them come, and the
// error says where it is.
func TestFloatsEachErrors(t *testing.T) {
	dir := t.TempDir()
	type row struct {
		I int64 `parquet:"i"`
	}
	list := make([]row, 300)
	list[270].I = 1<<53 + 1
	pq := parquetFile(t, dir, "big.parquet", list, parquet.MaxRowsPerRowGroup(100))
	text := writeFile(t, "big.csv", piecesText(0, 300)+"1,name,9007199254740993,true\n")
	for _, tc := range []struct{ name, path, column, want string }{
		{"parquet", pq, "i", `big.parquet: column "i": row 270: the integer 9007199254740993 is not exact`},
		{"csv", text, "i", `big.csv: column "i": line 302 (row 300): the integer 9007199254740993 is not exact`},
		{"text", text, "s", `column "s": line 2 (row 0): "name" is not a number`},
		{"unknown", text, "y", `column "y": no such column`},
		{"cast of text", text, "s:double", `"name" is not a number`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			all, _, err := pieced(t, openSet(t, []string{tc.path}), []string{tc.column}, 1)
			wantDataError(t, err, tc.want)
			if tc.column == "i" && all.Rows < 200 {
				t.Errorf("only %d rows came before the fault", all.Rows)
			}
		})
	}
	enough := errors.New("enough")
	for _, path := range []string{pq, text} {
		calls := 0
		err := openSet(t, []string{path}).FloatsEach(t.Context(), []string{"i"}, 1, func(int64, *table.Floats) error {
			calls++
			return enough
		})
		if !errors.Is(err, enough) || calls != 1 {
			t.Errorf("%s: got %v after %d calls, want the error of the first", path, err, calls)
		}
	}
}

// TestTextCasts asks for text as numbers: words for truth, and large integers.
func TestTextCasts(t *testing.T) {
	path := writeFile(t, "in.csv", "b,i,n\ntrue,9007199254740993,1\nFalse, 7,x\n,1e400,2\n")
	for _, tc := range []struct {
		column string
		want   []float64
		fault  string
	}{
		{"b:double", []float64{1, 0, math.NaN()}, ""},
		{"b", nil, `column "b": line 2 (row 0): "true" is not a number`},
		{"i:double", nil, `"1e400" is beyond the range`},
		{"i", nil, "9007199254740993 is not exact"},
		{"n:double", nil, `line 3 (row 1): "x" is not a number`},
	} {
		for _, load := range []func(string) bool{nil, func(string) bool { return true }} {
			f, err := open(t, path, table.ReadOptions{Load: load}).Floats(t.Context(), []string{tc.column})
			if tc.fault != "" {
				wantDataError(t, err, tc.fault)
				continue
			}
			if err != nil || !slices.EqualFunc(f.Data, tc.want, func(a, b float64) bool { return a == b || a != a && b != b }) {
				t.Errorf("%s: got %v, %v", tc.column, f, err)
			}
		}
	}
	grouped := open(t, writeFile(t, "g.csv", "i;b\n9.007.199.254.740.993;TRUE\n"), table.ReadOptions{Thousands: '.', Decimal: ',', Delimiter: ';'})
	f, err := grouped.Floats(t.Context(), []string{"i:double", "b:double"})
	if err != nil || !slices.Equal(f.Data, []float64{1 << 53, 1}) {
		t.Errorf("grouped: got %v, %v", f, err)
	}
	type row struct {
		B string `parquet:"b"`
	}
	f, err = open(t, writeRows(t, []row{{"TRUE"}, {"false"}, {"9007199254740993"}}), table.ReadOptions{}).Floats(t.Context(), []string{"b:double"})
	if err != nil || !slices.Equal(f.Data, []float64{1, 0, 1 << 53}) {
		t.Errorf("Parquet: got %v, %v", f, err)
	}
}

func TestKeyValue(t *testing.T) {
	source := openText(t, "x\n1\n")
	dir := t.TempDir()
	write := func(name, value string) string {
		path := filepath.Join(dir, name)
		opt := table.WriteOptions{Metadata: map[string]string{"key": value}}
		if err := source.WriteWith(t.Context(), path, nil, nil, opt); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a, b, c := write("a.parquet", "1"), write("b.parquet", "1"), write("c.parquet", "2")
	for _, tc := range []struct {
		name  string
		paths []string
		key   string
		value string
		found bool
	}{
		{"one", []string{a}, "key", "1", true},
		{"alike", []string{a, b}, "key", "1", true},
		{"no such key", []string{a, b}, "other", "", false},
		{"CSV", []string{writeFile(t, "x.csv", "x\n1\n")}, "key", "", false},
	} {
		value, found, err := openSet(t, tc.paths).KeyValue(tc.key)
		if err != nil || value != tc.value || found != tc.found {
			t.Errorf("%s: got %q, %t, %v", tc.name, value, found, err)
		}
	}
	_, _, err := openSet(t, []string{a, c}).KeyValue("key")
	wantDataError(t, err, "c.parquet: has not the key of "+a)
}
