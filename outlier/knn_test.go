package outlier_test

import (
	"math"
	"testing"

	"rtcluster/join"
	"rtcluster/outlier"
)

// TestAggregatesOfLargeDistances has distances 10, 10 and 14 in units so large that 16
// of them overflow: their mean and median do not, though two of them added up do.
func TestAggregatesOfLargeDistances(t *testing.T) {
	const unit = 0x1p1020
	pts := measured(t, join.Metric{Norm: join.Manhattan}, 1, -10*unit, 0, 0, 4*unit)
	tests := []struct {
		aggregate outlier.Aggregate
		k         int
		want      float64
	}{
		{outlier.Max, 3, 14 * unit},
		{outlier.Mean, 2, 10 * unit},
		{outlier.Mean, 3, 34. / 3 * unit},
		{outlier.Median, 2, 10 * unit},
		{outlier.Median, 3, 10 * unit},
		{outlier.Sum, 3, math.Inf(1)},
	}
	for engine, e := range engines() {
		for _, tc := range tests {
			for _, ties := range []outlier.Ties{outlier.TiesK, outlier.TiesAll} {
				opt := outlier.Options{Method: outlier.KNN, K: tc.k, Aggregate: tc.aggregate, Ties: ties, Engine: e}
				res := score(t, e, pts, opt)
				if !closeTo(res.Scores[0], tc.want) {
					t.Errorf("%s, %s of %d, ties %s: score %v, want %v", engine, tc.aggregate, tc.k, ties, res.Scores[0], tc.want)
				}
				verify(t, pts, opt, res)
			}
		}
	}
}
