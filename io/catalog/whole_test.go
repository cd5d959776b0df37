package catalog_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"

	"rtcluster/io/catalog"
)

// votable returns a document of tables, and what else stands there.
func votable(content string) []byte {
	return []byte("<VOTABLE><RESOURCE>" + content + "</RESOURCE></VOTABLE>")
}

// voRows returns a table of a column of integers.
func voRows(cells ...string) string {
	return `<TABLE><FIELD name="x" datatype="int"/><DATA><TABLEDATA><TR><TD>` + strings.Join(cells, "</TD></TR><TR><TD>") + "</TD></TR></TABLEDATA></DATA></TABLE>"
}

// voStream returns such a table in binary.
func voStream(text string) string {
	return `<TABLE><FIELD name="x" datatype="int"/><DATA><BINARY><STREAM encoding="base64">` + text + "</STREAM></BINARY></DATA></TABLE>"
}

// TestStream reads base64 that other things of XML stand in: it must not end there.
func TestStream(t *testing.T) {
	const a, b = "AAAAAQAA", "AAIAAAAD"
	for _, c := range []struct{ name, text, want string }{
		{"plain", a + b, "1 2 3"},
		{"lines", "\n" + a + "\r\n\t" + b[:3] + " " + b[3:] + "\n", "1 2 3"},
		{"a comment first", "<!-- rows -->" + a + b, "1 2 3"},
		{"comments between", a + "<!-- <a> &b; ]]> --><!---->" + b, "1 2 3"},
		{"a comment that is long", a + "<!--" + strings.Repeat("x\n", 9<<20) + "-->" + b, "1 2 3"},
		{"CDATA", "<![CDATA[" + a + b + "]]>", "1 2 3"},
		{"CDATA for a part", a + "<![CDATA[" + b + "]]> ", "1 2 3"},
		{"an instruction", a + "<?page 2 > ?>" + b, "1 2 3"},
		{"references", "&#65;&#x41;AAAQAA&#13;\n" + b, "1 2 3"},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, rows, err := read(votable(voStream(c.text)), catalog.VOTable, "")
			if got := strings.Join(rows, " "); err != nil || got != c.want {
				t.Errorf("got rows %s, error %v; want %s", got, err, c.want)
			}
		})
	}
	empty := strings.Replace(voStream("#"), ">#</STREAM>", "/>", 1)
	if _, rows, err := read(votable(empty), catalog.VOTable, ""); err != nil || len(rows) > 0 {
		t.Errorf("got rows %s, error %v of an empty element", rows, err)
	}
}

// TestPassedOver reads tables behind what is long and not wanted.
func TestPassedOver(t *testing.T) {
	long := strings.Repeat("x", 17<<20)
	stream := voStream(base64.StdEncoding.EncodeToString([]byte(long)))
	for _, c := range []struct{ name, content, pick string }{
		{"binary", stream + voRows("7"), "2"},
		{"a comment", "<!-- -- " + long + " -->" + voRows("7"), ""},
		{"behind the rows", voRows("7") + stream, "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, rows, err := read(votable(c.content), catalog.VOTable, c.pick)
			if err != nil || strings.Join(rows, " ") != "7" {
				t.Errorf("got rows %s, error %v; want 7", rows, err)
			}
		})
	}
	// What looks like a comment, and is none.
	text := `<TABLE><FIELD name="s" datatype="char" arraysize="*"/><DATA><TABLEDATA><TR><TD><?x <!-- ?><![CDATA[<!-- a]]>--&gt;<!--
-->b</TD></TR></TABLEDATA></DATA></TABLE>`
	_, rows, err := read(votable(text), catalog.VOTable, "")
	if err != nil || strings.Join(rows, " ") != `"<!-- a-->b"` {
		t.Errorf("got rows %s, error %v", rows, err)
	}
}

// TestLines sees that a line behind a comment of several lines has its number.
func TestLines(t *testing.T) {
	_, _, err := read([]byte("<VOTABLE>\n<!--\n\n-->\n<RESOURCE></TABLE>"), catalog.VOTable, "")
	if err == nil || !strings.Contains(err.Error(), "line 5") {
		t.Errorf("got error %v, want one with line 5", err)
	}
}

// TestIncomplete is about tables that are not all there, or not as they should be: one
// clear line each.
func TestIncomplete(t *testing.T) {
	rows := voRows("1", "2")
	stream := voStream("AAAAAQAAAAI=")
	for _, c := range []struct {
		name    string
		content []byte
		want    string
	}{
		{"an error behind the rows", votable(rows + `<INFO name="QUERY_STATUS" value="ERROR">out of
 time</INFO>`), `breaks off after 2 rows with an error of the server, which says: "out of time"`},
		{"an error in the table", votable(strings.Replace(rows, "</TABLE>", `<INFO name="QUERY_STATUS" value="ERROR"/></TABLE>`, 1)), "breaks off after 2 rows with an error of the server"},
		{"cut behind the rows", []byte("<VOTABLE><RESOURCE>" + rows), "is cut off in line 1"},
		{"more behind the end", append(votable(rows), "\n\n<x/>"...), "goes on behind the end of VOTABLE, in line 3"},
		{"other nrows", votable(strings.Replace(rows, "<TABLE", `<TABLE nrows="7"`, 1)), `has 2 rows where its nrows is "7"`},
		{"nrows without data", votable(`<TABLE nrows="7"><FIELD name="x" datatype="int"/></TABLE>`), `has 0 rows where its nrows is "7"`},
		{"a cell in base64", votable(strings.Replace(rows, "<TD>", `<TD encoding="base64">`, 1)), `row 0 (counted from 0): column x: the cell is in "base64"`},
		{"an element in base64", votable(strings.Replace(stream, "AAAA", "AAAA<x/>", 1)), "has something else than base64 in STREAM"},
		{"no end of CDATA", votable(strings.Replace(stream, "AAAA", "<![CDATA[AAAA]x]", 1)), "has something else than base64 in STREAM"},
		{"a strange character in base64", votable(strings.Replace(stream, "AAAA", "&lt;AAAA", 1)), "has something else than base64 in STREAM: &lt;"},
		{"cut in a comment in base64", votable(strings.Replace(stream, "AAAA", "<!-- ", 1)), "is cut off"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := read(c.content, catalog.VOTable, "")
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got error %v, want one line with %q", err, c.want)
			}
		})
	}
}

// TestOverflow is about answers that a server cut off: all rows are read, and it is told.
func TestOverflow(t *testing.T) {
	const overflow = `<INFO name="QUERY_STATUS" value="OVERFLOW"/>`
	for _, c := range []struct {
		name, content string
		warnings      int
	}{
		{"behind", voRows("1") + overflow, 1},
		{"in the table", strings.Replace(voStream("AAAAAQ=="), "</TABLE>", overflow+"</TABLE>", 1), 1},
		{"before", overflow + voRows("1"), 1},
		{"not", `<INFO name="QUERY_STATUS" value="OK"/>` + strings.Replace(voRows("1"), "<TABLE", `<TABLE nrows="1"`, 1), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := catalog.Open(bytes.NewReader(votable(c.content)), catalog.VOTable, "")
			if err != nil {
				t.Fatal(err)
			}
			row := make([]catalog.Value, 1)
			if err := r.Next(row); err != nil || row[0].Int != 1 {
				t.Fatalf("got %v, error %v", row, err)
			}
			for range 2 {
				if err := r.Next(row); !errors.Is(err, io.EOF) {
					t.Fatalf("got error %v, want the end", err)
				}
			}
			if len(r.Warnings) != c.warnings {
				t.Errorf("got warnings %q, want %d", r.Warnings, c.warnings)
			}
		})
	}
}

// TestEncodings reads documents with a prefix, and in other encodings.
func TestEncodings(t *testing.T) {
	const head = `<?xml version="1.0" encoding="UTF-16"?>`
	document := head + string(votable(voRows("1", "2")))
	in := func(text string, order unicode.Endianness, mark unicode.BOMPolicy) []byte {
		b, err := unicode.UTF16(order, mark).NewEncoder().Bytes([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	prefixed := strings.NewReplacer("</", "</v:", "<?", "<?", "<", "<v:").Replace(document)
	plain := string(ecsv("# - {name: x, datatype: int32}", "x", "1", "2"))
	for _, c := range []struct {
		name, format string
		content      []byte
	}{
		{"UTF-8 that says UTF-16", catalog.VOTable, []byte(document)},
		{"a prefix", catalog.VOTable, []byte(prefixed)},
		{"a prefix and no declaration", catalog.VOTable, []byte(strings.TrimPrefix(prefixed, head))},
		{"little-endian with a mark", catalog.VOTable, in(document, unicode.LittleEndian, unicode.UseBOM)},
		{"big-endian with a mark", catalog.VOTable, in(document, unicode.BigEndian, unicode.UseBOM)},
		{"little-endian", catalog.VOTable, in(document, unicode.LittleEndian, unicode.IgnoreBOM)},
		{"big-endian", catalog.VOTable, in(document, unicode.BigEndian, unicode.IgnoreBOM)},
		{"ECSV with a mark", catalog.ECSV, []byte("\ufeff" + plain)},
		{"ECSV in UTF-16", catalog.ECSV, in(plain, unicode.LittleEndian, unicode.UseBOM)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := catalog.Detect(c.content); got != c.format {
				t.Errorf("detected as %q", got)
			}
			columns, rows, err := read(c.content, c.format, "")
			if err != nil || columns != "x:i32?" || strings.Join(rows, " ") != "1 2" {
				t.Errorf("got columns %s, rows %s, error %v", columns, rows, err)
			}
		})
	}
	for _, text := range []string{"<html><votable/></html>", "<votables/>", "x <VOTABLE>", "<?xml?><x votable='1'/>"} {
		if got := catalog.Detect([]byte(text)); got != "" {
			t.Errorf("%s is detected as %q", text, got)
		}
	}
}
