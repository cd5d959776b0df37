package outlier_test

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"rtcluster/join/jointest"
	"rtcluster/outlier"
)

// agree reports whether numbers agree but for the last two digits of a float64.
func agree(a, b float64) bool { return math.Abs(a-b) <= 4e-16*max(1, math.Abs(b)) }

// TestEvaluate compares AUROC, average precision and the greatest F1 with
// scikit-learn 1.9; precision at n is by hand.
func TestEvaluate(t *testing.T) {
	inf := math.Inf(1)
	tests := []struct {
		name                string
		scores              []float64
		outlier             []bool
		auroc, ap, pAtN, f1 float64
		f1Score             float64
	}{
		{"perfect", []float64{9, 8, 7, 6, 5, 4}, marks("110000"), 1, 1, 1, 1, 8},
		{"upside down", []float64{0, 1, 2, 3}, marks("1100"), 0, 0.41666666666666663, 0, 0.6666666666666666, 0},
		{"all equal", []float64{1, 1, 1, 1, 1, 1, 1}, marks("1001000"), 0.5, 0.2857142857142857, 2. / 7, 0.4444444444444445, 1},
		// In order 9+ 8- 7+ 5- (3+ 3- 3-) 2+ 1- 0+: a random one of those of score 3
		// is among the first five.
		{"ties", []float64{5, 9, 8, 7, 3, 3, 3, 1, 2, 0}, marks("0101100011"), 0.48, 0.6190476190476191, (2 + 1./3) / 5, 0.6666666666666666, 0},
		{"two thresholds as good", []float64{4, 3, 2, 1}, marks("1001"), 0.5, 0.75, 0.5, 2. / 3, 4},
		{"infinite", []float64{inf, inf, 1, 2}, marks("1010"), 0.375, 0.5, 0.5, 2. / 3, 1},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			e, err := outlier.Evaluate(tc.scores, tc.outlier)
			if err != nil {
				t.Fatal(err)
			}
			for _, figure := range []struct {
				name      string
				got, want float64
			}{
				{"AUROC", e.AUROC, tc.auroc},
				{"average precision", e.AveragePrecision, tc.ap},
				{"precision at n", e.PrecisionAtN, tc.pAtN},
				{"greatest F1", e.MaxF1, tc.f1},
				{"score of the greatest F1", e.MaxF1Score, tc.f1Score},
				{"adjusted average precision", e.AdjustedAveragePrecision, (tc.ap - e.Share) / (1 - e.Share)},
				{"adjusted precision at n", e.AdjustedPrecisionAtN, (tc.pAtN - e.Share) / (1 - e.Share)},
				{"adjusted F1", e.AdjustedMaxF1, (tc.f1 - e.Share) / (1 - e.Share)},
			} {
				if !agree(figure.got, figure.want) {
					t.Errorf("%s %v, want %v", figure.name, figure.got, figure.want)
				}
			}
		})
	}
}

// marks reads 1 as an outlier.
func marks(text string) []bool {
	is := make([]bool, len(text))
	for i, c := range text {
		is[i] = c == '1'
	}
	return is
}

// TestEvaluateGolden compares with scikit-learn's figures of scikit-learn's
// scores, in which every seventh row, from row 3 on, and the scores above the
// 0.95-quantile are said to be outliers.
func TestEvaluateGolden(t *testing.T) {
	tb := jointest.ReadTable(t, "testdata/blobs.csv")
	for _, tc := range []struct {
		column        string
		outliers      int
		auroc, ap, f1 float64
		f1Score       float64
	}{
		{"max4", 48, 0.6265470297029703, 0.46104412720978205, 0.4262295081967213, 247.70195123094433},
		{"lof20", 48, 0.630259900990099, 0.48204572378079735, 0.4383561643835616, 1.260764919320984},
		{"count90", 36, 0.4893561786085151, 0.14286084738608418, 0.254681647940075, -50},
	} {
		scores := tb.Floats(t, tc.column)
		limit, err := outlier.Cut{Rule: outlier.ByQuantile, Value: 0.95}.Fit(scores)
		if err != nil {
			t.Fatal(err)
		}
		are := limit.Flag(scores).Outlier
		for i := range are {
			are[i] = are[i] || i%7 == 3
		}
		e, err := outlier.Evaluate(scores, are)
		if err != nil {
			t.Fatal(err)
		}
		if e.Outliers != tc.outliers || e.Inliers != len(scores)-tc.outliers || e.MaxF1Score != tc.f1Score ||
			!agree(e.AUROC, tc.auroc) || !agree(e.AveragePrecision, tc.ap) || !agree(e.MaxF1, tc.f1) {
			t.Errorf("%s: %+v, want %+v", tc.column, *e, tc)
		}
	}
}

// TestEvaluateManyRows adds up precisions to the last digit, and counts more
// pairs than 32 bits hold: of rows that are outliers in turns, the i-th has
// precision i/(2i−1).
func TestEvaluateManyRows(t *testing.T) {
	const n = 200_000
	scores, are := make([]float64, n), make([]bool, n)
	sum := new(big.Float).SetPrec(200)
	for i := range n {
		scores[i], are[i] = float64(-i), i%2 == 0
		if are[i] {
			place := float64(i/2 + 1)
			sum.Add(sum, new(big.Float).SetPrec(200).Quo(big.NewFloat(place), big.NewFloat(2*place-1)))
		}
	}
	e, err := outlier.Evaluate(scores, are)
	if err != nil {
		t.Fatal(err)
	}
	total, _ := sum.Float64()
	if want := total / (n / 2); !agree(e.AveragePrecision, want) {
		t.Errorf("average precision %v, want %v", e.AveragePrecision, want)
	}
	if want := 0.5 + 1./n; !agree(e.AUROC, want) { // the i-th outlier loses to i−1 inliers
		t.Errorf("AUROC %v, want %v", e.AUROC, want)
	}
}

func TestEvaluateRefused(t *testing.T) {
	for _, tc := range []struct {
		labels string
		want   string
		one    bool
	}{
		{"000", "of 3 rows 0 are outliers", true},
		{"111", "of 3 rows 3 are outliers", true},
		{"10", "3 scores to evaluate, and 2 labels", false},
	} {
		_, err := outlier.Evaluate([]float64{1, 2, 3}, marks(tc.labels))
		if err == nil || !strings.Contains(err.Error(), tc.want) || errors.Is(err, outlier.ErrOneClass) != tc.one {
			t.Errorf("labels %s: error %v, want one with %q, ErrOneClass %v", tc.labels, err, tc.want, tc.one)
		}
	}
	if _, err := outlier.Evaluate(nil, nil); !errors.Is(err, outlier.ErrOneClass) {
		t.Errorf("no rows: error %v, want ErrOneClass", err)
	}
}
