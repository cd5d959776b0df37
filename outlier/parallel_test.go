package outlier_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
	"rtcluster/outlier"
)

// rowsOfChunks are so many that each of seven goroutines has rows to score.
const rowsOfChunks = 7*4096 + 11

// TestThreadsDoNotChangeScores has rows on a coarse lattice, some of them with more
// equals than k.
func TestThreadsDoNotChangeScores(t *testing.T) {
	pts := jointest.Points(t, 2, jointest.Lattice(rowsOfChunks, 2, 140, 3)...)
	idx := jointest.Index(t, cpu.New(cpu.Options{Threads: 2}), pts)
	opt := outlier.Options{Method: outlier.LOF, K: 3, Threads: 1}
	want, err := outlier.Score(t.Context(), idx, opt)
	if err != nil {
		t.Fatal(err)
	}
	if want.Duplicates == 0 || want.Duplicates == rowsOfChunks {
		t.Fatalf("%d rows by the rule for duplicates, want some", want.Duplicates)
	}
	if err := outlier.Verify(t.Context(), pts, opt, want, []int{0, 4095, 4096, rowsOfChunks - 1}); err != nil {
		t.Error(err)
	}
	for _, threads := range []int{0, 2, 7} {
		opt.Threads = threads
		got, err := outlier.Score(t.Context(), idx, opt)
		if err != nil {
			t.Fatal(err)
		}
		if got.Duplicates != want.Duplicates {
			t.Errorf("%d threads: %d duplicates, want %d", threads, got.Duplicates, want.Duplicates)
		}
		for i, score := range got.Scores {
			if math.Float64bits(score) != math.Float64bits(want.Scores[i]) {
				t.Fatalf("%d threads: row %d has score %v, want %v", threads, i, score, want.Scores[i])
			}
		}
	}
}

// ring is an index whose rows have the next rows as their nearest, all at the same
// distance. It pays no heed to contexts.
type ring struct{ join.Index }

func (x ring) Lists(_ context.Context, _ *join.Points, k int, rows []int32, d2 []float64) error {
	n := len(rows) / k
	for at := range rows {
		rows[at], d2[at] = int32((at/k+at%k+1)%n), 1
	}
	return nil
}

// countdown is a context that is done after a number of looks.
type countdown struct {
	context.Context
	left *atomic.Int64
}

func (c countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestPassesStop ends the context at each of the looks that LOF takes at it: there
// is an error as soon as a look finds it done, and a result else.
func TestPassesStop(t *testing.T) {
	const n = rowsOfChunks
	idx := ring{jointest.Index(t, jointest.Brute(), jointest.Points(t, 1, make([]float64, n)...))}
	for _, threads := range []int{1, 2} {
		t.Run(fmt.Sprintf("threads=%d", threads), func(t *testing.T) {
			var distances atomic.Int64
			opt := outlier.Options{Method: outlier.LOF, K: 2, Threads: threads, Distance: func(d2 float64) float64 {
				distances.Add(1)
				return d2
			}}
			// Three passes of eight chunks or more, with a look before each and after all.
			for looks := range int64(100) {
				ctx := countdown{t.Context(), &atomic.Int64{}}
				ctx.left.Store(looks)
				distances.Store(0)
				res, err := outlier.Score(ctx, idx, opt)
				if err == nil {
					if i := slices.IndexFunc(res.Scores, func(s float64) bool { return s != 1 }); i >= 0 || ctx.left.Load() < 0 {
						t.Errorf("%d looks, %d left: row %d has a score that is not 1, or there should be an error", looks, ctx.left.Load(), i)
					}
					if looks < 3*8 {
						t.Errorf("LOF of 8 chunks looks %d times", looks)
					}
					return
				}
				if !errors.Is(err, context.Canceled) || res != nil {
					t.Fatalf("%d looks: got %v, error %v; want context.Canceled alone", looks, res, err)
				}
				if most := 2 * 4096 * looks; distances.Load() > most {
					t.Errorf("%d looks: %d distances after, want at most %d", looks, distances.Load(), most)
				}
			}
			t.Error("no result after 100 looks")
		})
	}
}

// shortLists is an index that gives a row fewer neighbours than there are.
type shortLists struct {
	join.Index
	row, neighbours int
}

func (x shortLists) Lists(ctx context.Context, q *join.Points, k int, rows []int32, d2 []float64) error {
	if err := join.Lists(ctx, x.Index, q, k, rows, d2); err != nil {
		return err
	}
	from, to := x.row*k+x.neighbours, (x.row+1)*k
	join.SetList(rows[from:to], d2[from:to], nil)
	return nil
}

func TestShortLists(t *testing.T) {
	const n, k = 9, 3
	pts := jointest.Points(t, 1, 0, 1, 3, 7, 12, 20, 21, 23, 30)
	idx := jointest.Index(t, jointest.Brute(), pts)
	for _, row := range []int{0, 4, n - 1} {
		for neighbours := range k {
			cut := func(i int, near []join.Neighbor) []join.Neighbor {
				if i == row {
					near = near[:neighbours]
				}
				return near
			}
			want := fmt.Sprintf("the engine gives row %d %d neighbours, want %d", row, neighbours, k)
			for name, bad := range map[string]join.Index{
				"Lists": shortLists{idx, row, neighbours},
				"KNN":   faulty{Index: idx, knn: cut},
			} {
				res, err := outlier.Score(t.Context(), bad, outlier.Options{Method: outlier.LOF, K: k})
				if err == nil || !strings.Contains(err.Error(), want) || res != nil {
					t.Errorf("%s: got %v and error %v, want %q", name, res, err, want)
				}
			}
		}
	}
}

// TestListsErrors wants an index's error as it is.
func TestListsErrors(t *testing.T) {
	broken := errors.New("device lost")
	idx := brokenLists{jointest.Index(t, jointest.Brute(), jointest.Points(t, 1, 1, 2, 4)), broken}
	if _, err := outlier.Score(t.Context(), idx, outlier.Options{Method: outlier.LOF, K: 1}); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}

// brokenLists is an index that has no lists but an error.
type brokenLists struct {
	join.Index
	err error
}

func (x brokenLists) Lists(context.Context, *join.Points, int, []int32, []float64) error {
	return x.err
}
