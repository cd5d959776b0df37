package table_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"rtcluster/io/table"
)

// smallSeed is how large files of others may be to be fuzzed: what is larger is
// mostly data.
const smallSeed = 3000

// parquetSeeds are files to begin with: some of ours, of every encoding, and the
// small ones of others, where they are at hand.
func parquetSeeds(f *testing.F) {
	type small struct {
		X float64  `parquet:"x"`
		S *string  `parquet:"s,optional,dict"`
		L []int64  `parquet:"l,list"`
		D *float64 `parquet:"d,optional,snappy"`
		B bool     `parquet:"b"`
		I int32    `parquet:"i,delta"`
		T string   `parquet:"t,delta"`
		F float32  `parquet:"f,split"`
	}
	rows := []small{{X: 1, S: ptr("a"), L: []int64{1, 2}}, {X: 2, B: true, T: "ab"}, {X: 3, S: ptr("b"), D: ptr(.5), T: "abc", I: 7, F: 1}}
	codecs := []parquet.WriterOption{
		parquet.Compression(&parquet.Uncompressed), parquet.Compression(&parquet.Zstd), parquet.Compression(&parquet.Gzip),
		parquet.Compression(&parquet.Brotli), parquet.Compression(&parquet.Lz4Raw),
	}
	for i, codec := range codecs {
		f.Add([]byte(readFile(f, writeRows(f, rows, parquet.DataPageVersion(1+i%2), parquet.MaxRowsPerRowGroup(2), codec))))
	}
	f.Add([]byte(readFile(f, writeRows(f, makeRows(2)))))
	levels := prefixed(1<<1|1, 0b11101101)
	b := element("b", format.Boolean)
	b.RepetitionType.V = format.Optional
	f.Add([]byte(readFile(f, rawFile(f, b, []rawPage{{values: 8, encoding: format.RLE, body: append(levels, prefixed(6<<1, 1)...)}}, nil))))
	x, text := element("x", format.Int64), element("s", format.ByteArray)
	two := rawPage{kind: format.DictionaryPage, values: 2, body: int64s(2)}
	for _, seed := range []struct {
		e     format.SchemaElement
		pages []rawPage
	}{ // of faults that there were
		{x, []rawPage{two, {values: 3, encoding: format.RLEDictionary, body: append([]byte{1}, bomb...)}}},
		{x, []rawPage{two, {values: 3, encoding: format.RLEDictionary, body: append([]byte{1, 32<<1 | 1, 0b101}, make([]byte, 31)...)}}},
		{optional(x), []rawPage{{values: 3, body: append(prefixed([]byte(bomb)...), int64s(3)...)}}},
		{optional(x), []rawPage{{values: 3, body: append([]byte{0b10100000}, int64s(2)...), levels: format.BitPacked}}},
		{x, []rawPage{{values: 3, encoding: format.DeltaBinaryPacked, body: append(deltas(1<<31-1, 0), repeated(1)...)}}},
		{text, []rawPage{{values: 2, encoding: format.DeltaByteArray, body: slices.Concat(deltas(2, 4), repeated(1), deltas(2, 0), repeated(1))}}},
		{text, []rawPage{{values: 2, encoding: format.DeltaLengthByteArray, body: slices.Concat(deltas(2, 1<<30), repeated(1), []byte("word"))}}},
	} {
		f.Add([]byte(readFile(f, rawFile(f, seed.e, seed.pages, nil))))
	}
	paths, err := filepath.Glob(filepath.Join(shared, "parquet", "*.parquet*"))
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.Size() <= smallSeed {
			f.Add([]byte(readFile(f, path)))
		}
	}
}

// FuzzParquet checks that no bytes bring the reader down: there are errors about
// the data, or none, soon and without much memory.
func FuzzParquet(f *testing.F) {
	for _, s := range []string{"PAR1PAR1", "PAR1\x15\x02\x00\x03\x00\x00\x00PAR1"} {
		f.Add([]byte(s))
	}
	parquetSeeds(f)
	f.Fuzz(func(t *testing.T, content []byte) {
		bounded(t, len(content), func() { fuzzTable(t, "in.parquet", content) })
	})
}

// bounded calls fn, which uses a file of the given size, and sees that it takes
// neither long nor much memory.
func bounded(t *testing.T, size int, fn func()) {
	t.Helper()
	const base, ratio = 1 << 30, 1 << 16 // allocated in all, not at once
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	fn()
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > base+ratio*uint64(size) || took > time.Minute {
		t.Errorf("%d bytes took %d MB and %v", size, used>>20, took)
	}
}

// FuzzMetadata checks the same of footers, which the other fuzzers seldom get
// past: the bytes stand before a valid tail.
func FuzzMetadata(f *testing.F) {
	meta := format.FileMetaData{
		Version: 1, NumRows: 1,
		Schema: []format.SchemaElement{
			{Name: "s", NumChildren: thrift.Null[int32]{Valid: true, V: 1}}, element("x", format.Int64),
		},
		RowGroups: []format.RowGroup{{NumRows: 1, Columns: []format.ColumnChunk{{MetaData: format.ColumnMetaData{
			Type: format.Int64, PathInSchema: []string{"x"}, NumValues: 1, TotalCompressedSize: 30, DataPageOffset: 4,
		}}}}},
	}
	b, err := thrift.Marshal(new(thrift.CompactProtocol), meta)
	if err != nil {
		f.Fatal(err)
	}
	page, err := thrift.Marshal(new(thrift.CompactProtocol), format.PageHeader{
		CompressedPageSize: 8, UncompressedPageSize: 8,
		DataPageHeader: thrift.Null[format.DataPageHeader]{Valid: true, V: format.DataPageHeader{NumValues: 1}},
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(append(page, int64s(1)...), b)
	f.Fuzz(func(t *testing.T, pages, footer []byte) {
		content := append([]byte("PAR1"), pages...)
		content = append(content, footer...)
		content = binary.LittleEndian.AppendUint32(content, uint32(len(footer)))
		content = append(content, "PAR1"...)
		bounded(t, len(content), func() { fuzzTable(t, "in.parquet", content) })
	})
}

// FuzzThrift checks that the walk ends, inside of its bytes.
func FuzzThrift(f *testing.F) {
	f.Add([]byte("\x15\x02\x19\x1c\x48\x04root\x15\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if n, err := table.ThriftStructure(b); n > len(b) || err == nil && n == 0 {
			t.Fatalf("got %d %v of %d bytes", n, err, len(b))
		}
	})
}
