package chart_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"

	"rtcluster/io/chart"
)

// TestCurvePoints wants a point for each row that is shown, or for some of very many.
func TestCurvePoints(t *testing.T) {
	c := &chart.Curve{}
	for i := range 200 {
		c.Distances = append(c.Distances, float64(i+1))
	}
	shown := c.Points(100)
	if len(shown) != 101 || shown[0] != (plotter.XY{X: 0, Y: 1}) || shown[10] != (plotter.XY{X: 0.05, Y: 10}) || shown[100] != (plotter.XY{X: 0.5, Y: 100}) {
		t.Errorf("got %d points, %v", len(shown), shown)
	}
	long := &chart.Curve{Distances: make([]float64, 50_000)}
	if points := long.Points(1); len(points) > chart.CurvePoints+5 || points[len(points)-1].X != 1 {
		t.Errorf("got %d points of a long curve, the last is %v", len(points), points[len(points)-1])
	}
}

func TestCurveTop(t *testing.T) {
	tests := []struct {
		name      string
		distances []float64
		lines     []chart.Line
		want      float64
	}{
		{"no rows", nil, nil, 1},
		{"the greatest", []float64{1, 2, 3}, nil, 3.15},
		{"a line above", []float64{0.1, 0.2}, []chart.Line{{At: 0.5}}, 0.525},
		{"zeros", []float64{0, 0}, nil, 1},
		{"infinite", []float64{math.Inf(1)}, nil, 1},
		{"an outlier", append(slices.Repeat([]float64{1}, 199), 50), nil, 2.1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := &chart.Curve{Distances: test.distances, Lines: test.lines}
			if got := c.Top(); math.Abs(got-test.want) > 1e-12 {
				t.Errorf("got %v, want %v", got, test.want)
			}
			p, err := c.Picture("title", "x", "y")
			if err != nil {
				t.Fatal(err)
			}
			readSVG(t, p)
		})
	}
}

// TestCurveLegend wants each line named beside the data, and the title above.
func TestCurveLegend(t *testing.T) {
	c := &chart.Curve{Distances: []float64{1, 2, 3}, Lines: []chart.Line{{"knee: 2", 2}, {"far: 2.5", 2.5}}}
	p, err := c.Picture("distances of three", "rows", "distance")
	if err != nil {
		t.Fatal(err)
	}
	got := readSVG(t, p)
	for _, text := range []string{"knee: 2", "far: 2.5"} {
		if at, found := got.texts[text]; !found || at[0] < got.texts["100 %"][0] {
			t.Errorf("%q is at %v, the axis ends at %v", text, at, got.texts["100 %"])
		}
	}
}

// TestCurveOfZeros wants a curve at 0 apart from the axis.
func TestCurveOfZeros(t *testing.T) {
	p, err := (&chart.Curve{Distances: []float64{0, 0, 0}}).Picture("equal rows", "rows", "distance")
	if err != nil {
		t.Fatal(err)
	}
	got := readSVG(t, p)
	if zero, axis := got.texts["0"], got.texts["0 %"]; zero[1]-axis[1] < 15 {
		t.Errorf("0 is at %v, and the axis has its labels at %v", zero, axis)
	}
}

func TestTicks(t *testing.T) {
	tests := []struct {
		name string
		got  []string
		want string
	}{
		{"1", chart.EvenTicks(0, 1), "0 0.2 0.4 0.6 0.8 1.0"},
		{"26", chart.EvenTicks(0, 26), "0 5 10 15 20 25"},
		{"negative", chart.EvenTicks(-1.5, 1), "−1.5 −1.0 −0.5 0 0.5 1.0"},
		{"small", chart.EvenTicks(0, 0.00021), "0 0.00005 0.00010 0.00015 0.00020"},
		{"tiny", chart.EvenTicks(0, 4e-9), "0 1e-09 2e-09 3e-09 4e-09"},
		{"large", chart.EvenTicks(0, 4.9e9), "0 1e+09 2e+09 3e+09 4e+09"},
		{"thousands", chart.EvenTicks(-250000, 0), "−250,000 −200,000 −150,000 −100,000 −50,000 0"},
		{"far from 0", chart.EvenTicks(1e9, 1e9+4), "1000000000 1000000001 1000000002 1000000003 1000000004"},
		{"decades", chart.LogTicks(1, 1e4), "1 10 100 1,000 10,000"},
		{"few decades", chart.LogTicks(1, 60), "1 2 5 10 20 50"},
		{"across decades", chart.LogTicks(9, 850), "10 20 50 100 200 500"},
		{"many decades", chart.LogTicks(1e-10, 1e10), "1e-10 1e-07 0.0001 0.1 100 100,000 1e+08"},
		{"whole", chart.WholeTicks(0, 3), "0 1 2 3"},
		{"whole thousands", chart.WholeTicks(0, 2100), "0 500 1,000 1,500 2,000"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.Join(test.got, " "); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}
