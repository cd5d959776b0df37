package join_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/join"
)

// TestMahalanobisKnown compares with distances computed by scipy 1.17:
// cdist(x[:1], x, 'mahalanobis', VI=np.linalg.inv(np.cov(x.T))).
func TestMahalanobisKnown(t *testing.T) {
	data := []float64{1, 2, 3, 5, 4, 1, 7, 8, 2, 2, 9, 4, 6, 6, 6}
	want := []float64{0, 1.86930604, 2.81199072, 2.49567682, 2.58094815}
	w, err := join.FitWhitening(data, 3)
	if err != nil {
		t.Fatal(err)
	}
	w.Apply(data)
	for i, d := range want {
		got := math.Sqrt(join.SquaredDistance(data[:3], data[3*i:3*i+3]))
		if math.Abs(got-d) > 1e-8 {
			t.Errorf("distance of rows 0 and %d: got %v, want %v", i, got, d)
		}
	}
}

// TestWhitenedRowsAreWhite checks that mapped rows have the unit matrix for
// covariance, far out, too, and that the map comes back from its fields.
func TestWhitenedRowsAreWhite(t *testing.T) {
	for _, offset := range []float64{0, 1e9} {
		for _, dim := range []int{1, 2, 5, 16} {
			r := rand.New(rand.NewPCG(7, uint64(dim)))
			data := make([]float64, 400*dim)
			for i := range data {
				data[i] = r.NormFloat64() + offset
				if k := i % dim; k > 0 {
					data[i] += 0.7 * (data[i-1] - offset)
				}
			}
			again := slices.Clone(data)
			w, err := join.FitWhitening(data, dim)
			if err != nil {
				t.Fatal(err)
			}
			w.Apply(data)
			_, covariance := join.Covariance(data, dim)
			for at, got := range covariance {
				want := 0.0
				if at/dim == at%dim {
					want = 1
				}
				if tolerance := 1e-12 + 1e-16*offset*10; math.Abs(got-want) > tolerance {
					t.Errorf("dim %d, offset %v: covariance of coordinates %d and %d is %v, want %v", dim, offset, at/dim, at%dim, got, want)
				}
			}
			join.Whitening{Center: w.Center, Factor: w.Factor}.Apply(again)
			if !slices.Equal(data, again) {
				t.Errorf("dim %d: applied again, the rows differ", dim)
			}
		}
	}
}

func TestCovariance(t *testing.T) {
	mean, covariance := join.Covariance([]float64{1, 10, 3, 20, 5, 60}, 2)
	if want := []float64{3, 30}; !slices.Equal(mean, want) {
		t.Errorf("mean %v, want %v", mean, want)
	}
	if want := []float64{4, 50, 50, 700}; !slices.Equal(covariance, want) {
		t.Errorf("covariance %v, want %v", covariance, want)
	}
}

func TestNewWhiteningOfAMatrix(t *testing.T) {
	w, err := join.NewWhitening([]float64{10, 20}, []float64{4, 2, 2, 10})
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{2, 0, 1, 3}; !slices.Equal(w.Factor, want) {
		t.Errorf("factor %v, want %v", w.Factor, want)
	}
	row := []float64{14, 28}
	w.Apply(row)
	if want := []float64{2, 2}; !slices.Equal(row, want) {
		t.Errorf("row %v, want %v", row, want)
	}
}

func TestFitWhiteningErrors(t *testing.T) {
	tests := []struct {
		name   string
		dim    int
		data   []float64
		at     int
		reason join.CovarianceFault
	}{
		{"one row", 2, []float64{1, 2}, 0, join.Constant},
		{"constant", 2, []float64{1, 0.1, 2, 0.1, 3, 0.1, 5, 0.1, 8, 0.1, 0, 0.1, 7, 0.1, 4, 0.1, 6, 0.1, 9, 0.1}, 1, join.Constant},
		{"a sum", 3, []float64{1, 2, 3, 4, 1, 5, 2, 2, 4, 7, 3, 10}, 2, join.Dependent},
		{"a rounded sum", 3, []float64{0.1, 0.2, 0.1 + 0.2, 0.7, 0.1, 0.1 + 0.7, 0.3, 0.3, 0.6, 1.1, 0.9, 2, 0.5, 1e-3, 0.501}, 2, join.Dependent},
		{"fewer rows than columns", 3, []float64{1, 2, 5, 7, 3, 9, 4, 4, 1}, 2, join.Dependent},
		{"twice the same", 3, []float64{1, 1, 5, 2, 2, 7, 3, 3, 5, 1, 1, 0}, 1, join.Dependent},
		{"overflow", 2, []float64{1, 1e200, 2, -1e200, 5, 0}, 1, join.TooLarge},
		{"overflow of the mean", 1, []float64{1e308, 1.1e308, 1e308}, 0, join.TooLarge},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := join.FitWhitening(test.data, test.dim)
			var fault *join.CovarianceError
			if !errors.As(err, &fault) || fault.Coordinate != test.at || fault.Reason != test.reason {
				t.Errorf("got %v, want that coordinate %d %s", err, test.at, test.reason)
			}
		})
	}
	if w, err := join.FitWhitening(nil, 2); err != nil || !slices.Equal(w.Factor, []float64{1, 0, 0, 1}) {
		t.Errorf("no rows: got %v, %v", w, err)
	}
}

func TestWeigh(t *testing.T) {
	data := []float64{1, 2, 3, 4}
	join.Weigh(data, []float64{0.5, 3})
	if want := []float64{0.5, 6, 1.5, 12}; !slices.Equal(data, want) {
		t.Errorf("got %v, want %v", data, want)
	}
}
