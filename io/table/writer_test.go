package table_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"rtcluster/io/table"
)

// fields are one of each type.
func fields() []table.Field {
	return []table.Field{{"left", table.Int64}, {"distance", table.Float64}, {"near", table.Bool}, {"name, given", table.String}}
}

// batch makes n rows of these from row at on.
func batch(at, n int) (left []int64, distance []float64, near []bool, name []string) {
	for i := at; i < at+n; i++ {
		left, distance = append(left, int64(i)), append(distance, float64(i)/4)
		near, name = append(near, i%3 == 0), append(name, fmt.Sprintf("s,%d", i%100))
	}
	return left, distance, near, name
}

func TestWriter(t *testing.T) {
	const batches, each = 7, 700
	var want strings.Builder
	want.WriteString("left,distance,near,\"name, given\"\n")
	left, distance, near, name := batch(0, batches*each)
	for i := range left {
		fmt.Fprintf(&want, "%d,%s,%v,\"%s\"\n", left[i], table.AppendFloat(distance[i], 64), near[i], name[i])
	}
	for _, file := range []string{"out.csv", "out.parquet", "out.csv.gz"} {
		t.Run(file, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), file)
			w, err := table.Create(path, fields(), table.WriteOptions{Metadata: map[string]string{"a": "1"}})
			if err != nil {
				t.Fatal(err)
			}
			for i := range batches {
				left, distance, near, name := batch(i*each, each)
				if err := w.Write(left, distance, near, name); err != nil {
					t.Fatal(err)
				}
			}
			w.SetMetadata(map[string]string{"b": "2", "a": "3"})
			if err := w.Commit(); err != nil {
				t.Fatal(err)
			}
			w.Abort() // does nothing now
			if err := w.Write(left, distance, near, name); err == nil {
				t.Error("write after commit: got no error")
			}
			onlyFile(t, filepath.Dir(path), file)
			tab := open(t, path, table.ReadOptions{})
			if got := writeText(t, tab, nil, nil); got != want.String() {
				t.Errorf("came out otherwise: %q", clip(got))
			}
			if file == "out.parquet" {
				checkWritten(t, path)
			}
		})
	}
}

// checkWritten checks schema and metadata of a new Parquet file.
func checkWritten(t *testing.T, path string) {
	t.Helper()
	for _, line := range schemaLines(t, path) {
		if !strings.Contains(line, "REQUIRED") {
			t.Errorf("got %s, want a REQUIRED column", line)
		}
	}
	got := map[string]string{}
	for _, kv := range open(t, path, table.ReadOptions{}).Metadata().KeyValueMetadata {
		got[kv.Key] = kv.Value
	}
	if want := map[string]string{"a": "3", "b": "2"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got metadata %v, want %v", got, want)
	}
}

func TestWriterOfNoRows(t *testing.T) {
	for _, file := range []string{"out.csv", "out.parquet"} {
		path := filepath.Join(t.TempDir(), file)
		w, err := table.Create(path, fields(), table.WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Commit(); err != nil {
			t.Fatal(err)
		}
		tab := open(t, path, table.ReadOptions{})
		f, err := tab.Floats(t.Context(), []string{"distance"})
		if err != nil || tab.Rows() != 0 || f.Rows != 0 || len(tab.Columns()) != 4 {
			t.Errorf("%s: got %d rows, %d columns, %v", file, tab.Rows(), len(tab.Columns()), err)
		}
		again := write(t, tab, "again"+filepath.Ext(file), nil, []table.Added{{Name: "k", Values: []int64{}, Valid: []bool{}}})
		if got := open(t, again, table.ReadOptions{}); got.Rows() != 0 || len(got.Columns()) != 5 {
			t.Errorf("%s: written again: got %d rows, %d columns", file, got.Rows(), len(got.Columns()))
		}
	}
}

func TestWriterAbort(t *testing.T) {
	for _, file := range []string{"out.csv", "out.csv.zst", "out.parquet"} {
		path := filepath.Join(t.TempDir(), file)
		w, err := table.Create(path, fields(), table.WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		left, distance, near, name := batch(0, 50_000)
		if err := w.Write(left, distance, near, name); err != nil {
			t.Fatal(err)
		}
		w.Abort()
		w.Abort()
		if err := w.Commit(); err == nil {
			t.Error("commit after abort: got no error")
		}
		onlyFile(t, filepath.Dir(path))
	}
}

func TestWriterRefuses(t *testing.T) {
	one := []table.Field{{"a", table.Int64}}
	var out bytes.Buffer
	opt := table.WriteOptions{Stdout: &out}
	for name, err := range map[string]error{
		"no fields":   createFails("-", nil, opt),
		"twice":       createFails("-", append(one, one...), opt),
		"type":        createFails("-", []table.Field{{"a", 99}}, opt),
		"extension":   createFails("x.txt", one, opt),
		"compression": createFails("x.csv", one, table.WriteOptions{Compression: "rar"}),
	} {
		if err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
	w, err := table.Create("-", append(one, table.Field{"b", table.String}), opt)
	if err != nil {
		t.Fatal(err)
	}
	for name, columns := range map[string][]any{
		"too few": {[]int64{1}}, "another length": {[]int64{1}, []string{}}, "another type": {[]int32{1}, []string{"x"}},
	} {
		if err := w.Write(columns...); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
	if err := errors.Join(w.Write([]int64{1}, []string{"x"}), w.Commit()); err != nil || out.String() != "a,b\n1,x\n" {
		t.Errorf("got %q %v", out.String(), err)
	}
}

func createFails(path string, list []table.Field, opt table.WriteOptions) error {
	_, err := table.Create(path, list, opt)
	return err
}

// TestParquetDictionaryOverflow has more distinct strings than a dictionary
// takes, and several row groups' worth of batches.
func TestParquetDictionaryOverflow(t *testing.T) {
	const n = 60_000
	path := filepath.Join(t.TempDir(), "out.parquet")
	w, err := table.Create(path, []table.Field{{"s", table.String}, {"i", table.Int64}}, table.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s, ints := make([]string, n), make([]int64, n)
	for i := range s {
		s[i], ints[i] = fmt.Sprintf("a rather long string, number %d", i), math.MaxInt64-int64(i)
	}
	if err := errors.Join(w.Write(s, ints), w.Commit()); err != nil {
		t.Fatal(err)
	}
	type pair struct {
		S string `parquet:"s"`
		I int64  `parquet:"i"`
	}
	for _, p := range []string{path, write(t, open(t, path, table.ReadOptions{}), "again.parquet", nil, nil)} {
		for i, r := range readRows[pair](t, p) {
			if r.S != s[i] || r.I != ints[i] {
				t.Fatalf("row %d: got %v", i, r)
			}
		}
	}
}
