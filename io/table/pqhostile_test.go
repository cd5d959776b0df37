package table_test

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"rtcluster/io/table"
)

// bomb is a run of 2^31-1 ones.
const bomb = "\xfe\xff\xff\xff\x0f\x01"

// optional makes a column OPTIONAL.
func optional(e format.SchemaElement) format.SchemaElement {
	e.RepetitionType.V = format.Optional
	return e
}

// deltas is the header of differences: n numbers, the first of which is given.
func deltas(n, first int) []byte {
	b := binary.AppendUvarint([]byte{0x80, 0x01, 4}, uint64(n))
	return binary.AppendVarint(b, int64(first))
}

// repeated is a block of differences of 0.
func repeated(blocks int) []byte { return slices.Repeat([]byte{0, 0, 0, 0, 0}, blocks) }

// TestParquetClaims has pages whose encoding claims more than there is, or more
// than a file of their size can be worth.
func TestParquetClaims(t *testing.T) {
	x, s := element("x", format.Int64), element("s", format.ByteArray)
	f := element("f", format.FixedLenByteArray)
	f.TypeLength = thrift.Null[int32]{Valid: true, V: 16}
	two := rawPage{kind: format.DictionaryPage, values: 2, body: int64s(2)}
	page := func(n int, code format.Encoding, parts ...[]byte) rawPage {
		return rawPage{values: n, encoding: code, body: slices.Concat(parts...)}
	}
	word := prefixed([]byte("word")...)
	for _, c := range []struct {
		name  string
		e     format.SchemaElement
		pages []rawPage
		want  string
	}{
		{"places in a dictionary", x, []rawPage{two, page(3, format.RLEDictionary, []byte{1}, []byte(bomb))}, "a run claims 2147483647 values, 3 are left"},
		{"places of many bits", x, []rawPage{two, page(3, format.RLEDictionary, []byte{33, 3 << 1, 1, 0, 0, 0, 0})}, "its places in the dictionary have 33 bits"},
		{"places that are cut off", x, []rawPage{two, page(3, format.RLEDictionary, []byte{1, 2 << 1, 1})}, "its runs are cut off"},
		{"no places", x, []rawPage{two, page(3, format.RLEDictionary)}, "its values are cut off"},
		{"no dictionary", x, []rawPage{page(3, format.RLEDictionary, []byte{1, 3 << 1, 1})}, "its values are in a dictionary, and there is none"},
		{"a place that is not there", x, []rawPage{two, page(3, format.RLEDictionary, []byte{2, 3 << 1, 2})}, "cannot be read"},
		{"a dictionary that is cut off", x, []rawPage{{kind: format.DictionaryPage, values: 3, body: int64s(2)}, page(3, format.RLEDictionary, []byte{1, 3 << 1, 1})}, "dictionary page at byte 4: its values are cut off"},
		{"levels", optional(x), []rawPage{page(3, format.Plain, prefixed([]byte(bomb)...), int64s(3))}, "page 1 at byte 4: its definition levels: a run claims 2147483647 values, 3 are left"},
		{"levels that are cut off", optional(x), []rawPage{page(3, format.Plain, []byte{9, 0, 0, 0, 1})}, "its levels: its values are cut off"},
		{"booleans", element("b", format.Boolean), []rawPage{page(3, format.RLE, prefixed([]byte(bomb)...))}, "a run claims 2147483647 values, 3 are left"},
		{"plain numbers", x, []rawPage{page(3, format.Plain, int64s(2))}, "its values are cut off"},
		{"a plain string", s, []rawPage{page(1, format.Plain, []byte{0xff, 0xff, 0xff, 0xff, 'a'})}, "its values are cut off"},
		{"too few plain strings", s, []rawPage{page(2, format.Plain, word)}, "its values are cut off"},
		{"split bytes", element("d", format.Double), []rawPage{page(3, format.ByteStreamSplit, int64s(2))}, "3 values of 8 bytes are said to be in 16 bytes"},
		{"too many differences", x, []rawPage{page(3, format.DeltaBinaryPacked, deltas(1<<31-1, 0), repeated(1))}, "it claims 2147483647 differences, there are 3 values"},
		{"too few differences", x, []rawPage{page(3, format.DeltaBinaryPacked, deltas(2, 0), repeated(1))}, "it claims 2 differences, there are 3 values"},
		{"differences that are cut off", x, []rawPage{page(300, format.DeltaBinaryPacked, deltas(300, 0), repeated(2))}, "its differences are cut off"},
		{"huge blocks", x, []rawPage{page(3, format.DeltaBinaryPacked, []byte{0x80, 0x80, 0x80, 0x80, 0x08, 1, 3, 0}, repeated(1))}, "it claims blocks of 2147483648 differences in 1 parts"},
		{"lengths", s, []rawPage{page(2, format.DeltaLengthByteArray, deltas(2, 1<<30), repeated(1), []byte("word"))}, "one of its values claims 1073741824 bytes, 4 are left"},
		{"negative lengths", s, []rawPage{page(2, format.DeltaLengthByteArray, deltas(2, -1), repeated(1), []byte("word"))}, "one of its values claims -1 bytes, 4 are left"},
		{"a prefix of nothing", s, []rawPage{page(2, format.DeltaByteArray, deltas(2, 4), repeated(1), deltas(2, 0), repeated(1))}, "one of its values takes 4 bytes of the one before, which has 0"},
		{"lengths of fixed bytes", f, []rawPage{page(1, format.DeltaByteArray, deltas(1, 0), deltas(1, 4), []byte("word"))}, "one of its values has 4 bytes, not 16"},
		{"an encoding for booleans", x, []rawPage{page(3, format.RLE, prefixed(3<<1, 1))}, "it is encoded as RLE, which is not supported"},
		{"an unknown encoding", x, []rawPage{page(3, 99, int64s(3))}, "which is not supported"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := rawFile(t, c.e, c.pages, nil)
			wantDataError(t, frugal(t, path), fmt.Sprintf("column %q: cannot be read: ", c.e.Name))
			wantDataError(t, frugal(t, path), c.want)
		})
	}
}

// TestParquetSecondVersion has data pages of version 2 whose headers are not true.
func TestParquetSecondVersion(t *testing.T) {
	body := append([]byte{2 << 1, 1, 1 << 1, 0}, int64s(2)...) // two values, a null
	for _, c := range []struct {
		name, want string
		h          format.DataPageHeaderV2
	}{
		{"all is well", "", format.DataPageHeaderV2{NumNulls: 1, NumRows: 3, DefinitionLevelsByteLength: 4}},
		{"levels longer than the page", "its levels of 0 and 400 bytes are said to be in 20 bytes", format.DataPageHeaderV2{NumNulls: 1, NumRows: 3, DefinitionLevelsByteLength: 400}},
		{"levels of negative length", "its levels of -1 and 4 bytes", format.DataPageHeaderV2{NumNulls: 1, NumRows: 3, DefinitionLevelsByteLength: 4, RepetitionLevelsByteLength: -1}},
		{"no levels", "its definition levels: its runs are cut off", format.DataPageHeaderV2{NumNulls: 1, NumRows: 3}},
		{"nulls", "its header says 2 nulls, there are 1", format.DataPageHeaderV2{NumNulls: 2, NumRows: 3, DefinitionLevelsByteLength: 4}},
		{"negative nulls", "its header says 3 rows and -1 nulls of 3 values", format.DataPageHeaderV2{NumNulls: -1, NumRows: 3, DefinitionLevelsByteLength: 4}},
		{"negative rows", "its header says -3 rows and 1 nulls of 3 values", format.DataPageHeaderV2{NumNulls: 1, NumRows: -3, DefinitionLevelsByteLength: 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := rawFile(t, optional(element("x", format.Int64)), []rawPage{{values: 3, body: body, second: &c.h}}, func(m *format.FileMetaData) {
				m.RowGroups[0].Columns[0].MetaData.Statistics.NullCount = 1
			})
			err := useAll(t, path)
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wantDataError(t, err, `column "x": cannot be read: page 1 at byte 4: `+c.want)
		})
	}
}

// frugal uses a file in every way, which must not take much memory.
func frugal(t *testing.T, path string) error {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := useAll(t, path)
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
		t.Errorf("took %d bytes", used)
	}
	return err
}

// TestParquetPrefixes has a string of a million bytes, and a thousand more that
// repeat it in a few bytes.
func TestParquetPrefixes(t *testing.T) {
	const long, n = 1 << 20, 2000
	prefix := append(deltas(n, 0), differences(n, long)...)
	suffix := append(deltas(n, long), differences(n, -long)...)
	body := slices.Concat(prefix, suffix, make([]byte, long))
	path := rawFile(t, element("s", format.ByteArray), []rawPage{{values: n, encoding: format.DeltaByteArray, body: body}}, nil)
	tab := open(t, path, table.ReadOptions{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := tab.WriteWith(t.Context(), "-", nil, nil, table.WriteOptions{Stdout: io.Discard})
	runtime.ReadMemStats(&after)
	wantDataError(t, err, "its values have more than")
	if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
		t.Errorf("took %d bytes", used)
	}
}

// differences are blocks of n-1 differences: one, and zeros.
func differences(n, first int) []byte {
	var b []byte
	for left := n - 1; left > 0; left -= 128 {
		if left < n-1 {
			b = append(b, repeated(1)...)
			continue
		}
		least := min(first, 0)
		b = binary.AppendVarint(b, int64(least))
		b = append(b, 32, 32, 32, 32)
		for i := range 128 {
			d := -least
			if i == 0 {
				d = first - least
			}
			b = binary.LittleEndian.AppendUint32(b, uint32(d))
		}
	}
	return b
}

// TestParquetOddPages has pages as few writers make them, which are right.
func TestParquetOddPages(t *testing.T) {
	x := element("x", format.Int64)
	two := rawPage{kind: format.DictionaryPage, values: 2, body: append(int64s(2), "what follows"...)}
	for _, c := range []struct {
		name  string
		e     format.SchemaElement
		pages []rawPage
		want  string
	}{
		{"packed places that lack their padding", x, []rawPage{two, {values: 9, encoding: format.RLEDictionary, body: []byte{1, 2<<1 | 1, 0b10110010, 1}}}, "0 1 0 0 1 1 0 1 1"},
		{"more of it, and the old encoding", x, []rawPage{two, {values: 3, encoding: 2, body: []byte{3, 1<<1 | 1, 0b01_000_001, 0}}}, "1 0 1"},
		{"packed places beyond the page", x, []rawPage{two, {values: 3, encoding: format.RLEDictionary, body: append([]byte{1, 32<<1 | 1, 0b101}, make([]byte, 31)...)}}, "1 0 1"},
		{"packed levels beyond the page", optional(x), []rawPage{{values: 3, encoding: format.Plain, body: append(prefixed(append([]byte{32<<1 | 1, 0b101}, make([]byte, 31)...)...), int64s(2)...)}}, "0 NaN 1"},
		{"bytes behind the places", x, []rawPage{two, {values: 2, encoding: format.RLEDictionary, body: append([]byte{1, 2 << 1, 1}, bomb...)}}, "1 1"},
		{"places of no bits", x, []rawPage{two, {values: 2, encoding: format.RLEDictionary, body: []byte{0}}}, "0 0"},
		{"bytes behind plain values", x, []rawPage{{values: 2, encoding: format.Plain, body: int64s(3)}}, "0 1"},
		{"levels of one bit", optional(x), []rawPage{{values: 3, encoding: format.Plain, body: append(prefixed(1<<1|1, 0b101), int64s(2)...)}}, "0 NaN 1"},
		{"a page of nulls", optional(x), []rawPage{two, {values: 3, encoding: format.RLEDictionary, body: prefixed(3<<1, 0)}}, "NaN NaN NaN"},
		{"an empty page", x, []rawPage{{values: 0, encoding: format.Plain}, {values: 1, encoding: format.Plain, body: int64s(1)}}, "0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := rawFile(t, c.e, c.pages, func(m *format.FileMetaData) {
				m.RowGroups[0].Columns[0].MetaData.Statistics.NullCount = int64(strings.Count(c.want, "NaN"))
			})
			got, err := open(t, path, table.ReadOptions{}).Floats(t.Context(), []string{"x"})
			if err != nil {
				t.Fatal(err)
			}
			text := fmt.Sprint(got.Data)
			if text != "["+c.want+"]" {
				t.Errorf("got %s, want %s", text, c.want)
			}
		})
	}
}

// TestParquetOldLevels has levels in the encoding that came before runs.
func TestParquetOldLevels(t *testing.T) {
	body := append([]byte{0b10100000}, int64s(2)...)
	page := rawPage{values: 3, encoding: format.Plain, body: body, levels: format.BitPacked}
	one := func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].MetaData.Statistics.NullCount = 1 }
	f, err := open(t, rawFile(t, optional(element("x", format.Int64)), []rawPage{page}, one), table.ReadOptions{}).Floats(t.Context(), []string{"x"})
	if err != nil || f.Bad[0].Nulls != 1 || f.Bad[0].FirstRow != 1 || f.Data[2] != 1 {
		t.Errorf("got %+v %v", f, err)
	}
	page.body = nil
	wantDataError(t, useAll(t, rawFile(t, optional(element("x", format.Int64)), []rawPage{page}, nil)), "its levels: its runs are cut off")
	page.levels = format.DeltaByteArray
	wantDataError(t, useAll(t, rawFile(t, optional(element("x", format.Int64)), []rawPage{page}, nil)), "its levels: they are encoded as DELTA_BYTE_ARRAY, which is not supported")
}

// TestParquetLZ4 has pages of numbers that LZ4 packs little, and much, and the older
// LZ4, which is refused by name.
func TestParquetLZ4(t *testing.T) {
	type row struct {
		X float64  `parquet:"x"`
		D *float64 `parquet:"d,optional"`
		S string   `parquet:"s,dict"`
		L []int32  `parquet:"l,list"`
	}
	rnd := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{1, 100, 5000, 40_000} {
		for version := 1; version <= 2; version++ {
			rows := make([]row, n)
			for i := range rows {
				rows[i] = row{X: rnd.NormFloat64(), S: fmt.Sprint(i % 7), L: []int32{1, int32(i / 1000)}}
				if i%3 > 0 {
					rows[i].D = ptr(float64(i / 200))
				}
			}
			path := writeRows(t, rows, parquet.Compression(&parquet.Lz4Raw), parquet.DataPageVersion(version))
			tab := open(t, path, table.ReadOptions{})
			plain := writeText(t, open(t, writeRows(t, rows), table.ReadOptions{}), nil, nil)
			if got := writeText(t, tab, nil, nil); got != plain {
				t.Errorf("%d rows, pages of version %d: got %d bytes of text, want %d", n, version, len(got), len(plain))
			}
		}
	}
	path := rawFile(t, element("x", format.Int64), []rawPage{{values: 3, body: int64s(3)}}, func(m *format.FileMetaData) {
		m.RowGroups[0].Columns[0].MetaData.Codec = format.Lz4
	})
	wantDataError(t, useAll(t, path), `column "x": cannot be read: page 1 at byte 4: its compression LZ4 is not supported`)
}

// TestParquetCodecs has two row groups that are packed differently.
func TestParquetCodecs(t *testing.T) {
	packed := append([]byte{8, 7 << 2}, int64s(2)[8:]...) // eight bytes as they are, by Snappy
	pages := []rawPage{{values: 1, body: int64s(1)}, {values: 1, body: packed, plain: 8}}
	path := rawFile(t, element("x", format.Int64), pages, func(m *format.FileMetaData) {
		first := m.RowGroups[0]
		c := first.Columns[0]
		c.MetaData.NumValues, c.MetaData.TotalCompressedSize = 1, c.MetaData.TotalCompressedSize/2-1
		d := c
		d.MetaData.Codec = format.Snappy
		d.MetaData.DataPageOffset += c.MetaData.TotalCompressedSize
		d.MetaData.TotalCompressedSize += 2
		first.NumRows, first.Columns = 1, []format.ColumnChunk{c}
		second := first
		second.Columns = []format.ColumnChunk{d}
		m.RowGroups = []format.RowGroup{first, second}
	})
	tab := open(t, path, table.ReadOptions{})
	f, err := tab.Floats(t.Context(), []string{"x"})
	if err != nil || !slices.Equal(f.Data, []float64{0, 1}) {
		t.Errorf("got %+v %v", f, err)
	}
	if err := useAll(t, path); err != nil {
		t.Error(err)
	}
}
