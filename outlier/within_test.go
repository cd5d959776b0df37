package outlier_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
	"rtcluster/outlier"
)

// knownRows reads a table with labels.
func knownRows(t *testing.T, file string) (pts *join.Points, outliers []bool) {
	t.Helper()
	tb := jointest.ReadTable(t, shared+file)
	data, dim := tb.Coordinates(t)
	return jointest.Points(t, dim, data...), outliersOf(t, tb)
}

// asScores are flags as scores 1 and 0.
func asScores(flags []bool) []float64 {
	scores := make([]float64, len(flags))
	for i, is := range flags {
		if is {
			scores[i] = 1
		}
	}
	return scores
}

// TestKnownDB has ELKI's numbers for D(0.175, 0.98).
func TestKnownDB(t *testing.T) {
	pts, outliers := knownRows(t, "elki_outlier_fire.csv")
	opt := outlier.Options{Method: outlier.DB, Eps: 0.175, Fraction: 0.98}
	res := score(t, cpu.New(cpu.Options{}), pts, opt)
	flagged := 0
	for _, is := range res.Outlier {
		if is {
			flagged++
		}
	}
	if got := auc(asScores(res.Outlier), outliers); flagged != 58 || math.Abs(got-0.97487179) > 0.5e-8 {
		t.Errorf("%d flagged, area under the curve %.10f, want 58, 0.97487179", flagged, got)
	}
	if got := res.Scores[1024]; got != 0.688780487804878 {
		t.Errorf("row 1025 has score %v, want 0.688780487804878", got)
	}
	if got := auc(res.Scores, outliers); math.Abs(got-0.9926564103) > 0.5e-10 {
		t.Errorf("area under the curve %.10f, want 0.9926564103", got)
	}
	verify(t, pts, opt, res)
}

// TestKnownDBSCAN has ELKI's numbers; its rows are from 1.
func TestKnownDBSCAN(t *testing.T) {
	pts, outliers := knownRows(t, "elki_outlier_parabolic.csv")
	opt := outlier.Options{Method: outlier.DBSCAN, Eps: 0.04, MinSamples: 20}
	res := score(t, cpu.New(cpu.Options{}), pts, opt)
	if got := auc(res.Scores, outliers); math.Abs(got-0.7772) > 1e-12 {
		t.Errorf("area under the curve %.10f, want 0.7772", got)
	}
	flags := outlier.Limit{Score: 0.5}.Flag(res.Scores)
	if got := auc(asScores(flags.Outlier), outliers); flags.Flagged != 153 || math.Abs(got-0.718) > 1e-12 {
		t.Errorf("%d rows are noise, area under the curve %.10f, want 153, 0.718", flags.Flagged, got)
	}
	for row, want := range map[int]float64{416: 1, 29: 0.5, 16: 0} {
		if got := res.Scores[row-1]; got != want {
			t.Errorf("row %d has score %v, want %v", row, got, want)
		}
	}
	verify(t, pts, opt, res)
}

// TestFraction flags by the decimal that is written: in float64, (1 − 0.9)·10 is less
// than 1.
func TestFraction(t *testing.T) {
	line := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 100}
	tests := []struct {
		fraction float64
		rows     []float64
		want     []int // flagged
	}{
		{0.9, line, []int{9}},
		{0.91, line, nil},
		{0.8, line, []int{0, 8, 9}},
		{0.7, line, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{0.71, line, []int{0, 8, 9}},
		{0.5, []float64{0, 0, 9}, []int{2}},
		{1e-5, []float64{0, 0, 0}, nil},
		{1e-5, []float64{0, 0, 9}, []int{0, 1, 2}},
	}
	for _, tc := range tests {
		pts := jointest.Points(t, 1, tc.rows...)
		opt := outlier.Options{Method: outlier.DB, Eps: 1, Fraction: tc.fraction}
		res := score(t, jointest.Brute(), pts, opt)
		var got []int
		for i, is := range res.Outlier {
			if is {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, tc.want) || len(res.Outlier) != len(tc.rows) {
			t.Errorf("fraction %v: rows %v are flagged, want %v", tc.fraction, got, tc.want)
		}
		res.Outlier[1] = !res.Outlier[1]
		err := outlier.Verify(t.Context(), pts, opt, res, []int{0, 1})
		if !errors.Is(err, join.ErrVerify) || !strings.Contains(err.Error(), "row 1 of score") {
			t.Errorf("a wrong flag: error %v, want ErrVerify", err)
		}
	}
	if res := score(t, jointest.Brute(), jointest.Points(t, 1, line...), outlier.Options{Method: outlier.DB, Eps: 1}); res.Outlier != nil {
		t.Errorf("without a fraction flags are %v, want none", res.Outlier)
	}
}

// TestWithinNewRows counts the new row beside the reference: of ten rows where that
// has nine, and with min samples 3 beside two.
func TestWithinNewRows(t *testing.T) {
	pts := jointest.Points(t, 1, 0, 1, 2, 3, 4, 5, 6, 7, 20)
	q := jointest.Points(t, 1, 20.5, 50, 8, 3.5, 8.5, 19, 20, 6)
	opts := []outlier.Options{
		{Method: outlier.DB, Eps: 1, Fraction: 0.8},
		{Method: outlier.DBSCAN, Eps: 1, MinSamples: 3},
		{Method: outlier.DBSCAN, Eps: 1, MinSamples: 1},
		{Method: outlier.DBSCAN, Eps: 2, MinSamples: 3},
	}
	want := [][]float64{
		{0.8, 0.9, 0.8, 0.7, 0.9, 0.8, 0.8, 0.6},
		{1, 1, 1, 0, 1, 1, 1, 0},
		{0, 0, 0, 0, 0, 0, 0, 0},
		{1, 1, 0, 0, 0.5, 1, 1, 0},
	}
	for engine, e := range engines() {
		m, err := outlier.Fit(t.Context(), jointest.Index(t, e, pts), opts)
		if err != nil {
			t.Fatal(err)
		}
		scored, err := m.Score(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for i, res := range scored {
			if !slices.EqualFunc(res.Scores, want[i], closeTo) {
				t.Errorf("%s, %v: scores %v, want %v", engine, opts[i], res.Scores, want[i])
			}
			if err := outlier.VerifyNew(t.Context(), pts, q, opts[i], res, []int{0, 1, 2, 3, 4, 5, 6, 7}); err != nil {
				t.Error(err)
			}
		}
		if flags := []bool{true, true, true, false, true, true, true, false}; !slices.Equal(scored[0].Outlier, flags) {
			t.Errorf("%s: flags %v, want %v", engine, scored[0].Outlier, flags)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}
