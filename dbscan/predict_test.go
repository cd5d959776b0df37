package dbscan_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"rtcluster/dbscan"
	"rtcluster/join"
	"rtcluster/join/jointest"
)

var borders = []dbscan.Border{dbscan.BorderFirst, dbscan.BorderNearest, dbscan.BorderNoise}

// predict predicts rows by the core rows of a clustering, and verifies them all.
func predict(t *testing.T, e join.Engine, pts *join.Points, res *dbscan.Result, q *join.Points, opt dbscan.Options) []int32 {
	t.Helper()
	rows, labels := res.CoreRows()
	cores := pts.Subset(rows)
	got, err := dbscan.Predict(t.Context(), jointest.Index(t, e, cores), labels, q, opt)
	if err != nil {
		t.Fatal(err)
	}
	all := make([]int, q.Rows())
	for i := range all {
		all[i] = i
	}
	if err := dbscan.VerifyPredict(t.Context(), cores, labels, q, opt, got, all); err != nil {
		t.Error(err)
	}
	return got
}

// expected is the rule of the border, written again over all rows of the
// clustering.
func expected(pts *join.Points, res *dbscan.Result, x []float64, opt dbscan.Options) int32 {
	label, least := int32(-1), math.Inf(1)
	for j := range pts.Rows() {
		d2 := join.SquaredDistance(x, pts.Row(j))
		if !res.Core[j] || d2 > join.Squared(opt.Eps) {
			continue
		}
		found := res.Labels[j]
		switch opt.Border {
		case dbscan.BorderNoise:
			if slices.Equal(x, pts.Row(j)) {
				label = found
			}
		case dbscan.BorderNearest:
			if d2 < least || label < 0 {
				label, least = found, d2
			}
		default:
			if label < 0 || found < label {
				label = found
			}
		}
	}
	return label
}

// TestPredictOwn predicts the rows that were clustered, on lattices full of ties at
// eps and duplicates, and on random rows: they get their labels again.
func TestPredictOwn(t *testing.T) {
	sets := map[string]*join.Points{
		"lattice 1d": jointest.Points(t, 1, jointest.Lattice(120, 1, 200, 1)...),
		"lattice 2d": jointest.Points(t, 2, jointest.Lattice(150, 2, 14, 2)...),
		"dense 2d":   jointest.Points(t, 2, jointest.Lattice(200, 2, 6, 3)...),
		"lattice 3d": jointest.Points(t, 3, jointest.Lattice(200, 3, 7, 4)...),
		"uniform 2d": jointest.Points(t, 2, scaled(jointest.Uniform(200, 2, 5), 14)...),
		"uniform 5d": jointest.Points(t, 5, scaled(jointest.Uniform(200, 5, 6), 3)...),
	}
	kinds := map[string]int{} // rows of each kind that were tried
	for name, pts := range sets {
		weights := make([]float64, pts.Rows())
		for i := range weights {
			weights[i] = float64(i%4) - 0.5
		}
		for _, border := range borders {
			for _, opt := range []dbscan.Options{
				{Eps: 1, MinSamples: 3},
				{Eps: math.Sqrt2, MinSamples: 6},
				{Eps: 2, MinSamples: 9},
				{Eps: 0, MinSamples: 2},
				{Eps: 1, MinSamples: 3, Weights: weights},
			} {
				opt.Border = border
				t.Run(fmt.Sprintf("%s/%s/eps=%g/weighted=%t", name, border, opt.Eps, opt.Weights != nil), func(t *testing.T) {
					for _, e := range engines() {
						res := cluster(t, e, pts, opt)
						if got := predict(t, e, pts, res, pts, opt); !slices.Equal(got, res.Labels) {
							t.Errorf("labels %v became %v", res.Labels, got)
						}
						kinds["core"] += res.Cores
						kinds["border"] += res.Borders
						kinds["noise"] += res.Noise
					}
				})
			}
		}
	}
	for _, kind := range []string{"core", "border", "noise"} {
		if kinds[kind] < 1000 {
			t.Errorf("only %d %s rows were tried", kinds[kind], kind)
		}
	}
}

func scaled(data []float64, by float64) []float64 {
	for i := range data {
		data[i] *= by
	}
	return data
}

// TestPredictNew predicts other rows: on the lattice itself, half-way between its
// points, and far away.
func TestPredictNew(t *testing.T) {
	pts := jointest.Points(t, 2, jointest.Lattice(150, 2, 14, 7)...)
	data := jointest.Lattice(200, 2, 16, 8)
	for i := range data {
		data[i] = data[i]*float64(1+i%2)/2 - 1
	}
	q := jointest.Points(t, 2, append(data, 1e300, -1e300, math.Copysign(0, -1), 0)...)
	for _, border := range borders {
		for _, eps := range []float64{0, 1, math.Sqrt(2), math.Nextafter(1, 0), 1.5, 3, 1e200} {
			t.Run(fmt.Sprintf("%s/eps=%g", border, eps), func(t *testing.T) {
				opt := dbscan.Options{Eps: eps, MinSamples: 4, Border: border}
				for name, e := range engines() {
					res := cluster(t, e, pts, opt)
					got := predict(t, e, pts, res, q, opt)
					for i := range got {
						if want := expected(pts, res, q.Row(i), opt); got[i] != want {
							t.Fatalf("%s: row %d %v is %d, want %d", name, i, q.Row(i), got[i], want)
						}
					}
				}
			})
		}
	}
}

// TestPredictUnderflow has core rows whose squared distance is 0 though they
// differ: under BorderNoise only one with the same coordinates counts.
func TestPredictUnderflow(t *testing.T) {
	pts := jointest.Points(t, 1, 0, 1e-200, 5, 5)
	opt := dbscan.Options{Eps: 0, MinSamples: 2, Border: dbscan.BorderNoise}
	q := jointest.Points(t, 1, 1e-200, 2e-200, 0, 5)
	for name, e := range engines() {
		res := cluster(t, e, pts, opt)
		if got, want := predict(t, e, pts, res, q, opt), []int32{0, -1, 0, 1}; !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

func TestPredictEmpty(t *testing.T) {
	none, one := jointest.Points(t, 2), jointest.Points(t, 2, 1, 2)
	for name, e := range engines() {
		for _, border := range borders {
			opt := dbscan.Options{Eps: 1, Border: border}
			got, err := dbscan.Predict(t.Context(), jointest.Index(t, e, none), nil, one, opt)
			if err != nil || !slices.Equal(got, []int32{-1}) {
				t.Errorf("%s, %s, no core row: got %v, %v", name, border, got, err)
			}
			got, err = dbscan.Predict(t.Context(), jointest.Index(t, e, one), []int32{0}, none, opt)
			if err != nil || len(got) != 0 {
				t.Errorf("%s, %s, no row: got %v, %v", name, border, got, err)
			}
		}
	}
}

func TestPredictErrors(t *testing.T) {
	cores, q := jointest.Points(t, 2, 1, 2, 3, 4), jointest.Points(t, 2, 1, 2)
	right := dbscan.Options{Eps: 1}
	tests := []struct {
		name   string
		labels []int32
		q      *join.Points
		opt    dbscan.Options
		want   string
	}{
		{"eps", []int32{0, 1}, q, dbscan.Options{Eps: -1}, "eps is -1"},
		{"border", []int32{0, 1}, q, dbscan.Options{Eps: 1, Border: "last"}, `unknown border rule "last"`},
		{"labels", []int32{0}, q, right, "1 labels for 2 core rows"},
		{"no label", []int32{0, -2}, q, right, "core row 1 of 2 has label -2, want a cluster from 0 on, or -1"},
		{"more clusters than core rows", []int32{2, 0}, q, right, "core row 0 of 2 has label 2"},
		{"coordinates", []int32{0, 1}, jointest.Points(t, 1, 1), right, "rows of 1 coordinates to predict, the core rows have 2"},
	}
	for engine, e := range engines() {
		idx := jointest.Index(t, e, cores)
		for _, tc := range tests {
			t.Run(engine+"/"+tc.name, func(t *testing.T) {
				_, err := dbscan.Predict(t.Context(), idx, tc.labels, tc.q, tc.opt)
				if err == nil || !strings.Contains(err.Error(), tc.want) {
					t.Errorf("got %v, want %q", err, tc.want)
				}
				err = dbscan.VerifyPredict(t.Context(), cores, tc.labels, tc.q, tc.opt, make([]int32, tc.q.Rows()), nil)
				if err == nil || errors.Is(err, join.ErrVerify) || !strings.Contains(err.Error(), tc.want) {
					t.Errorf("verifying: got %v, want %q", err, tc.want)
				}
			})
		}
		done, cancel := context.WithCancel(t.Context())
		cancel()
		for _, border := range borders {
			opt := dbscan.Options{Eps: 1, Border: border}
			if _, err := dbscan.Predict(done, idx, []int32{0, 1}, q, opt); !errors.Is(err, context.Canceled) {
				t.Errorf("%s, %s: got %v, want the error of the context", engine, border, err)
			}
		}
	}
}

// TestVerifyPredict plants a wrong label.
func TestVerifyPredict(t *testing.T) {
	cores, q := jointest.Points(t, 1, 0, 1, 5), jointest.Points(t, 1, 0.9, 9, 1)
	labels := []int32{1, 0, 2}
	for border, want := range map[dbscan.Border][]int32{"": {1, -1, 1}, "nearest": {0, -1, 0}, "noise": {-1, -1, 0}} {
		opt := dbscan.Options{Eps: 1, Border: border}
		verify := func(got []int32, rows ...int) error {
			return dbscan.VerifyPredict(t.Context(), cores, labels, q, opt, got, rows)
		}
		if err := verify(want, 0, 1, 2); err != nil {
			t.Errorf("%q: %v", border, err)
		}
		for row := range want {
			wrong := slices.Clone(want)
			wrong[row]++
			if err := verify(wrong, row); !errors.Is(err, join.ErrVerify) || !strings.Contains(err.Error(), fmt.Sprintf("row %d has label", row)) {
				t.Errorf("%q: a wrong row %d gives %v", border, row, err)
			}
		}
		if err := verify(want[:2], 0); !errors.Is(err, join.ErrVerify) {
			t.Errorf("%q: too few labels give %v", border, err)
		}
		if err := verify(want, 3); err == nil || errors.Is(err, join.ErrVerify) {
			t.Errorf("%q: a row that is not there gives %v", border, err)
		}
	}
}
