package paper_test

import (
	"slices"
	"testing"

	"rtcluster/bench/paper"
)

// TestScale wants one thing to grow at a time, and neighbours to stay where they should.
func TestScale(t *testing.T) {
	table := measureBy(t, "scale", &paper.Setting{Fraction: 0.0002, Sets: []string{"susy"}, Selectivity: []float64{8, 32}})
	var got [][]any
	for i, axis := range table.Column("along") {
		got = append(got, []any{axis, table.Column("rows")[i], table.Column("coordinates")[i], table.Column("threads")[i]})
	}
	want := [][]any{
		{"n", 125, 18, 2},
		{"n", 250, 18, 2},
		{"n", 500, 18, 2},
		{"n", 1000, 18, 2},
		{"d", 1000, 2, 2},
		{"d", 1000, 4, 2},
		{"d", 1000, 9, 2},
		{"d", 1000, 18, 2},
		{"eps", 1000, 18, 2},
		{"eps", 1000, 18, 2},
		{"threads", 1000, 18, 1},
		{"threads", 1000, 18, 2},
	}
	if !slices.EqualFunc(got, want, slices.Equal[[]any]) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i, n := range table.Column("neighbors") {
		aim := 8.0
		if i == 9 {
			aim = 32
		}
		if n := n.(float64); !(n > 0.9*aim && n < 1.2*aim) {
			t.Errorf("row %d has %v neighbours, want about %v", i, n, aim)
		}
	}
	pairs := table.Cells("pairs")
	if pairs[3] != pairs[7] || pairs[7] != pairs[10] || pairs[10] != pairs[11] {
		t.Errorf("the whole set has %q pairs by axis", []string{pairs[3], pairs[7], pairs[10], pairs[11]})
	}
}
