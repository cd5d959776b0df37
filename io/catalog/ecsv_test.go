package catalog_test

import (
	"strconv"
	"strings"
	"testing"

	"rtcluster/io/catalog"
)

// TestECSVHeader is about headers that say something else than ECSV wants: one line, in
// terms of ECSV, with the line of the file.
func TestECSVHeader(t *testing.T) {
	for _, c := range []struct {
		name    string
		content []byte
		want    string
	}{
		{"a header of many lines", ecsv("# - {name: x, datatype: int64}", "# meta: "+strings.Repeat(strings.Repeat("x", 1<<10)+"\n#  ", 5<<10), "x"), "has a header of more than 4 MiB"},
		{"a header of many parts", ecsv("# - {name: x, datatype: int64}", "# meta: ["+strings.Repeat("1,", 300000)+"1]", "x"), "or 262144 parts"},
		{"a header that is a list", []byte("# %ECSV 1.0\n# ---\n# - 1\nx\n"), "has a header without keys, in line 3: want datatype"},
		{"a mapping of columns", []byte("# %ECSV 1.0\n# ---\n# datatype: {x: 1}\nx\n"), "has a header whose datatype is no list of columns, in line 3"},
		{"no column", ecsv("# - {name: x, datatype: int64}", "# - y", "x y"), "has something else than a column in its header, in line 5"},
		{"a column without a name", ecsv("# - {name: x, datatype: int64}", "# - {datatype: int64}", "x y"), "has a column without a name in its header, in line 5"},
		{"YAML that ends", ecsv("# - {name: x, datatype: int64", "# - [", "x"), "has a header that cannot be read as YAML: near line 3: did not find expected ',' or '}'"},
		{"a number that is none", ecsv("# - {name: x, datatype: int64}", "x", "1", "", "# more", "two"), `column x, row 1 (counted from 0), line 9: "two" is no whole number`},
		{"a mask that is not there", ecsv("# - {name: x, datatype: int64}", "# meta:", "# - __serialized_columns__:", "#     x: {data: {name: x}, mask: {name: y}}", "x", "1"), "in line 7, that a mask tells where column x is null, and there is no such column of bool"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := read(c.content, catalog.ECSV, "")
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got error %v, want one line with %q", err, c.want)
			}
		})
	}
}

// TestMasks reads columns in two parts, as astropy writes them with
// serialize_method='data_mask', of plain columns and of quantities.
func TestMasks(t *testing.T) {
	content := `# %ECSV 1.0
# ---
# datatype:
# - {name: x, datatype: float64}
# - {name: x.mask, datatype: bool}
# - {name: q.mask, datatype: bool}
# - {name: q, unit: deg, datatype: int64}
# - {name: s, datatype: string}
# - {name: s.mask, datatype: bool}
# - {name: flag.mask, datatype: bool}
# meta: !!omap
# - {note: 1}
# - __serialized_columns__:
#     q:
#       __class__: astropy.units.quantity.Quantity
#       unit: !astropy.units.Unit {unit: deg}
#       value: !astropy.table.SerializedColumn
#         __class__: astropy.utils.masked.core.MaskedNDArray
#         data: !astropy.table.SerializedColumn {name: q}
#         mask: !astropy.table.SerializedColumn {name: q.mask}
#     s:
#       __class__: astropy.table.column.MaskedColumn
#       data: !astropy.table.SerializedColumn {name: s}
#       mask: !astropy.table.SerializedColumn {name: s.mask}
#     x:
#       __class__: astropy.table.column.MaskedColumn
#       data: !astropy.table.SerializedColumn {name: x}
#       mask: !astropy.table.SerializedColumn {name: x.mask}
x x.mask q.mask q s s.mask flag.mask
1.5 False False 1 a True True
2.5 True False 2 b False False
3.5 False True 3 c False True
`
	columns, rows, err := read([]byte(content), catalog.ECSV, "")
	want := "x:f64? q:i64?[deg||] s:text? flag.mask:bool?"
	if err != nil || columns != want {
		t.Fatalf("got columns %s, error %v; want %s", columns, err, want)
	}
	if got, want := strings.Join(rows, "; "), `1.5 1 null 1; null 2 "b" 0; 3.5 null "c" 1`; got != want {
		t.Errorf("got rows %s, want %s", got, want)
	}
}

// TestManyColumns reads a header of as many columns as there may be, with much said.
func TestManyColumns(t *testing.T) {
	var b strings.Builder
	b.WriteString("# %ECSV 1.0\n# ---\n# datatype:\n")
	names := make([]string, 10000)
	for i := range names {
		names[i] = "column" + strconv.Itoa(i)
		b.WriteString("# - {name: " + names[i] + ", unit: km / s, datatype: float64, description: 'long, longer'}\n")
	}
	b.WriteString(strings.Join(names, " ") + "\n")
	r, err := catalog.Open(strings.NewReader(b.String()), catalog.ECSV, "")
	if err != nil || len(r.Columns) != 10000 || r.Columns[9999].Description != "long, longer" {
		t.Errorf("got error %v", err)
	}
}
