package table_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"rtcluster/io/table"
)

// long is a row with a text of some kilobytes.
type long struct {
	S string `parquet:"s,dict"`
}

// longRows are n rows of so many distinct texts of the given size.
func longRows(n, distinct, size int) []long {
	texts := make([]string, distinct)
	for i := range texts {
		texts[i] = fmt.Sprintf("%08d", i) + strings.Repeat("x", size-8)
	}
	rows := make([]long, n)
	for i := range rows {
		rows[i].S = texts[i%distinct]
	}
	return rows
}

// TestLongTextsDictionary sees that a dictionary ends soon after its limit of
// 1 MiB, and not only with a page of so many numbers.
func TestLongTextsDictionary(t *testing.T) {
	const rows, size = 3000, 4000
	var text strings.Builder
	text.WriteString("s\n")
	for _, r := range longRows(rows, rows, size) {
		text.WriteString(r.S + "\n")
	}
	for name, tab := range map[string]*table.Table{
		"csv":     openText(t, text.String()),
		"parquet": open(t, writeRows(t, longRows(rows, rows, size), parquet.Compression(&parquet.Snappy)), table.ReadOptions{}),
	} {
		var out bytes.Buffer
		if err := tab.WriteWith(t.Context(), "-", nil, nil, table.WriteOptions{Format: "parquet", Compression: "none", Stdout: &out}); err != nil {
			t.Fatal(err)
		}
		m := footerOf(t, out.Bytes()).RowGroups[0].Columns[0].MetaData
		if got := m.DataPageOffset - m.DictionaryPageOffset; got < 1<<20 || got > 9<<20 {
			t.Errorf("%s: got a dictionary of %d bytes, want 1 MiB and what one batch has more", name, got)
		}
	}
}

// TestLongTextsBatch sees that long values are read a few at a time.
func TestLongTextsBatch(t *testing.T) {
	for _, c := range []struct{ size, least, most int64 }{{10, 1024, 1024}, {10_000, 50, 105}, {2 << 20, 1, 1}} {
		path := writeRows(t, longRows(8, 8, int(c.size)))
		if got := open(t, path, table.ReadOptions{}).BatchRows(); got < c.least || got > c.most {
			t.Errorf("values of %d bytes: got %d rows at once, want %d to %d", c.size, got, c.least, c.most)
		}
	}
}

// TestLongTextsGroups writes texts that take little room in the dictionary of
// the source, and more than a row group should have in one of our own.
func TestLongTextsGroups(t *testing.T) {
	const rows = 70_000
	path := writeRows(t, longRows(rows, 400, 3000), parquet.Compression(&parquet.Snappy))
	one := open(t, path, table.ReadOptions{})
	set := openAll(t, table.SetOptions{UnionByName: true}, path, writeRows(t, []struct {
		N int64 `parquet:"n"`
	}{{1}}))
	for name, tab := range map[string]*table.Table{"one": one, "several": set} {
		out := tail{most: 1 << 20}
		if err := tab.WriteWith(t.Context(), "-", nil, nil, table.WriteOptions{Format: "parquet", Compression: "none", Stdout: &out}); err != nil {
			t.Fatal(err)
		}
		if got := len(footerOf(t, out.b).RowGroups); got != 2 {
			t.Errorf("%s: got %d row groups of 210 MB, want 2", name, got)
		}
	}
}

// TestRowGroupRows sees that a row group of our own has 1048576 rows at most.
func TestRowGroupRows(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a million rows twice")
	}
	const rows = 1<<20 + 1
	made := filepath.Join(t.TempDir(), "made.parquet")
	w, err := table.Create(made, []table.Field{{Name: "n", Type: table.Int64}}, table.WriteOptions{})
	if err == nil {
		err = w.Write(make([]int64, rows))
	}
	if err == nil {
		err = w.Commit()
	}
	if err != nil {
		t.Fatal(err)
	}
	created, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	var converted bytes.Buffer
	tab := openText(t, "n\n"+strings.Repeat("7\n", rows))
	if err := tab.WriteWith(t.Context(), "-", nil, nil, table.WriteOptions{Format: "parquet", Stdout: &converted}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		file []byte
	}{{"created", created}, {"from csv", converted.Bytes()}} {
		var got []int64
		for _, g := range footerOf(t, c.file).RowGroups {
			got = append(got, g.NumRows)
		}
		if want := []int64{rows - 1, 1}; !slices.Equal(got, want) {
			t.Errorf("%s: got row groups of %d rows, want %d", c.name, got, want)
		}
	}
}

// tail keeps the end of what is written.
type tail struct {
	b    []byte
	most int
}

func (w *tail) Write(b []byte) (int, error) {
	w.b = append(w.b, b...)
	w.b = append(w.b[:0], w.b[max(len(w.b)-w.most, 0):]...)
	return len(b), nil
}

// footerOf reads the metadata at the end of a Parquet file.
func footerOf(t *testing.T, b []byte) *format.FileMetaData {
	t.Helper()
	end := len(b) - 8
	n := int(binary.LittleEndian.Uint32(b[end:]))
	meta := new(format.FileMetaData)
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), b[end-n:end], meta); err != nil {
		t.Fatal(err)
	}
	return meta
}
