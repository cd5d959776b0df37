package chart_test

import (
	"math"
	"testing"

	"rtcluster/io/chart"
)

// histogram draws scores of which those above the threshold are flagged.
func histogram(threshold float64, scores ...float64) *chart.Histogram {
	var all chart.Range
	for _, x := range scores {
		all.Add(x)
	}
	h := chart.NewHistogram(all, chart.Line{Name: "limit", At: threshold})
	for _, x := range scores {
		h.Add(x, x > threshold)
	}
	return h
}

// TestHistogramBins wants each score in the bin around it, and no bin with rows on both
// sides of the threshold.
func TestHistogramBins(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	tests := []struct {
		name      string
		threshold float64
		scores    []float64
	}{
		{"none", nan, nil},
		{"no threshold", nan, []float64{1, 2, 3, 3, 3}},
		{"threshold", 2.345, []float64{1, 2, 2.34, 2.35, 3, 4, 5}},
		{"below 0", -3.5, []float64{-9, -8, -4, -3, 0}},
		{"equal scores", nan, []float64{5, 5, 5}},
		{"zeros", 0, []float64{0, 0, 0}},
		{"infinite", 3, []float64{1, 2, 5, inf, inf}},
		{"wide", 70, []float64{0.001, 0.01, 1, 1, 50, 80, 900}},
		{"threshold out of reach", 99, []float64{1, 2, 3}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := histogram(test.threshold, test.scores...)
			edges, below, flagged := h.Bins()
			want := 0
			for _, x := range test.scores {
				if !math.IsInf(x, 0) {
					want++
				}
			}
			sum := int64(0)
			for i := range below {
				sum += below[i] + flagged[i]
				if below[i] > 0 && flagged[i] > 0 {
					t.Errorf("the bin from %v to %v has rows on both sides of the threshold", edges[i], edges[i+1])
				}
				inside := int64(0)
				for _, x := range test.scores {
					if x >= edges[i]-1e-9 && x < edges[i+1]+1e-9 {
						inside++
					}
				}
				if n := below[i] + flagged[i]; n > inside {
					t.Errorf("the bin from %v to %v has %d rows, and %d scores are in it", edges[i], edges[i+1], n, inside)
				}
			}
			if sum != int64(want) {
				t.Errorf("got %d rows, want %d", sum, want)
			}
			p := h.Picture("scores", "score")
			readPNG(t, p)
			readSVG(t, p)
		})
	}
}

// TestHistogramColors wants flagged rows right of the others, in another colour, and
// the threshold between them named beside the data.
func TestHistogramColors(t *testing.T) {
	got := readSVG(t, histogram(2.5, 1, 1.5, 2, 3, 4, math.Inf(1)).Picture("scores", "score"))
	plain, flagged := got.filled(blue), got.filled(red)
	if len(plain) != 3 || len(flagged) != 2 || plain[2][0] >= flagged[0][0] {
		t.Errorf("got bars at %v and flagged ones at %v", plain, flagged)
	}
	for _, text := range []string{"not flagged (3)", "flagged (2)", "limit", "1 infinite, not drawn"} {
		if at, found := got.texts[text]; !found || at[0] < flagged[1][0]+5 {
			t.Errorf("%q is at %v, bars end at %v", text, at, flagged[1])
		}
	}
}

// TestSizes wants a bar for each of a few clusters, with its number and size, and a
// curve of many.
func TestSizes(t *testing.T) {
	few := readSVG(t, chart.SizesPicture("sizes", tally(t, 40, 40, 40, 17, 17, -1)))
	if len(few.filled(blue)) != 1 || len(few.filled(orange)) != 1 {
		t.Errorf("got %d and %d bars", len(few.filled(blue)), len(few.filled(orange)))
	}
	if few.texts["40"][0] >= few.texts["17"][0] {
		t.Errorf("cluster 40 is the larger one, got %v", few.texts)
	}
	for _, text := range []string{"2 clusters", "noise (1)", "rows", "cluster"} {
		if _, found := few.texts[text]; !found {
			t.Errorf("there is no %q", text)
		}
	}
	many := &chart.Tally{}
	for i := range 3000 {
		if err := many.AddRows(float64(i), float64(1+i*i)); err != nil {
			t.Fatal(err)
		}
	}
	got := readSVG(t, chart.SizesPicture("sizes", many))
	if len(got.filled(blue)) != 0 || got.texts["3,000 clusters"] == [2]float64{} {
		t.Errorf("got %v", got.texts)
	}
	readSVG(t, chart.SizesPicture("sizes", &chart.Tally{}))
}
