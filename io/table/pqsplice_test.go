package table_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"rtcluster/io/table"
)

// wide is a row of a file whose chunks are copied.
type wide struct {
	ID   int64    `parquet:"id,delta"`
	X    float64  `parquet:"x"`
	Name *string  `parquet:"name,optional,dict"`
	List []int64  `parquet:"list,list"`
	D    *float64 `parquet:"d,optional,split"`
}

// wideRows makes rows.
func wideRows(n int) []wide {
	rows := make([]wide, n)
	for i := range rows {
		rows[i] = wide{ID: int64(i), X: float64(i) / 7, List: []int64{int64(i), 1}[:i%3%2+1]}
		if i%4 > 0 {
			rows[i].Name, rows[i].D = ptr(fmt.Sprint("n", i%100)), ptr(float64(-i))
		}
	}
	return rows
}

// TestParquetSplice sees that chunks are copied byte for byte, that the added
// ones stand beside them, and that places and counts fit.
func TestParquetSplice(t *testing.T) {
	const rows, group = 40_000, 20_000
	path := writeRows(t, wideRows(rows), parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(group),
		parquet.BloomFilters(parquet.SplitBlockFilter(10, "id")), parquet.SortingWriterConfig(parquet.SortingColumns(parquet.Ascending("id"))))
	tab := open(t, path, table.ReadOptions{})
	labels, scores, valid := make([]int64, rows), make([]float64, rows), make([]bool, rows)
	for i := range labels {
		labels[i], scores[i], valid[i] = int64(i%5), float64(i), i%2 == 0
	}
	keep := []string{"x", "list", "name", "id", "d"}
	out := write(t, tab, "out.parquet", keep, []table.Added{{Name: "cluster", Values: labels}, {Name: "score", Values: scores, Valid: valid}})

	source, copied := tab.Metadata(), open(t, out, table.ReadOptions{}).Metadata()
	before, after := []byte(readFile(t, path)), []byte(readFile(t, out))
	place := []int{1, 3, 2, 0, 4} // of the leaves of the copy in the source
	for g := range copied.RowGroups {
		for i, j := range place {
			a, b := source.RowGroups[g].Columns[j], copied.RowGroups[g].Columns[i]
			x, y := chunkBytes(before, a.MetaData.DictionaryPageOffset, a.MetaData.DataPageOffset, a.MetaData.TotalCompressedSize),
				chunkBytes(after, b.MetaData.DictionaryPageOffset, b.MetaData.DataPageOffset, b.MetaData.TotalCompressedSize)
			if !bytes.Equal(x, y) {
				t.Errorf("row group %d, leaf %v: not the bytes of the source", g, b.MetaData.PathInSchema)
			}
			if b.MetaData.Statistics.NullCount != a.MetaData.Statistics.NullCount || !bytes.Equal(b.MetaData.Statistics.MaxValue, a.MetaData.Statistics.MaxValue) {
				t.Errorf("row group %d, leaf %v: other statistics", g, b.MetaData.PathInSchema)
			}
		}
	}
	checkSpliced(t, out, rows, 3)
	if got, want := writeText(t, open(t, out, table.ReadOptions{}), keep, nil), writeText(t, tab, keep, nil); got != want {
		t.Error("values came out otherwise than they went in")
	}
	f, err := open(t, out, table.ReadOptions{}).Floats(t.Context(), []string{"cluster", "score"})
	if err != nil || f.Data[2*39_999] != 4 || f.Data[2*39_998+1] != 39_998 || f.Bad[1].Nulls != rows/2 {
		t.Errorf("added columns: got %+v %v", f.Bad, err)
	}
}

// chunkBytes are the bytes of a column chunk.
func chunkBytes(file []byte, dictionary, data, size int64) []byte {
	if dictionary > 0 {
		data = dictionary
	}
	return file[data : data+size]
}

// checkSpliced reads a copy by its indexes and filters; the column id counts from
// 0, and is the leaf of the given number.
func checkSpliced(t *testing.T, path string, rows, idLeaf int) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, g := range f.RowGroups() {
		for _, c := range g.ColumnChunks() {
			index, err := c.OffsetIndex()
			if err != nil || index.NumPages() == 0 {
				t.Fatalf("column %d: got no offset index: %v", c.Column(), err)
			}
			pages := c.Pages()
			if err := pages.SeekToRow(g.NumRows() - 1); err != nil {
				t.Fatal(err)
			}
			page, err := pages.ReadPage()
			if err != nil || page.NumRows() != 1 {
				t.Fatalf("column %d: last row: %v", c.Column(), err)
			}
			parquet.Release(page)
			if err := pages.Close(); err != nil {
				t.Error(err)
			}
		}
		filter := g.ColumnChunks()[idLeaf].BloomFilter()
		if filter == nil {
			t.Fatal("the filter is lost")
		}
		for _, id := range []int{at, at + int(g.NumRows()) - 1} {
			if ok, err := filter.Check(parquet.Int64Value(int64(id))); !ok || err != nil {
				t.Errorf("id %d is not in the filter: %v", id, err)
			}
		}
		at += int(g.NumRows())
	}
	if at != rows {
		t.Errorf("got %d rows, want %d", at, rows)
	}
}

// TestParquetSpliceOrNot sees when chunks are copied, by the codec of the copy.
func TestParquetSpliceOrNot(t *testing.T) {
	small := writeRows(t, wideRows(3000), parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(1000))
	one := writeRows(t, wideRows(3000), parquet.Compression(&parquet.Snappy))
	for _, c := range []struct{ name, path, compression, want string }{
		{"as it is", one, "", "SNAPPY"},
		{"packed as asked for", one, "snappy", "SNAPPY"},
		{"packed otherwise", one, "gzip", "GZIP"},
		{"small row groups", small, "", "ZSTD"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out.parquet")
			tab := open(t, c.path, table.ReadOptions{})
			if err := tab.WriteWith(t.Context(), out, nil, nil, table.WriteOptions{Compression: c.compression}); err != nil {
				t.Fatal(err)
			}
			again := open(t, out, table.ReadOptions{})
			if got := again.Metadata().RowGroups[0].Columns[0].MetaData.Codec.String(); got != c.want {
				t.Errorf("packed as %s, want %s", got, c.want)
			}
			if writeText(t, again, nil, nil) != writeText(t, tab, nil, nil) {
				t.Error("values came out otherwise than they went in")
			}
		})
	}
}

// TestParquetThreads sees that the number of threads changes nothing.
func TestParquetThreads(t *testing.T) {
	path := writeRows(t, wideRows(10_000), parquet.MaxRowsPerRowGroup(1500))
	want, err := open(t, path, table.ReadOptions{Threads: 1}).Floats(t.Context(), []string{"x", "id"})
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{0, 2, 5, 64} {
		got, err := open(t, path, table.ReadOptions{Threads: threads}).Floats(t.Context(), []string{"x", "id"})
		if err != nil || !slices.Equal(got.Data, want.Data) || !slices.Equal(got.Bad, want.Bad) {
			t.Errorf("%d threads: got other numbers, %v", threads, err)
		}
	}
}

// TestSetSplice sees that chunks of several files are copied byte for byte where
// they can be, that the rows of other files stand between them in the same
// compression, and that nothing is lost.
func TestSetSplice(t *testing.T) {
	const large, small = 33_000, 1000
	dir := t.TempDir()
	filter := parquet.BloomFilters(parquet.SplitBlockFilter(10, "id"))
	half := parquet.MaxRowsPerRowGroup(large / 2)
	rows := wideRows(2*large + 2*small)
	var paths []string
	add := func(n int, opt ...parquet.WriterOption) {
		paths = append(paths, parquetFile(t, dir, fmt.Sprint(len(paths), ".parquet"), rows[:n], opt...))
		rows = rows[n:]
	}
	add(large, filter, half, parquet.Compression(&parquet.Snappy)) // 0, 1
	add(small, parquet.Compression(&parquet.Snappy))
	add(small, parquet.Compression(&parquet.Gzip)) // 2, with the one before
	add(large, filter, half, parquet.Compression(&parquet.Snappy))
	set := openAll(t, table.SetOptions{FilenameColumn: "file"}, paths...)
	added := []table.Added{{Name: "cluster", Values: upTo(2*large + 2*small)}}
	out := write(t, set, "out.parquet", nil, added)
	again := open(t, out, table.ReadOptions{})
	if got := writeText(t, again, nil, nil); got != writeText(t, set, nil, added) {
		t.Error("values came out otherwise than they went in")
	}
	for group, from := range []struct{ file, group int }{{0, 0}, {0, 1}, {-1, 0}, {3, 0}, {3, 1}} {
		columns := again.Metadata().RowGroups[group].Columns
		for i := range columns[:5] {
			copied := &columns[i].MetaData
			if got := copied.Codec.String(); got != "SNAPPY" {
				t.Errorf("row group %d: packed as %s", group, got)
			}
			if from.file < 0 {
				continue
			}
			source := open(t, paths[from.file], table.ReadOptions{}).Metadata().RowGroups[from.group].Columns[i].MetaData
			a := chunkBytes([]byte(readFile(t, paths[from.file])), source.DictionaryPageOffset, source.DataPageOffset, source.TotalCompressedSize)
			b := chunkBytes([]byte(readFile(t, out)), copied.DictionaryPageOffset, copied.DataPageOffset, copied.TotalCompressedSize)
			if !bytes.Equal(a, b) {
				t.Errorf("row group %d, leaf %v: not the bytes of the source", group, copied.PathInSchema)
			}
		}
	}
	onlyLarge := write(t, openAll(t, table.SetOptions{FilenameColumn: "file"}, paths[0]), "out.parquet", nil, nil)
	checkSpliced(t, onlyLarge, large, 0)
}

// TestSetSpliceOrNot sees which second file is copied with the first, by the
// encoding of its ids.
func TestSetSpliceOrNot(t *testing.T) {
	const rows = 17_000
	type some struct {
		ID int64 `parquet:"id,delta"`
	}
	type optional struct {
		ID int64 `parquet:"id,optional,delta"`
	}
	type more struct {
		ID int64  `parquet:"id,delta"`
		S  string `parquet:"s"`
	}
	dir := t.TempDir()
	snappy := parquet.Compression(&parquet.Snappy)
	first := parquetFile(t, dir, "first.parquet", make([]some, rows), snappy)
	for _, c := range []struct {
		name, path string
		copied     bool
	}{
		{"alike", parquetFile(t, dir, "alike.parquet", make([]some, rows), snappy), true},
		{"small", parquetFile(t, dir, "small.parquet", make([]some, 1000), snappy), false},
		{"packed otherwise", parquetFile(t, dir, "gzip.parquet", make([]some, rows), parquet.Compression(&parquet.Gzip)), false},
		{"optional", parquetFile(t, dir, "optional.parquet", make([]optional, rows), snappy), false},
		{"more columns", parquetFile(t, dir, "more.parquet", make([]more, rows), snappy), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := write(t, openAll(t, table.SetOptions{UnionByName: true}, c.path, first), "out.parquet", nil, nil)
			copied := true
			for _, g := range open(t, out, table.ReadOptions{}).Metadata().RowGroups {
				copied = copied && slices.Contains(g.Columns[0].MetaData.Encoding, format.DeltaBinaryPacked)
			}
			if copied != c.copied {
				t.Errorf("copied both: got %v, want %v", copied, c.copied)
			}
		})
	}
}

// TestSetSpliceNulls copies a column that has nothing but nulls in all files.
func TestSetSpliceNulls(t *testing.T) {
	const rows = 20_000
	e := optional(element("x", format.Int32))
	e.LogicalType = format.LogicalType{Value: new(format.NullType)}
	nulls := []rawPage{{values: rows, body: prefixed(append(binary.AppendUvarint(nil, rows<<1), 0)...)}}
	count := func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].MetaData.Statistics.NullCount = rows }
	set := openAll(t, table.SetOptions{}, rawFile(t, e, nulls, count), rawFile(t, e, nulls, count))
	out := open(t, write(t, set, "out.parquet", nil, nil), table.ReadOptions{})
	if got := len(out.Metadata().RowGroups); got != 2 {
		t.Errorf("got %d row groups, want the two of the files", got)
	}
	if writeText(t, out, nil, nil) != writeText(t, set, nil, nil) {
		t.Error("values came out otherwise than they went in")
	}
}
