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

// TestGoldenNovelty compares with scikit-learn's scores of new rows. The first rows of
// the tables are the reference.
func TestGoldenNovelty(t *testing.T) {
	const reference, tolerance = 150, 1e-9
	for engine, e := range engines() {
		for _, file := range []string{"plane", "blobs"} {
			tb := jointest.ReadTable(t, "testdata/"+file+".csv")
			data, dim := tb.Coordinates(t)
			pts, q := jointest.Points(t, dim, data[:reference*dim]...), jointest.Points(t, dim, data[reference*dim:]...)
			var opts []outlier.Options
			var columns []string
			for _, k := range []int{1, 4, 20} {
				opts = append(opts, outlier.Options{Method: outlier.LOF, K: k}, outlier.Options{Method: outlier.KNN, K: k, Aggregate: outlier.Mean})
				columns = append(columns, fmt.Sprintf("novelty%d", k), fmt.Sprintf("newmean%d", k))
			}
			m, err := outlier.Fit(t.Context(), jointest.Index(t, e, pts), opts)
			if err != nil {
				t.Fatal(err)
			}
			scored, err := m.Score(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			for c, column := range columns {
				want := tb.Floats(t, column)
				for i, got := range append(m.Results()[c].Scores, scored[c].Scores...) {
					if math.Abs(got-want[i]) > tolerance*math.Abs(want[i]) {
						t.Fatalf("%s, %s, %s, row %d: score %v, want %v", engine, file, column, i, got, want[i])
					}
				}
			}
		}
	}
}
