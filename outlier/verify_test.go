package outlier_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"rtcluster/join"
	"rtcluster/join/jointest"
	"rtcluster/outlier"
)

// faulty is an index that makes the mistakes it is told to.
type faulty struct {
	join.Index
	counts func(dst []int32)
	pairs  func([]join.Pair) []join.Pair
	knn    func(row int, near []join.Neighbor) []join.Neighbor
	err    error
}

func (f faulty) Counts(ctx context.Context, q *join.Points, eps float64, limit int32, dst []int32) error {
	if f.err != nil {
		return f.err
	}
	err := f.Index.Counts(ctx, q, eps, limit, dst)
	if f.counts != nil {
		f.counts(dst)
	}
	return err
}

func (f faulty) Pairs(ctx context.Context, q *join.Points, eps float64, emit func([]join.Pair) error) error {
	if f.err != nil {
		return f.err
	}
	return f.Index.Pairs(ctx, q, eps, func(pairs []join.Pair) error {
		if f.pairs != nil {
			pairs = f.pairs(slices.Clone(pairs))
		}
		return emit(pairs)
	})
}

func (f faulty) KNN(ctx context.Context, q *join.Points, k int, emit func(int, []join.Neighbor) error) error {
	if f.err != nil {
		return f.err
	}
	return f.Index.KNN(ctx, q, k, func(row int, near []join.Neighbor) error {
		if f.knn != nil {
			near = f.knn(row, slices.Clone(near))
		}
		return emit(row, near)
	})
}

// at changes the r-th neighbour of row i alone.
func at(i, r int, change func(*join.Neighbor)) func(int, []join.Neighbor) []join.Neighbor {
	return func(row int, near []join.Neighbor) []join.Neighbor {
		if row == i {
			change(&near[r])
		}
		return near
	}
}

// TestVerifyFindsPlantedFaults plants one fault in an engine and wants Verify
// to find it in the rows it reaches.
func TestVerifyFindsPlantedFaults(t *testing.T) {
	double := func(n *join.Neighbor) { n.D2 *= 4 } // the distance, that is
	pts := jointest.Points(t, 1, 0, 1, 3, 7, 12, 20)
	knn := outlier.Options{Method: outlier.KNN, K: 2, Aggregate: outlier.Sum}
	lof := outlier.Options{Method: outlier.LOF, K: 2}
	count := outlier.Options{Method: outlier.Count, Eps: 4}
	db := outlier.Options{Method: outlier.DB, Eps: 4, Fraction: 0.6}
	dbscan := outlier.Options{Method: outlier.DBSCAN, Eps: 4, MinSamples: 4}
	of := func(m outlier.Method) outlier.Options { return outlier.Options{Method: m, K: 2} }
	// With k 2 the nearest are 0: 1 2, 1: 0 2, 2: 1 0, 3: 2 4, 4: 3 5, 5: 4 3.
	tests := []struct {
		name  string
		fault faulty
		opt   outlier.Options
		rows  []int
		want  string
	}{
		{"knn, no fault", faulty{}, knn, []int{0, 5}, ""},
		{"lof, no fault", faulty{}, lof, []int{0, 5}, ""},
		{"count, no fault", faulty{}, count, []int{0, 5}, ""},
		{"knn, a distance", faulty{knn: at(3, 0, double)}, knn, []int{3}, "row 3 has score 13, by brute force 9"},
		{"knn, another row", faulty{knn: at(3, 0, double)}, knn, []int{0, 1, 2, 4, 5}, ""},
		{"lof, a distance", faulty{knn: at(3, 0, double)}, lof, []int{3}, "row 3 has score"},
		{"lof, a distance of a neighbour", faulty{knn: at(4, 0, double)}, lof, []int{5}, "row 5 has score"},
		{"lof, the k-th distance of a neighbour's neighbour", faulty{knn: at(2, 1, double)}, lof, []int{4}, "row 4 has score"},
		{"lof, a wrong row", faulty{knn: at(3, 1, func(n *join.Neighbor) { n.Row = 5 })}, lof, []int{3}, "row 3 has score"},
		{"lof, far away", faulty{knn: at(5, 1, double)}, lof, []int{0, 1, 2}, ""},
		{"simplified-lof, a distance of a neighbour", faulty{knn: at(4, 0, double)}, of(outlier.SimplifiedLOF), []int{5}, "row 5 has score"},
		{"loop, a distance of a neighbour", faulty{knn: at(4, 0, double)}, of(outlier.LoOP), []int{5}, "row 5 has score"},
		{"ldof, a wrong row", faulty{knn: at(3, 1, func(n *join.Neighbor) { n.Row = 5 })}, of(outlier.LDOF), []int{3}, "row 3 has score"},
		{"odin, a wrong row", faulty{knn: at(3, 1, func(n *join.Neighbor) { n.Row = 5 })}, of(outlier.ODIN), []int{5}, "row 5 has score -2, by brute force -1"},
		{"odin, a row left out", faulty{knn: at(3, 1, func(n *join.Neighbor) { n.Row = 5 })}, of(outlier.ODIN), []int{4}, "row 4 has score -1, by brute force -2"},
		{"db, no fault", faulty{}, db, []int{0, 1, 2, 3, 4, 5}, ""},
		{"db, one lost", faulty{counts: func(dst []int32) { dst[2]-- }}, db, []int{2}, "row 2 has score 0.5"},
		{"dbscan, no fault", faulty{}, dbscan, []int{0, 1, 2, 3, 4, 5}, ""},
		{"dbscan, a neighbour lost", faulty{counts: func(dst []int32) { dst[2]-- }}, dbscan, []int{2}, "row 2 has score 1, by brute force 0"},
		{"dbscan, border lost", faulty{pairs: func([]join.Pair) []join.Pair { return nil }}, dbscan, []int{3}, "row 3 has score 1, by brute force 0.5"},
		{"dbscan, a neighbour more", faulty{counts: func(dst []int32) { dst[1]++ }}, dbscan, []int{1}, "row 1 has score 0, by brute force 0.5"},
		{"count, one lost", faulty{counts: func(dst []int32) { dst[2]-- }}, count, nil, "counts add up to 7, want twice the 3 pairs"},
		{"count, a pair lost", faulty{counts: func(dst []int32) { dst[2]--; dst[3]-- }}, count, []int{3}, "row 3 has score 0, by brute force -1"},
		{"count, a pair added", faulty{counts: func(dst []int32) { dst[4]++; dst[5]++ }}, count, []int{5}, "row 5 has score -1, by brute force 0"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			tc.fault.Index = jointest.Index(t, jointest.Brute(), pts)
			res, err := outlier.Score(t.Context(), tc.fault, tc.opt)
			if err != nil {
				t.Fatal(err)
			}
			err = outlier.Verify(t.Context(), pts, tc.opt, res, tc.rows)
			switch {
			case tc.want == "" && err != nil:
				t.Errorf("error %v, want none", err)
			case tc.want != "" && (!errors.Is(err, join.ErrVerify) || !strings.Contains(err.Error(), tc.want)):
				t.Errorf("error %v, want ErrVerify with %q", err, tc.want)
			}
		})
	}
}

// TestVerifyIsToTheBit changes every score in its last bit.
func TestVerifyIsToTheBit(t *testing.T) {
	pts := jointest.Points(t, 3, jointest.Uniform(60, 3, 4)...)
	q := jointest.Points(t, 3, jointest.Uniform(9, 3, 5)...)
	for _, opt := range append(everyOption(outlier.TiesK, 60, 0.3), everyOption(outlier.TiesAll, 60, 0.3)...) {
		m, err := outlier.Fit(t.Context(), jointest.Index(t, jointest.Brute(), pts), []outlier.Options{opt})
		if err != nil {
			t.Fatal(err)
		}
		scored, err := m.Score(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for row, good := range scored[0].Scores {
			scored[0].Scores[row] = math.Nextafter(good, math.Inf(1))
			err := outlier.VerifyNew(t.Context(), pts, q, opt, scored[0], []int{row})
			if want := fmt.Sprintf("new row %d has score", row); !errors.Is(err, join.ErrVerify) || !strings.Contains(err.Error(), want) {
				t.Errorf("method %s, new row %d: error %v, want ErrVerify", opt.Method, row, err)
			}
		}
		res := m.Results()[0]
		if opt.Method == outlier.Count {
			continue // the sum of counts is seen to be wrong first
		}
		verify(t, pts, opt, res)
		for row, good := range res.Scores {
			res.Scores[row] = math.Nextafter(good, math.Inf(1))
			err := outlier.Verify(t.Context(), pts, opt, res, []int{row})
			if want := fmt.Sprintf("row %d has score", row); !errors.Is(err, join.ErrVerify) || !strings.Contains(err.Error(), want) {
				t.Errorf("method %s, row %d: error %v, want ErrVerify", opt.Method, row, err)
			}
			res.Scores[row] = good
		}
	}
}

func TestVerifyBadCalls(t *testing.T) {
	pts := jointest.Points(t, 1, 1, 2, 4)
	opt := outlier.Options{Method: outlier.KNN, K: 1}
	res := score(t, jointest.Brute(), pts, opt)
	for _, row := range []int{-1, 3} {
		err := outlier.Verify(t.Context(), pts, opt, res, []int{row})
		if err == nil || errors.Is(err, join.ErrVerify) || !strings.Contains(err.Error(), fmt.Sprintf("row %d to verify", row)) {
			t.Errorf("row %d: error %v, want one that names the row, not ErrVerify", row, err)
		}
	}
	one := &outlier.Result{Scores: []float64{1}}
	for _, tc := range []struct {
		k, row int
		want   string
	}{{4, 0, "k is 4, want at most 3 for a reference of 3"}, {3, 1, "new row 1 to verify, want 0 to 0"}} {
		opt.K = tc.k
		err := outlier.VerifyNew(t.Context(), pts, jointest.Points(t, 1, 9), opt, one, []int{tc.row})
		if err == nil || errors.Is(err, join.ErrVerify) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
	opt.K, res.Scores = 1, res.Scores[1:]
	if err := outlier.Verify(t.Context(), pts, opt, res, nil); !errors.Is(err, join.ErrVerify) {
		t.Errorf("a score missing: error %v, want ErrVerify", err)
	}
}

func TestIndexErrors(t *testing.T) {
	pts := jointest.Points(t, 1, 1, 2, 4)
	idx := jointest.Index(t, jointest.Brute(), pts)
	broken := errors.New("device lost")
	for _, opt := range append(everyOption(outlier.TiesK, 2, 1), everyOption(outlier.TiesAll, 2, 1)...) {
		if _, err := outlier.Score(t.Context(), faulty{Index: idx, err: broken}, opt); !errors.Is(err, broken) {
			t.Errorf("method %s: error %v, want %v", opt.Method, err, broken)
		}
	}
	short := faulty{Index: idx, knn: func(row int, near []join.Neighbor) []join.Neighbor { return near[:2-row%2] }}
	_, err := outlier.Score(t.Context(), short, outlier.Options{Method: outlier.LOF, K: 2})
	if err == nil || !strings.Contains(err.Error(), "row 1 1 neighbours, want 2") {
		t.Errorf("a short list: error %v, want one that says so", err)
	}
}
