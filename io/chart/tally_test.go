package chart_test

import (
	"math"
	"testing"

	"rtcluster/io/chart"
)

func TestTally(t *testing.T) {
	nan := math.NaN()
	all := tally(t, 5, 0, 5, -1, 3, 0, nan, -2, 9, 9, 9)
	if all.Clusters() != 4 || all.Noise() != 2 || all.Missing() != 1 || all.Rows() != 10 {
		t.Errorf("got %d clusters, %d noise, %d missing, %d rows", all.Clusters(), all.Noise(), all.Missing(), all.Rows())
	}
	for label, want := range map[float64]int{9: 0, 0: 1, 5: 2, 3: 3, -1: chart.Noise} {
		if got := all.Rank(label); got != want {
			t.Errorf("cluster %v: got rank %d, want %d", label, got, want)
		}
	}
	if err := all.Add(3); err != nil || all.Rank(3) != 2 {
		t.Errorf("one more of cluster 3: rank %d, %v", all.Rank(3), err)
	}
	for _, label := range []float64{0.5, math.Inf(1), math.Inf(-1), 1e10} {
		if err := all.Add(label); err == nil {
			t.Errorf("%v is taken for a label", label)
		}
	}
	for _, rows := range []float64{-1, 0.5, nan} {
		if err := all.AddRows(0, rows); err == nil {
			t.Errorf("%v is taken for a number of rows", rows)
		}
	}
}

// TestTallyOfHighNumbers wants memory to be bounded whatever the numbers of clusters.
func TestTallyOfHighNumbers(t *testing.T) {
	all := tally(t, math.MaxInt32, 5e6, 1)
	if all.Clusters() != 2 || all.Rank(math.MaxInt32) != 0 || all.Rank(5e6) != 0 || all.Rank(1) != 1 {
		t.Errorf("got %d clusters, want those of high numbers as one", all.Clusters())
	}
}
