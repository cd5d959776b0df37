package catalog_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"rtcluster/io/catalog"
)

// TestWriteFITS writes values of all types, nulls among them, and reads them again.
func TestWriteFITS(t *testing.T) {
	const inf, least = "+Inf", "-9223372036854775808"
	columns := []catalog.Column{
		{Name: "flag", Type: catalog.Bool, Nullable: true},
		{Name: "i8", Type: catalog.Int8, Nullable: true},
		{Name: "i16", Type: catalog.Int16, Nullable: true},
		{Name: "u16", Type: catalog.Uint16, Nullable: true},
		{Name: "u32", Type: catalog.Uint32},
		{Name: "u64", Type: catalog.Uint64},
		{Name: "i64", Type: catalog.Int64, Unit: "km s-1", UCD: "phot.mag", Description: strings.Repeat("it's long, ", 20) + "end"},
		{Name: "f", Type: catalog.Float32, Nullable: true},
		{Name: "d", Type: catalog.Float64},
		{Name: "it's", Type: catalog.Text, Nullable: true},
	}
	text := func(s string) catalog.Value { return catalog.Value{Text: []byte(s)} }
	whole := func(n int64) catalog.Value { return catalog.Value{Int: n} }
	null := catalog.Value{Null: true}
	rows := [][]catalog.Value{
		{whole(1), whole(-128), whole(math.MinInt16), whole(0), whole(0), whole(-1), whole(math.MinInt64), {Float: 1.5}, {Float: math.Inf(1)}, text("a b")},
		{whole(0), whole(0), whole(math.MaxInt16), whole(65535), whole(math.MaxUint32), whole(7), whole(math.MaxInt64), null, {Float: 0.1}, text("")},
		{null, null, null, null, whole(1), whole(0), whole(1), {Float: 0.25}, {Float: -1}, null},
	}
	var b bytes.Buffer
	err := catalog.WriteFITS(&b, columns, 3, func(places []int, yield func([]catalog.Value) error) error {
		for _, all := range rows {
			var row []catalog.Value
			for _, i := range places {
				row = append(row, all[i])
			}
			if err := yield(row); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || b.Len()%2880 != 0 {
		t.Fatalf("got error %v and %d bytes", err, b.Len())
	}
	said, got, err := read(b.Bytes(), catalog.FITS, "")
	if err != nil {
		t.Fatal(err)
	}
	want := "flag:bool? i8:i16? i16:i16? u16:i32? u32:u32 u64:u64 i64:i64[km s-1|phot.mag|" + columns[6].Description + "] f:f32 d:f64 it's:text"
	if said != want {
		t.Errorf("got columns\n%s, want\n%s", said, want)
	}
	wantRows := []string{
		`1 -128 -32768 0 0 18446744073709551615 ` + least + ` 1.5 ` + inf + ` "a b"`,
		`0 0 32767 65535 4294967295 7 9223372036854775807 NaN 0.1 ""`,
		`null null null null 1 0 1 0.25 -1 ""`,
	}
	if strings.Join(got, "\n") != strings.Join(wantRows, "\n") {
		t.Errorf("got rows\n%s, want\n%s", strings.Join(got, "\n"), strings.Join(wantRows, "\n"))
	}
}

// taken returns null, and n integers from least on.
func taken(least int64, n int) []catalog.Value {
	values := make([]catalog.Value, n+1)
	for i := range n {
		values[i].Int = least + int64(i)
	}
	values[n].Null = true
	return values
}

// TestFITSNull is about what stands for null, and in which type.
func TestFITSNull(t *testing.T) {
	one, null := catalog.Value{Int: 1}, catalog.Value{Null: true}
	for _, c := range []struct {
		name   string
		is     catalog.Type
		values []catalog.Value
		want   string // the column, and the first and the last value
	}{
		{"all values there", catalog.Uint8, taken(0, 256), "x:i16? 0 null"},
		{"shifted", catalog.Uint16, []catalog.Value{one, null}, "x:i32? 1 null"},
		{"shifted bytes", catalog.Int8, []catalog.Value{{Int: -128}, null}, "x:i16? -128 null"},
		{"shifted, no null", catalog.Uint32, []catalog.Value{one, one}, "x:u32 1 1"},
		{"not shifted, no null", catalog.Int32, []catalog.Value{one, one}, "x:i32? 1 1"},
		{"uint64 as int64", catalog.Uint64, []catalog.Value{one, null}, "x:i64? 1 null"},
		{"uint64 above int64, no null", catalog.Uint64, []catalog.Value{{Int: -1}, one}, "x:u64 18446744073709551615 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			err := catalog.WriteFITS(&b, []catalog.Column{{Name: "x", Type: c.is, Nullable: true}}, int64(len(c.values)), each(c.values...))
			if err != nil {
				t.Fatal(err)
			}
			columns, rows, err := read(b.Bytes(), catalog.FITS, "")
			if err != nil || len(rows) != len(c.values) {
				t.Fatalf("got %d rows, error %v", len(rows), err)
			}
			if got := columns + " " + rows[0] + " " + rows[len(rows)-1]; got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// each yields rows of one value.
func each(values ...catalog.Value) catalog.EachRow {
	return func(_ []int, yield func([]catalog.Value) error) error {
		for _, v := range values {
			if err := yield([]catalog.Value{v}); err != nil {
				return err
			}
		}
		return nil
	}
}

// TestUnfit is about what FITS cannot hold.
func TestUnfit(t *testing.T) {
	for _, c := range []struct {
		name   string
		column catalog.Column
		each   catalog.EachRow
		want   string
	}{
		{"text", catalog.Column{Name: "x", Type: catalog.Text}, each(catalog.Value{Text: []byte("é")}), "FITS knows ASCII from blank to ~ only"},
		{"a tab", catalog.Column{Name: "x", Type: catalog.Text}, each(catalog.Value{Text: []byte("a\tb")}), `column x has the text "a\tb"`},
		{"DEL", catalog.Column{Name: "x", Type: catalog.Text}, each(catalog.Value{Text: []byte("\x7f")}), "FITS knows ASCII from blank to ~ only"},
		{"no name", catalog.Column{Type: catalog.Bool}, each(), "column 1 has no name"},
		{"uint64 with nulls", catalog.Column{Name: "x", Type: catalog.Uint64, Nullable: true}, each(catalog.Value{Int: -1}, catalog.Value{Null: true}), "column x has nulls and integers above 9223372036854775807"},
		{"name", catalog.Column{Name: "é", Type: catalog.Bool}, each(), `the column name "é" is not ASCII`},
		{"long name", catalog.Column{Name: strings.Repeat("x", 69), Type: catalog.Bool}, each(), "has 69 characters, and FITS has room for 68"},
		{"null", catalog.Column{Name: "x", Type: catalog.Int64, Nullable: true}, each(taken(math.MinInt64, 1<<16)...), "no integer to spare"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var unfit *catalog.UnfitError
			err := catalog.WriteFITS(io.Discard, []catalog.Column{c.column}, 1, c.each)
			if !errors.As(err, &unfit) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an UnfitError with %q", err, c.want)
			}
		})
	}
}
