package table_test

import (
	"os"
	"testing"

	"rtcluster/io/table"
)

// TestAddedInt32 adds the same numbers as []int32 and as []int64, to one file and to
// two, which part them: what is written is the same to the byte.
func TestAddedInt32(t *testing.T) {
	dir := t.TempDir()
	paths := []string{parquetFile(t, dir, "a.parquet", makeRows(3)), parquetFile(t, dir, "b.parquet", makeRows(2))}
	valid := []bool{true, true, false, true, true}
	narrow, wide := []int32{-1, 2147483647, 7, -2147483648, 0}, []int64{-1, 2147483647, 7, -2147483648, 0}
	for _, c := range []struct {
		name string
		tab  *table.Table
	}{
		{"one file", open(t, parquetFile(t, dir, "whole.parquet", makeRows(5)), table.ReadOptions{})},
		{"two files", openAll(t, table.SetOptions{}, paths...)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var written [2][]string
			for i, values := range []any{narrow, wide} {
				added := []table.Added{{Name: "k", Values: values}, {Name: "o", Values: values, Valid: valid}}
				text := writeText(t, c.tab, []string{"z"}, added)
				bytes, err := os.ReadFile(write(t, c.tab, "out.parquet", nil, added))
				if err != nil {
					t.Fatal(err)
				}
				written[i] = []string{text, string(bytes)}
			}
			for k, text := range written[0] {
				if text != written[1][k] {
					t.Errorf("output %d is not that of []int64", k)
				}
			}
		})
	}
}
