package join_test

import (
	"math"
	"strings"
	"testing"

	"rtcluster/join"
)

func TestFitScaling(t *testing.T) {
	tests := []struct {
		name, kind    string
		column        []float64
		center, width float64
	}{
		{"none", "none", []float64{3, 5}, 0, 1},
		{"standard", "standard", []float64{1, 2, 3, 4}, 2.5, math.Sqrt(1.25)},
		{"standard, negative", "standard", []float64{-3, 3, -3, 3}, 0, 3},
		{"standard, one row", "standard", []float64{7}, 7, 1},
		{"standard, constant", "standard", []float64{0.1, 0.1, 0.1}, 0.1, 1},
		{"standard, constant whose sum rounds", "standard", []float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, 0.1, 1},
		{"standard, constant and huge", "standard", []float64{1e308, 1e308, 1e308}, 1e308, 1},
		{"minmax", "minmax", []float64{4, -1, 9, 2}, -1, 10},
		{"minmax, constant", "minmax", []float64{4, 4}, 4, 1},
		{"robust, odd", "robust", []float64{100, 1, 3, 2, 4}, 3, 2},
		{"robust, even", "robust", []float64{4, 3, 2, 1}, 2.5, 1.5},
		{"robust, two rows", "robust", []float64{10, 0}, 5, 5},
		{"robust, one row", "robust", []float64{10}, 10, 1},
		{"robust, constant in the middle", "robust", []float64{-9, 5, 5, 5, 1000}, 5, 1},
		{"standard, no rows", "standard", nil, 0, 1},
		{"minmax, no rows", "minmax", nil, 0, 1},
		{"robust, no rows", "robust", nil, 0, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := join.FitScaling(test.kind, test.column, 1)
			if err != nil {
				t.Fatal(err)
			}
			if got.Center[0] != test.center || got.Width[0] != test.width {
				t.Errorf("got center %v, width %v, want %v, %v", got.Center[0], got.Width[0], test.center, test.width)
			}
		})
	}
}

// TestScalingApplies checks whole tables, the columns each for itself, and that
// fitting does not reorder the rows.
func TestScalingApplies(t *testing.T) {
	table := []float64{
		4, 10, 7,
		2, 10, 1,
		0, 10, 3,
		8, 10, 5,
		6, 10, 9,
	}
	tests := []struct {
		kind string
		want []float64
	}{
		{"none", table},
		{"minmax", []float64{0.5, 0, 0.75, 0.25, 0, 0, 0, 0, 0.25, 1, 0, 0.5, 0.75, 0, 1}},
		{"robust", []float64{0, 0, 0.5, -0.5, 0, -1, -1, 0, -0.5, 1, 0, 0, 0.5, 0, 1}},
		{"standard", []float64{0, 0, 2 / math.Sqrt(8), -2 / math.Sqrt(8), 0, -4 / math.Sqrt(8), -4 / math.Sqrt(8), 0, -2 / math.Sqrt(8), 4 / math.Sqrt(8), 0, 0, 2 / math.Sqrt(8), 0, 4 / math.Sqrt(8)}},
	}
	for _, test := range tests {
		t.Run(test.kind, func(t *testing.T) {
			got := append([]float64(nil), table...)
			s, err := join.FitScaling(test.kind, got, 3)
			if err != nil {
				t.Fatal(err)
			}
			s.Apply(got)
			for i, x := range got {
				if x != test.want[i] {
					t.Errorf("row %d, column %d: got %v, want %v", i/3, i%3, x, test.want[i])
				}
			}
		})
	}
}

// TestDeviationInRange scales columns whose squares over- and underflow.
func TestDeviationInRange(t *testing.T) {
	s, err := join.FitScaling("standard", []float64{1e200, 1e-200, -1e200, 3e-200}, 2)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []float64{1e200, 1e-200} {
		if math.Abs(s.Width[k]/want-1) > 1e-15 {
			t.Errorf("deviation of coordinate %d is %v, want %v", k, s.Width[k], want)
		}
	}
}

func TestFitScalingErrors(t *testing.T) {
	const big = math.MaxFloat64
	tests := []struct {
		name, kind string
		data       []float64 // two columns
		want       string
	}{
		{"unknown kind", "zscore", []float64{1, 2}, `unknown scaling "zscore"`},
		{"no kind", "", []float64{1, 2}, `unknown scaling ""`},
		{"sum overflows", "standard", []float64{1, big, 2, big / 2}, "coordinate 1"},
		{"range overflows", "minmax", []float64{0, -big, 0, big}, "coordinate 1"},
		{"quartiles overflow", "robust", []float64{-big, 0, big, 0}, "coordinate 0"},
		{"median is lost", "robust", []float64{-big, 0, -big, 0, big, 0}, "coordinate 0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := join.FitScaling(test.kind, test.data, 2)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}
