package paper_test

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"rtcluster/bench/paper"
)

// sample is a table with cells of each kind, and a header.
func sample() (*paper.Table, paper.Header) {
	t := &paper.Table{Columns: []string{"set", "rows", "pairs", "eps", "seconds", "speedup"}}
	t.Add("wec, all", 287_999, int64(1_175_790_333), 0.008358, paper.Time{Seconds: 0.1234567}, &paper.Ratio{Value: 12.3456, Bound: ">"})
	t.Add("msd", 12, nil, 0.5, paper.Time{Seconds: 60, Over: true}, (*paper.Ratio)(nil))
	t.Note("a note of %d", 1)
	t.Note("a note of %d", 1)
	return t, paper.Header{{"host", "a processor\nof two lines"}, {"date", "2026-01-01"}}
}

func TestWriteText(t *testing.T) {
	table, h := sample()
	var got bytes.Buffer
	if err := table.WriteText(&got, h); err != nil {
		t.Fatal(err)
	}
	want := strings.ReplaceAll(`host  a processor
of two lines
date  2026-01-01

set          rows          pairs       eps  seconds  speedup
wec, all  287,999  1,175,790,333  0.008358   0.1235  > 12.35
msd            12              –       0.5     > 60        –

a note of 1
`, "\t", "")
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// TestCSV reads what was written: all digits are there, and what surrounds the table is
// comments.
func TestCSV(t *testing.T) {
	table, h := sample()
	var text bytes.Buffer
	if err := table.WriteCSV(&text, h); err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(&text)
	r.Comment = '#'
	got, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		table.Columns,
		{"wec, all", "287999", "1175790333", "0.008358", "0.1234567", ">12.3456"},
		{"msd", "12", "", "0.5", ">60", ""},
	}
	if !slices.EqualFunc(got, want, slices.Equal[[]string]) {
		t.Errorf("got %q, want %q", got, want)
	}
}
