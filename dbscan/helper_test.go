package dbscan_test

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rtcluster/dbscan"
	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

// engines are those that every small test runs over: brute force, which has no
// Componenter, and the processor's, with one thread and with several.
func engines() map[string]join.Engine {
	return map[string]join.Engine{
		"brute":         jointest.Brute(),
		"cpu/threads=1": cpu.New(cpu.Options{Threads: 1}),
		"cpu/threads=3": cpu.New(cpu.Options{Threads: 3}),
	}
}

func points(t testing.TB, dim int, data ...float64) *join.Points {
	t.Helper()
	pts, err := join.NewPoints(data, dim)
	if err != nil {
		t.Fatal(err)
	}
	return pts
}

func index(t testing.TB, e join.Engine, pts *join.Points) join.Index {
	t.Helper()
	idx, err := e.Index(t.Context(), pts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := idx.Close(); err != nil {
			t.Error(err)
		}
	})
	return idx
}

func cluster(t testing.TB, e join.Engine, pts *join.Points, opt dbscan.Options) *dbscan.Result {
	t.Helper()
	res, err := dbscan.Cluster(t.Context(), index(t, e, pts), opt)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// uniform returns rows of uniform coordinates from 0 to 1.
func uniform(rows, dim int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 0))
	data := make([]float64, rows*dim)
	for i := range data {
		data[i] = r.Float64()
	}
	return data
}

// lattice returns rows of whole coordinates from 0 to side−1: ties, duplicates,
// and arithmetic without rounding.
func lattice(rows, dim, side int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	data := make([]float64, rows*dim)
	for i := range data {
		data[i] = float64(r.IntN(side))
	}
	return data
}

// table is a CSV file with a header.
type table struct {
	header []string
	rows   [][]string
}

// slow skips a test that takes seconds under the race detector and has nothing
// for it that smaller tests have not.
func slow(t *testing.T) {
	t.Helper()
	if raceDetector {
		t.Skip("too slow under the race detector")
	}
}

// readTable reads a CSV file, gzipped if its name says so. A missing file
// skips the test if it is not in testdata.
func readTable(t testing.TB, path string) table {
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
	return table{header: records[0], rows: records[1:]}
}

// column returns the fields of the named column.
func (tb table) column(t testing.TB, name string) []string {
	t.Helper()
	at := slices.Index(tb.header, name)
	if at < 0 {
		t.Fatalf("no column %q in %q", name, tb.header)
	}
	fields := make([]string, len(tb.rows))
	for i, row := range tb.rows {
		fields[i] = row[at]
	}
	return fields
}

func (tb table) floats(t testing.TB, name string) []float64 {
	t.Helper()
	values := make([]float64, len(tb.rows))
	for i, field := range tb.column(t, name) {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil {
			t.Fatalf("row %d, column %q: %v", i, name, err)
		}
		values[i] = v
	}
	return values
}

func (tb table) ints(t testing.TB, name string) []int32 {
	t.Helper()
	values := make([]int32, len(tb.rows))
	for i, v := range tb.floats(t, name) {
		values[i] = int32(v)
	}
	return values
}

// coordinates returns the named columns row by row; without names, those that
// are called x1, x2 and so on.
func (tb table) coordinates(t testing.TB, names ...string) (data []float64, dim int) {
	t.Helper()
	if len(names) == 0 {
		for _, name := range tb.header {
			if strings.HasPrefix(name, "x") {
				names = append(names, name)
			}
		}
	}
	dim = len(names)
	data = make([]float64, len(tb.rows)*dim)
	for k, name := range names {
		for i, v := range tb.floats(t, name) {
			data[i*dim+k] = v
		}
	}
	return data, dim
}
