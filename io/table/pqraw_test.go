package table_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"runtime"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"rtcluster/io/table"
)

// rawPage is a page that a test makes byte by byte.
type rawPage struct {
	kind     format.PageType
	encoding format.Encoding
	values   int
	body     []byte
	crc      int32           // 0: none; -1: the right one
	levels   format.Encoding // 0: in runs
	second   *format.DataPageHeaderV2
	plain    int // bytes that it unpacks to; 0: as many as it has
}

// rawFile makes a Parquet file of one column of one row group, without
// compression. What change does to the metadata, and to the bytes before the
// footer, is part of it.
func rawFile(t testing.TB, e format.SchemaElement, pages []rawPage, change func(meta *format.FileMetaData)) string {
	t.Helper()
	protocol := new(thrift.CompactProtocol)
	var file bytes.Buffer
	file.WriteString("PAR1")
	rows, dictionary := 0, int64(0)
	first := int64(-1)
	for _, p := range pages {
		h := format.PageHeader{Type: p.kind, CompressedPageSize: int32(len(p.body)), UncompressedPageSize: int32(len(p.body)), CRC: p.crc}
		if p.crc == -1 {
			h.CRC = int32(crc32.ChecksumIEEE(p.body))
		}
		if p.plain > 0 {
			h.UncompressedPageSize = int32(p.plain)
		}
		at := int64(file.Len())
		switch p.kind {
		case format.DictionaryPage:
			dictionary = at
			h.DictionaryPageHeader = thrift.Null[format.DictionaryPageHeader]{Valid: true, V: format.DictionaryPageHeader{NumValues: int32(p.values), Encoding: p.encoding}}
		default:
			if first < 0 {
				first = at
			}
			rows += p.values
			levels := p.levels
			if levels == 0 {
				levels = format.RLE
			}
			if p.second != nil {
				p.second.NumValues, p.second.Encoding = int32(p.values), p.encoding
				h.Type, h.DataPageHeaderV2 = format.DataPageV2, thrift.Null[format.DataPageHeaderV2]{Valid: true, V: *p.second}
				break
			}
			h.DataPageHeader = thrift.Null[format.DataPageHeader]{Valid: true, V: format.DataPageHeader{
				NumValues: int32(p.values), Encoding: p.encoding, DefinitionLevelEncoding: levels, RepetitionLevelEncoding: levels,
			}}
		}
		b, err := thrift.Marshal(protocol, h)
		if err != nil {
			t.Fatal(err)
		}
		file.Write(b)
		file.Write(p.body)
	}
	size := int64(file.Len() - 4)
	root := format.SchemaElement{Name: "schema", NumChildren: thrift.Null[int32]{Valid: true, V: 1}}
	meta := &format.FileMetaData{Version: 1, Schema: []format.SchemaElement{root, e}, NumRows: int64(rows)}
	chunk := format.ColumnMetaData{
		Type: e.Type.V, PathInSchema: []string{e.Name}, NumValues: int64(rows), TotalCompressedSize: size, TotalUncompressedSize: size,
		DataPageOffset: first, DictionaryPageOffset: dictionary, Encoding: []format.Encoding{pages[len(pages)-1].encoding, format.RLE},
	}
	meta.RowGroups = []format.RowGroup{{NumRows: int64(rows), TotalByteSize: size, Columns: []format.ColumnChunk{{MetaData: chunk}}}}
	if change != nil {
		change(meta)
	}
	b, err := thrift.Marshal(protocol, meta)
	if err != nil {
		t.Fatal(err)
	}
	file.Write(b)
	file.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(b))))
	file.WriteString("PAR1")
	return writeFile(t, "raw.parquet", file.String())
}

// element describes a column that is REQUIRED.
func element(name string, t format.Type) format.SchemaElement {
	return format.SchemaElement{
		Name: name, Type: thrift.Null[format.Type]{Valid: true, V: t},
		RepetitionType: thrift.Null[format.FieldRepetitionType]{Valid: true, V: format.Required},
	}
}

// prefixed puts the length before bytes.
func prefixed(b ...byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
}

// TestParquetBooleanRuns has runs as the format has them: a value of one bit, a
// length that is no multiple of eight.
func TestParquetBooleanRuns(t *testing.T) {
	body := prefixed(11<<1, 1, 1<<1|1, 0b10110010, 3<<1, 0)
	want := strings.Repeat("true\n", 11) + "false\ntrue\nfalse\nfalse\ntrue\ntrue\nfalse\ntrue\n" + "false\nfalse\nfalse\n"
	pages := []rawPage{{values: 22, encoding: format.RLE, body: body}, {values: 2, encoding: format.Plain, body: []byte{0b10}}}
	tab := open(t, rawFile(t, element("b", format.Boolean), pages, nil), table.ReadOptions{})
	if got := writeText(t, tab, nil, nil); got != "b\n"+want+"false\ntrue\n" {
		t.Errorf("got %q", got)
	}
	optional := element("b", format.Boolean)
	optional.RepetitionType.V = format.Optional
	levels := prefixed(1<<1|1, 0b11101101)
	pages = []rawPage{{values: 8, encoding: format.RLE, body: append(levels, prefixed(6<<1, 1)...)}}
	two := func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].MetaData.Statistics.NullCount = 2 }
	tab = open(t, rawFile(t, optional, pages, two), table.ReadOptions{})
	f, err := tab.Floats(t.Context(), []string{"b:double"})
	if err != nil || f.Bad[0].Nulls != 2 || f.Bad[0].FirstRow != 1 || f.Data[7] != 1 {
		t.Errorf("got %+v %v", f, err)
	}
	pages = []rawPage{{values: 8, encoding: format.RLE, body: prefixed(6<<1, 1)}}
	wantDataError(t, useAll(t, rawFile(t, element("b", format.Boolean), pages, nil)), `column "b": cannot be read`)
}

// int64s are the plain values 0 to n-1.
func int64s(n int) []byte {
	var b []byte
	for i := range n {
		b = binary.LittleEndian.AppendUint64(b, uint64(i))
	}
	return b
}

func TestParquetChecksums(t *testing.T) {
	x := element("x", format.Int64)
	plain := []rawPage{{values: 3, body: int64s(3), crc: -1}, {values: 2, body: int64s(2), crc: -1}}
	if err := useAll(t, rawFile(t, x, plain, nil)); err != nil {
		t.Error(err)
	}
	plain[1].crc = 7
	wantDataError(t, useAll(t, rawFile(t, x, plain, nil)), `raw.parquet: column "x": cannot be read: page 2 at byte`)
	dictionary := []rawPage{
		{kind: format.DictionaryPage, values: 2, body: int64s(2), crc: -1},
		{values: 3, encoding: format.RLEDictionary, body: []byte{1, 3 << 1, 1}},
	}
	if err := useAll(t, rawFile(t, x, dictionary, nil)); err != nil {
		t.Error(err)
	}
	dictionary[0].crc = 7
	wantDataError(t, useAll(t, rawFile(t, x, dictionary, nil)), `column "x": cannot be read: dictionary page at byte 4: its checksum is`)
}

func TestParquetCounts(t *testing.T) {
	pages := []rawPage{{values: 3, body: int64s(3)}}
	x := element("x", format.Int64)
	for _, c := range []struct {
		name, want string
		change     func(meta *format.FileMetaData)
	}{
		{"null count", `column "x": cannot be read: its statistics say 1 nulls, there are 0`, func(m *format.FileMetaData) {
			m.RowGroups[0].Columns[0].MetaData.Statistics.NullCount = 1
		}},
		{"rows of the file", "claims 4 rows, its row groups have 3", func(m *format.FileMetaData) { m.NumRows = 4 }},
		{"rows of the group", `column "x": cannot be read: it has 3 values in 4 rows`, func(m *format.FileMetaData) {
			m.NumRows, m.RowGroups[0].NumRows = 4, 4
		}},
		{"values of the chunk", `it has 4 values in 3 rows`, func(m *format.FileMetaData) {
			m.RowGroups[0].Columns[0].MetaData.NumValues = 4
		}},
		{"values of the pages", `claims 3 of 2 values`, func(m *format.FileMetaData) {
			m.NumRows, m.RowGroups[0].NumRows = 2, 2
			m.RowGroups[0].Columns[0].MetaData.NumValues = 2
		}},
		{"an unknown codec", `its compression`, func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].MetaData.Codec = 77 }},
		{"chunks that overlap", "claims column chunks of", func(m *format.FileMetaData) {
			for range 20 {
				m.RowGroups = append(m.RowGroups, m.RowGroups[0])
				m.NumRows += 3
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) { wantDataError(t, useAll(t, rawFile(t, x, pages, c.change)), c.want) })
	}
	nan := rawFile(t, element("d", format.Double), []rawPage{{values: 1, body: []byte{0, 0, 0, 0, 0, 0, 0xf8, 0x7f}}}, nil)
	if f, err := open(t, nan, table.ReadOptions{}).Floats(t.Context(), []string{"d"}); err != nil || f.Bad[0].NaNs != 1 {
		t.Errorf("got %+v %v", f, err)
	}
}

// TestParquetOldDictionaries has a chunk as parquet-mr wrote it before 1.2.9,
// whose size lacks the header of the dictionary page.
func TestParquetOldDictionaries(t *testing.T) {
	x := element("x", format.Int64)
	x.ConvertedType = thrift.Null[deprecated.ConvertedType]{}
	pages := []rawPage{
		{kind: format.DictionaryPage, values: 2, body: int64s(2)},
		{values: 3, encoding: format.RLEDictionary, body: []byte{1, 3 << 1, 1}},
	}
	for created, want := range map[string]string{
		"parquet-mr": "", "parquet-mr version 1.2.8": "", "parquet-mr version 1.10.0": "cannot be read", "another": "cannot be read",
	} {
		path := rawFile(t, x, pages, func(m *format.FileMetaData) {
			m.CreatedBy = created
			m.RowGroups[0].Columns[0].MetaData.TotalCompressedSize -= 14
		})
		err := useAll(t, path)
		if want != "" {
			wantDataError(t, err, want)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", created, err)
		}
	}
}

// TestParquetBombs has small pages that unpack to much.
func TestParquetBombs(t *testing.T) {
	rle := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58} // a frame of unknown size
	for i := range 4000 {
		block := uint32(128<<10)<<3 | 1<<1
		if i == 3999 {
			block |= 1
		}
		rle = append(rle, byte(block), byte(block>>8), byte(block>>16), 0)
	}
	for _, c := range []struct {
		name  string
		codec format.CompressionCodec
		body  []byte
		want  string
	}{
		{"snappy claims 4 GB", format.Snappy, []byte{0xff, 0xff, 0xff, 0xff, 0x0f, 0}, "claims to unpack to 4294967295 bytes by Snappy"},
		{"lz4 that is damaged", format.Lz4Raw, []byte{0xf0, 0xff, 1, 2, 3}, "does not unpack to 5 bytes by LZ4"},
		{"zstd of 512 MB", format.Zstd, rle, "unpacks to up to 524288000 bytes by Zstandard"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := rawFile(t, element("x", format.Int64), []rawPage{{values: 3, body: c.body}}, func(m *format.FileMetaData) {
				m.RowGroups[0].Columns[0].MetaData.Codec = c.codec
			})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := useAll(t, path)
			runtime.ReadMemStats(&after)
			wantDataError(t, err, `column "x": cannot be read: page 1 at byte 4: `+c.want)
			if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
				t.Errorf("took %d bytes", used)
			}
		})
	}
}
