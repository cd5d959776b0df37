package outlier_test

import (
	"fmt"
	"math"
	"testing"

	"rtcluster/join/jointest"
	"rtcluster/outlier"
)

// TestELKI compares with what ELKI 0.8.0 gives for small tables. There, k is what it is
// here, lof, simplified-lof, ldof and odin take all ties, and odin is the in-degree
// over k. The last table has no ties.
func TestELKI(t *testing.T) {
	inf := math.Inf(1)
	square := []float64{0, 0, 1, 0, 0, 1, 1, 1, 5, 5, 5, 6, 9, 2, 2, 2.5}
	heap := []float64{0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 3, 1, 3, 2, 5, 5, 2, 2}
	loose := []float64{0, 0, 1, .1, .2, 1.3, 1.5, 1, 4, 4, 2.5, 3.1, 7, 1}
	root := math.Sqrt(0.5)
	tests := []struct {
		method outlier.Method
		k      int
		data   []float64
		want   []float64
	}{
		{outlier.KNN, 2, square, []float64{1, 1, 1, 1, 3.905124837953327, 4.6097722286464435, 5.656854249492381, 2.5}},
		{outlier.LOF, 2, square, []float64{1, 1, 1, 1, 1.4894656128396224, 1.4894656128396224, 1.2515540899836095, 2.1513878188659974}},
		{outlier.SimplifiedLOF, 2, square, []float64{1, 1, 1, 1, 1.0071900751296246, 1.2237059822276772, 2.0361452853696886, 2.1513878188659974}},
		{outlier.LDOF, 2, square, []float64{root, root, root, root, 0.5320354883774384, 0.718257733290099, 5.32842712474619, 2.1513878188659974}},
		{outlier.ODIN, 2, square, []float64{-2, -2, -3, -3, -2, -2, 0, -2}},
		{outlier.LOF, 3, heap, []float64{1, 1, 1, 1, inf, inf, 1.6774584921837583, 1.7971808199040222, 1.6889482501855326, 1.6774584921837583}},
		{outlier.SimplifiedLOF, 3, heap, []float64{1, 1, 1, 1, inf, inf, 1.5508347593760348, 1.7523278291606006, 2.305443145829323, 1.5508347593760348}},
		{outlier.LDOF, 3, heap, []float64{1, 1, 1, 1, 2, 2, 0.9281636596184386, 1.1087799857297342, 3.6085405006180817, 0.9281636596184386}},
		{outlier.LDOF, 2, heap, []float64{1, 1, 1, 1, 2, 2, 1.2071067811865475, root, 3.9240959812916367, 1.2071067811865475}},
		{outlier.LoOP, 2, loose, []float64{0, 0, 0.10722556270721822, 0.015532755844730583, 0.6605102524720159, 0, 0.6345548685418865}},
		{outlier.LDOF, 2, loose, []float64{0.8044131218221575, 0.5642828019271388, 0.7348282822210791, 0.8194757333631149, 1.215510455517138, 0.5217792525823598, 2.632081479536213}},
		{outlier.SimplifiedLOF, 2, loose, []float64{1.0080979893883344, 0.8687961522163645, 1.1313759376559338, 1.026974593955625, 1.8898323600498705, 1.2223913439251792, 1.9440955821670691}},
	}
	for engine, e := range engines() {
		for _, tc := range tests {
			opt := outlier.Options{Method: tc.method, K: tc.k, Ties: outlier.TiesAll, Engine: e}
			res := score(t, e, jointest.Points(t, 2, tc.data...), opt)
			for i, got := range res.Scores {
				if !closeTo(got, tc.want[i]) {
					t.Errorf("%s, method %s, k %d, row %d of %d: score %v, want %v", engine, tc.method, tc.k, i, len(tc.want), got, tc.want[i])
				}
			}
		}
	}
}

// TestAllPLOF has the numbers of PyNomaly 0.4.0, whose nPLOF is the paper's.
func TestAllPLOF(t *testing.T) {
	loose := jointest.Points(t, 2, 0, 0, 1, .1, .2, 1.3, 1.5, 1, 4, 4, 2.5, 3.1, 7, 1)
	want := []float64{0, 0, 0.10649352159840945, 0.015426087339412926, 0.6571828376044893, 0, 0.631252661361442}
	res := score(t, jointest.Brute(), loose, outlier.Options{Method: outlier.LoOP, K: 2, AllPLOF: true})
	for i, got := range res.Scores {
		if !closeTo(got, want[i]) {
			t.Errorf("row %d has score %v, want %v", i, got, want[i])
		}
	}
}

// TestDuplicateRules has rows that the definitions give no number, or another number
// than ELKI: rows 0 to 5 are a heap, row 6 is beside it.
func TestDuplicateRules(t *testing.T) {
	inf := math.Inf(1)
	heap := []float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 3, 1, 3, 2, 5, 5, 2, 2}
	tests := []struct {
		method     outlier.Method
		k          int
		lambda     float64
		heap       float64
		beside     float64
		duplicates int // for both rules
	}{
		{outlier.LOF, 2, 0, 1, inf, 7},
		{outlier.SimplifiedLOF, 2, 0, 1, inf, 7},
		{outlier.LDOF, 2, 0, 1, inf, 7},
		{outlier.LoOP, 2, 0, 0, 1, 7},
		{outlier.LoOP, 2, math.MaxFloat64, 0, 1, 7}, // the deviation is infinite, too
		{outlier.KNN, 2, 0, 0, 1, 0},
	}
	for _, ties := range []outlier.Ties{outlier.TiesK, outlier.TiesAll} {
		for _, tc := range tests {
			t.Run(fmt.Sprintf("%s/lambda=%g/ties=%s", tc.method, tc.lambda, ties), func(t *testing.T) {
				opt := outlier.Options{Method: tc.method, K: tc.k, Lambda: tc.lambda, Ties: ties, Engine: jointest.Brute()}
				pts := jointest.Points(t, 2, heap...)
				m, err := outlier.Fit(t.Context(), jointest.Index(t, jointest.Brute(), pts), []outlier.Options{opt})
				if err != nil {
					t.Fatal(err)
				}
				res := m.Results()[0]
				for i, got := range res.Scores {
					if i < 6 && got != tc.heap || i == 6 && got != tc.beside || i > 6 && (got == 0 && tc.method != outlier.LoOP || math.IsInf(got, 1)) {
						t.Errorf("row %d has score %v", i, got)
					}
				}
				if res.Duplicates != tc.duplicates {
					t.Errorf("%d duplicates, want %d", res.Duplicates, tc.duplicates)
				}
				scored, err := m.Score(t.Context(), jointest.Points(t, 2, 0, 0, -1, 0, 4, 4))
				if err != nil {
					t.Fatal(err)
				}
				got := scored[0].Scores
				if got[0] != tc.heap || got[1] != tc.beside || math.IsInf(got[2], 1) || scored[0].Duplicates != min(tc.duplicates, 2) {
					t.Errorf("new rows in the heap, beside it and far off have scores %v, %d by the rules", got, scored[0].Duplicates)
				}
			})
		}
	}
}
