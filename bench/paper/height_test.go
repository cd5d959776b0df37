package paper_test

import (
	"slices"
	"testing"

	"rtcluster/bench/paper"
	"rtcluster/join/cpu"
)

// measureBy runs an experiment on the CPU.
func measureBy(t *testing.T, name string, s *paper.Setting) *paper.Table {
	t.Helper()
	e, found := paper.Find(name)
	if !found {
		t.Fatalf("there is no experiment %s", name)
	}
	s.Threads, s.Seed = 2, 1
	if s.Engines == nil {
		s.Engines = []paper.Engine{{Name: "cpu", Join: cpu.New(cpu.Options{Threads: 2})}}
	}
	table, picture, err := e.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := picture.Encode("svg"); err != nil {
		t.Error(err)
	}
	return table
}

// TestPaperLeaves wants 2^(h−1) leaves, h = ⌊ln n⌋.
func TestPaperLeaves(t *testing.T) {
	for n, want := range map[int]int{287_999: 1 << 11, 515_345: 1 << 12, 5_000_000: 1 << 14, 11_000_000: 1 << 15, 2: 1, 1: 1} {
		if got := paper.PaperLeaves(n); got != want {
			t.Errorf("%d rows: got %d leaves, want %d", n, got, want)
		}
	}
}

// TestHeight wants all numbers of leaves to give the same pairs, the choices to be marked,
// and the smallest leaves to leave fewer rows to compare than the largest.
func TestHeight(t *testing.T) {
	table := measureBy(t, "height", &paper.Setting{
		Fraction: 0.01, Sets: []string{"uniform3"}, Selectivity: []float64{8}, Values: map[string]string{"leaves": "16,1024,12000,1000000"},
	})
	if got, want := table.Cells("choice"), []string{"", "paper", "automatic", ""}; !slices.Equal(got, want) {
		t.Errorf("choices are %q, want %q", got, want)
	}
	if got, want := table.Cells("leaves"), []string{"16", "1024", "3125", "12000"}; !slices.Equal(got, want) {
		t.Errorf("leaves are %q, want %q", got, want)
	}
	if pairs := slices.Compact(table.Cells("pairs")); len(pairs) != 1 || pairs[0] == "" {
		t.Errorf("pairs are %q, want one number", pairs)
	}
	compared := table.Column("compared")
	if most, least := compared[0].(float64), compared[3].(float64); !(most > 2*least && least > 0) {
		t.Errorf("compared %v: want less in smaller leaves", compared)
	}
}
