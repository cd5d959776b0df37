package join_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/join"
)

// TestCosineAgainstTheFormula compares distances of directions with
// 1 − x·z/(|x|·|z|), and the predicate at bounds that are a little off.
func TestCosineAgainstTheFormula(t *testing.T) {
	const rows, seed = 40, 5
	for _, dim := range []int{1, 2, 3, 8, 16} {
		r := rand.New(rand.NewPCG(seed, uint64(dim)))
		data := make([]float64, rows*dim)
		for i := range data {
			data[i] = r.NormFloat64() * math.Exp(5*r.NormFloat64())
		}
		unit := slices.Clone(data)
		if err := join.Directions(unit, dim); err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			for j := range i {
				x, z := data[i*dim:(i+1)*dim], data[j*dim:(j+1)*dim]
				var xz, xx, zz float64
				for k := range x {
					xz, xx, zz = xz+x[k]*z[k], xx+x[k]*x[k], zz+z[k]*z[k]
				}
				want := 1 - xz/math.Sqrt(xx)/math.Sqrt(zz)
				d2 := join.SquaredDistance(unit[i*dim:(i+1)*dim], unit[j*dim:(j+1)*dim])
				if got := join.CosineDistance(d2); math.Abs(got-want) > 1e-15*float64(dim+2) {
					t.Errorf("seed %d, dim %d, rows %d and %d: got %v, want %v", seed, dim, i, j, got, want)
				}
				for _, off := range []float64{-1e-13, 1e-13} {
					if eps := want + off; eps >= 0 && (d2 <= join.Squared(join.CosineChord(eps))) != (off > 0) {
						t.Errorf("seed %d, dim %d, rows %d and %d at %v: within at %v is %t", seed, dim, i, j, want, eps, off < 0)
					}
				}
			}
		}
	}
}

func TestDirections(t *testing.T) {
	tests := []struct {
		name      string
		row, want []float64
	}{
		{"3, 4", []float64{3, 4}, []float64{0.6, 0.8}},
		{"one coordinate", []float64{-7e-300}, []float64{-1}},
		{"huge", []float64{3e307, 4e307}, []float64{0.6, 0.8}},
		{"tiny", []float64{3 * 0x1p-1074, 4 * 0x1p-1074}, []float64{0.6, 0.8}},
		{"uneven", []float64{1e-200, 1e200}, []float64{0, 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if err := join.Directions(test.row, len(test.row)); err != nil {
				t.Fatal(err)
			}
			for k, got := range test.row {
				if math.Abs(got-test.want[k]) > 2e-16 {
					t.Errorf("coordinate %d: got %v, want %v", k, got, test.want[k])
				}
			}
		})
	}
	var zero *join.DirectionError
	if err := join.Directions([]float64{1, 2, 0, 0}, 2); !errors.As(err, &zero) || zero.Row != 1 {
		t.Errorf("got %v, want that row 1 has no direction", err)
	}
}

// TestDirectionsOfMultiples wants one direction of rows that are multiples.
func TestDirectionsOfMultiples(t *testing.T) {
	const dim, seed = 7, 1
	r := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		row := make([]float64, dim)
		for k := range row {
			row[k] = float64(r.IntN(2001) - 1000)
		}
		row[0] = 1 // not all are 0
		var data []float64
		for _, factor := range []float64{1, 3, 10, 49, 1e6, 0x1p-900} {
			for _, x := range row {
				data = append(data, factor*x)
			}
		}
		if err := join.Directions(data, dim); err != nil {
			t.Fatal(err)
		}
		for from := dim; from < len(data); from += dim {
			if !slices.Equal(data[from:from+dim], data[:dim]) {
				t.Fatalf("seed %d: directions of multiples of %v are %v and %v", seed, row, data[:dim], data[from:from+dim])
			}
		}
	}
}

func TestCosineChord(t *testing.T) {
	for _, distance := range []float64{0, 1e-300, 1e-12, 0.5, 1, 1.999} {
		if got := join.CosineDistance(join.Squared(join.CosineChord(distance))); math.Abs(got-distance) > 4e-16*distance && distance > 1e-200 {
			t.Errorf("%v came back as %v", distance, got)
		}
	}
	// A row and the one opposite to it are within 2, whatever rounding does.
	if eps2 := join.Squared(join.CosineChord(2)); eps2 < math.Nextafter(4, 5) {
		t.Errorf("a bound of 2 has the squared chord %v, want more than 4", eps2)
	}
	if got := join.CosineDistance(math.Nextafter(4, 5)); got != 2 {
		t.Errorf("the greatest distance is %v, want 2", got)
	}
}
