// Package arrow_test reads with Apache Arrow's library what package table
// writes. It is a module of its own, so that the library stays out of ours.
package arrow_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"rtcluster/io/table"
)

// shared is where data made by others may lie, beside the repository.
const shared = "../../../../shared/data/parquet"

// fields are columns of most types.
var fields = []arrow.Field{
	{Name: "id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "x", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: "f", Type: arrow.PrimitiveTypes.Float32},
	{Name: "h", Type: arrow.FixedWidthTypes.Float16},
	{Name: "u", Type: arrow.PrimitiveTypes.Uint8},
	{Name: "b", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
	{Name: "s", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "bin", Type: arrow.BinaryTypes.Binary},
	{Name: "t", Type: &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}},
	{Name: "day", Type: arrow.FixedWidthTypes.Date32},
	{Name: "price", Type: &arrow.Decimal128Type{Precision: 20, Scale: 2}},
	{Name: "list", Type: arrow.ListOf(arrow.PrimitiveTypes.Int32), Nullable: true},
	{Name: "pair", Type: arrow.StructOf(arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int64, Nullable: true}), Nullable: true},
}

// fill appends row i to the builders of fields.
func fill(b *array.RecordBuilder, i int) {
	b.Field(0).(*array.Int64Builder).Append(4e18 + int64(i))
	b.Field(2).(*array.Float32Builder).Append(float32(i) / 3)
	b.Field(3).(*array.Float16Builder).Append(float16.New(float32(i % 100)))
	b.Field(4).(*array.Uint8Builder).Append(uint8(i))
	b.Field(7).(*array.BinaryBuilder).Append([]byte{0xff, byte(i)})
	b.Field(8).(*array.TimestampBuilder).Append(arrow.Timestamp(i) * 1_000_003)
	b.Field(9).(*array.Date32Builder).Append(arrow.Date32(i))
	b.Field(10).(*array.Decimal128Builder).Append(decimal128.FromI64(int64(i) * 101))
	if i%5 == 0 { // null in the others
		for _, k := range []int{1, 5, 6, 11, 12} {
			b.Field(k).AppendNull()
		}
		return
	}
	b.Field(1).(*array.Float64Builder).Append(float64(i) / 7)
	b.Field(5).(*array.BooleanBuilder).Append(i%40 < 23)
	b.Field(6).(*array.StringBuilder).Append(fmt.Sprint("name ", i%50))
	list := b.Field(11).(*array.ListBuilder)
	list.Append(true)
	for k := range i % 4 {
		list.ValueBuilder().(*array.Int32Builder).Append(int32(k))
	}
	pair := b.Field(12).(*array.StructBuilder)
	pair.Append(true)
	pair.FieldBuilder(0).(*array.Int64Builder).Append(int64(i))
}

// source writes a file by Arrow and returns its path.
func source(t *testing.T, rows int, options ...parquet.WriterProperty) string {
	t.Helper()
	schema := arrow.NewSchema(fields, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for i := range rows {
		fill(b, i)
	}
	record := b.NewRecordBatch()
	tab := array.NewTableFromRecords(schema, []arrow.RecordBatch{record})
	path := filepath.Join(t.TempDir(), "in.parquet")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	err = pqarrow.WriteTable(tab, f, int64(rows)/2, parquet.NewWriterProperties(options...), pqarrow.DefaultWriterProps())
	if err != nil { // closes f
		t.Fatal(err)
	}
	return path
}

// read reads a file by Arrow.
func read(path string) (arrow.Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return pqarrow.ReadTable(context.Background(), f, nil, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
}

// copyFile copies a file by package table, with columns added.
func copyFile(t *testing.T, path, compression string) (string, error) {
	t.Helper()
	tab, err := table.Open(t.Context(), path, table.ReadOptions{})
	if err != nil {
		return "", err
	}
	defer tab.Close()
	labels, core, score := make([]int64, tab.Rows()), make([]bool, tab.Rows()), make([]float64, tab.Rows())
	for i := range labels {
		labels[i], core[i], score[i] = int64(i%7)-1, i%3 == 0, float64(i)/3
	}
	out := filepath.Join(t.TempDir(), "out.parquet")
	return out, tab.WriteWith(t.Context(), out, nil, []table.Added{
		{Name: "added_cluster", Values: labels}, {Name: "added_core", Values: core}, {Name: "added_score", Values: score, Valid: core},
	}, table.WriteOptions{Compression: compression})
}

// same compares the columns of a copy with those of its source, and those that
// copyFile adds with what they should be.
func same(t *testing.T, want, got arrow.Table) {
	t.Helper()
	n := int(want.NumCols())
	if int(got.NumCols()) != n+3 || got.NumRows() != want.NumRows() {
		t.Fatalf("got %d columns of %d rows, want %d of %d", got.NumCols(), got.NumRows(), n+3, want.NumRows())
	}
	for i := range n {
		a, b := want.Column(i), got.Column(i)
		if a.DataType().ID() == arrow.LARGE_STRING {
			continue // only the Arrow schema tells it from a string, and that is not kept
		}
		if a.Name() != b.Name() || !arrow.TypeEqual(a.DataType(), b.DataType()) || a.Field().Nullable != b.Field().Nullable {
			t.Errorf("got column %v, want %v", b.Field(), a.Field())
			continue
		}
		if !array.ChunkedApproxEqual(a.Data(), b.Data(), array.WithNaNsEqual(true), array.WithAbsTolerance(0)) {
			t.Errorf("column %q has other values", a.Name())
		}
	}
	row := 0
	for r := array.NewTableReader(got, 1000); r.Next(); {
		labels, core, score := r.RecordBatch().Column(n).(*array.Int64), r.RecordBatch().Column(n+1).(*array.Boolean), r.RecordBatch().Column(n+2).(*array.Float64)
		for i := range labels.Len() {
			if labels.Value(i) != int64(row%7)-1 || core.Value(i) != (row%3 == 0) || score.IsNull(i) == (row%3 == 0) || row%3 == 0 && score.Value(i) != float64(row)/3 {
				t.Fatalf("row %d: other values added", row)
			}
			row++
		}
	}
	if n := got.Schema().Field(n); n.Nullable {
		t.Error("the added column is not REQUIRED")
	}
}

func TestCopies(t *testing.T) {
	for name, options := range map[string][]parquet.WriterProperty{
		"v1":       {parquet.WithCompression(compress.Codecs.Snappy)},
		"v2":       {parquet.WithDataPageVersion(parquet.DataPageV2), parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDictionaryDefault(false)},
		"v2 pages": {parquet.WithDataPageVersion(parquet.DataPageV2), parquet.WithDataPageSize(2000), parquet.WithDictionaryDefault(true)},
	} {
		for _, compression := range []string{"", "gzip"} { // copied chunks, and new ones
			t.Run(name+" "+compression, func(t *testing.T) {
				path := source(t, 34_000, options...)
				want, err := read(path)
				if err != nil {
					t.Fatal(err)
				}
				out, err := copyFile(t, path, compression)
				if err != nil {
					t.Fatal(err)
				}
				got, err := read(out)
				if err != nil {
					t.Fatal(err)
				}
				same(t, want, got)
			})
		}
	}
}

// TestShared copies files of other writers, and compares where Arrow can read
// them.
func TestShared(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(shared, "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Skip("there are no shared files")
	}
	compared := 0
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			out, err := copyFile(t, path, "")
			if err != nil {
				t.Skip(err)
			}
			want, err := read(path)
			if err != nil {
				t.Skip(err)
			}
			got, err := read(out)
			if err != nil {
				t.Fatal(err)
			}
			same(t, want, got)
			compared++
		})
	}
	if compared < 20 {
		t.Errorf("compared %d of %d files only", compared, len(paths))
	}
}

// TestWriter reads a table that is made anew, with nulls as in parquet-go issue
// 421: a value among nulls must stay in its row.
func TestWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new.csv")
	if err := os.WriteFile(path, []byte("x,n,s\n1,,a\n2,,b\n3,,c\n4,7777,d\n5,,e\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 { // of CSV, then of Parquet
		out, err := copyFile(t, path, "")
		if err != nil {
			t.Fatal(err)
		}
		got, err := read(out)
		if err != nil {
			t.Fatal(err)
		}
		n := got.Column(1).Data().Chunk(0).(*array.Int64)
		if n.Len() != 5 || n.NullN() != 4 || n.IsNull(3) || n.Value(3) != 7777 {
			t.Errorf("got %v", n)
		}
		path = keepThree(t, out)
	}
}

// keepThree copies the first three columns.
func keepThree(t *testing.T, path string) string {
	t.Helper()
	tab, err := table.Open(t.Context(), path, table.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tab.Close()
	out := filepath.Join(t.TempDir(), "three.parquet")
	if err := tab.WriteWith(t.Context(), out, []string{"x", "n", "s"}, nil, table.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	return out
}
