package table_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/parquet-go/parquet-go"

	"rtcluster/io/table"
)

const (
	benchRows = 100_000
	benchCols = 10
)

// benchCSV writes a table of an id and numbers of about ten digits, and returns
// its path, the names of its columns of numbers and its size.
func benchCSV(b *testing.B) (path string, columns []string, size int64) {
	b.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	var buf bytes.Buffer
	buf.WriteString("id")
	for j := range benchCols - 1 {
		columns = append(columns, fmt.Sprintf("x%d", j))
		fmt.Fprintf(&buf, ",x%d", j)
	}
	buf.WriteByte('\n')
	var line []byte
	for i := range benchRows {
		line = strconv.AppendInt(line[:0], 4_000_000_000_000_000_000+int64(i), 10)
		for range benchCols - 1 {
			x := math.Round(rnd.NormFloat64()*1e9) / 1e7
			line = strconv.AppendFloat(append(line, ','), x, 'f', -1, 64)
		}
		buf.Write(append(line, '\n'))
	}
	path = filepath.Join(b.TempDir(), "bench.csv")
	if err := os.WriteFile(path, buf.Bytes(), 0o644); err != nil {
		b.Fatal(err)
	}
	return path, columns, int64(buf.Len())
}

func benchOpen(b *testing.B, path string) *table.Table {
	b.Helper()
	t, err := table.Open(b.Context(), path, table.ReadOptions{})
	if err != nil {
		b.Fatal(err)
	}
	return t
}

// benchOps measures the uses of a table of the given size: load is opening and
// reading in one go.
func benchOps(b *testing.B, path string, columns []string, size int64, rows int, ext string) {
	labels := make([]int64, rows)
	b.Run("op=load", func(b *testing.B) {
		opt := table.ReadOptions{Load: func(column string) bool { return slices.Contains(columns, column) }}
		b.SetBytes(size)
		for b.Loop() {
			t, err := table.Open(b.Context(), path, opt)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := t.Floats(b.Context(), columns); err != nil {
				b.Fatal(err)
			}
			if err := t.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("op=open", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			if err := benchOpen(b, path).Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("op=read", func(b *testing.B) {
		t := benchOpen(b, path)
		b.SetBytes(size)
		for b.Loop() {
			if _, err := t.Floats(b.Context(), columns); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("op=write", func(b *testing.B) {
		t := benchOpen(b, path)
		out := filepath.Join(b.TempDir(), "out"+ext)
		b.SetBytes(size)
		for b.Loop() {
			err := t.WriteWith(b.Context(), out, nil, []table.Added{{Name: "cluster", Values: labels}}, table.WriteOptions{Force: true})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkCSV(b *testing.B) {
	path, columns, size := benchCSV(b)
	benchOps(b, path, columns, size, benchRows, ".csv")
}

// BenchmarkCSVFile measures the file that RTCLUSTER_BENCH_CSV names, all of whose
// columns are numbers; bench/csv.md has figures.
func BenchmarkCSVFile(b *testing.B) {
	path := os.Getenv("RTCLUSTER_BENCH_CSV")
	if path == "" {
		b.Skip("RTCLUSTER_BENCH_CSV names no file")
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	t := benchOpen(b, path)
	defer func() { _ = t.Close() }()
	var columns []string
	for _, c := range t.Columns() {
		columns = append(columns, c.Name)
	}
	benchOps(b, path, columns, info.Size(), int(t.Rows()), ".csv")
}

func BenchmarkParquet(b *testing.B) {
	path, columns, _ := benchCSV(b)
	out := filepath.Join(b.TempDir(), "bench.parquet")
	if err := benchOpen(b, path).WriteWith(b.Context(), out, nil, nil, table.WriteOptions{}); err != nil {
		b.Fatal(err)
	}
	benchOps(b, out, columns, 8*benchRows*benchCols, benchRows, ".parquet")
}

func BenchmarkConvert(b *testing.B) {
	path, _, size := benchCSV(b)
	t := benchOpen(b, path)
	for _, ext := range []string{".csv", ".parquet"} {
		b.Run("from=.csv/to="+ext, func(b *testing.B) {
			out := filepath.Join(b.TempDir(), "out"+ext)
			b.SetBytes(size)
			for b.Loop() {
				if err := t.WriteWith(b.Context(), out, nil, nil, table.WriteOptions{Force: true}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkParquetWide reads 3 of 100 columns, and copies all with one added: by
// copying their chunks, or by packing them anew.
func BenchmarkParquetWide(b *testing.B) {
	const rows, columns = 50_000, 100
	fields, batch := make([]table.Field, columns), make([]any, columns)
	rnd := rand.New(rand.NewPCG(1, 2))
	for j := range fields {
		fields[j] = table.Field{Name: fmt.Sprint("c", j), Type: table.Float64}
		values := make([]float64, rows)
		for i := range values {
			values[i] = rnd.NormFloat64()
		}
		batch[j] = values
	}
	path := filepath.Join(b.TempDir(), "wide.parquet")
	w, err := table.Create(path, fields, table.WriteOptions{})
	if err == nil {
		err = errors.Join(w.Write(batch...), w.Commit())
	}
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{3, columns} {
		b.Run(fmt.Sprintf("op=read/columns=%d", n), func(b *testing.B) {
			t := benchOpen(b, path)
			var names []string
			for j := range n {
				names = append(names, fields[j*columns/n].Name)
			}
			b.SetBytes(int64(8 * rows * n))
			for b.Loop() {
				if _, err := t.Floats(b.Context(), names); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	for _, pack := range []string{"zstd", "snappy"} { // that of the source, and another
		b.Run("op=copy/to="+pack, func(b *testing.B) {
			t := benchOpen(b, path)
			out := filepath.Join(b.TempDir(), "out.parquet")
			added := []table.Added{{Name: "cluster", Values: make([]int64, rows)}}
			b.SetBytes(8 * rows * columns)
			for b.Loop() {
				if err := t.WriteWith(b.Context(), out, nil, added, table.WriteOptions{Force: true, Compression: pack}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkParquetSet writes eight files as one, by copying their chunks, or by
// packing them anew.
func BenchmarkParquetSet(b *testing.B) {
	const files, rows = 8, 33_000
	dir := b.TempDir()
	var paths []string
	for i := range files {
		paths = append(paths, parquetFile(b, dir, fmt.Sprint(i, ".parquet"), wideRows(rows), parquet.Compression(&parquet.Snappy)))
	}
	added := []table.Added{{Name: "cluster", Values: make([]int64, files*rows)}}
	for _, pack := range []string{"snappy", "zstd"} {
		b.Run("op=copy/to="+pack, func(b *testing.B) {
			t := openAll(b, table.SetOptions{}, paths...)
			out := filepath.Join(b.TempDir(), "out.parquet")
			b.ReportAllocs()
			for b.Loop() {
				if err := t.WriteWith(b.Context(), out, nil, added, table.WriteOptions{Force: true, Compression: pack}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
