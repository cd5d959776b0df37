package table_test

import (
	"fmt"
	"strings"
	"testing"

	"rtcluster/io/table"
)

// vizier is a table as VizieR sends it.
const vizier = "#\n#RESOURCE=yCat\n\nRA|DE|Source|Name\ndeg|deg||\n---|---|---|---\n 010.5|+1.0|4295806720301234567|a\n#end of part\n 011.0|-1.0| |b\n\n\n"

func TestCSVDialects(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		opt              table.ReadOptions
		want             string // rows and columns, or the error
		note             string // among the notes
	}{
		{"vizier", "a.tsv", vizier, table.ReadOptions{}, "2 RA:double* DE:double* Source:int64* Name:string", "line 6 holds a ruler, no data"},
		{"vizier, units as rows", "a.tsv", vizier, table.ReadOptions{UnitRows: "0"}, "4 RA:string DE:string Source:string Name:string", ""},
		{"units without a ruler", "a.csv", "n,ra,v\nid,deg,km/s\na,1,2\nb,3,4\n", table.ReadOptions{}, "2 n:string ra:int64* v:int64*", "line 2 holds units"},
		{"units of another kind", "a.csv", "ra,v\n[deg],(Sun)\n1,2\n", table.ReadOptions{}, "1 ra:int64* v:int64*", "line 2 holds units"},
		{"types, then units", "a.csv", "ra,v\nfloat,int\ndeg,mag\n1.5,2\n", table.ReadOptions{}, "1 ra:double* v:int64*", "line 3 holds units"},
		{"no units: a word that is none", "a.csv", "ra,v\nfoo,mag\n1,2\n", table.ReadOptions{}, "2 ra:string v:string", ""},
		{"no units: digits and a letter", "a.csv", "x,y\n41958 7A0,A\n1,2\n", table.ReadOptions{}, "2 x:string y:string", ""},
		{"no units: nothing numeric below", "a.csv", "ra,v\ndeg,mag\na,b\n", table.ReadOptions{}, "2 ra:string v:string", ""},
		{"no ruler: under words for missing values", "a.csv", "x|y\nNA|\n---|-\n1|2\n", table.ReadOptions{}, "3 x:string y:int64*", ""},
		{"no ruler: dashes are missing values", "a.csv", "ra,v\n--,--\n1,2\n", table.ReadOptions{}, "2 ra:int64* v:int64*", ""},
		{"unit rows as asked", "a.csv", "x,y\nfoo,bar\n1,2\n", table.ReadOptions{UnitRows: "1"}, "1 x:int64* y:int64*", ""},
		{"unit rows that are not there", "a.csv", "x,y\n1,2\n", table.ReadOptions{UnitRows: "3"}, "too few records for 3 unit rows", ""},
		{"header in a comment", "a.dat", "# made today\n# ra dec mag\n1 2 3\n", table.ReadOptions{}, "1 ra:int64* dec:int64* mag:int64*", "the names are in the comment on line 2"},
		{"header in a comment, separated by blanks alone", "a.csv", "# ra dec\n1,2\n", table.ReadOptions{}, "1 ra:int64* dec:int64*", "the names are in the comment"},
		{"header in a comment, not wanted", "a.dat", "# ra dec mag\n1 2 3\n", table.ReadOptions{Header: "no"}, "1 c1:int64* c2:int64* c3:int64*", ""},
		{"header in a comment over text", "a.csv", "#a,b\nx,y\nz,w\n", table.ReadOptions{Header: "comment"}, "2 a:string b:string", ""},
		{"header wanted in a comment, but none fits", "a.csv", "# one two three\n1,2\n", table.ReadOptions{Header: "comment"}, "line 2: no comment line before the first record holds 2 names", ""},
		{"comment that is no header", "a.csv", "# run 7\n1,2\n", table.ReadOptions{}, "1 c1:int64* c2:int64*", ""},
		{"comments in between alone", "a.csv", "a,b\n# c\n1,2\n", table.ReadOptions{}, "1 a:int64* b:int64*", "lines that begin with # are comments, as the other lines"},
		{"comment far behind", "a.csv", "a,b\n" + strings.Repeat("1,2\n", 100) + "# c\n", table.ReadOptions{}, "line 102: the record has 1 fields, want 2 as in the first one; is it a comment? (--comment '#')", ""},
		{"comments of another kind", "a.csv", "% c\na,b\n%\"x\n1,2\n", table.ReadOptions{Comment: "%"}, "1 a:int64* b:int64*", ""},
		{"no comments", "a.csv", "#a,b\n#1,2\n", table.ReadOptions{Comment: "none"}, "1 #a:string b:int64*", ""},
		{"comments alone", "a.csv", "#a,b\n#1,2\n", table.ReadOptions{}, "holds nothing but comments (--comment none", ""},
		{"quotes in comments", "a.csv", "# 5\" wide\na,b\n#\"\n1,\"x\ny\"\n#\"", table.ReadOptions{}, "1 a:int64* b:string", ""},
		{"bars", "a.tsv", "a|b\n1|2\n", table.ReadOptions{}, "1 a:int64* b:int64*", "separated by bars"},
		{"tabs by format", "a.csv", "a|b\tc\n1|2\t3\n", table.ReadOptions{Format: "tsv"}, "1 a|b:string c:int64*", ""},
		{"ragged with bars", "a.csv", "a|b\n1|2\n3\n", table.ReadOptions{}, "line 3: the record has 1 fields, want 2 as in the first one; --ragged pad", ""},
		{"padded", "a.csv", "a,b,c\n1,2,3\n4\n\n5,6,7,,\n", table.ReadOptions{Ragged: "pad"}, "4 a:int64* b:int64* c:int64*", "3 rows, the first on line 3"},
		{"too long, but with nothing", "a.csv", "a,b\n1,2,\n3,4,\n", table.ReadOptions{}, "line 2: the record has more fields than the 2 of the first one, and nothing in them; --ragged pad", ""},
		{"too long, but with nothing, counted", "a.csv", "a,b\n1,2,\n2,4,\n", table.ReadOptions{}, "line 2: the record has more fields than the 2 of the first one", ""},
		{"padded, but too long", "a.csv", "a,b\n1,2,3\n", table.ReadOptions{Ragged: "pad"}, "line 2: the record has 3 fields, want 2", ""},
		{"skipped lines", "a.csv", "junk, \"\nmore\nx,y\n1,2\n", table.ReadOptions{Skip: 2}, "1 x:int64* y:int64*", ""},
		{"all lines skipped", "a.csv", "junk\nmore\n", table.ReadOptions{Skip: 9}, "has 3 lines, so 9 cannot be skipped", ""},
		{"more words for missing", "a.csv", "x\n-999\n?\n1\n", table.ReadOptions{Null: []string{"-999", "?"}}, "3 x:int64*", ""},
		{"decimal comma", "a.csv", "x;y\n1,5;-1,53e4\n,5;7\n", table.ReadOptions{Decimal: ','}, "2 x:double* y:double*", ""},
		{"decimal comma in quotes", "a.csv", "x,y\n\"1,5\",2\n", table.ReadOptions{Decimal: ','}, "1 x:double* y:int64*", ""},
		{"a point is none", "a.csv", "x;y\n1.5;2\n", table.ReadOptions{Decimal: ','}, "1 x:string y:int64*", ""},
		{"thousands", "a.csv", "x;y\n1,234,567;-12,345.5e1\n", table.ReadOptions{Thousands: ','}, "1 x:int64* y:double*", ""},
		{"thousands in wrong places", "a.csv", "w;x;y;z\n1234,567;1,23;1,2345;,123\n", table.ReadOptions{Thousands: ',', Header: "yes"}, "1 w:string x:string y:string z:string", ""},
		{"thousands behind the decimal", "a.csv", "x;y\n1.234,567;1.234,5\n1,234.567;1\n", table.ReadOptions{Thousands: '.', Decimal: ','}, "2 x:string y:double*", ""},
		{"thousands separated by blanks", "a.csv", "x;y\n1 234 567;2\n", table.ReadOptions{Thousands: ' '}, "1 x:int64* y:int64*", ""},
		{"first record of numbers and text", "a.csv", "1,a\n2,b\n", table.ReadOptions{}, "2 c1:int64* c2:string", "there is no header"},
		{"first record with text over numbers", "a.csv", "name,2020\na,1\n", table.ReadOptions{}, "2 c1:string c2:int64*", "there is no header"},
		{"the same, by option", "a.csv", "name,2020\na,1\n", table.ReadOptions{Header: "yes"}, "1 name:string 2020:int64*", ""},
		{"utf-16", "a.csv", "\xff\xfex\x00,\x00y\x00\n\x001\x00,\x00\xe9\x00", table.ReadOptions{}, "1 x:int64* y:string", "the text is utf-16le, its byte order mark says so"},
		{"utf-16 big endian", "a.csv", "\xfe\xff\x00x\x00\n\x001\x00\n", table.ReadOptions{}, "1 x:int64*", "utf-16be"},
		{"utf-16 without a mark", "a.csv", "x\x00\n\x001\x00\n\x00", table.ReadOptions{Encoding: "utf-16le"}, "1 x:int64*", "it was asked for"},
		{"utf-16 without a mark, guessed", "a.csv", "x\x00,\x00", table.ReadOptions{}, "--encoding utf-16le reads it", ""},
		{"latin9", "a.csv", "x\n\xa4\n", table.ReadOptions{Encoding: "latin9"}, "1 x:string", ""},
		{"names that repeat", "a.csv", "x,y,x,x#1\n1,2,3,4\n", table.ReadOptions{}, "1 x#1#:int64* y:int64* x#3:int64* x#1:int64*", `several columns are called "x"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab, err := table.Open(t.Context(), writeFile(t, c.file, c.text), c.opt)
			if err != nil {
				wantDataError(t, err, c.want)
				return
			}
			t.Cleanup(func() { _ = tab.Close() })
			if got := fmt.Sprint(tab.Rows(), " ", columnNames(tab)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if !strings.Contains(notes(tab), c.note) {
				t.Errorf("got notes %q, want %q among them", notes(tab), c.note)
			}
		})
	}
}

func TestCSVOutputKeepsAll(t *testing.T) {
	labels := []table.Added{{Name: "k", Values: []int64{5, 6}}, {Name: "s", Values: []float64{.5, 1}}}
	for _, c := range []struct {
		name, text string
		opt        table.ReadOptions
		keep       []string
		want       string
	}{
		{
			"vizier",
			vizier,
			table.ReadOptions{},
			nil,
			"#\n#RESOURCE=yCat\n\nRA|DE|Source|Name|k|s\ndeg|deg||||\n---|---|---|---|---|---\n" +
				" 010.5|+1.0|4295806720301234567|a|5|0.5\n#end of part\n 011.0|-1.0| |b|6|1\n",
		},
		{
			"vizier, some columns", vizier,
			table.ReadOptions{},
			[]string{"Source"},
			"#\n#RESOURCE=yCat\n\nSource|k|s\n||\n---|---|---\n4295806720301234567|5|0.5\n#end of part\n |6|1\n",
		},
		{"header in a comment", "# x,y\n1,2\n# c\n3,4\n", table.ReadOptions{}, nil, "# x,y,k,s\n1,2,5,0.5\n# c\n3,4,6,1\n"},
		{"header in a comment, one column", "# x,y\n1,2\n3,4\n", table.ReadOptions{}, []string{"y"}, "# y,k,s\n2,5,0.5\n4,6,1\n"},
		{"comments before rows", "# c\n1,2\n3,4\n", table.ReadOptions{}, nil, "# c\nc1,c2,k,s\n1,2,5,0.5\n3,4,6,1\n"},
		{"comment without line end", "x,y\n1,2\n3,4\n# c", table.ReadOptions{Comment: "#"}, nil, "x,y,k,s\n1,2,5,0.5\n3,4,6,1\n# c"},
		{"skipped lines", "junk\r\nx,y\r\n1,2\r\n3,4\r\n", table.ReadOptions{Skip: 1}, nil, "junk\r\nx,y,k,s\r\n1,2,5,0.5\r\n3,4,6,1\r\n"},
		{"padded", "x,y\n1\n2,3,,\n", table.ReadOptions{Ragged: "pad"}, nil, "x,y,k,s\n1,,5,0.5\n2,3,6,1\n"},
		{"decimal comma", "x;y\n1,5;2\n2;2\n", table.ReadOptions{Decimal: ','}, nil, "x;y;k;s\n1,5;2;5;0,5\n2;2;6;1\n"},
		{"decimal comma in quotes", "x,y\n\"1,5\",2\n2,2\n", table.ReadOptions{Decimal: ','}, nil, "x,y,k,s\n\"1,5\",2,5,\"0,5\"\n2,2,6,1\n"},
		{"names that repeat", "a,a\n1,2\n3,4\n", table.ReadOptions{}, []string{"#2"}, "a,k,s\n2,5,0.5\n4,6,1\n"},
		{"comments behind fields", "x,y # c\n1,2 # one\n3,4\t# \"two", table.ReadOptions{Trailing: "yes"}, nil, "x,y,k,s # c\n1,2,5,0.5 # one\n3,4,6,1\t# \"two"},
		{"comments behind fields of blanks", "1 2 # one\r\n3 4\r\n", table.ReadOptions{}, []string{"c2"}, "c2,k,s\r\n2,5,0.5 # one\r\n4,6,1\r\n"},
		{"names and types in comments", "#x,y\n#int,int\n1,2\n3,4\n", table.ReadOptions{}, nil, "#x,y,k,s\n#int,int,,\n1,2,5,0.5\n3,4,6,1\n"},
		{"names and types in comments, again", "#x,y,z\n#int,int,\n1,2,a\n3,4,b\n", table.ReadOptions{}, []string{"y"}, "#y,k,s\n#int,,\n2,5,0.5\n4,6,1\n"},
		{"names of rows", "x\ty\na\t1\t2\nb\t3\t4\n", table.ReadOptions{}, nil, "x\ty\tk\ts\na\t1\t2\t5\t0.5\nb\t3\t4\t6\t1\n"},
		{"names of rows between blanks", "\"x\" \"y\"\n\"1\" 5 6\n\"2\" 7 8\n", table.ReadOptions{}, nil, ",\"x\",\"y\",k,s\n\"1\",5,6,5,0.5\n\"2\",7,8,6,1\n"},
		{"for spreadsheets", "sep=;\r\na;b\r\n1;2\r\n3;4\r\n", table.ReadOptions{}, nil, "sep=;\r\na;b;k;s\r\n1;2;5;0.5\r\n3;4;6;1\r\n"},
		{"quotes between blanks", "a n\n1 \"x, y\"\n2 z\n", table.ReadOptions{}, nil, "a,n,k,s\n1,\"x, y\",5,0.5\n2,z,6,1\n"},
		{"utf-16", "\xff\xfex\x00\n\x00\xe9\x00\n\x001\x00\n\x00", table.ReadOptions{}, nil, "x,k,s\né,5,0.5\n1,6,1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab := open(t, writeFile(t, "in.csv", c.text), c.opt)
			if got := writeText(t, tab, c.keep, labels); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestCSVLoad reads numbers while the file is opened.
func TestCSVLoad(t *testing.T) {
	var text strings.Builder
	text.WriteString("id,x,y,name,late\n")
	for i := range 3000 {
		late := "1"
		if i == 2500 {
			late = "oops"
		}
		fmt.Fprintf(&text, "4295806720301234567,%d,%d.5,n,%s\n", i, -i, late)
	}
	path := writeFile(t, "in.csv", text.String())
	opt := table.Chunked(table.ReadOptions{Threads: 3, Load: func(c string) bool { return c != "id" }}, 1000)
	for _, columns := range [][]string{{"x", "y"}, {"y", "x"}, {"y"}, {"x", "y", "x"}} {
		tab := open(t, path, opt)
		if got, want := columnNames(tab), "id: x:int64* y:double* name:string late:string"; got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
		for range 2 { // kept, and read again
			f, err := tab.Floats(t.Context(), columns)
			if err != nil {
				t.Fatal(err)
			}
			for i := range f.Rows {
				for j, c := range columns {
					want := float64(i)
					if c == "y" {
						want = -float64(i) - .5
						if i == 0 {
							want = .5
						}
					}
					if got := f.Data[i*f.Cols+j]; got != want {
						t.Fatalf("row %d: got %s = %v, want %v", i, c, got, want)
					}
				}
			}
		}
		_, err := tab.Floats(t.Context(), []string{"late"})
		wantDataError(t, err, `column "late": line 2502 (row 2500): "oops" is not a number`)
		_, err = tab.Floats(t.Context(), []string{"x", "id"})
		wantDataError(t, err, `column "id": line 2 (row 0): the integer 4295806720301234567 is not exact`)
	}
}
