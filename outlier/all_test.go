package outlier_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
	"rtcluster/outlier"
)

// everyOption returns scores of all methods by a rule for ties, with several k.
func everyOption(ties outlier.Ties, most int, eps float64) []outlier.Options {
	var all []outlier.Options
	for _, k := range []int{1, 2, 5, 11} {
		if k > most {
			continue
		}
		for _, m := range outlier.Methods() {
			opt := outlier.Options{Method: m, K: k, Eps: eps * float64(k), Ties: ties, Engine: jointest.Brute()}
			switch {
			case m == outlier.Count && k != 2 || m == outlier.LDOF && k == 1:
				continue
			case m == outlier.DB:
				opt.Fraction = []float64{0.9, 0.5, 0, 0.75}[k%4]
			case m == outlier.DBSCAN:
				opt.MinSamples = k
			case m == outlier.KNN:
				opt.Aggregate = []outlier.Aggregate{outlier.Max, outlier.Mean, outlier.Median, outlier.Sum}[k%4]
			case m == outlier.LoOP:
				opt.Lambda, opt.AllPLOF = float64(k%3), k%2 == 1
			}
			all = append(all, opt)
		}
	}
	return all
}

// plainSets are points of all kinds: with many ties, equal rows, heaps, and far from
// the origin.
func plainSets(t *testing.T) map[string]*join.Points {
	heaps := slices.Concat(slices.Repeat([]float64{3, 3}, 9), jointest.Lattice(30, 2, 6, 4), slices.Repeat([]float64{4, 3}, 14), []float64{50, 50, 3, 3})
	signs := []float64{0, math.Copysign(0, -1), 0, 1, 1, math.Copysign(0, -1), 2, -1, -1}
	tiny := []float64{0, 1e-200, 2e-200, 2e-200, 1e-180, 1, 3e-200, 1, 1 + 1e-9, 2}
	var grid []float64 // no rows are equal
	for i := range 49 {
		grid = append(grid, float64(i%7), float64(i/7))
	}
	offset := jointest.Lattice(40, 3, 4, 2)
	for i := range offset {
		offset[i] = 1e9 + offset[i]/8
	}
	box, err := jointest.Points(t, 2, jointest.Lattice(60, 2, 7, 5)...).WithMetric(join.Metric{Norm: join.Manhattan, Box: []float64{7, 0}})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]*join.Points{
		"uniform":     jointest.Points(t, 2, jointest.Uniform(60, 2, 1)...),
		"uniform 64d": jointest.Points(t, 64, jointest.Uniform(40, 64, 2)...),
		"line":        jointest.Points(t, 1, jointest.Lattice(50, 1, 40, 3)...),
		"lattice":     jointest.Points(t, 3, jointest.Lattice(64, 3, 3, 3)...),
		"bits":        jointest.Points(t, 12, jointest.Lattice(40, 12, 1, 6)...),
		"heaps":       jointest.Points(t, 2, heaps...),
		"one place":   jointest.Points(t, 2, slices.Repeat([]float64{7, 1}, 14)...),
		"zeros":       jointest.Points(t, 1, signs...),
		"underflow":   jointest.Points(t, 1, tiny...),
		"offset":      jointest.Points(t, 3, offset...),
		"grid":        jointest.Points(t, 2, grid...),
		"overflow":    jointest.Points(t, 1, 0, 1, 2, 2, 1e200, -1e200, 1e200, 3e200, 1e10, -1e153, -1e154, 3),
		"box":         box,
	}
}

// close to wants the same score but for rounding.
func closeTo(got, want float64) bool {
	return got == want || math.Abs(got-want) <= 1e-11*max(1, math.Abs(want)) && !math.IsInf(want, 0)
}

// TestAgainstPlain compares all methods, with both rules for ties, for the reference
// and for new rows, with definitions, and by Verify to the bit.
func TestAgainstPlain(t *testing.T) {
	for name, pts := range plainSets(t) {
		for _, ties := range []outlier.Ties{outlier.TiesK, outlier.TiesAll} {
			t.Run(fmt.Sprintf("%s/ties=%s", name, ties), func(t *testing.T) {
				opts, q := everyOption(ties, pts.Rows()-1, 0.3), newRows(t, pts)
				var own, scored [][]*outlier.Result // of each engine
				var names []string
				for engine, e := range engines() {
					m, err := outlier.Fit(t.Context(), jointest.Index(t, e, pts), opts)
					if err != nil {
						t.Fatal(err)
					}
					results, err := m.Score(t.Context(), q)
					if err != nil {
						t.Fatal(err)
					}
					if err := m.Close(); err != nil {
						t.Error(err)
					}
					names, own, scored = append(names, engine), append(own, m.Results()), append(scored, results)
				}
				for i, opt := range opts {
					what := fmt.Sprintf("method %s, k %d", opt.Method, opt.K)
					compareWithPlain(t, what, pts, q, opt, own[0][i], scored[0][i])
					for e := range own[1:] {
						sameResults(t, what+", "+names[e+1], own[e+1][i], own[0][i])
						sameResults(t, what+", new rows, "+names[e+1], scored[e+1][i], scored[0][i])
					}
				}
			})
		}
	}
}

// newRows returns some rows of pts, and rows beside them.
func newRows(t *testing.T, pts *join.Points) *join.Points {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	var data []float64
	for i := range 12 {
		x := slices.Clone(pts.Row(r.IntN(pts.Rows())))
		if y := pts.Row(r.IntN(pts.Rows())); i%3 > 0 {
			for k := range x {
				x[k] += (y[k] - x[k]) / float64(int(1)<<i%5)
			}
		}
		data = append(data, x...)
	}
	q, err := jointest.Points(t, pts.Dim(), data...).WithMetric(pts.Metric())
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func compareWithPlain(t *testing.T, what string, pts, q *join.Points, opt outlier.Options, own, scored *outlier.Result) {
	t.Helper()
	s := newPlain(pts, opt)
	if opt.Method == outlier.LoOP && (!closeTo(own.Deviation, s.deviation) || scored.Deviation != own.Deviation) {
		t.Errorf("%s: deviations %v and %v, want %v", what, own.Deviation, scored.Deviation, s.deviation)
	}
	for i, got := range own.Scores {
		if want := s.score(pts.Row(i), i); !closeTo(got, want) {
			t.Fatalf("%s: row %d has score %v, want %v", what, i, got, want)
		}
	}
	for i, got := range scored.Scores {
		if want := s.score(q.Row(i), -1); !closeTo(got, want) {
			t.Fatalf("%s: new row %d has score %v, want %v", what, i, got, want)
		}
	}
	verify(t, pts, opt, own)
	rows := make([]int, q.Rows())
	for i := range rows {
		rows[i] = i
	}
	if err := outlier.VerifyNew(t.Context(), pts, q, opt, scored, rows); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// TestScoresAlone wants each of many scores as it is alone, for any number of
// threads, and of new rows in any pieces.
func TestScoresAlone(t *testing.T) {
	for name, pts := range plainSets(t) {
		opts := append(everyOption(outlier.TiesK, pts.Rows()-1, 0.3), everyOption(outlier.TiesAll, pts.Rows()-1, 0.3)...)
		idx := jointest.Index(t, cpu.New(cpu.Options{Threads: 2}), pts)
		m, err := outlier.Fit(t.Context(), idx, opts)
		if err != nil {
			t.Fatal(err)
		}
		q := newRows(t, pts)
		whole, err := m.Score(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for i, opt := range opts {
			for _, threads := range []int{1, 2, 3, 7} {
				opt.Threads = threads
				opt.Engine = cpu.New(cpu.Options{Threads: threads})
				what := fmt.Sprintf("%s, method %s, k %d, ties %s, %d threads", name, opt.Method, opt.K, opt.Ties, threads)
				alone, err := outlier.Score(t.Context(), idx, opt)
				if err != nil {
					t.Fatal(err)
				}
				sameResults(t, what, m.Results()[i], alone)
			}
		}
		for _, size := range []int{1, 5} {
			for from := 0; from < q.Rows(); from += size {
				to := min(from+size, q.Rows())
				piece, err := jointest.Points(t, q.Dim(), q.Data()[from*q.Dim():to*q.Dim()]...).WithMetric(q.Metric())
				if err != nil {
					t.Fatal(err)
				}
				scored, err := m.Score(t.Context(), piece)
				if err != nil {
					t.Fatal(err)
				}
				for i, opt := range opts {
					sameBits(t, fmt.Sprintf("%s, method %s, rows from %d", name, opt.Method, from), scored[i].Scores, whole[i].Scores[from:to])
				}
			}
		}
	}
}
