package table_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"rtcluster/io/table"
)

func TestCSVColumns(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		opt              table.ReadOptions
		want             string
		rows             int64
	}{
		{"header", "a.csv", "x,y,name\n1,2.5,a\n2,3,b\n", table.ReadOptions{}, "x:int64* y:double* name:string", 2},
		{"no header", "a.csv", "1,2.5\n2,3\n", table.ReadOptions{}, "c1:int64* c2:double*", 2},
		{"no header, missing next to numbers", "a.csv", "1,NA\n2,3\n", table.ReadOptions{}, "c1:int64* c2:int64*", 2},
		{"missing words alone are a row", "a.csv", "NA,nan\n2,3\n", table.ReadOptions{}, "c1:int64* c2:double*", 2},
		{"header by option", "a.csv", "1,2\n3,4\n", table.ReadOptions{Header: "yes"}, "1:int64* 2:int64*", 1},
		{"no header by option", "a.csv", "x,y\n3,4\n", table.ReadOptions{Header: "no"}, "c1:string c2:string", 2},
		{"quoted header with blanks", "a.csv", "\"x\"\"1\", \"y\" , z\n1,2,3\n", table.ReadOptions{}, "x\"1:int64* y:int64* z:int64*", 1},
		{"unnamed columns", "a.csv", "x,,\n1,2,3\n", table.ReadOptions{}, "x:int64* c2:int64* c3:int64*", 1},
		{"missing values", "a.csv", "x,y,z\n1,nan,\nNA,Inf,\n", table.ReadOptions{}, "x:int64* y:double* z:empty", 2},
		{"header only", "a.csv", "x,y\n", table.ReadOptions{}, "x:empty* y:empty*", 0},
		{"header only without line end", "a.csv", "x", table.ReadOptions{}, "x:empty*", 0},
		{"quoted numbers", "a.csv", "x\n\"1\"\n 2\n\" 3 \"\n", table.ReadOptions{}, "x:int64*", 3},
		{"tsv", "a.tsv", "x\ty,z\n1\t2\n", table.ReadOptions{}, "x:int64* y,z:int64*", 1},
		{"semicolons", "a.csv", "x;y\n1,5;2\n", table.ReadOptions{}, "x:string y:int64*", 1},
		{"tabs in .csv", "a.csv", "x\ty\n1\t2\n", table.ReadOptions{}, "x:int64* y:int64*", 1},
		{"bars", "a.csv", "x|y\n1|2\n", table.ReadOptions{}, "x:int64* y:int64*", 1},
		{"blanks", "a.csv", "  x   y\n 1.5  2 \n 1\t3\n", table.ReadOptions{}, "x:double* y:int64*", 2},
		{"blanks without header", "a.ascii", "1 2 a\n3 4 b\n", table.ReadOptions{Header: "no"}, "c1:int64* c2:int64* c3:string", 2},
		{"text with blanks is one column", "a.csv", "full name\nAda Lovelace\nAlan Turing\n", table.ReadOptions{}, "full name:string", 2},
		{"format csv means commas", "a.csv", "x;y\n1;2\n", table.ReadOptions{Format: "csv"}, "x;y:string", 1},
		{"delimiter by option", "a.csv", "x:y\n1:2\n", table.ReadOptions{Delimiter: ':'}, "x:int64* y:int64*", 1},
		{"bom", "a.csv", "\ufeff\"ra\",\"dec\"\r\n1,2", table.ReadOptions{}, "ra:int64* dec:int64*", 1}, // CASES 15
		{"blank lines about the table", "a.csv", "\r\n \r\nx,y\r\n1,2\r\n\r\n  \r\n", table.ReadOptions{}, "x:int64* y:int64*", 1},
		{"blank lines in one column are rows", "a.csv", "x\n1\n\n3\n\n\n", table.ReadOptions{}, "x:int64*", 3},
		{"names that repeat", "a.csv", "a,a\n1,x\n", table.ReadOptions{}, "a#1:int64* a#2:string", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab := open(t, writeFile(t, c.file, c.text), c.opt)
			if got := columnNames(tab); got != c.want {
				t.Errorf("got columns %q, want %q", got, c.want)
			}
			if tab.Rows() != c.rows {
				t.Errorf("got %d rows, want %d", tab.Rows(), c.rows)
			}
		})
	}
}

func TestCSVFloats(t *testing.T) {
	tab := openText(t, "id,x,y\n1,1.5, 2 \n2,NULL,\"3\"\n3,NA,-Inf\n4,nan,\n5,,-\n6,-,1e3\n") // CASES 16
	f, err := tab.Floats(t.Context(), []string{"y", "x"})
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	want := []float64{2, 1.5, 3, nan, math.Inf(-1), nan, nan, nan, nan, nan, 1000, nan}
	if f.Rows != 6 || f.Cols != 2 || !sameFloats(f.Data, want) {
		t.Errorf("got %d x %d: %v, want %v", f.Rows, f.Cols, f.Data, want)
	}
	wantBad := []table.Bad{
		{Column: "y", Nulls: 2, Infs: 1, FirstRow: 2, FirstLine: 4},
		{Column: "x", Nulls: 4, NaNs: 1, FirstRow: 1, FirstLine: 3},
	}
	for i, b := range f.Bad {
		if b != wantBad[i] {
			t.Errorf("got %+v, want %+v", b, wantBad[i])
		}
	}
	f, err = tab.Floats(t.Context(), []string{"id"})
	if err != nil || f.Bad[0] != (table.Bad{Column: "id", FirstRow: -1}) {
		t.Errorf("got %+v %v, want nothing bad", f, err)
	}
}

// sameFloats compares bit by bit but for NaN.
func sameFloats(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) && (a[i] == a[i] || b[i] == b[i]) {
			return false
		}
	}
	return true
}

func TestCSVFloatsRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, column, want string }{
		{"text", "x,y\n1,2\n3,\"a\nb\"\n5,oops\n", "y", `column "y": line 3 (row 1): "a\nb" is not a number`},
		{"text after line ends in quotes", "x,y\n\"1\n\n\",2\n3,oops\n", "y", `column "y": line 5 (row 1): "oops" is not a number`},
		{"long text", "x\n" + strings.Repeat("é", 100) + "\n", "x", `"` + strings.Repeat("é", 20) + `..." is not a number`},
		{"decimal comma", "x;y\n1,5;2\n", "x", `"1,5" is not a number`},
		{"unknown", "x,y\n1,2\n", "z", `column "z": no such column; there are x, y`},
		{"ambiguous", "x,x\n1,2\n", "x", `column "x": the name is ambiguous: several columns have it; by their places they are x#1, x#2`},
		{"inexact", "id,x\n4295806720301234567,2\n", "id", `column "id": line 2 (row 0): the integer 4295806720301234567 is not exact`},
		{"range", "x\n1\n1e999\n", "x", `line 3 (row 1): "1e999" is beyond the range of float64`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := openText(t, c.text).Floats(t.Context(), []string{c.column})
			wantDataError(t, err, c.want)
		})
	}
	if _, err := openText(t, "x\n1\n").Floats(t.Context(), nil); err == nil {
		t.Error("no columns: got no error")
	}
}

func TestCSVOpenRefuses(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opt        table.ReadOptions
		want       string
	}{
		{"empty", "", table.ReadOptions{}, "in.csv: is empty (0 bytes)"},
		{"blanks only", "\n  \n", table.ReadOptions{}, "holds nothing but blanks"},
		{"byte order mark only", "\ufeff", table.ReadOptions{}, "holds nothing but blanks"},
		{"too long", "a,b\n1,2\n1,2,3\n", table.ReadOptions{}, "line 3: the record has 3 fields, want 2"},
		{"too short", "a,b\n1\n", table.ReadOptions{}, "line 2: the record has 1 fields, want 2"},
		{"blank line between", "a,b\n1,2\n\n3,4\n", table.ReadOptions{}, "line 3: is a blank line between records"},
		{"open quote", "a,b\n1,\"2\n3,4\n", table.ReadOptions{}, "line 2: quote is never closed"},
		{"text after quote", "a,b\n\"x\"y,2\n", table.ReadOptions{}, "line 2: text after the closing quote"},
		{"nul", "a,b\n1,\x002\n", table.ReadOptions{}, "line 2: has a NUL byte"},
		{"utf-16 without a mark", "a\x00,\x00b\x00\n\x00", table.ReadOptions{}, "seems to be text in UTF-16 without a byte order mark: --encoding utf-16le reads it"},
		{"broken gzip", "\x1f\x8b\x08junkjunkjunk", table.ReadOptions{}, "gzip data is broken"},
		{"broken zstd", "\x28\xb5\x2f\xfdjunkjunkjunk", table.ReadOptions{}, "zstd data is broken"},
		{"csv as parquet", "a,b\n1,2\n", table.ReadOptions{Format: "parquet"}, "it is no Parquet file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := table.Open(t.Context(), writeFile(t, "in.csv", c.text), c.opt)
			wantDataError(t, err, c.want)
		})
	}
}

func TestOpenOptionsRefused(t *testing.T) {
	path := writeFile(t, "in.csv", "a,b\n1,2\n")
	for _, opt := range []table.ReadOptions{{Format: "xls"}, {Header: "perhaps"}, {Delimiter: '"'}, {Delimiter: 'é'}, {Delimiter: '\n'}} {
		if _, err := table.Open(t.Context(), path, opt); !errors.Is(err, table.ErrFormat) {
			t.Errorf("%+v: got error %v, want ErrFormat", opt, err)
		}
	}
}

func TestOpenMissing(t *testing.T) {
	dir := t.TempDir()
	if _, err := table.Open(t.Context(), filepath.Join(dir, "none.csv"), table.ReadOptions{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got error %v, want fs.ErrNotExist", err)
	}
	_, err := table.Open(t.Context(), dir, table.ReadOptions{})
	wantDataError(t, err, "is a folder")
}

// pack writes text into a compressed file.
func pack(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	var w interface {
		Write(p []byte) (int, error)
		Close() error
	} = gzip.NewWriter(f)
	if strings.Contains(name, "zst") {
		if w, err = zstd.NewWriter(f); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCSVCompressed(t *testing.T) {
	text := "x,y\n" + strings.Repeat("1,2.5\n", 50000)
	for _, name := range []string{"a.csv.gz", "a.csv.zst", "a.csv", "zstd.csv"} {
		t.Run(name, func(t *testing.T) {
			tab := open(t, pack(t, name, text), table.ReadOptions{})
			f, err := tab.Floats(t.Context(), []string{"y"})
			if err != nil || f.Rows != 50000 || f.Data[49999] != 2.5 {
				t.Fatalf("got %v", err)
			}
			for _, out := range []string{"out.csv.gz", "out.csv.zst"} {
				again := open(t, write(t, tab, out, nil, nil), table.ReadOptions{})
				if got := writeText(t, again, nil, nil); got != text {
					t.Errorf("%s: came out otherwise than it went in", out)
				}
			}
		})
	}
}

func TestCSVTruncatedGzip(t *testing.T) {
	var text strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&text, "%d,%d\n", i*7919%10007, i)
	}
	path := pack(t, "a.csv.gz", text.String())
	b := readFile(t, path)
	_, err := table.Open(t.Context(), writeFile(t, "cut.csv.gz", b[:len(b)/2]), table.ReadOptions{})
	wantDataError(t, err, "gzip data is broken: it ends too early")
	for _, name := range []string{"small.csv.gz", "small.csv.zst"} {
		whole := readFile(t, pack(t, name, "x,y\n1,2\n3,4\n"))
		for n := 4; n < len(whole); n++ {
			_, err := table.Open(t.Context(), writeFile(t, name, whole[:n]), table.ReadOptions{})
			wantDataError(t, err, "data is broken: it ends too early")
		}
	}
}

func TestCSVChanged(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"longer", "x\n1\n2\n3\n"},
		{"as long", "x\n1\n9\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := writeFile(t, "in.csv", "x\n1\n2\n")
			tab := open(t, path, table.ReadOptions{})
			if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
			later := time.Now().Add(time.Hour)
			if err := os.Chtimes(path, later, later); err != nil {
				t.Fatal(err)
			}
			_, err := tab.Floats(t.Context(), []string{"x"})
			if !errors.Is(err, table.ErrChanged) {
				t.Errorf("read: got error %v, want ErrChanged", err)
			}
			out := filepath.Join(t.TempDir(), "out.csv")
			if err := tab.WriteWith(t.Context(), out, nil, nil, table.WriteOptions{}); !errors.Is(err, table.ErrChanged) {
				t.Errorf("write: got error %v, want ErrChanged", err)
			}
			onlyFile(t, filepath.Dir(out))
		})
	}
}

// TestCSVChangedUnseen keeps size and time of the file, but not its rows.
func TestCSVChangedUnseen(t *testing.T) {
	before := "x\n11\n22\n33\n"
	for _, after := range []string{"x\n1\n2\n3\n4\n5", "x\n1\n\n\n\n\n\n5\n", "x\n111\n2222\n"} {
		path := writeFile(t, "in.csv", before)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		tab := open(t, path, table.ReadOptions{})
		if len(after) != len(before) {
			t.Fatalf("%q is not as long as %q", after, before)
		}
		if err := errors.Join(os.WriteFile(path, []byte(after), 0o644), os.Chtimes(path, info.ModTime(), info.ModTime())); err != nil {
			t.Fatal(err)
		}
		if _, err := tab.Floats(t.Context(), []string{"x"}); !errors.Is(err, table.ErrChanged) {
			t.Errorf("%q: read: got error %v, want ErrChanged", after, err)
		}
		added := []table.Added{{Name: "k", Values: []int64{1, 2, 3}}}
		for _, format := range []string{"csv", "parquet"} {
			opt := table.WriteOptions{Format: format, Stdout: io.Discard}
			if err := tab.WriteWith(t.Context(), "-", nil, added, opt); !errors.Is(err, table.ErrChanged) {
				t.Errorf("%q: write %s: got error %v, want ErrChanged", after, format, err)
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	tab := openText(t, "x,y\n1,2\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tab.Floats(ctx, []string{"x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("read: got error %v", err)
	}
	for _, name := range []string{"out.csv", "out.parquet"} {
		out := filepath.Join(t.TempDir(), name)
		if err := tab.WriteWith(ctx, out, nil, nil, table.WriteOptions{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got error %v", name, err)
		}
		onlyFile(t, filepath.Dir(out))
	}
}
