package table_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"rtcluster/io/table"
)

// show writes records as [field|field] with escapes.
func show(all []table.Record) string {
	var b strings.Builder
	for _, r := range all {
		fmt.Fprintf(&b, "[%s]", strings.Join(r.Texts, "|"))
	}
	return b.String()
}

func TestScanRecords(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		delim            byte
	}{
		{"plain", "a,b\n1,2\n", "[a|b][1|2]", ','},
		{"no last line end", "a,b\n1,2", "[a|b][1|2]", ','},
		{"crlf", "a,b\r\n1,2\r\n", "[a|b][1|2]", ','},
		{"crlf and a last cr", "a,b\r\n1,2\r", "[a|b][1|2]", ','},
		{"cr inside a field", "a\rb,c\n", "[a\rb|c]", ','},
		{"empty fields", ",\n,,\n", "[|][||]", ','},
		{"empty last field without line end", "a,", "[a|]", ','},
		{"blank lines", "\n\na\n", "[][][a]", ','},
		{"quotes", `"a","b,c"` + "\n", "[a|b,c]", ','},
		{"quoted and empty", `"",""` + "\n", "[|]", ','},
		{"doubled quotes", `"a""b","""","x"""` + "\n", `[a"b|"|x"]`, ','},
		{"line end in quotes", "\"a\nb\",c\n", "[a\nb|c]", ','},
		{"crlf in quotes", "\"a\r\nb\"\r\n", "[a\r\nb]", ','},
		{"quoted without line end", `a,"b"`, "[a|b]", ','},
		{"quoted and a last cr", "a,\"b\"\r", "[a|b]", ','},
		{"blanks about quotes", "a, \"b,c\" ,d\n", "[a|b,c|d]", ','},
		{"blanks about plain fields stay", "a, b ,c\n", "[a| b |c]", ','},
		{"quote inside a field is text", "5\" pipe,6\"\n", `[5" pipe|6"]`, ','},
		{"tab", "a\t\"b\tc\"\t\n", "[a|b\tc|]", '\t'},
		{"bar", "a|b,c|\n", "[a|b,c|]", '|'},
		{"runs of blanks", "  a  b\tc  \n d e f\n\n", "[a|b|c][d|e|f][]", ' '},
		{"quotes between blanks", "a \"b c\" \"\" \"d\"\"\"\n", `[a|b c||d"]`, ' '},
		{"quotes between blanks that are text", "\"a b\n\"c\"d e\" 5\"\n", "[\"a|b][\"c\"d|e\"|5\"]", ' '},
		{"empty", "", "", ','},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, buffer := range []int{1, 2, 3, 7, 64, 4096} {
				got, line, err := table.ScanAll([]byte(c.text), c.delim, "", false, buffer, 1<<20)
				if err != nil {
					t.Fatalf("buffer %d: line %d: %v", buffer, line, err)
				}
				if show(got) != c.want {
					t.Errorf("buffer %d: got %q, want %q", buffer, show(got), c.want)
				}
				raw := ""
				for _, r := range got {
					raw += r.Raw + r.EOL
				}
				if raw != c.text {
					t.Errorf("buffer %d: records are %q in all, want %q", buffer, raw, c.text)
				}
			}
		})
	}
}

func TestScanErrors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       error
		line       int64
	}{
		{"open quote", "a,b\n1,2\n3,\"4\n5,6\n", table.ErrOpen, 3},
		{"open quote on a later line of a record", "a\n\"x\n\",\"y\n", table.ErrOpen, 3},
		{"text after a quote", "a\n\"b\"c\n", table.ErrTrailed, 2},
		{"text after a quote on its second line", "a\n\"b\nc\"d\n", table.ErrTrailed, 3},
		{"quote after a quote", "\"b\" \"c\"\n", table.ErrTrailed, 1},
		{"nul", "a\nb\nc\x00d\n", table.ErrNUL, 3},
		{"nul without line end", "a\x00", table.ErrNUL, 1},
		{"nul in quotes", "a\n\"x\n\x00\"\n", table.ErrNUL, 3},
		{"record too long", "a\n" + strings.Repeat("x", 200) + "\n", table.ErrLong, 2},
		{"quote too long", "a\n\"" + strings.Repeat("x\n", 100) + "\n", table.ErrLong, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, buffer := range []int{1, 5, 64, 100} {
				_, line, err := table.ScanAll([]byte(c.text), ',', "", false, buffer, 100)
				if !errors.Is(err, c.want) || line != c.line {
					t.Errorf("buffer %d: got line %d: %v, want line %d: %v", buffer, line, err, c.line, c.want)
				}
			}
		})
	}
}

func TestScanLines(t *testing.T) {
	got, _, err := table.ScanAll([]byte("a\n\"b\n\n\"\n\nc\n"), ',', "", false, 4, 100)
	if err != nil {
		t.Fatal(err)
	}
	var lines []int64
	for _, r := range got {
		lines = append(lines, r.Line)
	}
	if want := []int64{1, 2, 5, 6}; !slices.Equal(lines, want) {
		t.Errorf("records begin on lines %d, want %d", lines, want)
	}
}
