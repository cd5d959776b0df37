package join_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"rtcluster/join"
)

// under returns points under a metric.
func under(t testing.TB, m join.Metric, dim int, data ...float64) *join.Points {
	t.Helper()
	pts, err := join.NewPoints(data, dim)
	if err != nil {
		t.Fatal(err)
	}
	if pts, err = pts.WithMetric(m); err != nil {
		t.Fatal(err)
	}
	return pts
}

func TestMeasure(t *testing.T) {
	wrapped := []float64{10, 10, 0}
	a, b := []float64{1, 4, 1}, []float64{9, 8, 9}
	tests := []struct {
		name     string
		metric   join.Metric
		measure  float64
		distance float64
	}{
		{"euclidean", join.Metric{}, 64 + 16 + 64, 12},
		{"manhattan", join.Metric{Norm: join.Manhattan}, 20, 20},
		{"chebyshev", join.Metric{Norm: join.Chebyshev}, 8, 8},
		{"euclidean in a box", join.Metric{Box: wrapped}, 4 + 16 + 64, math.Sqrt(84)},
		{"manhattan in a box", join.Metric{Norm: join.Manhattan, Box: wrapped}, 14, 14},
		{"chebyshev in a box", join.Metric{Norm: join.Chebyshev, Box: wrapped}, 8, 8},
		{"chebyshev in a closed box", join.Metric{Norm: join.Chebyshev, Box: []float64{10, 10, 10}}, 4, 4},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			pts := under(t, test.metric, 3, append(append([]float64{}, a...), b...)...)
			m := pts.Metric()
			for _, pair := range [][2]int{{0, 1}, {1, 0}} {
				if got := m.Measure(pts.Row(pair[0]), pts.Row(pair[1])); got != test.measure {
					t.Errorf("measure of %v: got %v, want %v", pair, got, test.measure)
				}
			}
			if got := m.Distance(test.measure); got != test.distance {
				t.Errorf("distance: got %v, want %v", got, test.distance)
			}
			found := 0
			join.Scan(pts, a, m.Bound(math.Nextafter(test.distance, 99)), func(int, float64) { found++ })
			join.Scan(pts, a, m.Bound(math.Nextafter(test.distance, 0)), func(int, float64) { found-- })
			if found != 1 {
				t.Errorf("around its distance %d rows come in, want 1", found)
			}
		})
	}
}

// TestEachStepRoundsOnce holds metrics to their formula where rounding shows.
func TestEachStepRoundsOnce(t *testing.T) {
	manhattan := join.Metric{Norm: join.Manhattan}
	if got := manhattan.Measure([]float64{1, 0x1p-53, 0x1p-53}, []float64{0, 0, 0}); got != 1 {
		t.Errorf("1 and twice half an ulp, in this order: got %v, want 1", got)
	}
	if got := manhattan.Measure([]float64{0x1p-53, 0x1p-53, 1}, []float64{0, 0, 0}); got != 1+0x1p-52 {
		t.Errorf("twice half an ulp and 1: got %v, want the number after 1", got)
	}
	box := join.Metric{Norm: join.Manhattan, Box: []float64{1.1}}
	// In float64 the difference is 1, and 1.1 − 1 is not 0.1.
	if got, want := box.Measure([]float64{1}, []float64{0}), 0.10000000000000009; got != want {
		t.Errorf("across the face: got %v, want %v", got, want)
	}
	wide := join.Metric{Box: []float64{1e9, 1e9, 1e9}}
	r := rand.New(rand.NewPCG(9, 0))
	for range 100 {
		a, b := []float64{r.Float64(), r.Float64(), r.Float64()}, []float64{r.Float64(), r.Float64(), r.Float64()}
		if got, want := wide.Measure(a, b), join.SquaredDistance(a, b); got != want {
			t.Fatalf("%v and %v in a wide box: got %v, want %v", a, b, got, want)
		}
	}
	if got := manhattan.Measure([]float64{math.MaxFloat64}, []float64{-math.MaxFloat64}); !math.IsInf(got, 1) {
		t.Errorf("from end to end: got %v, want +Inf", got)
	}
}

func TestWithMetricErrors(t *testing.T) {
	pts, err := join.NewPoints([]float64{0, 5, 3, -1, 9, 2}, 2)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		metric join.Metric
		want   string
	}{
		{"too few lengths", join.Metric{Box: []float64{10}}, "the box has 1 lengths, want 2"},
		{"a negative length", join.Metric{Box: []float64{10, -1}}, "length 1 of the box is -1"},
		{"no number", join.Metric{Box: []float64{math.NaN(), 1}}, "length 0 of the box is NaN"},
		{"infinite", join.Metric{Box: []float64{math.Inf(1), 1}}, "length 0 of the box is +Inf"},
		{"below the box", join.Metric{Box: []float64{10, 10}}, "row 1, coordinate 1 is -1, outside the box from 0 to below 10"},
		{"at its end", join.Metric{Box: []float64{9, 0}}, "row 2, coordinate 0 is 9, outside the box from 0 to below 9"},
		{"unknown norm", join.Metric{Norm: 3}, "unknown norm 3"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := pts.WithMetric(test.metric)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
	_, err = pts.WithMetric(join.Metric{Box: []float64{9, 0}})
	var outside *join.BoxError
	if !errors.As(err, &outside) || outside.Row != 2 || outside.Coordinate != 0 || outside.Value != 9 || outside.Length != 9 {
		t.Errorf("got %#v, want a BoxError of row 2", err)
	}
}

func TestMetricOfPoints(t *testing.T) {
	open := under(t, join.Metric{Box: []float64{0, 0}}, 2, 1, 2, 3, 4)
	if m := open.Metric(); !m.IsZero() || !m.Equal(join.Metric{}) {
		t.Errorf("a box without lengths is %+v, want the zero value", m)
	}
	box := join.Metric{Norm: join.Chebyshev, Box: []float64{5, 0}}
	if m := under(t, box, 2, 1, 2, 3, 4).Subset([]int32{1}).Metric(); !m.Equal(box) {
		t.Errorf("a subset has the metric %+v, want %+v", m, box)
	}
	if box.Equal(join.Metric{Norm: join.Chebyshev}) || box.Equal(join.Metric{Box: box.Box}) {
		t.Error("different metrics are equal")
	}
	for _, m := range []join.Metric{box, {Box: box.Box}, {Norm: join.Manhattan}} {
		if err := m.OnlyEuclidean(); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%+v: got %v, want that it is unsupported", m, err)
		}
	}
	if err := (join.Metric{}).OnlyEuclidean(); err != nil {
		t.Error(err)
	}
}
