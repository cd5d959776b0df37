package join_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rtcluster/join"
)

func TestPointsFromRows(t *testing.T) {
	rows := [][]float64{{1, 2}, {3, 4}, {5, 6}}
	pts, err := join.NewPointsFromRows(rows)
	if err != nil {
		t.Fatal(err)
	}
	rows[1][0] = 9 // which was copied
	if pts.Dim() != 2 || !slices.Equal(pts.Data(), []float64{1, 2, 3, 4, 5, 6}) {
		t.Errorf("got %d coordinates a row: %v", pts.Dim(), pts.Data())
	}
	for _, test := range []struct {
		name string
		rows [][]float64
		want string
	}{
		{"none", nil, "no rows"},
		{"empty rows", [][]float64{{}, {}}, "0 coordinates a row"},
		{"short", [][]float64{{1, 2}, {3}}, "row 1 has 1 coordinates, row 0 has 2"},
		{"long", [][]float64{{1}, {2}, {3, 4}}, "row 2 has 2 coordinates, row 0 has 1"},
		{"not finite", [][]float64{{1, 2}, {3, math.NaN()}}, "row 1, coordinate 1 is NaN"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := join.NewPointsFromRows(test.rows); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestPointsFromMatrix(t *testing.T) {
	data := []float64{1, 2, 3, 4, 5, 6}
	dense := mat.NewDense(3, 2, data)
	wide := mat.NewDense(3, 3, []float64{1, 2, 0, 3, 4, 0, 5, 6, 0})
	for _, test := range []struct {
		name   string
		matrix mat.Matrix
		copied bool
	}{
		{"dense", dense, false},
		{"columns of a wider one", wide.Slice(0, 3, 0, 2), true},
		{"transposed", mat.NewDense(2, 3, []float64{1, 3, 5, 2, 4, 6}).T(), true},
		{"the first rows", mat.NewDense(4, 2, append(slices.Clone(data), 7, 8)).Slice(0, 3, 0, 2), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			pts, err := join.NewPointsFromMatrix(test.matrix)
			if err != nil {
				t.Fatal(err)
			}
			if pts.Dim() != 2 || !slices.Equal(pts.Data(), data) {
				t.Fatalf("got %d coordinates a row: %v", pts.Dim(), pts.Data())
			}
			shared := false
			if raw, ok := test.matrix.(mat.RawMatrixer); ok {
				shared = &raw.RawMatrix().Data[0] == &pts.Data()[0]
			}
			if shared == test.copied {
				t.Errorf("the numbers were copied: %v, want %v", !shared, test.copied)
			}
		})
	}
	if pts, err := join.NewPointsFromMatrix(&mat.Dense{}); err == nil {
		t.Errorf("an empty matrix: got %d coordinates, want an error", pts.Dim())
	}
	if _, err := join.NewPointsFromMatrix(mat.NewDense(1, 1, []float64{math.Inf(1)})); err == nil {
		t.Error("an infinite coordinate is no error")
	}
}

// The rows of a matrix become points without being copied.
func ExampleNewPointsFromMatrix() {
	m := mat.NewDense(3, 2, []float64{
		0, 0,
		3, 4,
		6, 8,
	})
	pts, err := join.NewPointsFromMatrix(m)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(pts.Rows(), "points of", pts.Dim(), "coordinates")
	fmt.Println(join.SquaredDistance(pts.Row(0), pts.Row(1)))
	// Output:
	// 3 points of 2 coordinates
	// 25
}
