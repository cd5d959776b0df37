package outlier_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
	"rtcluster/outlier"
)

// meter is an engine that counts the neighbours and pairs which its indexes give.
type meter struct {
	join.Engine
	found *int64
}

func (e meter) Index(ctx context.Context, pts *join.Points) (join.Index, error) {
	idx, err := e.Engine.Index(ctx, pts)
	return metered{idx, e.found}, err
}

type metered struct {
	join.Index
	found *int64
}

func (x metered) KNN(ctx context.Context, q *join.Points, k int, emit func(int, []join.Neighbor) error) error {
	return x.Index.KNN(ctx, q, k, func(row int, near []join.Neighbor) error {
		*x.found += int64(len(near))
		return emit(row, near)
	})
}

func (x metered) Pairs(ctx context.Context, q *join.Points, eps float64, emit func([]join.Pair) error) error {
	return x.Index.Pairs(ctx, q, eps, func(pairs []join.Pair) error {
		*x.found += int64(len(pairs))
		return emit(pairs)
	})
}

// TestHeapsAreCheap has a heap of thousands of equal rows, and rows around that have
// all of it among their neighbours.
func TestHeapsAreCheap(t *testing.T) {
	const dim, k, heap = 64, 10, 4000
	data := make([]float64, dim*heap)
	for axis := range dim { // 128 rows that are nearer to the heap than to each other
		for _, at := range []float64{-3, 3} {
			row := make([]float64, dim)
			row[axis] = at
			data = append(data, row...)
		}
	}
	pts := jointest.Points(t, dim, data...)
	for _, m := range []outlier.Method{outlier.KNN, outlier.LOF, outlier.ODIN} {
		var found int64
		e := meter{cpu.New(cpu.Options{}), &found}
		opt := outlier.Options{Method: m, K: k, Ties: outlier.TiesAll, Engine: e}
		res, err := outlier.Score(t.Context(), metered{jointest.Index(t, e, pts), &found}, opt)
		if err != nil {
			t.Fatal(err)
		}
		if most := int64(129 * 6 * (k + 1)); found == 0 || found > most {
			t.Errorf("method %s: %d neighbours were looked for, want at most %d", m, found, most)
		}
		if err := outlier.Verify(t.Context(), pts, opt, res, []int{0, heap - 1, heap, len(res.Scores) - 1}); err != nil {
			t.Error(err)
		}
	}
}

// TestReverseIsBounded has new rows where the reference is dense, far within the
// greatest k-th distance: rows are at all scales.
func TestReverseIsBounded(t *testing.T) {
	slow(t)
	const rows, k, seed = 24000, 5, 4
	r := rand.New(rand.NewPCG(seed, 0))
	var data []float64
	for range rows {
		scale := math.Exp(-25 * r.Float64())
		data = append(data, scale*r.NormFloat64(), scale*r.NormFloat64(), scale*r.NormFloat64())
	}
	var found int64
	e := meter{cpu.New(cpu.Options{}), &found}
	pts := jointest.Points(t, 3, data...)
	for _, ties := range []outlier.Ties{outlier.TiesK, outlier.TiesAll} {
		opt := outlier.Options{Method: outlier.ODIN, K: k, Ties: ties, Engine: e}
		m, err := outlier.Fit(t.Context(), jointest.Index(t, e, pts), []outlier.Options{opt})
		if err != nil {
			t.Fatal(err)
		}
		found = 0
		const news = 200
		q := jointest.Points(t, 3, data[:3*news]...)
		res, err := m.Score(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if most := int64(news * rows / 100); found == 0 || found > most {
			t.Errorf("ties %s: %d pairs, want at most %d", ties, found, most)
		}
		if err := outlier.VerifyNew(t.Context(), pts, q, opt, res[0], []int{0, 50, news - 1}); err != nil {
			t.Error(err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

// brokenEngine has no index but an error, after a number of good ones.
type brokenEngine struct {
	join.Engine
	good *int
	err  error
}

func (e brokenEngine) Index(ctx context.Context, pts *join.Points) (join.Index, error) {
	if *e.good--; *e.good < 0 {
		return nil, e.err
	}
	return e.Engine.Index(ctx, pts)
}

// TestEngineErrors wants the error of an engine that is asked for another index.
func TestEngineErrors(t *testing.T) {
	broken := errors.New("out of memory")
	pts := jointest.Points(t, 1, 1, 2, 4, 4, 9)
	idx := jointest.Index(t, jointest.Brute(), pts)
	for _, tc := range []struct {
		opt  outlier.Options
		good int // indexes that are made
	}{
		{outlier.Options{Method: outlier.LOF, K: 2, Ties: outlier.TiesAll}, 0},
		{outlier.Options{Method: outlier.ODIN, K: 2}, 0},
		{outlier.Options{Method: outlier.ODIN, K: 2, Ties: outlier.TiesAll}, 1},
	} {
		good := tc.good
		tc.opt.Engine = brokenEngine{jointest.Brute(), &good, broken}
		if m, err := outlier.Fit(t.Context(), idx, []outlier.Options{tc.opt}); m != nil || !errors.Is(err, broken) {
			t.Errorf("method %s, ties %s: error %v, want %v", tc.opt.Method, tc.opt.Ties, err, broken)
		}
	}
}

// TestShortListsOfTies has an engine that leaves a neighbour out, in the first search,
// or in the one for longer lists.
func TestShortListsOfTies(t *testing.T) {
	pts := jointest.Points(t, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
	for _, m := range []outlier.Method{outlier.KNN, outlier.LOF} {
		for asked, want := range map[int]string{2: "row 5 1 neighbours, want 2", 8: "neighbours, want 8"} {
			idx := faulty{Index: jointest.Index(t, jointest.Brute(), pts), knn: func(i int, near []join.Neighbor) []join.Neighbor {
				if i == 5 && len(near) == asked {
					near = near[1:]
				}
				return near
			}}
			opt := outlier.Options{Method: m, K: 1, Ties: outlier.TiesAll, Engine: jointest.Brute()}
			if _, err := outlier.Score(t.Context(), idx, opt); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("method %s: error %v, want %q", m, err, want)
			}
		}
	}
}
