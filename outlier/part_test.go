package outlier_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"rtcluster/join"
	"rtcluster/join/jointest"
	"rtcluster/outlier"
)

// TestPart counts duplicates row by row: where a density is the measure, those with k
// equal rows or more, and those of infinite score.
func TestPart(t *testing.T) {
	found := map[outlier.Method]int{}
	sets := plainSets(t)
	sets["many places"] = jointest.Points(t, 2, slices.Concat(jointest.Lattice(300, 2, 14, 7), slices.Repeat([]float64{13, 13}, 8))...)
	for name, pts := range sets {
		equals := make([]int, pts.Rows())
		for i := range equals {
			join.Scan(pts, pts.Row(i), 0, func(int, float64) { equals[i]++ })
			equals[i]-- // the row itself
		}
		for _, ties := range []outlier.Ties{outlier.TiesK, outlier.TiesAll} {
			opts := everyOption(ties, pts.Rows()-1, 1)
			all, err := outlier.ScoreEach(t.Context(), jointest.Index(t, jointest.Brute(), pts), opts)
			if err != nil {
				t.Fatal(err)
			}
			for i, res := range all {
				opt := opts[i]
				what := fmt.Sprintf("%s, %s, k %d, ties %s", name, opt.Method, opt.K, ties)
				n, sum := len(res.Scores), 0
				for row := range n {
					part := res.Part(row, row+1)
					sum += part.Duplicates
					density := opt.Method == outlier.LOF || opt.Method == outlier.SimplifiedLOF
					if want := equals[row] >= opt.K || math.IsInf(res.Scores[row], 1); density && want != (part.Duplicates == 1) {
						t.Errorf("%s: row %d with %d equal rows and score %v: %d duplicates", what, row, equals[row], res.Scores[row], part.Duplicates)
					}
				}
				low, high := res.Part(0, n/3), res.Part(n/3, n)
				if sum != res.Duplicates || low.Duplicates+high.Duplicates != res.Duplicates {
					t.Errorf("%s: %d duplicates, of the rows one by one %d, of two parts %d and %d", what, res.Duplicates, sum, low.Duplicates, high.Duplicates)
				}
				if !slices.Equal(slices.Concat(low.Scores, high.Scores), res.Scores) {
					t.Errorf("%s: parts have other scores", what)
				}
				if !slices.Equal(slices.Concat(low.Outlier, high.Outlier), res.Outlier) {
					t.Errorf("%s: parts have other outliers", what)
				}
				found[opt.Method] += res.Duplicates
			}
		}
	}
	for _, m := range []outlier.Method{outlier.LOF, outlier.SimplifiedLOF, outlier.LoOP, outlier.LDOF} {
		if found[m] == 0 {
			t.Errorf("%s: no duplicates anywhere", m)
		}
	}
}
