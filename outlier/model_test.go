package outlier_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
	"rtcluster/outlier"
)

// severalOptions are scores of every method, some of them with several k.
func severalOptions() []outlier.Options {
	return []outlier.Options{
		{Method: outlier.KNN, K: 3},
		{Method: outlier.LOF, K: 2},
		{Method: outlier.Count, Eps: 3},
		{Method: outlier.KNN, K: 7, Aggregate: outlier.Median},
		{Method: outlier.LOF, K: 9},
		{Method: outlier.KNN, K: 1, Aggregate: outlier.Sum},
	}
}

// sameResults wants results that are the same to the bit.
func sameResults(t *testing.T, what string, got, want *outlier.Result) {
	t.Helper()
	if got.Duplicates != want.Duplicates || got.Pairs != want.Pairs {
		t.Errorf("%s: %d duplicates and %d pairs, want %d and %d", what, got.Duplicates, got.Pairs, want.Duplicates, want.Pairs)
	}
	sameBits(t, what, got.Scores, want.Scores)
}

func sameBits(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d scores, want %d", what, len(got), len(want))
	}
	for i, score := range got {
		if math.Float64bits(score) != math.Float64bits(want[i]) {
			t.Fatalf("%s: row %d has score %v, want %v", what, i, score, want[i])
		}
	}
}

// TestScoreEach wants each score of several as it is alone.
func TestScoreEach(t *testing.T) {
	pts := jointest.Points(t, 2, jointest.Lattice(300, 2, 14, 6)...)
	for engine, e := range engines() {
		idx := jointest.Index(t, e, pts)
		streamed := []outlier.Options{ // of these no lists are kept
			{Method: outlier.KNN, K: 3},
			{Method: outlier.KNN, K: 7, Aggregate: outlier.Median},
			{Method: outlier.KNN, K: 4, Ties: outlier.TiesAll, Engine: e},
			{Method: outlier.ODIN, K: 4},
			{Method: outlier.KNN, K: 2, Aggregate: outlier.Sum, Ties: outlier.TiesAll, Engine: e},
		}
		for _, opts := range [][]outlier.Options{severalOptions(), streamed, severalOptions()[2:4], nil} {
			all, err := outlier.ScoreEach(t.Context(), idx, opts)
			if err != nil || len(all) != len(opts) {
				t.Fatalf("%s: %d results, error %v", engine, len(all), err)
			}
			for i, opt := range opts {
				sameResults(t, fmt.Sprintf("%s, score %d of %d, method %s", engine, i, len(opts), opt.Method), all[i], score(t, e, pts, opt))
			}
		}
	}
}

// TestModel wants the reference's own scores, and new rows the same in one piece and
// in several.
func TestModel(t *testing.T) {
	pts := jointest.Points(t, 2, jointest.Lattice(300, 2, 14, 6)...)
	data := jointest.Lattice(60, 2, 16, 7)
	for engine, e := range engines() {
		opts := severalOptions()
		m, err := outlier.Fit(t.Context(), jointest.Index(t, e, pts), opts)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := m.Score(t.Context(), jointest.Points(t, 2, data...))
		if err != nil {
			t.Fatal(err)
		}
		for i, opt := range opts {
			sameResults(t, fmt.Sprintf("%s, method %s", engine, opt.Method), m.Results()[i], score(t, e, pts, opt))
		}
		for _, rows := range []int{1, 7, 59} {
			pieces := make([]outlier.Result, len(opts))
			for part := range slices.Chunk(data, 2*rows) {
				scored, err := m.Score(t.Context(), jointest.Points(t, 2, part...))
				if err != nil {
					t.Fatal(err)
				}
				for i, res := range scored {
					pieces[i].Scores = append(pieces[i].Scores, res.Scores...)
					pieces[i].Duplicates += res.Duplicates
					pieces[i].Pairs += res.Pairs
				}
			}
			for i, opt := range opts {
				sameResults(t, fmt.Sprintf("%s, method %s in pieces of %d", engine, opt.Method, rows), &pieces[i], whole[i])
			}
		}
	}
}

// TestNovelty has answers that were found by hand. The nearest of the reference are,
// with k 2, 0: 1 2, 1: 0 2, 2: 1 0, 3: 2 1, with k-th distances 3, 2, 3, 6 and sums R
// 5, 6, 5, 10.
func TestNovelty(t *testing.T) {
	reference := []float64{0, 1, 3, 7}
	opts := []outlier.Options{
		{Method: outlier.KNN, K: 2},
		{Method: outlier.KNN, K: 2, Aggregate: outlier.Sum},
		{Method: outlier.LOF, K: 2},
		{Method: outlier.Count, Eps: 2},
	}
	// 3 is a row of the reference: its nearest is that row.
	tests := []struct {
		at   float64
		want []float64
	}{
		{5, []float64{2, 4, (9./5 + 9./10) / 2, -2}}, // R = max(3, 2) + max(6, 2)
		{3, []float64{2, 2, (5./5 + 5./6) / 2, -2}},  // R = max(3, 0) + max(2, 2)
		{-9, []float64{10, 19, (19./5 + 19./6) / 2, 0}},
	}
	for engine, e := range engines() {
		m, err := outlier.Fit(t.Context(), jointest.Index(t, e, jointest.Points(t, 1, reference...)), opts)
		if err != nil {
			t.Fatal(err)
		}
		for _, tc := range tests {
			got, err := m.Score(t.Context(), jointest.Points(t, 1, tc.at))
			if err != nil {
				t.Fatal(err)
			}
			if pairs := got[3].Pairs; float64(pairs) != -tc.want[3] {
				t.Errorf("%s: a row at %v has %d pairs, want %v", engine, tc.at, pairs, -tc.want[3])
			}
			for i, want := range tc.want {
				if score := got[i].Scores[0]; !near(score, want) {
					t.Errorf("%s, method %s: a row at %v has score %v, want %v", engine, opts[i].Method, tc.at, score, want)
				}
			}
		}
	}
}

func TestModelRefuses(t *testing.T) {
	knn := []outlier.Options{{Method: outlier.KNN, K: 2}}
	fit := func(data ...float64) *outlier.Model {
		m, err := outlier.Fit(t.Context(), jointest.Index(t, cpu.New(cpu.Options{}), jointest.Points(t, 1, data...)), knn)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	manhattan, err := jointest.Points(t, 1, 4).WithMetric(join.Metric{Norm: join.Manhattan})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		m    *outlier.Model
		q    *join.Points
		want string
	}{
		{"no points", fit(1, 2, 4), nil, "no new rows"},
		{"another dimension", fit(1, 2, 4), jointest.Points(t, 2, 1, 2), "2 coordinates"},
		{"another metric", fit(1, 2, 4), manhattan, "metric"},
		{"an empty reference", fit(), jointest.Points(t, 1, 1), "k is 2, want at most 0 for a reference of 0"},
	} {
		res, err := tc.m.Score(t.Context(), tc.q)
		if err == nil || res != nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, error %v, want one with %q", tc.name, res, err, tc.want)
		}
		if few := tc.name == "an empty reference"; errors.Is(err, outlier.ErrTooFewRows) != few {
			t.Errorf("%s: error %v is ErrTooFewRows: %v, want %v", tc.name, err, !few, few)
		}
	}
	bad := []outlier.Options{knn[0], {Method: outlier.LOF, K: 3}}
	if _, err := outlier.Fit(t.Context(), jointest.Index(t, jointest.Brute(), jointest.Points(t, 1, 1, 2, 4)), bad); !errors.Is(err, outlier.ErrTooFewRows) {
		t.Errorf("the second k is too great: error %v, want ErrTooFewRows", err)
	}
	for what, opt := range map[string]outlier.Options{
		"method odin of new rows needs an engine": {Method: outlier.ODIN, K: 1},
		`ties "all" need an engine`:               {Method: outlier.KNN, K: 1, Ties: outlier.TiesAll},
	} {
		_, err := outlier.Fit(t.Context(), jointest.Index(t, jointest.Brute(), jointest.Points(t, 1, 1, 2, 4)), []outlier.Options{opt})
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("error %v, want %q", err, what)
		}
	}
	if all, err := fit(1, 2, 4).Score(t.Context(), jointest.Points(t, 1)); err != nil || len(all) != 1 || len(all[0].Scores) != 0 {
		t.Errorf("no rows: got %v, error %v, want one empty result", all, err)
	}
}

// TestModelSideBySide scores pieces at once, for the race detector and to the bit.
func TestModelSideBySide(t *testing.T) {
	pts := jointest.Points(t, 2, jointest.Lattice(300, 2, 14, 6)...)
	e := cpu.New(cpu.Options{Threads: 2})
	m, err := outlier.Fit(t.Context(), jointest.Index(t, e, pts), everyOption(outlier.TiesAll, 5, 2))
	if err != nil {
		t.Fatal(err)
	}
	q := jointest.Points(t, 2, jointest.Lattice(60, 2, 16, 7)...)
	want, err := m.Score(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	results, errs := make([][]*outlier.Result, 4), make([]error, 4)
	for i := range results {
		all.Go(func() { results[i], errs[i] = m.Score(t.Context(), q) })
	}
	all.Wait()
	for i, got := range results {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		for s := range want {
			sameResults(t, fmt.Sprintf("score %d", s), got[s], want[s])
		}
	}
}
