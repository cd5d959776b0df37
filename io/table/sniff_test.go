package table_test

import (
	"fmt"
	"strings"
	"testing"

	"rtcluster/io/table"
)

// TestSniff is about files as programs write them, and what is made of them.
func TestSniff(t *testing.T) {
	const (
		rTable   = "\"x\" \"y\" \"g\"\n\"1\" 1.5 2 \"a b\"\n\"2\" NA 3 \"b\"\n"
		trailing = "x,y\n1.0,2.0 # first\n3.0,4.0\n5.0,6.0 # third, with a comma\n"
	)
	for _, c := range []struct {
		name, text string
		opt        table.ReadOptions
		want       string // rows and columns
		note       string // among the notes
	}{
		{"decimal commas between semicolons", "1,5;2,5\n3,5;4,5\n", table.ReadOptions{}, "2 c1:string c2:string", "semicolons, which leave commas in numbers only"},
		{"the same, asked for", "1,5;2,5\n3,5;4,5\n", table.ReadOptions{Decimal: ','}, "2 c1:double* c2:double*", "separated by semicolons"},
		{"the same, taken apart", "1,5;2,5\n3,5;4,5\n", table.ReadOptions{Delimiter: ','}, "2 c1:int64* c2:string c3:int64*", ""},
		{"decimal commas between tabs", "1,5\t2,5\n3,5\t4,5\n", table.ReadOptions{}, "2 c1:string c2:string", "separated by tabs, which leave"},
		{"decimal commas between blanks", "1,5 2,5\n3,5 4,5\n", table.ReadOptions{}, "2 c1:string c2:string", "separated by blanks, which leave"},
		{"commas and blanks", "1, 2, 3\n4, 5, 6\n", table.ReadOptions{}, "2 c1:int64* c2:int64* c3:int64*", "separated by commas"},
		{"a list in a field", "id,list\n1,5;6\n2,7;8\n", table.ReadOptions{}, "2 id:int64* list:string", "separated by commas"},
		{"a header over decimal commas", "Name;Wert\nA;1,5\nB;1.234,50\n", table.ReadOptions{}, "2 Name:string Wert:string", `it has the text "Wert" over numbers`},

		{"for spreadsheets", "sep=;\r\na;b\r\n1;2\r\n", table.ReadOptions{}, "1 a:int64* b:int64*", "as the first line says"},
		{"for spreadsheets, after a mark", "\ufeffsep=|\na|b,c\n1|2\n", table.ReadOptions{}, "1 a:int64* b,c:int64*", "as the first line says"},

		{"for spreadsheets, but nothing follows", "sep=;\n", table.ReadOptions{}, "0 sep=:empty* c2:empty*", ""},
		{"not for spreadsheets", "sep=0\na\n", table.ReadOptions{}, "1 sep=0:string", ""},

		{"comments behind fields", trailing, table.ReadOptions{}, "3 x:double* y:double*", "comments stand behind fields too, from # on, as all lines"},
		{"comments behind fields of blanks", "# x y\n1 2 # one\n3 4\n5 6#\n", table.ReadOptions{}, "3 x:int64* y:int64*", "comments stand behind fields too"},
		{"comments behind all fields of blanks", "1 2 # one\n3 4 # two\n", table.ReadOptions{}, "2 c1:int64* c2:int64*", "as the fields before them are numbers"},
		{"comments that cost numbers", "x,y\n1,2 # one\n3,4 # two\n", table.ReadOptions{}, "2 x:int64* y:int64*", "as the fields before them are numbers"},
		{"comments of another kind behind fields", "x,y\n1,2 // one\n3,4\n", table.ReadOptions{Comment: "//"}, "2 x:int64* y:int64*", "from // on"},
		{"comments behind quotes", "x,y\n1,\"a # b\" # \"c\n3,d\n", table.ReadOptions{Trailing: "yes"}, "2 x:int64* y:string", ""},
		{"a line of blanks and a comment", "x,y\n1,2\n  # c\n3,4 # d\n", table.ReadOptions{}, "2 x:int64* y:int64*", "comments stand behind fields too"},
		{"no comments: a name", "x,y\n1,HD#5\n2,HD#6\n", table.ReadOptions{}, "2 x:int64* y:string", ""},
		{"no comments: numbers, but no blank", "x,y\n1,5#a\n2,6#b\n", table.ReadOptions{}, "2 x:int64* y:string", ""},
		{"no comments: a field of its own", "x\n0\n#\n1\n", table.ReadOptions{}, "3 x:string", "there is one column"},
		{"no comments: not wanted", "x,y\n1,2 # one\n3,4\n", table.ReadOptions{Trailing: "no"}, "2 x:int64* y:string", ""},
		{"comments by option", "x,y\n1,a#b\n3,c\n", table.ReadOptions{Trailing: "yes"}, "2 x:int64* y:string", ""},

		{"comments that begin with %", "% by a program\n1 2\n3 4\n", table.ReadOptions{}, "2 c1:int64* c2:int64*", "lines that begin with % are comments, as the other lines"},
		{"comments that begin with //", "// x y\n1 2\n3 4\n", table.ReadOptions{}, "2 x:int64* y:int64*", "lines that begin with // are comments"},
		{"a name that begins with %", "%,n\n1,2\n3,4\n", table.ReadOptions{}, "2 %:int64* n:int64*", ""},
		{"names and types in comments", "#name,ra\n#string,double\na,1.5\n", table.ReadOptions{}, "1 name:string ra:double*", "the names are in the comment on line 1"},
		{"names and types in comments over text", "#name,type\n#string,string\na,b\nc,d\n", table.ReadOptions{}, "2 name:string type:string", "the names are in the comment on line 1"},
		{"types in a comment without names", "#string,double\na,1.5\n", table.ReadOptions{}, "1 string:string double:double*", "on line 1"},

		{"a ruler between blanks", "  x name\n---- ----\n 1.5    a\n22.5    b\n", table.ReadOptions{}, "2 x:double* name:string", "line 2 holds a ruler"},
		{"a ruler of another kind", "x   y\n=== =\n1   2\n", table.ReadOptions{}, "1 x:int64* y:int64*", "line 2 holds a ruler"},
		{"a ruler over fields with blanks", "  x name\n---- ----\n 1.5 M 31\n22.5 b\n", table.ReadOptions{}, "3 x name:string", "parts it by widths"},
		{"a ruler under a name of blanks", "full name\n---------\nAda Lovelace\n", table.ReadOptions{}, "1 full name:string", "there is one column"},

		{"names of rows", rTable, table.ReadOptions{}, "2 c1:int64* x:double* y:int64* g:string", "one name fewer"},
		{"names of rows between tabs", "x\ty\na\t1\t2\nb\t3\t4\n", table.ReadOptions{}, "2 c1:string x:int64* y:int64*", "one name fewer"},
		{"names of rows, delimiter given", "x y\n1 5 6\n2 7 8\n", table.ReadOptions{Delimiter: ' '}, "2 c1:int64* x:int64* y:int64*", "one name fewer"},

		{"quotes between blanks", "ra dec name\n1.5 2.5 \"a b\"\n3.5 4.5 \"\"\n", table.ReadOptions{}, "2 ra:double* dec:double* name:string", "separated by blanks"},
		{"pandas without names", "0,1,2\n1.5,2,3\n", table.ReadOptions{}, "1 0:double* 1:int64* 2:int64*", "as pandas writes it for columns without names"},
		{"pandas without names, but an index", ",0,1\n0,1.5,2\n", table.ReadOptions{}, "1 c1:int64* 0:double* 1:int64*", "as pandas writes it"},
		{"counted, but of integers", "0,1,2\n5,2,3\n", table.ReadOptions{}, "2 c1:int64* c2:int64* c3:int64*", "there is no header"},
		{"two columns are not counted", "0,1\n.5,2\n", table.ReadOptions{}, "2 c1:double* c2:int64*", "there is no header"},
		{"counted, but not wanted", "0,1,2\n1.5,2,3\n", table.ReadOptions{Header: "no"}, "2 c1:double* c2:int64* c3:int64*", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab := open(t, writeFile(t, "a.csv", c.text), c.opt)
			if got := fmt.Sprint(tab.Rows(), " ", columnNames(tab)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if !strings.Contains(notes(tab), c.note) {
				t.Errorf("got notes %q, want %q among them", notes(tab), c.note)
			}
		})
	}
}

// TestForeign is about files that are tables of another kind, or none.
func TestForeign(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"workbook", "PK\x03\x04\x14\x00", "a ZIP archive or a workbook of Excel"},
		{"bzip2", "BZh91AY&SY\x00", "compressed by bzip2"},
		{"xz", "\xfd7zXZ\x00\x00", "compressed by xz"},
		{"lz4", "\x04\x22\x4d\x18\x64", "compressed by LZ4"},
		{"hdf5", "\x89HDF\r\n\x1a\n", "an HDF5 file"},
		{"arrow", "ARROW1\x00\x00", "an Arrow file"},
		{"numpy", "\x93NUMPY\x01\x00", "a NumPy array"},
		{"orc", "ORC\x08", "an ORC file"},
		{"avro", "Obj\x01\x04", "an Avro file"},
		{"sqlite", "SQLite format 3\x00", "an SQLite database"},
		{"html", "\n<!DOCTYPE HTML>\n<p>404</p>", "a web page"},
		{"json", "[ {\"a\":1},\n{\"a\":2}]", "JSON"},
		{"json lines", "{\"a\":1}\n{\"a\":2}\n", "JSON"},
		{"ipac", "\\fixlen = T\n|  ra  |\n| double|\n  1.5 \n", "an IPAC table"},
		{"mrt", "Title: T\n====\nByte-by-byte Description of file: t.txt\n", "a table of CDS or AAS (MRT)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := writeFile(t, "a.csv", c.text)
			_, err := table.Open(t.Context(), path, table.ReadOptions{})
			wantDataError(t, err, "is "+c.want)
			if strings.Contains(c.text, "\x00") {
				return
			}
			_, err = table.Open(t.Context(), path, table.ReadOptions{Format: "csv"})
			if err != nil && strings.Contains(err.Error(), c.want) {
				t.Errorf("with a format: got %v, want it read as text", err)
			}
		})
	}
}

// TestFaults is about columns that are near to numeric: the first word that is no
// number, and what can be done.
func TestFaults(t *testing.T) {
	tab := openText(t, "name,late,money,old,n\na5,1,\"1,5\",masked,1\n7,2,\"2,5\",1,2\nb,x,\"3,5\",2,3\n")
	want := []string{
		"",
		`column "late": line 4 (row 2): "x" is not a number`,
		`column "money": line 2 (row 0): "1,5" is not a number; --decimal , reads it as one`,
		`column "old": line 2 (row 0): "masked" is not a number; if it stands for a missing value: --null 'masked'`,
		"",
	}
	for i, c := range tab.Columns() {
		switch {
		case want[i] == "" && c.Fault != nil:
			t.Errorf("column %s: got fault %v, want none", c.Name, c.Fault)
		case want[i] != "":
			wantDataError(t, c.Fault, want[i])
			if !strings.HasSuffix(c.Fault.Error(), want[i]) {
				t.Errorf("column %s: got %v, want %s at its end", c.Name, c.Fault, want[i])
			}
		}
	}
}

// TestSeparatorLine writes what a spreadsheet is told with another separator: the
// line that tells the old one goes.
func TestSeparatorLine(t *testing.T) {
	tab := open(t, writeFile(t, "a.csv", "\ufeffsep=;\na;b\n1;2\n"), table.ReadOptions{})
	if got, want := readFile(t, write(t, tab, "out.tsv", nil, nil)), "\ufeffa\tb\n1\t2\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
