package table_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"rtcluster/io/table"
)

// maskedRow is a row of a table with masked columns, as astropy stores them.
type maskedRow struct {
	X     *float64 `parquet:"x,optional"`
	XMask *bool    `parquet:"x.mask,optional"`
	S     string   `parquet:"s"`
	SMask bool     `parquet:"s.mask"`
	Y     float64  `parquet:"y"`
	YMask bool     `parquet:"y.mask"`
}

// maskedYAML describes x, with a unit, and s as masked; y.mask is a column of its own.
const maskedYAML = `datatype:
- {name: x, unit: pc, datatype: float64}
- {name: x.mask, datatype: bool}
- {name: s, datatype: string}
- {name: s.mask, datatype: bool}
meta: !!omap
- other: {data: 1, mask: 2}
- __serialized_columns__:
    x:
      unit: !astropy.units.Unit {unit: pc}
      value: !astropy.table.SerializedColumn
        data: !astropy.table.SerializedColumn {name: x}
        mask: !astropy.table.SerializedColumn {name: x.mask}
    s:
      data: !astropy.table.SerializedColumn {name: s}
      mask: !astropy.table.SerializedColumn {name: s.mask}
    gone:
      data: !astropy.table.SerializedColumn {name: gone}
      mask: !astropy.table.SerializedColumn {name: gone.mask}
`

// maskedFile writes rows in row groups of 1000: of x, every fourth is null, every
// third hidden; of s, whose texts are numbers but for hidden ones, every fifth.
func maskedFile(t *testing.T, yaml string) string {
	rows := make([]maskedRow, 2500)
	for i := range rows {
		r := maskedRow{S: fmt.Sprint(i % 7), SMask: i%5 == 0, Y: float64(i), YMask: true}
		if i%4 != 0 {
			r.X = ptr(float64(i))
		}
		if i%2 != 0 || i%3 == 0 {
			r.XMask = ptr(i%3 == 0)
		}
		if r.SMask {
			r.S = "masked"
		}
		rows[i] = r
	}
	return parquetFile(t, t.TempDir(), "in.parquet", rows, parquet.MaxRowsPerRowGroup(1000), parquet.KeyValueMetadata("table_meta_yaml", yaml))
}

// checkMasked wants x and s to be missing where they are hidden.
func checkMasked(t *testing.T, tab *table.Table) {
	t.Helper()
	f, err := tab.Floats(t.Context(), []string{"x", "s:double", "y"})
	if err != nil {
		t.Fatal(err)
	}
	var nulls [3]int64
	for i := range int64(f.Rows) {
		want := [3]float64{float64(i), float64(i % 7), float64(i)}
		if i%4 == 0 || i%3 == 0 {
			want[0] = math.NaN()
			nulls[0]++
		}
		if i%5 == 0 {
			want[1] = math.NaN()
			nulls[1]++
		}
		if got := f.Data[3*i : 3*i+3]; !sameFloats(got, want[:]) {
			t.Fatalf("row %d: got %v, want %v", i, got, want)
		}
	}
	for k, b := range f.Bad {
		if b.Nulls != nulls[k] || b.NaNs != 0 {
			t.Errorf("%s: got %d missing and %d NaN, want %d missing", b.Column, b.Nulls, b.NaNs, nulls[k])
		}
	}
	labels, err := tab.Labels(t.Context(), "s", 7)
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range labels.Of {
		if (k < 0) != (i%5 == 0) {
			t.Fatalf("row %d: got label %d", i, k)
		}
	}
}

func TestParquetMasks(t *testing.T) {
	tab := open(t, maskedFile(t, maskedYAML), table.ReadOptions{})
	checkMasked(t, tab)
	const want = "read as missing where a mask beside them (x.mask) is true, as the metadata say: x, s; outputs have both columns as they are, so keep both"
	if got := loudNotes(tab); got != want {
		t.Errorf("got notes %q, want %q", got, want)
	}
	if got := strings.SplitN(writeText(t, tab, nil, nil), "\n", 5)[3]; got != "2,,2,false,2,true" {
		t.Errorf("got row 2 as CSV %q", got)
	}
	again := open(t, write(t, tab, "out.parquet", nil, nil), table.ReadOptions{})
	checkMasked(t, again)
	if got, want := writeText(t, again, nil, nil), writeText(t, tab, nil, nil); got != want {
		t.Error("columns changed on the way through Parquet")
	}
	some := open(t, write(t, again, "out.parquet", []string{"x", "s.mask", "s"}, nil), table.ReadOptions{})
	if value, found, err := some.KeyValue("rtcluster.masks"); value != `{"s":"s.mask"}` || !found || err != nil {
		t.Errorf("got masks %s %v, want that of s", value, err)
	}
	none := open(t, write(t, again, "out.parquet", []string{"x", "y"}, nil), table.ReadOptions{})
	if value, found, _ := none.KeyValue("rtcluster.masks"); found {
		t.Errorf("got masks %s of columns without", value)
	}
}

// TestParquetMasksOfMany reads two such files as one.
func TestParquetMasksOfMany(t *testing.T) {
	var inputs []table.Input
	for range 2 {
		inputs = append(inputs, table.Input{Path: maskedFile(t, maskedYAML)})
	}
	set, err := table.OpenAll(t.Context(), inputs, table.SetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = set.Close() })
	path := filepath.Join(t.TempDir(), "out.parquet")
	if err := set.WriteWith(t.Context(), path, nil, nil, table.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, tab := range []*table.Table{set, open(t, path, table.ReadOptions{})} {
		f, err := tab.Floats(t.Context(), []string{"x"})
		if err != nil || f.Rows != 5000 || f.Bad[0].Nulls != 2*1250 {
			t.Errorf("got %d rows, %+v, error %v", f.Rows, f.Bad, err)
		}
	}
}

// TestParquetMasksNotSaid reads boolean columns of such names as any other.
func TestParquetMasksNotSaid(t *testing.T) {
	for _, yaml := range []string{
		"datatype:\n- {name: x, datatype: float64}\n- {name: x.mask, datatype: bool}\n",
		"[", "meta: 3", strings.ReplaceAll(maskedYAML, "__serialized_columns__", "columns"),
		strings.ReplaceAll(maskedYAML, "name: x.mask}", "name: y}"), // is no boolean
	} {
		tab := open(t, maskedFile(t, yaml), table.ReadOptions{})
		f, err := tab.Floats(t.Context(), []string{"x"})
		if err != nil || f.Bad[0].Nulls != 625 {
			t.Errorf("%.20q: got %+v, error %v; want the nulls of x alone", yaml, f.Bad, err)
		}
	}
}
