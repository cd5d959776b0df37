package table_test

import (
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"

	"rtcluster/io/table"
)

// inner is a struct inside of rows.
type inner struct {
	Q string `parquet:"q"`
	P *int32 `parquet:"p,optional"`
}

// row is one of each type, its columns in no order of their names.
type row struct {
	Z     string            `parquet:"z"`
	Y     *string           `parquet:"y,optional,dict"`
	I8    int32             `parquet:"i8,int(8)"`
	U8    uint32            `parquet:"u8,uint(8)"`
	I64   int64             `parquet:"i64,delta"`
	U64   uint64            `parquet:"u64"`
	O64   *int64            `parquet:"o64,optional"`
	F     float32           `parquet:"f"`
	D     float64           `parquet:"d,split"`
	OD    *float64          `parquet:"od,optional,dict"`
	B     bool              `parquet:"b"`
	OB    *bool             `parquet:"ob,optional"`
	Bin   []byte            `parquet:"bin"`
	Dec   int64             `parquet:"dec,decimal(2:18)"`
	TS    time.Time         `parquet:"ts,timestamp(microsecond)"`
	Local int64             `parquet:"local,timestamp(nanosecond:local)"`
	Day   int32             `parquet:"day,date"`
	Clock int32             `parquet:"clock,time(millisecond)"`
	ID    [16]byte          `parquet:"id,uuid"`
	Old   deprecated.Int96  `parquet:"old"`
	JSON  string            `parquet:"json,json"`
	L     []int64           `parquet:"l,list"`
	R     []string          `parquet:"r"`
	S     inner             `parquet:"s"`
	OS    *inner            `parquet:"os,optional"`
	LS    []inner           `parquet:"ls,list"`
	M     map[string]inner  `parquet:"m"`
	M64   map[int64]float64 `parquet:"m64"`
}

// ptr returns a pointer to v.
func ptr[T any](v T) *T { return &v }

// makeRows makes n rows, with nulls and empty lists here and there.
func makeRows(n int) []row {
	rows := make([]row, n)
	for i := range rows {
		r := &rows[i]
		*r = row{
			Z: fmt.Sprintf("z%d", i%5), I8: int32(i%256 - 128), U8: uint32(i % 256), I64: int64(i) * math.MaxInt32, U64: math.MaxUint64 - uint64(i),
			F: float32(i) / 3, D: float64(i) / 7, B: i%3 == 0, Bin: []byte{byte(i), 0xff}, Dec: int64(i) - 5,
			TS: time.UnixMicro(int64(i) * 1234567).UTC(), Local: int64(i), Day: int32(i), Clock: int32(i), ID: [16]byte{byte(i)},
			Old: deprecated.Int96{uint32(i), 0, 2440588}, JSON: "{}", L: []int64{}, R: nil, LS: []inner{},
			M: map[string]inner{}, M64: map[int64]float64{},
		}
		if i%2 == 0 {
			r.Y, r.O64, r.OD, r.OB = ptr(r.Z), ptr(int64(i)), ptr(float64(i)), ptr(i%4 == 0)
			r.OS = &inner{Q: "q"}
			r.M["k"] = inner{P: ptr(int32(i))}
			r.M64[int64(i)] = .5
		}
		for k := range i % 4 {
			r.L = append(r.L, int64(k))
			r.R = append(r.R, fmt.Sprint(i, k))
			r.LS = append(r.LS, inner{Q: fmt.Sprint(k), P: ptr(int32(k))})
		}
	}
	return rows
}

// writeRows writes rows with the library, a few row groups and pages.
func writeRows[T any](t testing.TB, rows []T, options ...parquet.WriterOption) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in.parquet")
	if err := parquet.WriteFile(path, rows, options...); err != nil {
		t.Fatal(err)
	}
	return path
}

// readRows reads rows with the library.
func readRows[T any](t testing.TB, path string) []T {
	t.Helper()
	rows, err := parquet.ReadFile[T](path)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// schemaLines describes the schema of a file, a line a node, in file order.
func schemaLines(t testing.TB, path string) []string {
	t.Helper()
	tab := open(t, path, table.ReadOptions{})
	var lines []string
	for _, e := range tab.Metadata().Schema[1:] {
		lines = append(lines, fmt.Sprintf("%s %v %v %v %v %v %v", e.Name, e.Type, e.RepetitionType, e.NumChildren, &e.LogicalType, e.Scale, e.Precision))
	}
	return lines
}

func TestParquetUntouched(t *testing.T) {
	for _, n := range []int{0, 1, 7, 3000} {
		for _, version := range []int{1, 2} {
			t.Run(fmt.Sprintf("rows=%d/page=%d", n, version), func(t *testing.T) {
				rows := makeRows(n)
				path := writeRows(t, rows, parquet.DataPageVersion(version), parquet.MaxRowsPerRowGroup(1100), parquet.PageBufferSize(2000))
				tab := open(t, path, table.ReadOptions{})
				added := []table.Added{
					{Name: "cluster", Values: make([]int64, n)},
					{Name: "score", Values: make([]float64, n), Valid: make([]bool, n)},
				}
				out := write(t, tab, "out.parquet", nil, added)
				if got := readRows[row](t, out); !(n == 0 && len(got) == 0) && !reflect.DeepEqual(got, readRows[row](t, path)) {
					t.Error("rows came out otherwise than they went in")
				}
				want := append(schemaLines(t, path), addedSchema...)
				if got := schemaLines(t, out); !reflect.DeepEqual(got, want) {
					t.Errorf("got schema\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			})
		}
	}
}

// addedSchema is what the schema says of the added columns.
var addedSchema = []string{
	"cluster {INT64 true} {REQUIRED true} {0 false} INT(64,true) {0 false} {0 false}",
	"score {DOUBLE true} {OPTIONAL true} {0 false}  {0 false} {0 false}",
}

func TestParquetAddedValues(t *testing.T) {
	type labels struct {
		K int64    `parquet:"k"`
		S *float64 `parquet:"s,optional"`
		C *bool    `parquet:"c,optional"`
	}
	const n = 5000
	tab := open(t, writeRows(t, makeRows(n), parquet.MaxRowsPerRowGroup(999)), table.ReadOptions{})
	var want []labels
	k, s, c := make([]int64, n), make([]float64, n), make([]bool, n)
	sValid, cValid := make([]bool, n), make([]bool, n)
	for i := range n {
		k[i], s[i], c[i], sValid[i], cValid[i] = int64(i)-9, float64(i)/3, i%2 == 0, i%3 != 0, i%5 != 0
		l := labels{K: k[i]}
		if sValid[i] {
			l.S = &s[i]
		}
		if cValid[i] {
			l.C = &c[i]
		}
		want = append(want, l)
	}
	out := write(t, tab, "out.parquet", []string{"z"}, []table.Added{
		{Name: "k", Values: k}, {Name: "s", Values: s, Valid: sValid}, {Name: "c", Values: c, Valid: cValid},
	})
	if got := readRows[labels](t, out); !reflect.DeepEqual(got, want) {
		t.Error("added values came out otherwise than they went in")
	}
	if got := columnNames(open(t, out, table.ReadOptions{})); got != "z:string k:int64* s:double* c:boolean" {
		t.Errorf("got columns %q", got)
	}
}

func TestParquetColumns(t *testing.T) {
	tab := open(t, writeRows(t, makeRows(1)), table.ReadOptions{})
	want := "z:string y:string i8:int8* u8:uint8* i64:int64* u64:uint64* o64:int64* f:float* d:double* od:double* b:boolean ob:boolean " +
		"bin:binary dec:decimal(18,2) ts:timestamp local:timestamp day:date clock:time id:uuid old:timestamp (int96) json:json " +
		"l:list r:list of string s:struct os:struct ls:list m:map m64:map"
	if got := columnNames(tab); got != want {
		t.Errorf("got columns\n%s\nwant\n%s", got, want)
	}
}

func TestParquetFloats(t *testing.T) {
	type numbers struct {
		X float64  `parquet:"x"`
		O *int64   `parquet:"o,optional"` // CASES 13
		D *float64 `parquet:"d,optional,dict"`
		F float32  `parquet:"f"`
		U uint64   `parquet:"u"`
		S string   `parquet:"s"`
		J string   `parquet:"j"`
	}
	rows := make([]numbers, 5)
	for i := range rows {
		rows[i] = numbers{X: float64(i + 1), F: .1, U: 1 << 63, S: fmt.Sprint(" ", i, ".50"), J: "7"}
	}
	rows[3].O, rows[2].D, rows[0].S, rows[4].J = ptr(int64(7777)), ptr(math.NaN()), "NA", "seven"
	tab := open(t, writeRows(t, rows, parquet.MaxRowsPerRowGroup(2)), table.ReadOptions{})
	f, err := tab.Floats(t.Context(), []string{"o", "x", "d", "f", "u", "s"})
	if err != nil {
		t.Fatal(err)
	}
	nan, tenth := math.NaN(), float64(float32(.1))
	want := []float64{
		nan, 1, nan, tenth, 1 << 63, nan,
		nan, 2, nan, tenth, 1 << 63, 1.5,
		nan, 3, nan, tenth, 1 << 63, 2.5,
		7777, 4, nan, tenth, 1 << 63, 3.5,
		nan, 5, nan, tenth, 1 << 63, 4.5,
	}
	if !sameFloats(f.Data, want) {
		t.Errorf("got %v, want %v", f.Data, want)
	}
	wantBad := []table.Bad{
		{Column: "o", Nulls: 4},
		{Column: "x", FirstRow: -1},
		{Column: "d", Nulls: 4, NaNs: 1},
		{Column: "f", FirstRow: -1},
		{Column: "u", FirstRow: -1},
		{Column: "s", Nulls: 1},
	}
	if !reflect.DeepEqual(f.Bad, wantBad) {
		t.Errorf("got %+v, want %+v", f.Bad, wantBad)
	}
	_, err = tab.Floats(t.Context(), []string{"j"})
	wantDataError(t, err, `column "j": row 4: "seven" is not a number`)
}

func TestParquetFloatsRefuses(t *testing.T) {
	rows := makeRows(4)
	rows[2].I64 = 1<<53 + 1
	tab := open(t, writeRows(t, rows), table.ReadOptions{})
	for column, want := range map[string]string{
		"i64":  `column "i64": row 2: the integer 9007199254740993 is not exact`,
		"u64":  `column "u64": row 0: the integer 18446744073709551615 is not exact`,
		"b":    "is a boolean column, which is no coordinate unless you ask for it: b:double",
		"dec":  "is a decimal(18,2) column, which is no coordinate unless you ask for it: dec:double",
		"day":  "is a date column",
		"ts":   "is a timestamp column",
		"old":  "is a timestamp (int96) column",
		"bin":  "is a binary column, not one of numbers",
		"l":    "is nested (list)",
		"r":    "is nested (list of string)",
		"s":    "is nested (struct)",
		"z":    `"z0" is not a number`,
		"none": "no such column; there are z, y, i8",
	} {
		_, err := tab.Floats(t.Context(), []string{"d", column})
		wantDataError(t, err, want)
	}
}

func TestParquetToCSV(t *testing.T) {
	rows := makeRows(4)[2:]
	rows[0].D, rows[1].D, rows[1].F = math.Inf(-1), 1e-9, float32(math.NaN())
	rows[1].Z, rows[0].Bin = "a,\"b\"\r\n", []byte("text")
	tab := open(t, writeRows(t, rows), table.ReadOptions{})
	for column, want := range map[string]string{
		"z": "z2|\"a,\"\"b\"\"\r\n\"", "y": "z2|\"\"", "i8": "-126|-125", "u8": "2|3", "u64": "18446744073709551613|18446744073709551612",
		"o64": "2|\"\"", "f": "0.6666667|NaN", "d": "-inf|1e-9", "b": "false|true", "ob": "false|\"\"", "bin": "text|A/8=",
		"dec": "-0.03|-0.02", "ts": "1970-01-01T00:00:02.469134Z|1970-01-01T00:00:03.703701Z",
		"local": "1970-01-01T00:00:00.000000002|1970-01-01T00:00:00.000000003", "day": "1970-01-03|1970-01-04",
		"clock": "00:00:00.002Z|00:00:00.003Z", "id": "02000000-0000-0000-0000-000000000000|03000000-0000-0000-0000-000000000000",
		"old": "1970-01-01T00:00:00.000000002|1970-01-01T00:00:00.000000003", "json": "{}|{}",
		"l": "\"[0,1]\"|\"[0,1,2]\"", "r": `"[""2 0"",""2 1""]"|"[""3 0"",""3 1"",""3 2""]"`,
		"s":  `"{""q"":"""",""p"":null}"|"{""q"":"""",""p"":null}"`,
		"os": `"{""q"":""q"",""p"":null}"|""`,
		"ls": `"[{""q"":""0"",""p"":0},{""q"":""1"",""p"":1}]"|"[{""q"":""0"",""p"":0},{""q"":""1"",""p"":1},{""q"":""2"",""p"":2}]"`,
		"m":  `"{""k"":{""q"":"""",""p"":2}}"|{}`, "m64": `"{""2"":0.5}"|{}`,
	} {
		got := writeText(t, tab, []string{column}, nil)
		if want = column + "\n" + strings.ReplaceAll(want, "|", "\n") + "\n"; got != want {
			t.Errorf("%s: got %q, want %q", column, got, want)
		}
	}
}

func TestParquetToCSVOfManyRows(t *testing.T) {
	const n = 5000
	rows := makeRows(n)
	tab := open(t, writeRows(t, rows, parquet.MaxRowsPerRowGroup(1500), parquet.PageBufferSize(1000)), table.ReadOptions{})
	labels := make([]int64, n)
	for i := range labels {
		labels[i] = int64(i)
	}
	lines := strings.Split(writeText(t, tab, []string{"l", "i64"}, []table.Added{{Name: "k", Values: labels}}), "\n")
	if len(lines) != n+2 {
		t.Fatalf("got %d lines, want %d", len(lines), n+2)
	}
	for i, r := range rows {
		list := strings.ReplaceAll(fmt.Sprint(r.L), " ", ",")
		if len(r.L) > 1 {
			list = `"` + list + `"`
		}
		if want := fmt.Sprintf("%s,%d,%d", list, r.I64, i); lines[i+1] != want {
			t.Fatalf("row %d: got %s, want %s", i, lines[i+1], want)
		}
	}
}

func TestParquetMetadata(t *testing.T) {
	var options []parquet.WriterOption
	for _, key := range []string{
		"pandas", "ARROW:schema", "table_meta_yaml", "IVOA.VOTable-Parquet.content", "IVOA.VOTable-Parquet.version",
		"org.apache.spark.sql.parquet.row.metadata", "author", "rtcluster.params", "geo",
	} {
		options = append(options, parquet.KeyValueMetadata(key, "old"))
	}
	tab := open(t, writeRows(t, makeRows(1), options...), table.ReadOptions{})
	for _, c := range []struct {
		name string
		keep []string
		want string
	}{
		{"all", nil, "author=old geo=old rtcluster.params=new rtcluster.version=1"},
		{"some", []string{"z"}, "author=old rtcluster.params=new rtcluster.version=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "out.parquet")
			opt := table.WriteOptions{Metadata: map[string]string{"rtcluster.params": "new", "rtcluster.version": "1"}}
			if err := tab.WriteWith(t.Context(), path, c.keep, nil, opt); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, kv := range open(t, path, table.ReadOptions{}).Metadata().KeyValueMetadata {
				got = append(got, kv.Key+"="+kv.Value)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestParquetRowGroups(t *testing.T) {
	type small struct {
		X int64 `parquet:"x"`
	}
	rows := make([]small, 300_000)
	for i := range rows {
		rows[i].X = int64(i)
	}
	for _, c := range []struct{ in, want int }{{1000, 5}, {100_000, 3}} {
		tab := open(t, writeRows(t, rows, parquet.MaxRowsPerRowGroup(int64(c.in))), table.ReadOptions{})
		out := write(t, tab, "out.parquet", nil, nil)
		if got := len(open(t, out, table.ReadOptions{}).Metadata().RowGroups); got != c.want {
			t.Errorf("row groups of %d rows: got %d, want %d", c.in, got, c.want)
		}
		if got := readRows[small](t, out); !reflect.DeepEqual(got, rows) {
			t.Errorf("row groups of %d rows: rows came out otherwise", c.in)
		}
	}
}
