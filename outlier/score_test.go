package outlier_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rtcluster/join"
	"rtcluster/join/jointest"
	"rtcluster/outlier"
)

func TestScore(t *testing.T) {
	inf := math.Inf(1)
	line := []float64{1, 2, 3, 4, 5, 6, 7}
	pairs := []float64{0, 1, 0, 1, -1, 2, 5, 7, -3, 2, 9, 9}
	tests := []struct {
		name       string
		dim        int
		data       []float64
		opt        outlier.Options
		want       []float64
		duplicates int
		pairs      int64
	}{
		{"the farthest of k", 1, []float64{0, 1, 3, 7}, outlier.Options{Method: outlier.KNN, K: 2}, []float64{3, 2, 3, 6}, 0, 0},
		{"max by name", 1, []float64{0, 1, 3, 7}, outlier.Options{Method: outlier.KNN, K: 2, Aggregate: outlier.Max}, []float64{3, 2, 3, 6}, 0, 0},
		{"mean", 1, []float64{0, 1, 3, 7}, outlier.Options{Method: outlier.KNN, K: 2, Aggregate: outlier.Mean}, []float64{2, 1.5, 2.5, 5}, 0, 0},
		{"sum", 1, []float64{0, 1, 3, 7}, outlier.Options{Method: outlier.KNN, K: 2, Aggregate: outlier.Sum}, []float64{4, 3, 5, 10}, 0, 0},
		{"median of two", 1, []float64{0, 1, 3, 7}, outlier.Options{Method: outlier.KNN, K: 2, Aggregate: outlier.Median}, []float64{2, 1.5, 2.5, 5}, 0, 0},
		{"median of three", 1, []float64{0, 1, 3, 7}, outlier.Options{Method: outlier.KNN, K: 3, Aggregate: outlier.Median}, []float64{3, 2, 3, 6}, 0, 0},
		{
			"sum, the row itself is not its duplicate", 2, pairs,
			outlier.Options{Method: outlier.KNN, K: 2, Aggregate: outlier.Sum},
			[]float64{math.Sqrt2, math.Sqrt2, math.Sqrt2 + math.Sqrt2, math.Sqrt(20) + math.Sqrt(61), 2 + math.Sqrt(10), math.Sqrt(20) + math.Sqrt(145)},
			0, 0,
		},
		{"count", 1, []float64{0, 1, 2, 2, 9}, outlier.Options{Method: outlier.Count, Eps: 1}, []float64{-1, -3, -2, -2, 0}, 0, 4},
		{"count of duplicates", 1, []float64{5, 5, 5, 1}, outlier.Options{Method: outlier.Count}, []float64{-2, -2, -2, 0}, 0, 3},
		// Exactly k rows are taken, of equally far ones the smaller; hence no
		// mirror symmetry.
		{
			"lof, ties at the k-th place", 1, line,
			outlier.Options{Method: outlier.LOF, K: 3},
			[]float64{19. / 18, 19. / 18, 19. / 18, 19. / 21, 19. / 21, 10. / 9, 10. / 9},
			0, 0,
		},
		{"lof of an even crowd", 1, []float64{0, 1, 2, 3}, outlier.Options{Method: outlier.LOF, K: 1}, []float64{1, 1, 1, 1}, 0, 0},
		// Rows 0 to 2 are a heap of k+1; row 3 has two of them near, row 4
		// has one and row 3.
		{"lof beside a heap", 1, []float64{5, 5, 5, 6, 8}, outlier.Options{Method: outlier.LOF, K: 2}, []float64{1, 1, 1, inf, inf}, 5, 0},
		{"lof of a pair, k 2", 1, []float64{5, 5, 6}, outlier.Options{Method: outlier.LOF, K: 2}, []float64{1, 1, 1}, 0, 0},
		{"lof of equal rows", 1, []float64{7, 7, 7}, outlier.Options{Method: outlier.LOF, K: 2}, []float64{1, 1, 1}, 3, 0},
		{"lof where all distances overflow", 1, []float64{1e300, -1e300, 0}, outlier.Options{Method: outlier.LOF, K: 1}, []float64{1, 1, 1}, 0, 0},
		{"lof where one distance overflows", 1, []float64{0, 1, 1e300}, outlier.Options{Method: outlier.LOF, K: 1}, []float64{1, 1, inf}, 1, 0},
		{"knn overflows", 1, []float64{0, 1, 1e300}, outlier.Options{Method: outlier.KNN, K: 1}, []float64{1, 1, inf}, 0, 0},
		{"no rows, knn", 2, nil, outlier.Options{Method: outlier.KNN, K: 5}, nil, 0, 0},
		{"no rows, lof", 2, nil, outlier.Options{Method: outlier.LOF, K: 5}, nil, 0, 0},
		{"no rows, count", 2, nil, outlier.Options{Method: outlier.Count}, nil, 0, 0},
		{"one row, count", 2, []float64{1, 2}, outlier.Options{Method: outlier.Count, Eps: 1}, []float64{0}, 0, 0},
	}
	for engine, e := range engines() {
		for _, tc := range tests {
			t.Run(engine+"/"+tc.name, func(t *testing.T) {
				pts := jointest.Points(t, tc.dim, tc.data...)
				res := score(t, e, pts, tc.opt)
				if !slices.EqualFunc(res.Scores, tc.want, near) {
					t.Errorf("scores %v, want %v", res.Scores, tc.want)
				}
				if res.Duplicates != tc.duplicates || res.Pairs != tc.pairs {
					t.Errorf("%d duplicates and %d pairs, want %d and %d", res.Duplicates, res.Pairs, tc.duplicates, tc.pairs)
				}
				for i, s := range res.Scores {
					if s == 0 && math.Signbit(s) {
						t.Errorf("row %d has score -0", i)
					}
				}
				verify(t, pts, tc.opt, res)
			})
		}
	}
}

// near allows for the rounding of want; infinities must be equal.
func near(got, want float64) bool {
	return got == want || math.Abs(got-want) <= 1e-15*math.Abs(want)
}

// TestHeapOfDuplicates has more than k equal rows beside ordinary ones, where
// densities of heap rows are infinite.
func TestHeapOfDuplicates(t *testing.T) {
	data := slices.Repeat([]float64{0.1}, 10)
	for step := range 30 {
		data = append(data, 0.1+0.1*float64(step+1)/30)
	}
	data = append(data, 27, 81, 64, 41, 94)
	n := len(data)
	pts := jointest.Points(t, 1, data...)
	for engine, e := range engines() {
		t.Run(engine, func(t *testing.T) {
			lof := score(t, e, pts, outlier.Options{Method: outlier.LOF, K: 5})
			infinite := 0
			for i, s := range lof.Scores {
				switch {
				case math.IsNaN(s):
					t.Errorf("row %d has no score", i)
				case i < 10 && s != 1:
					t.Errorf("row %d of the heap has score %v, want 1", i, s)
				case math.IsInf(s, 1):
					infinite++
				case i >= 10 && (s < 0.5 || s > 1e6):
					t.Errorf("row %d has score %v, blurred by the heap", i, s)
				}
			}
			// The first few steps have heap rows among their five nearest.
			if infinite == 0 || infinite > 5 || lof.Duplicates != 10+infinite {
				t.Errorf("%d infinite scores, %d duplicates; want 1 to 5, and 10 more", infinite, lof.Duplicates)
			}
			verify(t, pts, outlier.Options{Method: outlier.LOF, K: 5}, lof)

			knn := score(t, e, pts, outlier.Options{Method: outlier.KNN, K: 5})
			order := make([]int, n)
			for i := range order {
				order[i] = i
			}
			slices.SortFunc(order, func(a, b int) int { return cmp.Compare(knn.Scores[b], knn.Scores[a]) })
			top := slices.Sorted(slices.Values(order[:5]))
			if want := []int{n - 5, n - 4, n - 3, n - 2, n - 1}; !slices.Equal(top, want) {
				t.Errorf("knn puts rows %v on top, want %v", top, want)
			}
		})
	}
}

// TestAgainstDefinition has sets of several leaves, and k of more rows than a leaf has.
func TestAgainstDefinition(t *testing.T) {
	sets := []struct {
		name string
		dim  int
		data []float64
	}{
		{"uniform plane", 2, jointest.Uniform(300, 2, 1)},
		{"uniform 7-d", 7, jointest.Uniform(200, 7, 2)},
		{"lattice with ties", 3, jointest.Lattice(256, 3, 10, 3)},
	}
	for _, set := range sets {
		pts := jointest.Points(t, set.dim, set.data...)
		for _, k := range []int{1, 7, 150} {
			for _, opt := range []outlier.Options{
				{Method: outlier.LOF, K: k},
				{Method: outlier.KNN, K: k, Aggregate: outlier.Mean},
			} {
				plain := newPlain(pts, opt)
				want := make([]float64, pts.Rows())
				for i := range want {
					want[i] = plain.score(pts.Row(i), i)
				}
				for engine, e := range engines() {
					t.Run(fmt.Sprintf("%s/%s/%s/k=%d", engine, set.name, opt.Method, k), func(t *testing.T) {
						res := score(t, e, pts, opt)
						for i, got := range res.Scores {
							if got != want[i] && !(math.Abs(got-want[i]) <= 1e-12*want[i]) {
								t.Fatalf("row %d: score %v, want %v", i, got, want[i])
							}
						}
						if err := outlier.Verify(t.Context(), pts, opt, res, []int{17}); err != nil {
							t.Error(err)
						}
					})
				}
			}
		}
	}
}

// TestMetamorphic moves whole-number points without rounding; scores must not
// change, or scale as distances do.
func TestMetamorphic(t *testing.T) {
	const rows, dim = 300, 3
	pts := jointest.Points(t, dim, jointest.Lattice(rows, dim, 30, 5)...)
	changes := []struct {
		name   string
		factor float64
		change func(x []float64) []float64
	}{
		{"axes turned round", 1, func(x []float64) []float64 { return []float64{x[2], x[0], x[1]} }},
		{"shifted", 1, func(x []float64) []float64 { return []float64{x[0] + 1<<40, x[1] - 77, x[2] + 0.25} }},
		{"scaled by 4", 4, func(x []float64) []float64 { return []float64{4 * x[0], 4 * x[1], 4 * x[2]} }},
	}
	for engine, e := range engines() {
		for _, c := range changes {
			t.Run(engine+"/"+c.name, func(t *testing.T) {
				var changed []float64
				for i := range rows {
					changed = append(changed, c.change(pts.Row(i))...)
				}
				moved := jointest.Points(t, dim, changed...)
				for _, opt := range []outlier.Options{
					{Method: outlier.KNN, K: 6, Aggregate: outlier.Sum},
					{Method: outlier.LOF, K: 6},
					{Method: outlier.Count, Eps: 5},
				} {
					want := slices.Clone(score(t, e, pts, opt).Scores)
					if opt.Method == outlier.KNN {
						for i := range want {
							want[i] *= c.factor
						}
					}
					opt.Eps *= c.factor
					if got := score(t, e, moved, opt).Scores; !slices.Equal(got, want) {
						t.Errorf("method %s: scores %v, want %v", opt.Method, got, want)
					}
				}
			})
		}
	}
}

// TestRowsPermuted wants the same scores in any order of rows, up to the order
// in which equal distances add up; in these data none are equal.
func TestRowsPermuted(t *testing.T) {
	pts := jointest.Points(t, 4, jointest.Uniform(250, 4, 8)...)
	perm := make([]int32, pts.Rows())
	for to, from := range rand.New(rand.NewPCG(8, 8)).Perm(pts.Rows()) {
		perm[to] = int32(from)
	}
	for engine, e := range engines() {
		for _, opt := range []outlier.Options{
			{Method: outlier.KNN, K: 9, Aggregate: outlier.Sum},
			{Method: outlier.LOF, K: 9},
			{Method: outlier.Count, Eps: 0.3},
		} {
			want, got := score(t, e, pts, opt).Scores, score(t, e, pts.Subset(perm), opt).Scores
			for to, from := range perm {
				if got[to] != want[from] {
					t.Fatalf("%s, method %s, row %d: score %v, moved to row %d it is %v", engine, opt.Method, from, want[from], to, got[to])
				}
			}
		}
	}
}

// TestDistance scores positions on the sky by angles, which sums of chords are
// not.
func TestDistance(t *testing.T) {
	lonlat := []float64{0, 0, 10, 0, 40, 0, 130, 0, 220, 0} // along the equator
	xyz, err := join.UnitVectors(lonlat)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		opt  outlier.Options
		want []float64
	}{
		{outlier.Options{Method: outlier.KNN, K: 2, Aggregate: outlier.Sum}, []float64{50, 40, 70, 180, 180 + 50}},
		// The nearest are 0: 1 2, 1: 0 2, 2: 1 0, 3: 2 4, 4: 3 0, and R is 70,
		// 80, 70, 230, 230.
		{outlier.Options{Method: outlier.LOF, K: 2}, []float64{15. / 16, 8. / 7, 15. / 16, 15. / 7, 15. / 7}},
	}
	for engine, e := range engines() {
		for _, tc := range tests {
			pts := jointest.Points(t, 3, xyz...)
			tc.opt.Distance = join.AngleDegrees
			res := score(t, e, pts, tc.opt)
			if !slices.EqualFunc(res.Scores, tc.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12*b }) {
				t.Errorf("%s, method %s: scores %v, want %v", engine, tc.opt.Method, res.Scores, tc.want)
			}
			verify(t, pts, tc.opt, res)
		}
	}
}

// TestManyEqualRows has more pairs than 32 bits count.
func TestManyEqualRows(t *testing.T) {
	const n = 70_000
	res := score(t, engines()["cpu/threads=3"], jointest.Points(t, 2, make([]float64, 2*n)...), outlier.Options{Method: outlier.Count})
	if res.Pairs != 2_449_965_000 || res.Scores[n-1] != 1-n {
		t.Errorf("%d pairs, score %v; want 2449965000, %d", res.Pairs, res.Scores[n-1], 1-n)
	}
}

func TestRefused(t *testing.T) {
	tests := []struct {
		name string
		opt  outlier.Options
		want string
	}{
		{"no method", outlier.Options{K: 1}, `unknown method "", want "knn"`},
		{"unknown method", outlier.Options{Method: "abod", K: 1}, `unknown method "abod"`},
		{"unknown rule for ties", outlier.Options{Method: outlier.KNN, K: 1, Ties: "some"}, `unknown rule for ties "some", want "k" or "all"`},
		{"unknown aggregate", outlier.Options{Method: outlier.KNN, K: 1, Aggregate: "min"}, `unknown aggregate "min"`},
		{"no k", outlier.Options{Method: outlier.KNN}, "k is 0, want 1 or more"},
		{"k negative", outlier.Options{Method: outlier.LOF, K: -2}, "k is -2"},
		{"k as many as rows", outlier.Options{Method: outlier.LOF, K: 3}, "k is 3, want at most 2 for a table of 3"},
		{"ldof of one", outlier.Options{Method: outlier.LDOF, K: 1}, "k is 1, want 2 or more"},
		{"lambda NaN", outlier.Options{Method: outlier.LoOP, K: 1, Lambda: math.NaN()}, "lambda is NaN"},
		{"lambda negative", outlier.Options{Method: outlier.LoOP, K: 1, Lambda: -1}, "lambda is -1"},
		{"lambda infinite", outlier.Options{Method: outlier.LoOP, K: 1, Lambda: math.Inf(1)}, "lambda is +Inf"},
		{"eps NaN", outlier.Options{Method: outlier.Count, Eps: math.NaN()}, "eps is NaN"},
		{"db, eps NaN", outlier.Options{Method: outlier.DB, Eps: math.NaN()}, "eps is NaN"},
		{"fraction 1", outlier.Options{Method: outlier.DB, Fraction: 1}, "the fraction is 1, want a share"},
		{"fraction NaN", outlier.Options{Method: outlier.DB, Fraction: math.NaN()}, "the fraction is NaN"},
		{"min samples 0", outlier.Options{Method: outlier.DBSCAN, Eps: 1}, "min samples are 0, want 1 to 2147483647"},
		{"dbscan, eps negative", outlier.Options{Method: outlier.DBSCAN, Eps: -1, MinSamples: 2}, "eps is -1"},
		{"eps negative", outlier.Options{Method: outlier.Count, Eps: -1}, "eps is -1"},
	}
	pts := jointest.Points(t, 1, 1, 2, 3)
	idx := jointest.Index(t, jointest.Brute(), pts)
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			_, err := outlier.Score(t.Context(), idx, tc.opt)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Score: error %v, want one with %q", err, tc.want)
			}
			if few := tc.opt.K == 3; errors.Is(err, outlier.ErrTooFewRows) != few {
				t.Errorf("error %v is ErrTooFewRows: %v, want %v", err, !few, few)
			}
			err = outlier.Verify(t.Context(), pts, tc.opt, &outlier.Result{}, nil)
			if err == nil || !strings.Contains(err.Error(), tc.want) || errors.Is(err, join.ErrVerify) {
				t.Errorf("Verify: error %v, want one with %q, not ErrVerify", err, tc.want)
			}
		})
	}
}

func TestContextDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	pts := jointest.Points(t, 2, jointest.Uniform(100, 2, 9)...)
	for engine, e := range engines() {
		idx := jointest.Index(t, e, pts)
		for _, opt := range append(everyOption(outlier.TiesK, 2, 1), everyOption(outlier.TiesAll, 2, 1)...) {
			m, err := outlier.Fit(t.Context(), idx, []outlier.Options{opt})
			if err != nil {
				t.Fatal(err)
			}
			cancel()
			if _, err := m.Score(ctx, pts.Subset([]int32{3})); !errors.Is(err, context.Canceled) {
				t.Errorf("%s, method %s of new rows: error %v, want context.Canceled", engine, opt.Method, err)
			}
			if _, err := outlier.Score(ctx, idx, opt); !errors.Is(err, context.Canceled) {
				t.Errorf("%s, method %s: error %v, want context.Canceled", engine, opt.Method, err)
			}
			res := &outlier.Result{Scores: make([]float64, 100)}
			if err := outlier.Verify(ctx, pts, opt, res, []int{0}); !errors.Is(err, context.Canceled) {
				t.Errorf("Verify, method %s: error %v, want context.Canceled", opt.Method, err)
			}
		}
	}
}
