package paper_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"rtcluster/bench/paper"
	"rtcluster/join"
	"rtcluster/join/cpu"
)

// TestSets wants sets of the paper's shapes, scaled by a fraction, the same for a seed.
func TestSets(t *testing.T) {
	want := map[string][2]int{
		"wec": {2880, 49}, "msd": {5153, 90}, "susy": {50_000, 18}, "uniform3": {100_000, 3}, "expo3": {100_000, 3},
	}
	s := &paper.Setting{Fraction: 0.01, Seed: 3}
	for name, shape := range want {
		set, err := s.Set(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if set.Rows() != shape[0] || set.Dim != shape[1] {
			t.Errorf("%s: got %d × %d, want %v", name, set.Rows(), set.Dim, shape)
		}
		again, err := s.Set(t.Context(), name)
		if err != nil || !slices.Equal(set.Data, again.Data) {
			t.Errorf("%s: other rows by the same seed, error %v", name, err)
		}
	}
	expo, err := s.Set(t.Context(), "expo3")
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, x := range expo.Data {
		sum += x
	}
	// Mean 1/40 with a standard error of 1/40/√300000.
	if mean := sum / float64(len(expo.Data)); math.Abs(mean*40-1) > 0.01 {
		t.Errorf("the mean of expo3 is %v, want 1/40", mean)
	}
}

// TestSelectivity joins sets with the ε that a sample gave, and wants the whole to have as
// many neighbours as the sample was to have, but for the sampling error.
func TestSelectivity(t *testing.T) {
	s := &paper.Setting{Fraction: 0.002, Seed: 1, Selectivity: []float64{100, 10}}
	for _, name := range []string{"susy", "uniform3", "expo3"} {
		set, err := s.Set(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		cases, err := s.Cases(t.Context(), set)
		if err != nil || len(cases) != 2 || cases[0].Wanted != 10 {
			t.Fatalf("%s: %d cases, error %v; want 2, the smallest first", name, len(cases), err)
		}
		for _, c := range cases {
			mean, deviation := neighbors(t, c)
			if allowed := 4*deviation/math.Sqrt(1000) + 0.002*c.Wanted; math.Abs(mean-c.Wanted) > allowed {
				t.Errorf("%s: %v neighbours, want %v ± %v", c, mean, c.Wanted, allowed)
			}
		}
		again, err := s.Cases(t.Context(), set)
		if err != nil || again[0].Eps != cases[0].Eps {
			t.Errorf("%s: eps %v and %v by the same seed, error %v", name, cases[0].Eps, again[0].Eps, err)
		}
	}
}

// neighbors returns mean and standard deviation of the numbers of other rows within ε.
func neighbors(t *testing.T, c *paper.Case) (mean, deviation float64) {
	t.Helper()
	pts, err := join.NewPoints(c.Data, c.Dim)
	if err != nil {
		t.Fatal(err)
	}
	idx, err := cpu.New(cpu.Options{}).Index(t.Context(), pts)
	if err != nil {
		t.Fatal(err)
	}
	counts := make([]int32, pts.Rows())
	if err := idx.Counts(t.Context(), nil, c.Eps, 0, counts); err != nil {
		t.Fatal(err)
	}
	sum, sum2 := 0.0, 0.0
	for _, n := range counts {
		sum += float64(n - 1)
		sum2 += float64(n-1) * float64(n-1)
	}
	mean = sum / float64(len(counts))
	return mean, math.Sqrt(sum2/float64(len(counts)) - mean*mean)
}

// TestRead wants files to be scaled to the range from 0 to 1, and to be refused where they
// are not the set.
func TestRead(t *testing.T) {
	data, dim := []float64{1, 5, 7, 2, 5, 3, 3, 5, 5}, 3
	s := &paper.Setting{Fraction: 1, Read: func(context.Context, string) ([]float64, int, error) {
		return slices.Clone(data), dim, nil
	}}
	set, err := s.Set(t.Context(), "mine")
	if want := []float64{0, 0, 1, 0.5, 0, 0, 1, 0, 0.5}; err != nil || !slices.Equal(set.Data, want) {
		t.Errorf("got %v, error %v, want %v", set.Data, err, want)
	}
	var fault *paper.DataError
	if _, err := s.Set(t.Context(), "wec"); !errors.As(err, &fault) {
		t.Errorf("a file of 3 columns as wec: error %v", err)
	}
	data[4] = math.NaN()
	if _, err := s.Set(t.Context(), "mine"); !errors.As(err, &fault) {
		t.Errorf("a file with NaN: error %v", err)
	}
	data = nil
	if _, err := s.Set(t.Context(), "mine"); !errors.As(err, &fault) {
		t.Errorf("a file without rows: error %v", err)
	}
}

// TestNoSet wants sets that there are not, and selectivities that cannot be, refused.
func TestNoSet(t *testing.T) {
	s := &paper.Setting{Fraction: 0.001}
	var fault *paper.SettingError
	if _, err := s.Set(t.Context(), "wce"); !errors.As(err, &fault) {
		t.Errorf("an unknown set: error %v", err)
	}
	set, err := s.Set(t.Context(), "wec")
	if err != nil {
		t.Fatal(err)
	}
	s.Selectivity = []float64{288}
	if _, err := s.Cases(t.Context(), set); !errors.As(err, &fault) {
		t.Errorf("288 other rows of 288: error %v", err)
	}
}

// TestWhole wants published numbers to be compared with all rows of the real set, and not
// with a part of them.
func TestWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 200 MiB")
	}
	const rows, dim = 287_999, 49
	s := &paper.Setting{Read: func(context.Context, string) ([]float64, int, error) { return make([]float64, rows*dim), dim, nil }}
	for fraction, want := range map[float64]int64{1: 74_145_223, 0.5: 0} {
		s.Fraction = fraction
		set, err := s.Set(t.Context(), "wec")
		if err != nil {
			t.Fatal(err)
		}
		cases, err := s.Cases(t.Context(), set)
		if err != nil || len(cases) != 3 || cases[0].Eps != 0.0054 || cases[0].Pairs != want {
			t.Fatalf("fraction %v: got %d cases, error %v, want 3, the first with %d pairs", fraction, len(cases), err, want)
		}
	}
}
