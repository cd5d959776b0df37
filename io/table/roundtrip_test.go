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

func TestCSVToParquetTypes(t *testing.T) {
	for _, c := range []struct{ name, fields, want string }{
		{"integers", "1 -2 0 9223372036854775807", "int64"},
		{"integers and none", "1 _ 3", "int64"},
		{"floats", "1 2.5 -0 1e-7 100000000000000000000", "double"},
		{"nan", "1.5 NaN", "double"},
		{"leading zeros", "007 008", "string"},
		{"19 digits", "4295806720301234567 4295806720301234568", "int64"},
		{"20 digits", "18446744073709551615", "string"},
		{"19 digits beside a fraction", "4295806720301234567 1.5", "string"},
		{"trailing zeros", "1.50", "string"},
		{"plus", "+1", "string"},
		{"exponent of another style", "1E5", "string"},
		{"missing word", "1 NA", "string"},
		{"text", "a 1", "string"},
		{"nothing", "_ _", "string"},
		{"no UTF-8", "caf\xe9 1", "binary"},
		{"no UTF-8 after text", "a b\xff", "binary"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "i,x\n"
			for _, f := range strings.Fields(c.fields) {
				text += "0," + strings.ReplaceAll(f, "_", "") + "\n"
			}
			tab := openText(t, text)
			again := open(t, write(t, tab, "out.parquet", nil, nil), table.ReadOptions{})
			if got := again.Columns()[1].Type; got != c.want {
				t.Errorf("got type %s, want %s", got, c.want)
			}
			if c.want == "binary" {
				return // which CSV shows in base64
			}
			if got := writeText(t, again, nil, nil); got != text {
				t.Errorf("got %q, want %q", got, text)
			}
		})
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
