package table_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"rtcluster/io/table"
)

// awkward is CSV that must come out as it went in.
const awkward = "id,name,\"a,b\", spaced ,x\r\n" +
	"4295806720301234567,\"O\"\"Neil\r\nand son\",\"1,5\", \"q\" ,1.50\r\n" +
	"0000000000000000001,,\"\",  007,1e5\r\n" +
	"-1,plain \"quote\" inside,NULL,\t,NaN\r\n" +
	"+2,Ünï,-,--,0x1F\r\n"

func TestCSVUntouched(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"awkward", awkward},
		{"no last line end", strings.TrimSuffix(awkward, "\r\n")},
		{"lf", strings.ReplaceAll(awkward, "\r\n", "\n")},
		{"bom", "\ufeff" + awkward},
		{"semicolons", "a;b\n1,5;x|y\n\"2;3\";z\n"},
		{"tabs", "a\tb\n1,5\t x\n"},
		{"one column with blank lines", "x\n1\n\n3\n"},
		{"many rows", "id,x\n" + strings.Repeat("4295806720301234567,0.10\n", 30000)},
		{"a record larger than the buffer", "a,b\n\"" + strings.Repeat("long\r\n", 100000) + "\",1\n2,3\n"},
		{"names that repeat", "a,a,\n1,2,3\n"},
		{"0 rows", "a,b\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := writeText(t, openText(t, c.text), nil, nil); got != c.text {
				t.Errorf("got %q, want %q", clip(got), clip(c.text))
			}
		})
	}
}

// clip shortens text for a message.
func clip(s string) string { return s[:min(len(s), 300)] }

func TestCSVAdded(t *testing.T) {
	tab := openText(t, "id,\"n,m\"\r\n01,\"a\r\nb\"\r\n\"02\",\r\n03,c")
	got := writeText(t, tab, nil, []table.Added{
		{Name: "cluster", Values: []int64{-1, math.MaxInt64, 7}, Valid: []bool{true, true, false}},
		{Name: "core, yes", Values: []bool{true, false, true}},
		{Name: "score", Values: []float64{.1, math.Inf(1), 1e-9}},
	})
	want := "id,\"n,m\",cluster,\"core, yes\",score\r\n" +
		"01,\"a\r\nb\",-1,true,0.1\r\n\"02\",,9223372036854775807,false,inf\r\n03,c,,true,1e-9"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCSVKeep(t *testing.T) {
	text := "\ufeffa, \"b\",c\n1, \"x,y\",\n2,,3\n"
	labels := []table.Added{{Name: "k", Values: []int64{5, 6}}}
	for _, c := range []struct {
		name  string
		keep  []string
		added []table.Added
		want  string
	}{
		{"some in another order", []string{"c", "b"}, labels, "\ufeffc, \"b\",k\n, \"x,y\",5\n3,,6\n"},
		{"none", []string{}, labels, "\ufeffk\n5\n6\n"},
		{"one with empty fields", []string{"c"}, nil, "\ufeffc\n\"\"\n3\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := writeText(t, openText(t, text), c.keep, c.added); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestCSVDelimiters(t *testing.T) {
	labels := []table.Added{{Name: "k", Values: []int64{5}}}
	for _, c := range []struct{ name, in, text, out, want string }{
		{"tsv to csv", "in.tsv", "a\tb\n1,5\t\"x\ty\"\n", "out.csv", "a,b,k\n\"1,5\",\"x\ty\",5\n"},
		{"csv to tsv", "in.csv", "a,b\n1,\"x,y\"\n", "out.tsv", "a\tb\tk\n1\t\"x,y\"\t5\n"},
		{"tsv to tsv", "in.tsv", "a\tb\n1\t2,3\n", "out.tsv", "a\tb\tk\n1\t2,3\t5\n"},
		{"semicolons stay", "in.csv", "a;b\n1,5;2\n", "out.csv", "a;b;k\n1,5;2;5\n"},
		{"semicolons to tsv", "in.csv", "a;b\n1,5;2\n", "out.tsv", "a\tb\tk\n1,5\t2\t5\n"},
		{"blanks to csv", "in.csv", " a  b c\n 1   \"x y,\n", "out.csv", "a,b,c,k\n1,\"\"\"x\",\"y,\",5\n"},
		{"no header", "in.csv", "1,2\n", "out.csv", "c1,c2,k\n1,2,5\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab := open(t, writeFile(t, c.in, c.text), table.ReadOptions{})
			if got := readFile(t, write(t, tab, c.out, nil, labels)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestCSVToParquetTypes has the types of Parquet that the fields of a column give,
// and what they are as CSV again; _ is an empty field.
func TestCSVToParquetTypes(t *testing.T) {
	for _, c := range []struct{ name, fields, want, again string }{
		{"integers", "1 -2 0 9223372036854775807", "int64", "1 -2 0 9223372036854775807"},
		{"integers and none", "1 _ 3", "int64", "1 _ 3"},
		{"words for missing", "1 NA -- null", "int64", "1 _ _ _"},
		{"plus", "+1 +0", "int64", "1 0"},
		{"floats", "1 2.5 -0 1e-7 100000000000000000000", "double", "1 2.5 -0 1e-7 100000000000000000000"},
		{"minus zero beside integers", "-0 7", "double", "-0 7"},
		{"nan", "1.5 NaN _", "double", "1.5 NaN _"},
		{"nan beside integers", "1 nan", "double", "1 NaN"},
		{"infinite", "1 -Inf", "double", "1 -inf"},
		{"trailing zeros", "1.50 10.0 2. _", "double", "1.5 10 2 _"},
		{"no digit before the point", ".5 -.25", "double", "0.5 -0.25"},
		{"exponents of other styles", "1E+05 1e3 0E9 1.20e-007", "double", "100000 1000 0 1.2e-7"},
		{"decimals with leading zeros", "00.5 -007.25", "double", "0.5 -7.25"},
		{"17 digits, the shortest", "0.30000000000000004 1.50", "double", "0.30000000000000004 1.5"},
		{"17 digits of a short one", "0.10000000000000001", "double", "0.1"},
		{"19 digits as of %.18e", "1.000000000000000056e-01 2.500000000000000000e+00", "double", "0.1 2.5"},
		{"the shortest is not the nearest", "5.684341886080802e-14 5.6843418860808015E-14", "double", "5.684341886080802e-14 5.684341886080802e-14"},
		{"the smallest", "5e-324 2.2250738585072014e-308", "double", "5e-324 2.2250738585072014e-308"},
		{"an exact integer beyond int64", "18446744073709551616 0.5", "double", "18446744073709552000 0.5"},
		{"18 digits of which float64 keeps 17", "0.123456789012345678 1.5", "string", ""},
		{"a digit below the smallest", "1.5e-324", "string", ""},
		{"nothing left", "1e-999", "string", ""},
		{"beyond float64", "1e999", "string", ""},
		{"leading zeros", "007 008", "string", ""},
		{"leading zeros at last", "7 8.5 -09", "string", ""},
		{"19 digits", "4295806720301234567 4295806720301234568", "int64", "4295806720301234567 4295806720301234568"},
		{"20 digits", "18446744073709551615", "string", ""},
		{"19 digits beside a fraction", "4295806720301234567 1.5", "string", ""},
		{"hexadecimal", "0x1F 1", "string", ""},
		{"words for missing alone", "NA NA", "string", ""},
		{"text", "a 1", "string", ""},
		{"text and missing", "1.50 _ b", "string", ""},
		{"nothing", "_ _", "string", ""},
		{"no UTF-8", "caf\xe9 1", "binary", ""},
		{"no UTF-8 after text", "a b\xff", "binary", ""},
		{"no UTF-8 after numbers", "1.50 007 b\xff", "binary", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab := openText(t, column(c.fields))
			again := open(t, write(t, tab, "out.parquet", nil, nil), table.ReadOptions{})
			if got := again.Columns()[1].Type; got != c.want {
				t.Fatalf("got type %s, want %s", got, c.want)
			}
			want := c.again
			switch c.want {
			case "binary":
				return // which CSV shows in base64
			case "string":
				want = c.fields
			}
			if got := writeText(t, again, nil, nil); got != column(want) {
				t.Errorf("got %q, want %q", got, column(want))
			}
			if got := writeText(t, tab, nil, nil); got != column(c.fields) {
				t.Errorf("as CSV: got %q, want what it was", got)
			}
		})
	}
}

// column is a table whose second column has these fields.
func column(fields string) string {
	text := "i,x\n"
	for _, f := range strings.Fields(fields) {
		text += "0," + strings.ReplaceAll(f, "_", "") + "\n"
	}
	return text
}

// TestCSVToParquetStyle has numbers as options say that they are written.
func TestCSVToParquetStyle(t *testing.T) {
	text := "a;b;c;d\n1.234,50; 7 ;-999;1.50\n-0,5;\" 8\";+3;x\n"
	tab := open(t, writeFile(t, "in.csv", text), table.ReadOptions{Decimal: ',', Thousands: '.', Null: []string{"-999"}})
	again := open(t, write(t, tab, "out.parquet", nil, nil), table.ReadOptions{})
	if got, want := columnNames(again), "a:double* b:int64* c:int64* d:string"; got != want {
		t.Errorf("got columns %q, want %q", got, want)
	}
	if got, want := writeText(t, again, nil, nil), "a,b,c,d\n1234.5,7,,1.50\n-0.5,8,3,x\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := writeText(t, tab, nil, nil); got != text {
		t.Errorf("as CSV: got %q, want what it was", got)
	}
}

// TestCSVToParquetNotes wants to be told of numbers that made a column text: the
// first that neither int64 nor float64 holds, whatever the chunks.
func TestCSVToParquetNotes(t *testing.T) {
	text := "id,x,big,mixed,n,name,gone\n" +
		"7,1.50,1,4295806720301234567,9223372036854775807,a,NA\n" +
		"007,0.12345678901234567890,18446744073709551615,1,5,007,NA\n" +
		"08,1,1e400,1.5,,1.5,NA\n"
	want := `written as text, since numbers would change: id ("007" in row 1, line 3, has leading zeros); ` +
		`x ("0.12345678901234567890" in row 1, line 3, has digits that float64 does not hold); ` +
		`big ("18446744073709551615" in row 1, line 3, is beyond int64); ` +
		`mixed ("4295806720301234567" in row 0, line 2, is not exact as float64, which others in the column need). ` +
		`For a column of numbers mend these in the input; as a coordinate (--columns) it serves as it is`
	for _, size := range []int{1, 40, 1 << 20} {
		tab := open(t, writeFile(t, "in.csv", text), table.Chunked(table.ReadOptions{Threads: 2}, size))
		again := open(t, write(t, tab, "out.parquet", nil, nil), table.ReadOptions{})
		if got, want := columnNames(again), "id:string x:string big:string mixed:string n:int64* name:string gone:string"; got != want {
			t.Errorf("got columns %q, want %q", got, want)
		}
		if got := loudNotes(tab); got != want {
			t.Errorf("chunks of %d: got notes %q, want %q", size, got, want)
		}
	}
	tab := openText(t, "x,y\n1.50,\n2e0,NA\n")
	write(t, tab, "out.parquet", nil, nil)
	if got := loudNotes(tab); got != "" {
		t.Errorf("got notes %q of numbers, want none", got)
	}
}

func TestCSVParquetCSV(t *testing.T) {
	var text strings.Builder
	text.WriteString("id,zone,x,note\n")
	for range 5000 { // several batches
		text.WriteString("4295806720301234567,007,0.1,\"a, b\"\n0,,-12.5,\n,x,,\"line\nend\"\n")
	}
	tab := openText(t, text.String())
	labels := make([]int64, tab.Rows())
	valid := make([]bool, tab.Rows())
	for i := range labels {
		labels[i], valid[i] = int64(i%7), i%3 != 0
	}
	for _, compression := range []string{"", "snappy", "gzip", "none"} {
		path := filepath.Join(t.TempDir(), "out.pq")
		err := tab.WriteWith(t.Context(), path, nil, []table.Added{{Name: "k", Values: labels, Valid: valid}}, table.WriteOptions{Compression: compression})
		if err != nil {
			t.Fatal(err)
		}
		again := open(t, path, table.ReadOptions{})
		if got, want := columnNames(again), "id:int64* zone:string x:double* note:string k:int64*"; got != want {
			t.Errorf("%s: got columns %q, want %q", compression, got, want)
		}
		if got := writeText(t, again, []string{"id", "zone", "x", "note"}, nil); got != text.String() {
			t.Errorf("%s: came out otherwise than it went in", compression)
		}
		f, err := again.Floats(t.Context(), []string{"k"})
		if err != nil || f.Bad[0].Nulls != 5000 || f.Data[1] != 1 || !math.IsNaN(f.Data[3]) {
			t.Errorf("%s: labels came out otherwise: %+v %v", compression, f.Bad, err)
		}
	}
}
