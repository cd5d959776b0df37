package outlier_test

import (
	"fmt"
	"math"
	"testing"

	"rtcluster/join/jointest"
	"rtcluster/outlier"
)

// TestGolden compares with scikit-learn's scores. Both round, and its LOF adds
// 1e-10 to mean distances of 1 and more.
func TestGolden(t *testing.T) {
	const tolerance = 1e-9
	type column struct {
		name string
		opt  outlier.Options
	}
	columns := []column{{"count90", outlier.Options{Method: outlier.Count, Eps: 90}}}
	for _, k := range []int{1, 4, 20} {
		columns = append(columns, column{fmt.Sprintf("lof%d", k), outlier.Options{Method: outlier.LOF, K: k}})
		for _, a := range []outlier.Aggregate{outlier.Max, outlier.Mean, outlier.Median, outlier.Sum} {
			columns = append(columns, column{fmt.Sprintf("%s%d", a, k), outlier.Options{Method: outlier.KNN, K: k, Aggregate: a}})
		}
	}
	for engine, e := range engines() {
		for _, file := range []string{"plane", "blobs"} {
			tb := jointest.ReadTable(t, "testdata/"+file+".csv")
			data, dim := tb.Coordinates(t)
			pts := jointest.Points(t, dim, data...)
			for _, c := range columns {
				t.Run(engine+"/"+file+"/"+c.name, func(t *testing.T) {
					res, want := score(t, e, pts, c.opt), tb.Floats(t, c.name)
					for i, got := range res.Scores {
						if math.Abs(got-want[i]) > tolerance*math.Abs(want[i]) {
							t.Fatalf("row %d: score %v, want %v", i, got, want[i])
						}
					}
				})
			}
		}
	}
}
