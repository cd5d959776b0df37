package table_test

import (
	"errors"
	"strings"
	"testing"

	"rtcluster/io/table"
)

// TestCounted sees that reading CSV ends as soon as it is told to, and that rows
// are counted over all files.
func TestCounted(t *testing.T) {
	text := "x,y,z\n" + strings.Repeat("1,2,3\n", 300_000) // several chunks
	stop := errors.New("too many")
	last, width := int64(0), 0
	opt := table.ReadOptions{Load: func(name string) bool { return name != "z" }, Counted: func(rows int64, kept int) error {
		if last, width = rows, kept; rows > 200_000 {
			return stop
		}
		return nil
	}}
	one := writeFile(t, "one.csv", text)
	if _, err := table.Open(t.Context(), one, opt); !errors.Is(err, stop) || last >= 300_000 || width != 2 {
		t.Errorf("got %v after %d rows with %d numbers each, want %v before the end with 2", err, last, width, stop)
	}
	opt.Counted = func(rows int64, kept int) error { last, width = rows, kept; return nil }
	small := writeFile(t, "two.csv", "x,y,z\n1,2,3\n4,5,6\n")
	tab, err := table.OpenAll(t.Context(), []table.Input{{Path: one}, {Path: small}}, table.SetOptions{ReadOptions: opt})
	if err != nil {
		t.Fatal(err)
	}
	if last != 300_002 || width != 0 {
		t.Errorf("got %d rows with %d numbers each at the end, want 300002 with 0", last, width)
	}
	if err := tab.Close(); err != nil {
		t.Error(err)
	}
}

// TestCountedCatalog sees that the conversion of a FITS file ends as soon as it is told to.
func TestCountedCatalog(t *testing.T) {
	stop := errors.New("too many")
	_, err := table.Open(t.Context(), astropyFile("stars.fits.gz"), table.ReadOptions{Counted: func(rows int64, kept int) error {
		if rows != 3 || kept != 0 {
			t.Errorf("got %d rows with %d numbers each, want 3 with 0", rows, kept)
		}
		return stop
	}})
	if !errors.Is(err, stop) {
		t.Errorf("got %v, want %v", err, stop)
	}
}

// TestMemoryNeeds sees that estimates grow with what they depend on.
func TestMemoryNeeds(t *testing.T) {
	rows := make([]struct {
		A, B, C float64
	}, 20_000)
	for i := range rows {
		rows[i].A, rows[i].B, rows[i].C = float64(i)/3, float64(i)/7, float64(i)/11
	}
	pq := open(t, writeRows(t, rows), table.ReadOptions{})
	csv := openText(t, "A,B,C\n"+strings.Repeat("0.1,0.2,some text\n", 20_000))
	write := func(tab *table.Table, path string, keep []string, added int, compression string) int64 {
		return tab.WriteMemory(path, keep, added, table.WriteOptions{Compression: compression})
	}
	for _, c := range []struct {
		name       string
		less, more int64
	}{
		{"columns of Parquet", pq.ReadMemory([]string{"A"}), pq.ReadMemory([]string{"A", "B"})},
		{"the numbers' bytes", 2*8*20_000 - 1, pq.ReadMemory([]string{"A", "B"})},
		{"no columns", csv.ReadMemory([]string{"no such"}), csv.ReadMemory([]string{"A"})},
		{"kept columns", write(pq, "o.parquet", []string{"A"}, 1, "gzip"), write(pq, "o.parquet", nil, 1, "gzip")},
		{"added columns", write(pq, "o.parquet", nil, 1, ""), write(pq, "o.parquet", nil, 3, "")},
		{"values for Parquet", write(csv, "o.csv", nil, 1, ""), write(csv, "o.parquet", nil, 1, "")},
		{"text for Parquet", write(csv, "o.parquet", []string{"A"}, 1, ""), write(csv, "o.parquet", []string{"C"}, 1, "")},
		{"a folder", write(csv, "o.csv", nil, 1, "") - 1, write(csv, "o/", nil, 1, "")},
	} {
		if c.less >= c.more {
			t.Errorf("%s: got %d, then %d bytes, want more", c.name, c.less, c.more)
		}
	}
}
