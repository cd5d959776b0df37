package jointest

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Table is a CSV file with a header, as known answers come in.
type Table struct {
	Header []string
	Rows   [][]string
}

// ReadTable reads a CSV file, gzipped if its name says so. A missing file
// skips the test if it is not in testdata.
func ReadTable(t testing.TB, path string) Table {
	t.Helper()
	f, err := os.Open(filepath.FromSlash(path))
	if errors.Is(err, fs.ErrNotExist) && !strings.HasPrefix(path, "testdata/") {
		t.Skipf("no shared test data: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	var in io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	records, err := csv.NewReader(in).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return Table{Header: records[0], Rows: records[1:]}
}

// Column returns the fields of the named column.
func (tb Table) Column(t testing.TB, name string) []string {
	t.Helper()
	at := slices.Index(tb.Header, name)
	if at < 0 {
		t.Fatalf("no column %q in %q", name, tb.Header)
	}
	fields := make([]string, len(tb.Rows))
	for i, row := range tb.Rows {
		fields[i] = row[at]
	}
	return fields
}

// Floats returns the numbers of the named column.
func (tb Table) Floats(t testing.TB, name string) []float64 {
	t.Helper()
	values := make([]float64, len(tb.Rows))
	for i, field := range tb.Column(t, name) {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil {
			t.Fatalf("row %d, column %q: %v", i, name, err)
		}
		values[i] = v
	}
	return values
}

// Ints returns the whole numbers of the named column.
func (tb Table) Ints(t testing.TB, name string) []int32 {
	t.Helper()
	values := make([]int32, len(tb.Rows))
	for i, v := range tb.Floats(t, name) {
		values[i] = int32(v)
	}
	return values
}

// Coordinates returns the named columns row by row; without names, those that
// are called x1, x2 and so on.
func (tb Table) Coordinates(t testing.TB, names ...string) (data []float64, dim int) {
	t.Helper()
	if len(names) == 0 {
		for _, name := range tb.Header {
			if strings.HasPrefix(name, "x") {
				names = append(names, name)
			}
		}
	}
	dim = len(names)
	data = make([]float64, len(tb.Rows)*dim)
	for k, name := range names {
		for i, v := range tb.Floats(t, name) {
			data[i*dim+k] = v
		}
	}
	return data, dim
}
