package join_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"rtcluster/join"
)

// newPoints returns points that are known to be good.
func newPoints(t testing.TB, dim int, data ...float64) *join.Points {
	t.Helper()
	pts, err := join.NewPoints(data, dim)
	if err != nil {
		t.Fatal(err)
	}
	return pts
}

func TestPoints(t *testing.T) {
	data := []float64{1, 2, 3, 4, 5, 6}
	pts := newPoints(t, 3, data...)
	if pts.Rows() != 2 || pts.Dim() != 3 || !slices.Equal(pts.Data(), data) {
		t.Errorf("got %d rows of %d: %v", pts.Rows(), pts.Dim(), pts.Data())
	}
	row := pts.Row(0)
	if !slices.Equal(row, []float64{1, 2, 3}) {
		t.Errorf("row 0: got %v", row)
	}
	_ = append(row, -1)
	if pts.Row(1)[0] != 4 {
		t.Error("appending to row 0 wrote into row 1")
	}
}

func TestPointsWrapWithoutCopy(t *testing.T) {
	data := []float64{1, 2}
	pts, err := join.NewPoints(data, 1)
	if err != nil {
		t.Fatal(err)
	}
	if &pts.Data()[0] != &data[0] || &pts.Row(1)[0] != &data[1] {
		t.Error("the coordinates were copied")
	}
}

func TestSubset(t *testing.T) {
	pts := newPoints(t, 2, 0, 1, 10, 11, 20, 21)
	tests := []struct {
		name string
		rows []int32
		want []float64
	}{
		{"none", nil, nil},
		{"one", []int32{1}, []float64{10, 11}},
		{"in another order", []int32{2, 0}, []float64{20, 21, 0, 1}},
		{"a row twice", []int32{1, 1}, []float64{10, 11, 10, 11}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := pts.Subset(test.rows)
			if got.Rows() != len(test.rows) || got.Dim() != 2 || !slices.Equal(got.Data(), test.want) {
				t.Errorf("got %d rows: %v, want %v", got.Rows(), got.Data(), test.want)
			}
		})
	}
}

func TestNewPointsErrors(t *testing.T) {
	tests := []struct {
		name string
		dim  int
		data []float64
		want string
	}{
		{"no columns", 0, nil, "0 coordinates a row"},
		{"negative columns", -2, nil, "-2 coordinates a row"},
		{"half a row", 2, []float64{1, 2, 3}, "3 values are no whole number of rows of 2"},
		{"NaN", 2, []float64{1, 2, 3, math.NaN()}, "row 1, coordinate 1 is NaN"},
		{"infinite", 3, []float64{1, 2, math.Inf(1)}, "row 0, coordinate 2 is +Inf"},
		{"negative infinite", 1, []float64{1, 2, math.Inf(-1)}, "row 2, coordinate 0 is -Inf"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			pts, err := join.NewPoints(test.data, test.dim)
			if pts != nil || err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, %v, want an error with %q", pts, err, test.want)
			}
		})
	}
	if pts, err := join.NewPoints(nil, 4); err != nil || pts.Rows() != 0 || pts.Dim() != 4 {
		t.Errorf("no rows: got %v, %v", pts, err)
	}
}
