package table_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"rtcluster/io/table"
)

// openAll opens files as one table that is closed with the test.
func openAll(t testing.TB, opt table.SetOptions, paths ...string) *table.Table {
	t.Helper()
	tab, err := tryAll(t, opt, paths...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tab.Close(); err != nil {
			t.Error(err)
		}
	})
	return tab
}

func tryAll(t testing.TB, opt table.SetOptions, paths ...string) (*table.Table, error) {
	t.Helper()
	found, err := table.Find(paths, opt.Format, nil)
	if err != nil {
		t.Fatal(err)
	}
	return table.OpenAll(t.Context(), found.Inputs, opt)
}

// parquetFile writes rows as a Parquet file into a folder.
func parquetFile[T any](t testing.TB, dir, name string, rows []T, opt ...parquet.WriterOption) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := parquet.WriteFile(path, rows, opt...); err != nil {
		t.Fatal(err)
	}
	return path
}

// textFiles writes files, a name and a content each, into a folder of their own.
func textFiles(t testing.TB, namesAndContents ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(namesAndContents); i += 2 {
		path := filepath.Join(dir, namesAndContents[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(namesAndContents[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// upTo returns 0 to n-1.
func upTo(n int) []int64 {
	list := make([]int64, n)
	for i := range list {
		list[i] = int64(i)
	}
	return list
}

// TestSetParquet writes files of all types as one, of sizes about those of
// batches, and wants the rows of each as they are alone.
func TestSetParquet(t *testing.T) {
	dir := t.TempDir()
	rows := makeRows(2600)
	var paths []string
	for i, cut := range [][2]int{{0, 1}, {1, 1025}, {1025, 1025}, {1025, 2600}} {
		paths = append(paths, parquetFile(t, dir, fmt.Sprintf("%d.parquet", i), rows[cut[0]:cut[1]]))
	}
	whole := open(t, parquetFile(t, dir, "whole.parquet", rows), table.ReadOptions{})
	set := openAll(t, table.SetOptions{}, paths...)
	added := []table.Added{{Name: "n", Values: upTo(2600)}}
	want := writeText(t, whole, nil, added)
	if got := writeText(t, set, nil, added); got != want {
		t.Error("as CSV: the rows are not those of one file")
	}
	path := write(t, set, "out.parquet", nil, added)
	if got := writeText(t, open(t, path, table.ReadOptions{}), nil, nil); got != want {
		t.Error("as Parquet: the rows are not those of one file")
	}
	if got, want := columnNames(set), columnNames(whole); got != want {
		t.Errorf("got the columns %s, want %s", got, want)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // was only read
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	if n := len(file.RowGroups()); n != 1 {
		t.Errorf("got %d row groups of small files, want 1", n)
	}
}

// These have a column in common; B lacks and adds some, and its nulls are
// declared otherwise.
type setA struct {
	X float64 `parquet:"x"`
	S string  `parquet:"s"`
	L []int64 `parquet:"l,list"`
}

type setB struct {
	W *int32   `parquet:"w,optional"`
	X *float64 `parquet:"x,optional"`
}

// TestSetUnion fills what files lack with nulls, in the middle and nested.
func TestSetUnion(t *testing.T) {
	dir := t.TempDir()
	a := parquetFile(t, dir, "a.parquet", []setA{{1, "one", []int64{1, 2}}, {2, "", nil}})
	b := parquetFile(t, dir, "b.parquet", []setB{{ptr(int32(7)), ptr(3.5)}, {nil, nil}})
	_, err := tryAll(t, table.SetOptions{}, a, b)
	wantDataError(t, err, `b.parquet: column "w": is not in `+a)
	_, err = tryAll(t, table.SetOptions{}, b, a)
	wantDataError(t, err, `a.parquet: column "s": is not in `+b)
	const want = "x,s,l,w,n\n1,one,\"[1,2]\",,0\n2,,[],,1\n3.5,,,7,2\n,,,,3\n"
	set := openAll(t, table.SetOptions{UnionByName: true}, a, b)
	added := []table.Added{{Name: "n", Values: upTo(4)}}
	if got := writeText(t, set, nil, added); got != want {
		t.Errorf("as CSV: got %q, want %q", got, want)
	}
	out := open(t, write(t, set, "out.parquet", nil, added), table.ReadOptions{})
	if got := writeText(t, out, nil, nil); got != want {
		t.Errorf("as Parquet: got %q, want %q", got, want)
	}
	f, err := set.Floats(t.Context(), []string{"w", "x"})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(f.Data); got != "[NaN 1 NaN 2 7 3.5 NaN NaN]" {
		t.Errorf("got the numbers %s", got)
	}
	if w, x := f.Bad[0], f.Bad[1]; w.Nulls != 3 || w.FirstRow != 0 || w.Path != a || x.Nulls != 1 || x.FirstRow != 3 || x.FileRow != 1 || x.Path != b {
		t.Errorf("got the missing values %+v", f.Bad)
	}
}

// TestSetTypes wants columns of Parquet to agree, but for nullability and
// columns of nulls.
func TestSetTypes(t *testing.T) {
	dir := t.TempDir()
	type double struct {
		X float64 `parquet:"x"`
	}
	type float struct {
		X float32 `parquet:"x"`
	}
	type micros struct {
		X time.Time `parquet:"x,timestamp(microsecond)"`
	}
	type millis struct {
		X time.Time `parquet:"x,timestamp(millisecond)"`
	}
	type list struct {
		X []inner `parquet:"x,list"`
	}
	type other struct {
		X []struct {
			Q string `parquet:"q"`
		} `parquet:"x,list"`
	}
	d := parquetFile(t, dir, "double.parquet", []double{{1}})
	tests := []struct {
		name, a, b, want string
	}{
		{"width", d, parquetFile(t, dir, "float.parquet", []float{{1}}), `float.parquet: column "x": is of type float, but in ` + d + " of type double"},
		{
			"unit", parquetFile(t, dir, "us.parquet", []micros{{}}), parquetFile(t, dir, "ms.parquet", []millis{{}}),
			`column "x": is of type timestamp[1ms, UTC], but in`,
		},
		{
			"nested", parquetFile(t, dir, "list.parquet", []list{{}}), parquetFile(t, dir, "other.parquet", []other{{}}),
			`column "x": is of type list{`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, union := range []bool{false, true} {
				_, err := tryAll(t, table.SetOptions{UnionByName: union}, test.a, test.b)
				wantDataError(t, err, test.want)
			}
		})
	}
	text := writeFile(t, "x.csv", "x\n1\n")
	_, err := tryAll(t, table.SetOptions{}, d, text)
	wantDataError(t, err, "x.csv: is CSV, but "+d+" is Parquet")
}

// TestSetCSV makes one table of CSV files that differ in what CSV leaves open.
func TestSetCSV(t *testing.T) {
	dir := textFiles(t,
		"1.csv", "a,b\n1,x\n",
		"2.csv", "b;a\r\n\"y;\"\"q\";2\r\nz;3",
		"3.csv", "a,b\n",
		"4.csv", "a\tb\n4.50\t\n",
		"5.csv", "a,b\n-9007199254740993,\"p,q\"\n")
	set := openAll(t, table.SetOptions{}, dir)
	if got, want := columnNames(set), "a:double* b:string"; got != want {
		t.Errorf("got the columns %s, want %s", got, want)
	}
	added := []table.Added{{Name: "n", Values: upTo(5)}}
	want := "a,b,n\n1,x,0\n2,\"y;\"\"q\",1\r\n3,z,2\n4.50,,3\n-9007199254740993,\"p,q\",4\n"
	if got := writeText(t, set, nil, added); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := writeText(t, set, []string{"b"}, nil), "b\nx\n\"y;\"\"q\"\r\nz\n\"\"\n\"p,q\"\n"; got != want {
		t.Errorf("one column: got %q, want %q", got, want)
	}
	_, err := set.Floats(t.Context(), []string{"a"})
	wantDataError(t, err, "5.csv: column \"a\": line 2 (row 0): the integer -9007199254740993 is not exact in float64")
}

// TestSetConvert gives columns of Parquet the types that all files allow.
func TestSetConvert(t *testing.T) {
	dir := textFiles(t,
		"k=1/m=x/a.csv", "i,f,s,only\n1,1,a,\n,0.5,,t\n",
		"k=2/m=__HIVE_DEFAULT_PARTITION__/b.csv", "s,f,i\n007,2.25,9007199254740993\n")
	set := openAll(t, table.SetOptions{UnionByName: true, FilenameColumn: "file"}, dir)
	added := []table.Added{{Name: "ok", Values: []bool{true, false, true}, Valid: []bool{true, true, false}}}
	out := open(t, write(t, set, "out.parquet", nil, added), table.ReadOptions{})
	if got, want := columnNames(out), "i:int64* f:double* s:string only:string k:int64* m:string file:string ok:boolean"; got != want {
		t.Errorf("got the columns %s, want %s", got, want)
	}
	got := strings.ReplaceAll(writeText(t, out, nil, nil), dir+string(filepath.Separator), "")
	want := "i,f,s,only,k,m,file,ok\n1,1,a,,1,x,k=1/m=x/a.csv,true\n,0.5,,t,1,x,k=1/m=x/a.csv,false\n" +
		"9007199254740993,2.25,007,,2,,k=2/m=__HIVE_DEFAULT_PARTITION__/b.csv,\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	summaries, err := out.Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	nulls := ""
	for _, s := range summaries {
		nulls += fmt.Sprint(s.Nulls, " ")
	}
	// An empty field of text is an empty string, one that a file lacks is null.
	if nulls != "1 0 0 1 0 1 0 1 " {
		t.Errorf("got %s nulls", nulls)
	}
	if got, want := columnNames(set), "i:int64* f:double* s:string only:string k:int64 m:string file:string"; got != want {
		t.Errorf("got the columns %s, want %s: partitions are no coordinates by themselves", got, want)
	}
	f, err := set.Floats(t.Context(), []string{"k", "f"})
	if err != nil || fmt.Sprint(f.Data) != "[1 1 1 0.5 2 2.25]" {
		t.Errorf("got %v, %v", f, err)
	}
}

// TestSetPartitions takes whole numbers as such only if they are printed so, and
// leaves alone what the files have themselves.
func TestSetPartitions(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		want  string
	}{
		{"numbers", []string{"k=1/a.csv", "x\n1\n", "k=-2/b.csv", "x\n1\n"}, "x:int64* k:int64"},
		{"leading zero", []string{"k=01/a.csv", "x\n1\n", "k=2/b.csv", "x\n1\n"}, "x:int64* k:string"},
		{"empty", []string{"k=/a.csv", "x\n1\n", "k=2/b.csv", "x\n1\n"}, "x:int64* k:string"},
		{"null", []string{"k=__HIVE_DEFAULT_PARTITION__/a.csv", "x\n1\n", "k=2/b.csv", "x\n1\n"}, "x:int64* k:int64"},
		{"too large", []string{"k=9223372036854775808/a.csv", "x\n1\n"}, "x:int64* k:string"},
		{"in the file", []string{"k=1/a.csv", "k,x\n5,1\n"}, "k:int64* x:int64*"},
		{"escaped", []string{"a%20b=1%2F2/a.csv", "x\n1\n"}, "x:int64* a b:string"},
		{"no key", []string{"=1/a.csv", "x\n1\n"}, "x:int64*"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := columnNames(openAll(t, table.SetOptions{}, textFiles(t, test.files...))); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// TestSetRepeated writes names that repeat as they were.
func TestSetRepeated(t *testing.T) {
	dir := textFiles(t, "a.csv", "x,x\n1,2\n", "b.csv", "x,x\n3,4\n")
	for _, union := range []bool{false, true} {
		set := openAll(t, table.SetOptions{UnionByName: union}, dir)
		if got, want := writeText(t, set, nil, nil), "x,x\n1,2\n3,4\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	_, err := tryAll(t, table.SetOptions{}, textFiles(t, "a.csv", "x,x,y\n1,2,3\n", "b.csv", "x,y,x\n3,4,5\n"))
	wantDataError(t, err, `b.csv: column "x`)
}

// TestSetChanged changes a file between two uses of it.
func TestSetChanged(t *testing.T) {
	dir := textFiles(t, "a.csv", "x\n1\n", "b.csv", "x\n2\n")
	set := openAll(t, table.SetOptions{}, dir)
	b := filepath.Join(dir, "b.csv")
	if err := os.WriteFile(b, []byte("x\n2\n3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := set.Floats(t.Context(), []string{"x"})
	if wantDataError(t, err, b); !errors.Is(err, table.ErrChanged) {
		t.Errorf("got %v, want %v", err, table.ErrChanged)
	}
	if err := os.Remove(b); err != nil {
		t.Fatal(err)
	}
	if _, err := set.Floats(t.Context(), []string{"x"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want %v", err, os.ErrNotExist)
	}
}

// TestWriteEach writes files one by one, all or none.
func TestWriteEach(t *testing.T) {
	dir := textFiles(t, "a.csv", "x,s\n1,q\n", "sub/b.csv", "s;x\np;2\n")
	set := openAll(t, table.SetOptions{}, dir)
	out := filepath.Join(t.TempDir(), "made")
	added := []table.Added{{Name: "n", Values: upTo(2)}}
	if err := set.WriteEach(t.Context(), out, nil, added, table.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	onlyFile(t, out, "a.csv", "sub")
	for name, want := range map[string]string{"a.csv": "x,s,n\n1,q,0\n", "sub/b.csv": "s;x;n\np;2;1\n"} {
		if got := readFile(t, filepath.Join(out, name)); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	err := set.WriteEach(t.Context(), out, nil, added, table.WriteOptions{})
	if !errors.Is(err, table.ErrExists) {
		t.Errorf("got %v, want %v", err, table.ErrExists)
	}
	if err := os.Chmod(filepath.Join(out, "a.csv"), 0o640); err != nil {
		t.Fatal(err)
	}
	err = set.WriteEach(t.Context(), out, []string{"x"}, nil, table.WriteOptions{Force: true})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := readFile(t, filepath.Join(out, "sub/b.csv")), "x\n2\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if info, err := os.Stat(filepath.Join(out, "a.csv")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the permissions of a file that was replaced are not kept (%v)", err)
	}

	// A file stands where a folder must be: nothing of the rest is left.
	out = textFiles(t, "sub", "is a file")
	if err := set.WriteEach(t.Context(), out, nil, added, table.WriteOptions{}); err == nil {
		t.Error("no error, though a folder cannot be made")
	}
	onlyFile(t, out, "sub")
	out = filepath.Join(t.TempDir(), "new")
	err = set.WriteEach(t.Context(), out, nil, []table.Added{{Name: "x", Values: upTo(2)}}, table.WriteOptions{})
	if !errors.Is(err, table.ErrColumnExists) {
		t.Errorf("got %v, want %v", err, table.ErrColumnExists)
	}
	if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder was made for nothing (%v)", err)
	}
}
