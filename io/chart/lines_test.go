package chart_test

import (
	"math"
	"testing"

	"rtcluster/io/chart"
)

// TestLines wants each point where its values are on logarithmic axes, ends at round
// numbers, and the names of the series beside the data.
func TestLines(t *testing.T) {
	l := &chart.Lines{LogX: true, LogY: true, Series: []chart.Series{
		{Name: "first", X: []float64{1, 10, 100}, Y: []float64{3, 30, 300}, Marked: []int{1}},
		{Name: "second", X: []float64{1, 10, 100}, Y: []float64{300, math.NaN(), 3}, Bounds: []int{0}},
	}}
	p, err := l.Picture("title", "rows", "seconds")
	if err != nil {
		t.Fatal(err)
	}
	got := readSVG(t, p)
	for _, text := range []string{"first", "second", "1", "10", "100"} {
		if _, found := got.texts[text]; !found {
			t.Errorf("text %q is not there", text)
		}
	}
	points := map[string][][2]float64{}
	for _, s := range got.shapes {
		points[s.fill] = append(points[s.fill], s.starts...)
	}
	first := points[blue]
	if len(first) < 3 {
		t.Fatalf("got %d blue points, want 3", len(first))
	}
	for k := range 2 {
		if a, b := first[1][k]-first[0][k], first[2][k]-first[1][k]; math.Abs(a-b) > 0.02*math.Abs(a) {
			t.Errorf("along axis %d, a decade is %v and %v", k, a, b)
		}
	}
	if n := len(points[orange]); n != 3 { // two points, and one of the legend
		t.Errorf("got %d orange points, want those that are numbers, and that of the legend", n)
	}
}

func TestLinesRefused(t *testing.T) {
	for name, l := range map[string]*chart.Lines{
		"0 on a logarithmic axis": {LogY: true, Series: []chart.Series{{X: []float64{1}, Y: []float64{0}}}},
		"too large":               {Series: []chart.Series{{X: []float64{1}, Y: []float64{1e305}}}},
		"lists that differ":       {Series: []chart.Series{{X: []float64{1}}}},
	} {
		if _, err := l.Picture("", "", ""); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	names := &chart.Lines{Names: []string{"a", "b", "c", "d", "e"}, Series: []chart.Series{{Name: "s", X: []float64{0, 4}, Y: []float64{1, 2}}}}
	p, err := names.Picture("", "set", "seconds")
	if err != nil {
		t.Fatal(err)
	}
	if _, found := readSVG(t, p).texts["e"]; !found {
		t.Error("the last place has no name")
	}
	if p, err = (&chart.Lines{LogY: true}).Picture("", "", ""); err != nil {
		t.Fatal(err)
	}
	readSVG(t, p)
}
