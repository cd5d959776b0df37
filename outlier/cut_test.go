package outlier_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"rtcluster/join/jointest"
	"rtcluster/outlier"
)

// TestCut compares with numpy 2.4 and with the threshold_ of PyOD 3.6, both to
// the last bit; what is infinite, and top, are by hand.
func TestCut(t *testing.T) {
	inf := math.Inf(1)
	odd := []float64{0.1, 0.7, 0.3, 1.9, 0.3, 2.5, 11.25, 0.2, 0.9, 1.1, 0.35, 0.6, 0.45}
	even := odd[:12]
	tests := []struct {
		name    string
		rule    outlier.Rule
		value   float64
		scores  []float64
		limit   float64
		flagged int
		ties    int
	}{
		{"the least", outlier.ByQuantile, 0, odd, 0.1, 12, 1},
		{"from below", outlier.ByQuantile, 0.1, odd, 0.22000000000000003, 11, 0},
		{"a score, which others equal", outlier.ByQuantile, 0.25, odd, 0.3, 9, 2},
		{"the middle", outlier.ByQuantile, 0.5, odd, 0.6, 6, 1},
		{"from above", outlier.ByQuantile, 0.9, odd, 2.3800000000000003, 2, 0},
		{"from the nearer one", outlier.ByQuantile, 0.7, []float64{0.1, 0.7}, 0.5199999999999999, 1, 0},
		{"rounded thrice", outlier.ByQuantile, 0.95, odd, 5.999999999999988, 1, 0},
		{"the greatest", outlier.ByQuantile, 1, odd, 11.25, 0, 1},
		{"of a 20th", outlier.ByContamination, 0.05, odd, 5.999999999999988, 1, 0},
		{"by way of percents", outlier.ByContamination, 0.33, []float64{0.1, 0.7, 0.3, 1.9}, 0.7120000000000002, 1, 0},
		{"of a fifth", outlier.ByContamination, 0.2, odd, 1.5800000000000012, 3, 0},
		{"of three tenths", outlier.ByContamination, 0.3, odd, 0.9799999999999998, 4, 0},
		{"of half", outlier.ByContamination, 0.5, odd, 0.6, 6, 1},
		{"all equal", outlier.ByContamination, 0.1, []float64{2, 2, 2}, 2, 0, 3},
		{"one row", outlier.ByContamination, 0.1, []float64{2}, 2, 0, 1},
		{"no row", outlier.ByContamination, 0.1, nil, inf, 0, 0},
		{"below infinite ones", outlier.ByContamination, 0.35, []float64{inf, 1, 2, inf, 3}, 3, 2, 1},
		{"among infinite ones", outlier.ByContamination, 0.1, []float64{inf, 1, 2, inf, 3}, inf, 0, 2},
		{"above infinite ones", outlier.ByQuantile, 0.3, []float64{-inf, -inf, 2, 3}, -inf, 2, 2},
		{"numbers too far apart", outlier.ByQuantile, 0.75, []float64{-1.5e308, 1.5e308}, 0.75e308, 1, 0},
		{"mad", outlier.ByMAD, 3.5, odd, 2.15673, 2, 0},
		{"mad of two in the middle", outlier.ByMAD, 2, even, 1.8360799999999995, 3, 0},
		{"mad 0", outlier.ByMAD, 3.5, []float64{5, 5, 5, 6, 1}, 5, 1, 3},
		{"mad 0 times what overflows", outlier.ByMAD, 1.6e308, []float64{5, 5, 5, 6, 1}, 5, 1, 3},
		{"mad and infinite ones", outlier.ByMAD, 1, []float64{inf, 0, 1, 2, inf}, 4.965199999999999, 2, 0},
		{"mad of infinite ones", outlier.ByMAD, 1, []float64{inf, 0, inf, 2}, inf, 0, 2},
		{"mad of the least ones", outlier.ByMAD, 1, []float64{-inf, -inf, -inf, 2}, -inf, 1, 3},
		{"mad of less than all", outlier.ByMAD, 1, []float64{-inf, -inf, 2, 3}, -inf, 2, 2},
		{"mad of large ones", outlier.ByMAD, 1, []float64{1.6e308, 1.6e308, 1.6e308, 1.6e308}, 1.6e308, 0, 4},
		{"top 1", outlier.ByTop, 1, odd, 11.25, 1, 1},
		{"top 3", outlier.ByTop, 3, odd, 1.9, 3, 1},
		{"top, with those that equal the last", outlier.ByTop, 10, odd, 0.3, 11, 2},
		{"top, infinite", outlier.ByTop, 1, []float64{inf, 1, inf}, inf, 2, 2},
		{"top, of fewer rows", outlier.ByTop, 5, []float64{3, 1, 2}, 1, 3, 1},
		{"top, of no rows", outlier.ByTop, 5, nil, inf, 0, 0},
		{"threshold", outlier.ByThreshold, 0.3, odd, 0.3, 9, 2},
		{"threshold below zero", outlier.ByThreshold, -1, []float64{-2, -1, 0}, -1, 1, 1},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			before := slices.Clone(tc.scores)
			limit, err := outlier.Cut{Rule: tc.rule, Value: tc.value}.Fit(tc.scores)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(tc.scores, before) {
				t.Error("the scores have changed")
			}
			if math.IsNaN(limit.MAD) {
				t.Error("MAD is NaN")
			}
			flags := limit.Flag(tc.scores)
			if limit.Score != tc.limit || flags.Flagged != tc.flagged || flags.Ties != tc.ties {
				t.Errorf("limit %v, %d flagged, %d ties; want %v, %d, %d", limit.Score, flags.Flagged, flags.Ties, tc.limit, tc.flagged, tc.ties)
			}
			for i, s := range tc.scores {
				if want := s > tc.limit || tc.rule == outlier.ByTop && s == tc.limit; flags.Outlier[i] != want {
					t.Errorf("row %d, of score %v: flagged %v, want %v", i, s, flags.Outlier[i], want)
				}
			}
		})
	}
}

// TestCutNewRows judges by the limit of other scores.
func TestCutNewRows(t *testing.T) {
	limit, err := outlier.Cut{Rule: outlier.ByMAD, Value: 1}.Fit([]float64{1, 2, 3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	if limit.Median != 3 || limit.MAD != 1 {
		t.Errorf("median %v, MAD %v, want 3, 1", limit.Median, limit.MAD)
	}
	flags := limit.Flag([]float64{4.4826, 4.5, 3, 4.48})
	if want := []bool{false, true, false, false}; !slices.Equal(flags.Outlier, want) || flags.Ties != 1 {
		t.Errorf("flags %v, %d ties, want %v, 1", flags.Outlier, flags.Ties, want)
	}
}

// TestCutGolden has thresholds that numpy finds in scikit-learn's scores.
func TestCutGolden(t *testing.T) {
	tb := jointest.ReadTable(t, "testdata/blobs.csv")
	tests := []struct {
		column  string
		cut     outlier.Cut
		limit   float64
		flagged int
	}{
		{"max4", outlier.Cut{Rule: outlier.ByContamination, Value: 0.1}, 189.51434302553255, 25},
		{"max4", outlier.Cut{Rule: outlier.ByContamination, Value: 0.25}, 133.057470091941, 63},
		{"max4", outlier.Cut{Rule: outlier.ByMAD, Value: 3.5}, 282.04803745746756, 12},
		{"lof20", outlier.Cut{Rule: outlier.ByContamination, Value: 0.1}, 1.2517524263695197, 25},
		{"lof20", outlier.Cut{Rule: outlier.ByContamination, Value: 0.25}, 1.0887935595241307, 63},
		{"lof20", outlier.Cut{Rule: outlier.ByMAD, Value: 3.5}, 1.2442094463427986, 26},
		{"count90", outlier.Cut{Rule: outlier.ByMAD, Value: 3.5}, 12.5673, 0},
	}
	for _, tc := range tests {
		scores := tb.Floats(t, tc.column)
		limit, err := tc.cut.Fit(scores)
		if err != nil {
			t.Fatal(err)
		}
		if flags := limit.Flag(scores); limit.Score != tc.limit || flags.Flagged != tc.flagged {
			t.Errorf("%s, %v: limit %v, %d flagged; want %v, %d", tc.column, tc.cut, limit.Score, flags.Flagged, tc.limit, tc.flagged)
		}
	}
}

func TestCutRefused(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	tests := []struct {
		cut  outlier.Cut
		want string
	}{
		{outlier.Cut{}, `unknown rule ""`},
		{outlier.Cut{Rule: outlier.ByContamination, Value: 0}, "contamination is 0, want a share"},
		{outlier.Cut{Rule: outlier.ByContamination, Value: 0.51}, "contamination is 0.51"},
		{outlier.Cut{Rule: outlier.ByContamination, Value: nan}, "contamination is NaN"},
		{outlier.Cut{Rule: outlier.ByTop, Value: 0}, "top is 0, want a whole number"},
		{outlier.Cut{Rule: outlier.ByTop, Value: 1.5}, "top is 1.5"},
		{outlier.Cut{Rule: outlier.ByTop, Value: inf}, "top is +Inf"},
		{outlier.Cut{Rule: outlier.ByThreshold, Value: nan}, "threshold is NaN"},
		{outlier.Cut{Rule: outlier.ByMAD, Value: 0}, "mad is 0"},
		{outlier.Cut{Rule: outlier.ByMAD, Value: inf}, "mad is +Inf"},
		{outlier.Cut{Rule: outlier.ByQuantile, Value: 95}, "quantile is 95, want a share of the rows from 0 to 1"},
		{outlier.Cut{Rule: outlier.ByQuantile, Value: -0.1}, "quantile is -0.1"},
	}
	for _, tc := range tests {
		if _, err := tc.cut.Fit([]float64{1, 2}); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v: error %v, want one with %q", tc.cut, err, tc.want)
		}
	}
}
