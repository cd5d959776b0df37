package table_test

import (
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"rtcluster/io/table"
)

// zeros is a small file of two rows: so many columns c0, c1, ..., each of which
// has zeros of the given size in the first row and null in the second.
func zeros(t *testing.T, columns, size int) string {
	t.Helper()
	plain := append(prefixed(1<<1|1, 0b01), prefixed(make([]byte, size)...)...)
	packed, err := parquet.Zstd.Encode(nil, plain)
	if err != nil {
		t.Fatal(err)
	}
	pages := make([]rawPage, columns)
	for i := range pages {
		pages[i] = rawPage{values: 2, body: packed, plain: len(plain)}
	}
	e := optional(element("c0", format.ByteArray))
	return rawFile(t, e, pages, func(m *format.FileMetaData) {
		m.NumRows, m.RowGroups[0].NumRows = 2, 2
		m.Schema, m.Schema[0].NumChildren.V = m.Schema[:1], int32(columns)
		c := m.RowGroups[0].Columns[0].MetaData
		c.Codec, c.NumValues, c.TotalCompressedSize = format.Zstd, 2, c.TotalCompressedSize/int64(columns)
		c.TotalUncompressedSize, c.Statistics.NullCount = int64(len(plain)), 1
		m.RowGroups[0].Columns = nil
		for i := range columns {
			e.Name = fmt.Sprintf("c%d", i)
			m.Schema = append(m.Schema, e)
			one := c
			one.PathInSchema = []string{e.Name}
			one.DataPageOffset += int64(i) * c.TotalCompressedSize
			m.RowGroups[0].Columns = append(m.RowGroups[0].Columns, format.ColumnChunk{MetaData: one})
		}
	})
}

// peak returns the most bytes that were in objects on the heap while fn ran, as far
// as looking once a millisecond tells.
func peak(fn func()) uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	runtime.GC()
	runtime.GC() // what was pooled too
	stop, done := make(chan struct{}), make(chan uint64)
	go func() {
		most := uint64(0)
		for {
			metrics.Read(sample)
			most = max(most, sample[0].Value.Uint64())
			select {
			case <-stop:
				done <- most
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	fn()
	close(stop)
	return <-done
}

// TestParquetManyLongValues uses a file of a few kilobytes in every way, whose pages
// would take 384 MB together, and several times that where they are encoded: what is
// in memory must not be multiplied by the number of columns or threads.
func TestParquetManyLongValues(t *testing.T) {
	if testing.Short() {
		t.Skip("goes through gigabytes of zeros")
	}
	const columns, size, most = 24, 16 << 20, 400 << 20
	path := zeros(t, columns, size)
	one := open(t, path, table.ReadOptions{Threads: 16})
	two := openAll(t, table.SetOptions{ReadOptions: table.ReadOptions{Threads: 16}}, path, zeros(t, columns, size))
	unpacked := filepath.Join(t.TempDir(), "out.parquet")
	text := crc32.NewIEEE()
	for _, c := range []struct {
		name string
		use  func() error
	}{
		{"describe", func() error {
			_, err := one.Describe(t.Context())
			return err
		}},
		{"to CSV", func() error { return one.WriteWith(t.Context(), "-", nil, nil, table.WriteOptions{Stdout: text}) }},
		{"copied", func() error {
			return one.WriteWith(t.Context(), "-", nil, nil, table.WriteOptions{Format: "parquet", Stdout: io.Discard})
		}},
		{"two files, encoded", func() error {
			return two.WriteWith(t.Context(), "-", nil, nil, table.WriteOptions{Format: "parquet", Compression: "snappy", Stdout: io.Discard})
		}},
		{"a row group that is not packed", func() error {
			return one.WriteWith(t.Context(), unpacked, nil, nil, table.WriteOptions{Compression: "none"})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var err error
			got := peak(func() { err = c.use() })
			if err != nil {
				t.Fatal(err)
			}
			if t.Logf("took %d MB", got>>20); got > most {
				t.Errorf("took %d MB, want %d at most", got>>20, most>>20)
			}
		})
	}
	again := crc32.NewIEEE()
	err := open(t, unpacked, table.ReadOptions{}).WriteWith(t.Context(), "-", nil, nil, table.WriteOptions{Stdout: again})
	if err != nil || again.Sum32() != text.Sum32() {
		t.Errorf("got text of checksum %x, %v, want %x", again.Sum32(), err, text.Sum32())
	}
}

// TestParquetThin sees that values that may be long and packed to next to nothing
// are written without a dictionary and bounds, and others with both.
func TestParquetThin(t *testing.T) {
	type row struct {
		Thin  string `parquet:"thin,dict"`
		Short string `parquet:"short,dict"`
	}
	rows := make([]row, 100)
	for i := range rows {
		rows[i] = row{Thin: strings.Repeat("x", 100_000), Short: fmt.Sprint("text ", i)}
	}
	path := writeRows(t, rows, parquet.Compression(&parquet.Zstd))
	out := filepath.Join(t.TempDir(), "out.parquet")
	if err := open(t, path, table.ReadOptions{}).WriteWith(t.Context(), out, nil, nil, table.WriteOptions{Compression: "snappy"}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{false, true} {
		c := open(t, out, table.ReadOptions{}).Metadata().RowGroups[0].Columns[i]
		m := &c.MetaData
		if got := m.DictionaryPageOffset != 0; got != want {
			t.Errorf("%s: dictionary %v, want %v", m.PathInSchema[0], got, want)
		}
		if got := m.Statistics.MaxValue != nil; got != want {
			t.Errorf("%s: bounds %v, want %v", m.PathInSchema[0], got, want)
		}
		if got := c.ColumnIndexOffset != 0; got != want {
			t.Errorf("%s: column index %v, want %v", m.PathInSchema[0], got, want)
		}
	}
	text := func(path string) string { return writeText(t, open(t, path, table.ReadOptions{}), nil, nil) }
	if text(out) != text(path) {
		t.Error("the values are not the same")
	}
}

// TestParquetNestedLimits has nested rows that would be larger in memory than
// a file of their size may make them.
func TestParquetNestedLimits(t *testing.T) {
	e := element("l", format.ByteArray)
	e.RepetitionType.V = format.Repeated
	long := prefixed(make([]byte, 1<<20)...)
	const n = 2000
	list := func(rep, def []byte) []rawPage {
		return []rawPage{
			{kind: format.DictionaryPage, values: 1, body: long},
			{values: n, encoding: format.RLEDictionary, body: slices.Concat(rep, def, []byte{0})},
		}
	}
	one := list(prefixed(1<<1, 0, 0x9e, 0x1f, 1), prefixed(0xa0, 0x1f, 1)) // a row of 2000 values
	path := rawFile(t, e, one, func(m *format.FileMetaData) { m.NumRows, m.RowGroups[0].NumRows = 1, 1 })
	tab := open(t, path, table.ReadOptions{})
	for name, opt := range map[string]table.WriteOptions{
		"csv": {Format: "csv"}, "parquet": {Format: "parquet", Compression: "snappy"},
	} {
		opt.Stdout = io.Discard
		var err error
		got := peak(func() { err = tab.WriteWith(t.Context(), "-", nil, nil, opt) })
		wantDataError(t, err, "the most in a file of this size")
		if got > 300<<20 {
			t.Errorf("%s: took %d MB", name, got>>20)
		}
	}
	_, err := tab.Describe(t.Context())
	wantDataError(t, err, "bytes of JSON in a row, which is the most in a file of this size")
}
