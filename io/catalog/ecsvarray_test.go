package catalog_test

import (
	"strings"
	"testing"

	"rtcluster/io/catalog"
)

// arrays is ECSV with a column of arrays, of the given subtype, beside another.
func arrays(subtype string, fields ...string) []byte {
	text := "# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n" +
		"# - {name: a, unit: m, datatype: string, subtype: '" + subtype + "'}\n# - {name: n, datatype: int64}\na,n\n"
	for _, f := range fields {
		text += `"` + strings.ReplaceAll(f, `"`, `""`) + `",7` + "\n"
	}
	return []byte(text)
}

// TestECSVArrays has arrays as astropy writes them.
func TestECSVArrays(t *testing.T) {
	for _, c := range []struct {
		subtype string
		fields  []string
		columns string
		rows    []string
	}{
		{"float64[2]", []string{"[0.5,1.5]", "[NaN, -Infinity]", "[null,2]", ""}, "a_1:f64?[m||] a_2:f64?[m||] n:i64?", []string{"0.5 1.5 7", "NaN -Inf 7", "null 2 7", "null null 7"}},
		{"int16[2,3]", []string{"[[1,2,3],[4,5,-6]]"}, "a_1:i16?[m||] a_2:i16?[m||] a_3:i16?[m||] a_4:i16?[m||] a_5:i16?[m||] a_6:i16?[m||] n:i64?", []string{"1 2 3 4 5 -6 7"}},
		{"float32[1]", []string{"[0.1]"}, "a:f32?[m||] n:i64?", []string{"0.1 7"}},
		{"bool[2]", []string{"[true,false]"}, "a_1:bool?[m||] a_2:bool?[m||] n:i64?", []string{"1 0 7"}},
		{"string[2]", []string{`["a, b]", "c\"\\"]`, `["",null]`}, "a_1:text?[m||] a_2:text?[m||] n:i64?", []string{`"a, b]" "c\"\\" 7`, `"" null 7`}},
		{"float64[null]", []string{"[1.0]", "[]"}, "a:text?[m||] n:i64?", []string{`"[1.0]" 7`, `"[]" 7`}},
		{"float64[200,200]", []string{"[1.0]"}, "a:text?[m||] n:i64?", []string{`"[1.0]" 7`}},
		{"float64[0]", []string{"[]"}, "a:text?[m||] n:i64?", []string{`"[]" 7`}},
		{"json", []string{`{"a":1}`}, "a:text?[m||] n:i64?", []string{`"{\"a\":1}" 7`}},
	} {
		columns, rows, err := read(arrays(c.subtype, c.fields...), catalog.ECSV, "")
		if err != nil || columns != c.columns || strings.Join(rows, "\n") != strings.Join(c.rows, "\n") {
			t.Errorf("%s: got %s\n%s\nerror %v; want %s\n%s", c.subtype, columns, strings.Join(rows, "\n"), err, c.columns, strings.Join(c.rows, "\n"))
		}
	}
}

func TestECSVArraysRefused(t *testing.T) {
	const shape = "is no array of the shape that the header says"
	for _, c := range []struct{ subtype, field, want string }{
		{"float64[2]", "[1]", shape},
		{"float64[2]", "[1,2,3]", shape},
		{"float64[2]", "[1,2]]", shape},
		{"float64[2]", "[1,]", shape},
		{"float64[2]", "1,2", shape},
		{"float64[2]", "[[1,2]]", shape},
		{"float64[2]", "[1,2", shape},
		{"int8[2,2]", "[1,2,3,4]", shape},
		{"string[1]", `["a]`, shape},
		{"int8[2]", "[1,128]", `"128" is no whole number of 8 bits`},
		{"string[1]", `[a]`, `"a" is no text in JSON`},
		{"float64[9999]", "[1]", "has a table of 10001 columns"},
	} {
		content, want := arrays(c.subtype, c.field), "column a, row 0 (counted from 0), line 8: "
		if c.subtype == "float64[9999]" {
			content, want = []byte(strings.Replace(string(content), "n, datatype: int64", "n, datatype: string, subtype: 'int8[2]'", 1)), ""
		}
		_, _, err := read(content, catalog.ECSV, "")
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s %s: got error %v, want %q", c.subtype, c.field, err, c.want)
		}
	}
}
