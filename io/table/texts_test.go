package table_test

import (
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"

	"rtcluster/io/table"
)

// TestTexts takes values of CSV, and of Parquet over several row groups.
func TestTexts(t *testing.T) {
	type row struct {
		ID   int64   `parquet:"id"`
		Name *string `parquet:"name,optional"`
	}
	numbers := writeRows(t, []row{
		{9007199254740993, ptr("a")}, {2, nil}, {-3, ptr("c")}, {4, ptr("d")}, {5, ptr("e")},
	}, parquet.MaxRowsPerRowGroup(2))
	csv := openText(t, "x,id\n1, 007 \n2,NA\n3,9007199254740993\n4,\"a b\"\n")
	written := open(t, numbers, table.ReadOptions{})
	for _, test := range []struct {
		tab    *table.Table
		column string
		rows   []int64
		want   []string
	}{
		{csv, "id", []int64{3, 0, 2, 1, 0}, []string{"a b", "007", "9007199254740993", "", "007"}},
		{csv, "id", nil, []string{}},
		{written, "id", []int64{4, 0, 2}, []string{"5", "9007199254740993", "-3"}},
		{written, "name", []int64{1, 3}, []string{"", "d"}},
	} {
		got, err := test.tab.Texts(t.Context(), test.column, test.rows)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s of %d: got %q and %v, want %q", test.column, test.rows, got, err, test.want)
		}
	}
	if _, err := csv.Texts(t.Context(), "none", []int64{0}); err == nil {
		t.Error("an unknown column is no error")
	}
}
