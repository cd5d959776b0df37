package table_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"rtcluster/io/table"
)

// footer wraps metadata in the magic bytes of a Parquet file.
func footer(metadata string) string {
	length := binary.LittleEndian.AppendUint32(nil, uint32(len(metadata)))
	return "PAR1" + metadata + string(length) + "PAR1"
}

func TestParquetOpenRefuses(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"magic twice", "PAR1PAR1", "is too short for a Parquet file (8 bytes)"}, // CASES 12
		{"magic and a length", "PAR1\xff\xff\xff\x2fPAR1", "claims 805306367 bytes of metadata, but has only 12 bytes in all"},
		{"no metadata", "PAR1\x00\x00\x00\x00PAR1", "is corrupt: metadata is cut off"},
		{"not finished", "PAR1" + strings.Repeat("x", 100), `ends in "xxxx", not in "PAR1"`},
		{"encrypted", "PARE" + strings.Repeat("x", 100) + "PARE", "is encrypted"},
		{"encrypted footer", "PAR1" + strings.Repeat("x", 100) + "PARE", "is encrypted"},
		{"text", "x,y\n1,2\n1,2\n1,2\n", `begins with "x,y\n", not with "PAR1"`},
		{"no schema", footer("\x00"), "is corrupt: missing required field"},
		{"list of 2^31 elements", footer("\x15\x02\x19\xfc\xff\xff\xff\xff\x07\x00\x00"), "is corrupt: metadata is cut off"},
		{"string of 2^31 bytes", footer("\x15\x02\x19\x1c\x48\xff\xff\xff\xff\x07x\x00"), "is corrupt: metadata is cut off"},
		{"no Thrift", footer("\x1f\x02\x00"), "is corrupt: metadata is no Thrift structure"},
		{"rows without row groups", footer("\x15\x02\x19\x1c\x48\x04root\x15\x00\x00\x16\x80\x80\x80\x80\x10\x19\x0c\x00"), "claims 2147483648 rows"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := writeFile(t, "in.parquet", c.content)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			_, err := table.Open(t.Context(), path, table.ReadOptions{})
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			wantDataError(t, err, c.want)
			if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 || took > time.Second {
				t.Errorf("took %d bytes and %v", used, took)
			}
		})
	}
}

func TestParquetTruncated(t *testing.T) {
	whole := readFile(t, writeRows(t, makeRows(3)))
	for n := 0; n < len(whole); n += 13 {
		path := writeFile(t, "in.parquet", whole[:n])
		if _, err := table.Open(t.Context(), path, table.ReadOptions{}); err == nil {
			t.Fatalf("cut to %d of %d bytes: got no error", n, len(whole))
		}
	}
}

// useAll reads a table in every way; errors are allowed, and returned.
func useAll(t *testing.T, path string) error {
	tab, err := table.Open(t.Context(), path, table.ReadOptions{})
	if err != nil {
		return err
	}
	defer func() { _ = tab.Close() }()
	var numeric []string
	for _, c := range tab.Columns() {
		if c.Numeric {
			numeric = append(numeric, c.Name)
		}
	}
	if len(numeric) > 0 {
		if _, err := tab.Floats(t.Context(), numeric); err != nil {
			return err
		}
	}
	for _, format := range []string{"csv", "parquet"} {
		opt := table.WriteOptions{Format: format, Stdout: io.Discard}
		if err := tab.WriteWith(t.Context(), "-", nil, nil, opt); err != nil {
			return err
		}
	}
	return nil
}

// TestParquetFlipped changes every fourth byte in turn: there must be an error
// about the data, or none, but nothing else.
func TestParquetFlipped(t *testing.T) {
	type small struct {
		X float64  `parquet:"x"`
		S *string  `parquet:"s,optional,dict"`
		L []int64  `parquet:"l,list"`
		D *float64 `parquet:"d,optional,snappy"`
	}
	rows := []small{{X: 1, S: ptr("a"), L: []int64{1, 2}}, {X: 2}, {X: 3, S: ptr("b"), D: ptr(.5)}}
	whole := []byte(readFile(t, writeRows(t, rows)))
	path := filepath.Join(t.TempDir(), "in.parquet")
	failed := 0
	for i := 4; i < len(whole)-8; i += 4 {
		for _, mask := range []byte{0x01, 0x80, 0xff} {
			bent := bytes.Clone(whole)
			bent[i] ^= mask
			if err := os.WriteFile(path, bent, 0o644); err != nil {
				t.Fatal(err)
			}
			err := useAll(t, path)
			var bad *table.DataError
			if err != nil && !errors.As(err, &bad) {
				t.Errorf("byte %d ^ %#x: got %v, want a DataError", i, mask, err)
			}
			if err != nil {
				failed++
			}
		}
	}
	if failed == 0 {
		t.Error("no changed byte was noticed")
	}
}

// TestParquetReadsOnlyWhatIsAsked damages the pages of one column: the others
// are read all the same.
func TestParquetReadsOnlyWhatIsAsked(t *testing.T) {
	type pair struct {
		A float64 `parquet:"a"`
		B float64 `parquet:"b"`
	}
	rows := make([]pair, 1000)
	for i := range rows {
		rows[i] = pair{float64(i), float64(-i)}
	}
	path := writeRows(t, rows)
	tab := open(t, path, table.ReadOptions{})
	m := tab.Metadata().RowGroups[0].Columns[1].MetaData
	whole := []byte(readFile(t, path))
	for i := range 100 {
		whole[m.DataPageOffset+int64(i)] = 0xff
	}
	tab = open(t, writeFile(t, "bent.parquet", string(whole)), table.ReadOptions{})
	f, err := tab.Floats(t.Context(), []string{"a"})
	if err != nil || f.Data[999] != 999 {
		t.Errorf("column a: got %v", err)
	}
	_, err = tab.Floats(t.Context(), []string{"b"})
	wantDataError(t, err, `bent.parquet: column "b": cannot be read`)
	out := filepath.Join(t.TempDir(), "out.parquet")
	wantDataError(t, tab.WriteWith(t.Context(), out, nil, nil, table.WriteOptions{}), `column "b": cannot be read`)
	onlyFile(t, filepath.Dir(out))
	if err := tab.WriteWith(t.Context(), out, []string{"a"}, nil, table.WriteOptions{}); err != nil {
		t.Errorf("column a: got %v", err)
	}
}

// annotated is a type with a logical type that the library has no name for.
type annotated struct {
	parquet.Type
	logical format.LogicalType
}

func (a annotated) LogicalType() *format.LogicalType { return &a.logical }

// TestParquetRareTypes has a column of type Null, CASES 14, and one of float16.
func TestParquetRareTypes(t *testing.T) {
	null := annotated{parquet.Int32Type, format.LogicalType{Value: new(format.NullType)}}
	half := annotated{parquet.FixedLenByteArrayType(2), format.LogicalType{Value: new(format.Float16Type)}}
	schema := parquet.NewSchema("rare", parquet.Group{
		"h": parquet.Optional(parquet.Leaf(half)), "n": parquet.Optional(parquet.Leaf(null)), "x": parquet.Leaf(parquet.DoubleType),
	})
	path := filepath.Join(t.TempDir(), "in.parquet")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := parquet.NewGenericWriter[any](f, schema)
	for i, bits := range []uint16{0x3c00, 0xc000, 0x7c00, 0xfe00, 0x0001, 0x7bff} {
		row := parquet.Row{
			parquet.FixedLenByteArrayValue(binary.LittleEndian.AppendUint16(nil, bits)).Level(0, 1, 0),
			parquet.NullValue().Level(0, 0, 1), parquet.DoubleValue(float64(i)).Level(0, 0, 2),
		}
		if _, err := w.WriteRows([]parquet.Row{row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		tab := open(t, path, table.ReadOptions{})
		if got := columnNames(tab); got != "h:float16* n:null x:double*" {
			t.Fatalf("got columns %q", got)
		}
		if got, want := writeText(t, tab, nil, nil), "h,n,x\n1,,0\n-2,,1\ninf,,2\nNaN,,3\n6e-8,,4\n65500,,5\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		values, err := tab.Floats(t.Context(), []string{"h"})
		if err != nil || values.Data[4] != 1./(1<<24) || values.Data[5] != 65504 || values.Bad[0].NaNs != 1 || values.Bad[0].Infs != 1 {
			t.Errorf("got %+v %v", values, err)
		}
		_, err = tab.Floats(t.Context(), []string{"n"})
		wantDataError(t, err, `column "n": is a null column: there are no numbers in it`)
		path = write(t, tab, "out.parquet", nil, nil) // and once more from our own
	}
}

func TestThriftStructure(t *testing.T) {
	for _, c := range []struct {
		name, b string
		want    int
		err     error
	}{
		{"nothing", "", 0, table.ErrShort},
		{"empty", "\x00\x00", 1, nil},
		{"booleans", "\x11\x12\x00", 3, nil},
		{"number of a field in full", "\x05\x80\x01\x02\x00", 5, nil},
		{"list of booleans", "\x19\x21\x01\x02\x00", 5, nil},
		{"map", "\x1b\x01\x85\x01x\x02\x00", 7, nil},
		{"empty map", "\x1b\x00\x00", 3, nil},
		{"double", "\x1712345678\x00", 10, nil},
		{"double cut", "\x171234567", 0, table.ErrShort},
		{"struct", "\x1c\x15\x02\x00\x00", 5, nil},
		{"deep", strings.Repeat("\x1c", 100), 0, nil},
	} {
		got, err := table.ThriftStructure([]byte(c.b))
		if c.name == "deep" {
			if err == nil || errors.Is(err, table.ErrShort) {
				t.Errorf("deep: got error %v", err)
			}
			continue
		}
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: got %d %v, want %d %v", c.name, got, err, c.want, c.err)
		}
	}
}
