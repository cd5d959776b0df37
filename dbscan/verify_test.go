package dbscan_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"rtcluster/dbscan"
	"rtcluster/join"
	"rtcluster/join/jointest"
)

// faulty is an index that makes the mistakes it is told to.
type faulty struct {
	join.Index
	counts func(dst []int32)
	pairs  func(self bool, batch []join.Pair) []join.Pair
}

func (f faulty) Counts(ctx context.Context, q *join.Points, eps float64, limit int32, dst []int32) error {
	err := f.Index.Counts(ctx, q, eps, limit, dst)
	if f.counts != nil {
		f.counts(dst)
	}
	return err
}

func (f faulty) Pairs(ctx context.Context, q *join.Points, eps float64, emit func([]join.Pair) error) error {
	return f.Index.Pairs(ctx, q, eps, func(batch []join.Pair) error {
		if f.pairs != nil {
			batch = f.pairs(q == nil, slices.Clone(batch))
		}
		return emit(batch)
	})
}

// components is an index with a Componenter that returns what it is told to.
type components struct {
	join.Index
	dst []int32
}

func (c components) Components(_ context.Context, _ float64, _ []bool, dst []int32) error {
	copy(dst, c.dst)
	return nil
}

func without(i, j int32, ofSelf bool) func(bool, []join.Pair) []join.Pair {
	return func(self bool, batch []join.Pair) []join.Pair {
		return slices.DeleteFunc(batch, func(p join.Pair) bool { return self == ofSelf && p == join.Pair{I: i, J: j} })
	}
}

func with(i, j int32, ofSelf bool) func(bool, []join.Pair) []join.Pair {
	return func(self bool, batch []join.Pair) []join.Pair {
		if self == ofSelf {
			batch = append(batch, join.Pair{I: i, J: j})
		}
		return batch
	}
}

// ladder is two clusters of core rows 1..4 and 7..9 for eps 1 and 3 samples,
// with border rows 0, 5, 6 and 10 and two noise rows:
//
//	0 1 2 3 4 5     6 7 8 9 10    11     12
func ladder(t *testing.T) (*join.Points, dbscan.Options) {
	return jointest.Points(t, 1, 0, 1, 2, 3, 4, 5, 20, 21, 22, 23, 24, 40, 50), dbscan.Options{Eps: 1, MinSamples: 3}
}

// TestVerifyFindsPlantedFaults plants one fault in an engine and wants Verify
// to find it in the row it is in.
func TestVerifyFindsPlantedFaults(t *testing.T) {
	tests := []struct {
		name  string
		fault faulty
		opt   func(*dbscan.Options)
		rows  []int
		want  string
	}{
		{"no fault", faulty{}, nil, []int{0, 1, 5, 11}, ""},
		{"a neighbour not counted", faulty{counts: func(dst []int32) { dst[2]-- }}, nil, []int{2}, "row 2 has core flag false"},
		{"a neighbour too many", faulty{counts: func(dst []int32) { dst[0]++ }}, nil, []int{0}, "row 0 has core flag true"},
		{"a neighbour too many for noise", faulty{counts: func(dst []int32) { dst[11] += 2 }}, nil, []int{11}, "row 11 has core flag true"},
		{"a count for n_neighbors", faulty{counts: func(dst []int32) { dst[2]++ }}, counted, nil, "counts add up to 19"},
		{"two counts for n_neighbors", faulty{counts: func(dst []int32) { dst[2]++; dst[8]++ }}, counted, []int{8}, "row 8 has 3 neighbours, counted 2"},
		{"a union lost", faulty{pairs: without(2, 3, true)}, nil, []int{3}, "row 3 is core with label 1, but its core neighbour 2 has label 0"},
		{"a union too many", faulty{pairs: with(4, 7, true)}, nil, []int{0, 5, 6, 7, 10, 11, 12}, "cluster 0 falls apart: 3 of its 7 core rows are reached from row 7"},
		{"a union too many, beyond the budget", faulty{pairs: with(4, 7, true)}, nil, []int{0, 5, 6, 7, 10, 11}, ""},
		{"a border row lost", faulty{pairs: without(1, 4, false)}, nil, []int{5}, "row 5 is not core and has label -1, want 0"},
		{"a border row in the wrong cluster", faulty{pairs: with(2, 1, false)}, nil, []int{6}, "row 6 is not core and has label 0, want 1"},
		{"the same by the nearest", faulty{pairs: func(self bool, batch []join.Pair) []join.Pair {
			return with(2, 1, false)(self, without(2, 7, false)(self, batch))
		}}, func(o *dbscan.Options) { o.Border = dbscan.BorderNearest }, []int{6}, "row 6 is not core and has label 0, want 1"},
		{"noise made a border row", faulty{
			counts: func(dst []int32) { dst[11]++ },
			pairs:  with(4, 1, false),
		}, nil, []int{11}, "row 11 is not core and has label 0, want -1"},
		{"a weight lost", faulty{pairs: without(1, 2, true)}, weighted, []int{1}, "row 1 has core flag false, but its 3 neighbours weigh 4.5"},
		{"a weight twice", faulty{pairs: with(4, 5, true)}, weighted, []int{5}, "row 5 has core flag true, but its 2 neighbours weigh 3"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			pts, opt := ladder(t)
			if tc.opt != nil {
				tc.opt(&opt)
			}
			tc.fault.Index = jointest.Index(t, jointest.Brute(), pts)
			res, err := dbscan.Cluster(t.Context(), tc.fault, opt)
			if err != nil {
				t.Fatal(err)
			}
			wantVerify(t, dbscan.Verify(t.Context(), pts, opt, res, tc.rows), tc.want)
		})
	}
}

func counted(o *dbscan.Options) { o.Counts = true }

// weighted makes every row count 1.5, so that cores need the same three rows.
func weighted(o *dbscan.Options) {
	o.MinSamples, o.Weights = 4, slices.Repeat([]float64{1.5}, 13)
}

// wantVerify wants err to be ErrVerify with the text want, or nil for none.
func wantVerify(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("error %v, want none", err)
	case want != "" && (!errors.Is(err, join.ErrVerify) || !strings.Contains(err.Error(), want)):
		t.Errorf("error %v, want ErrVerify with %q", err, want)
	}
}

// TestVerifyFindsEveryWrongRow changes each label and core flag in all ways.
func TestVerifyFindsEveryWrongRow(t *testing.T) {
	for _, border := range []dbscan.Border{dbscan.BorderFirst, dbscan.BorderNearest, dbscan.BorderNoise} {
		pts, opt := ladder(t)
		opt.Border = border
		good := cluster(t, jointest.Brute(), pts, opt)
		checkAll(t, pts, opt, good)
		for row := range pts.Rows() {
			for label := int32(-2); label <= 3; label++ {
				if label == good.Labels[row] {
					continue
				}
				bad := *good
				bad.Labels = slices.Clone(good.Labels)
				bad.Labels[row] = label
				if err := dbscan.Verify(t.Context(), pts, opt, &bad, []int{row}); !errors.Is(err, join.ErrVerify) {
					t.Errorf("border %q, row %d with label %d instead of %d: error %v, want ErrVerify", border, row, label, good.Labels[row], err)
				}
			}
			bad := *good
			bad.Core = slices.Clone(good.Core)
			bad.Core[row] = !bad.Core[row]
			if err := dbscan.Verify(t.Context(), pts, opt, &bad, []int{row}); !errors.Is(err, join.ErrVerify) {
				t.Errorf("border %q, row %d with core flag %v: error %v, want ErrVerify", border, row, bad.Core[row], err)
			}
		}
	}
}

func TestVerifyTotals(t *testing.T) {
	tests := []struct {
		name   string
		change func(*dbscan.Result)
		want   string
	}{
		{"labels missing", func(r *dbscan.Result) { r.Labels = r.Labels[1:] }, "12 labels"},
		{"counts missing", func(r *dbscan.Result) { r.Counts = nil }, "0 counts for 13 rows"},
		{"pairs", func(r *dbscan.Result) { r.Pairs++ }, "counts add up to 18, want twice the 10 pairs"},
		{"clusters", func(r *dbscan.Result) { r.Clusters++ }, "are [3 7 4 2], recounted [2 7 4 2]"},
		{"noise", func(r *dbscan.Result) { r.Noise-- }, "are [2 7 4 1], recounted [2 7 4 2]"},
		{"numbered backwards", func(r *dbscan.Result) {
			for i, label := range r.Labels {
				if label >= 0 {
					r.Labels[i] = 1 - label
				}
			}
		}, "core row 1 has label 1, out of turn after 0 clusters"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			pts, opt := ladder(t)
			opt.Counts = true
			res := cluster(t, jointest.Brute(), pts, opt)
			tc.change(res)
			wantVerify(t, dbscan.Verify(t.Context(), pts, opt, res, nil), tc.want)
		})
	}
}

func TestVerifyRowOutOfRange(t *testing.T) {
	pts, opt := ladder(t)
	res := cluster(t, jointest.Brute(), pts, opt)
	for _, row := range []int{-1, 13} {
		err := dbscan.Verify(t.Context(), pts, opt, res, []int{row})
		if err == nil || errors.Is(err, join.ErrVerify) || !strings.Contains(err.Error(), fmt.Sprintf("row %d to verify", row)) {
			t.Errorf("row %d: error %v, want one that names the row, not ErrVerify", row, err)
		}
	}
}

// TestImpossibleComponents feeds Cluster components that no graph has.
func TestImpossibleComponents(t *testing.T) {
	pts, opt := ladder(t)
	idx := jointest.Index(t, jointest.Brute(), pts)
	tests := []struct {
		name string
		dst  []int32
	}{
		{"a later row", []int32{-1, 2, 2, 2, 2, -1, -1, 7, 7, 7, -1, -1, -1}},
		{"a row that is not core", []int32{-1, 0, 0, 0, 0, -1, -1, 7, 7, 7, -1, -1, -1}},
		{"no row", []int32{-1, 1, 1, 1, -1, -1, -1, 7, 7, 7, -1, -1, -1}},
		{"beyond the rows", []int32{-1, 1, 1, 1, 99, -1, -1, 7, 7, 7, -1, -1, -1}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			_, err := dbscan.Cluster(t.Context(), components{idx, tc.dst}, opt)
			if err == nil || !strings.Contains(err.Error(), "the engine puts row") {
				t.Errorf("error %v, want one about the engine", err)
			}
		})
	}
	right := []int32{-1, 1, 1, 1, 1, -1, -1, 7, 7, 7, -1, -1, -1}
	res, err := dbscan.Cluster(t.Context(), components{idx, right}, opt)
	if err != nil {
		t.Fatal(err)
	}
	checkAll(t, pts, opt, res)
}

// TestIndexErrors wants every error of an index to come through.
func TestIndexErrors(t *testing.T) {
	pts, opt := ladder(t)
	broken := errors.New("device lost")
	weights := slices.Repeat([]float64{0.3}, 13)
	tests := []struct {
		name string
		idx  failing
		opt  dbscan.Options
	}{
		{"counts", failing{counts: broken}, opt},
		{"unions", failing{self: broken}, opt},
		{"border first", failing{query: broken}, opt},
		{"border nearest", failing{query: broken}, dbscan.Options{Eps: 1, MinSamples: 3, Border: dbscan.BorderNearest}},
		{"weights", failing{self: broken}, dbscan.Options{Eps: 1, MinSamples: 1, Weights: weights}},
		{"counts beside weights", failing{counts: broken}, dbscan.Options{Eps: 1, MinSamples: 1, Weights: weights, Counts: true}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			tc.idx.Index = jointest.Index(t, jointest.Brute(), pts)
			if _, err := dbscan.Cluster(t.Context(), tc.idx, tc.opt); !errors.Is(err, broken) {
				t.Errorf("error %v, want %v", err, broken)
			}
		})
	}
}

// TestWeigherErrors wants the error of the faster road, and not the slower one
// behind it.
func TestWeigherErrors(t *testing.T) {
	pts, opt := ladder(t)
	opt.Weights = slices.Repeat([]float64{0.3}, 13)
	idx := failingWeigher{jointest.Index(t, jointest.Brute(), pts), errors.New("device lost")}
	if _, err := dbscan.Cluster(t.Context(), idx, opt); !errors.Is(err, idx.err) {
		t.Errorf("error %v, want %v", err, idx.err)
	}
}

type failingWeigher struct {
	join.Index
	err error
}

func (f failingWeigher) Weigh(context.Context, float64, *join.Weights, []bool) error { return f.err }

// failing is an index whose methods return the errors it has.
type failing struct {
	join.Index
	counts, self, query error
}

func (f failing) Counts(ctx context.Context, q *join.Points, eps float64, limit int32, dst []int32) error {
	if f.counts != nil {
		return f.counts
	}
	return f.Index.Counts(ctx, q, eps, limit, dst)
}

func (f failing) Pairs(ctx context.Context, q *join.Points, eps float64, emit func([]join.Pair) error) error {
	err := f.query
	if q == nil {
		err = f.self
	}
	if err != nil {
		return err
	}
	return f.Index.Pairs(ctx, q, eps, emit)
}
