package join_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

// expanding is an engine whose indexes have the Counts and Pairs of another one's,
// and KNN by expanding ε.
type expanding struct{ inner join.Engine }

func (e expanding) Name() string { return "expand" }

func (e expanding) Index(ctx context.Context, pts *join.Points) (join.Index, error) {
	idx, err := e.inner.Index(ctx, pts)
	if err != nil {
		return nil, err
	}
	return &expandingIndex{Index: idx, near: join.NewExpander(bare{e.inner, nil}, bareIndex{Index: idx}, 2)}, nil
}

type expandingIndex struct {
	join.Index
	near *join.Expander
}

func (x *expandingIndex) KNN(ctx context.Context, q *join.Points, k int, emit func(row int, near []join.Neighbor) error) error {
	return x.near.KNN(ctx, q, k, emit)
}

func (x *expandingIndex) Close() error { return errors.Join(x.near.Close(), x.Index.Close()) }

// bare is an engine without nearest neighbours and without faster roads, that takes
// note of what its indexes are asked for.
type bare struct {
	join.Engine
	asked *asked
}

// asked is what the indexes of an engine were asked for.
type asked struct {
	indexes int
	closed  int
	counted int64 // query rows of Counts
	listed  int64 // query rows of Pairs
	pairs   int64
	calls   int
}

func (a *asked) reset() { *a = asked{} }

func (e bare) Index(ctx context.Context, pts *join.Points) (join.Index, error) {
	idx, err := e.Engine.Index(ctx, pts)
	if err != nil {
		return nil, err
	}
	if e.asked != nil {
		e.asked.indexes++
	}
	return bareIndex{idx, e.asked}, nil
}

type bareIndex struct {
	join.Index
	asked *asked
}

var errNoSearch = errors.New("no search for nearest rows here")

func (x bareIndex) KNN(context.Context, *join.Points, int, func(int, []join.Neighbor) error) error {
	return errNoSearch
}

func (x bareIndex) Counts(ctx context.Context, q *join.Points, eps float64, limit int32, dst []int32) error {
	if x.asked != nil {
		x.asked.calls++
		x.asked.counted += int64(len(dst))
	}
	return x.Index.Counts(ctx, q, eps, limit, dst)
}

func (x bareIndex) Pairs(ctx context.Context, q *join.Points, eps float64, emit func([]join.Pair) error) error {
	if x.asked == nil {
		return x.Index.Pairs(ctx, q, eps, emit)
	}
	x.asked.calls++
	x.asked.listed += int64(q.Rows())
	return x.Index.Pairs(ctx, q, eps, func(pairs []join.Pair) error {
		x.asked.pairs += int64(len(pairs))
		return emit(pairs)
	})
}

func (x bareIndex) Close() error {
	if x.asked != nil {
		x.asked.closed++
	}
	return x.Index.Close()
}

// TestExpander wants all answers right; with -short, which is for the race detector,
// only what several goroutines may disturb.
func TestExpander(t *testing.T) {
	engine := cpu.New(cpu.Options{Threads: 2})
	if testing.Short() {
		jointest.TestCalls(t, expanding{engine})
		return
	}
	for name, e := range map[string]join.Engine{"cpu": engine, "brute": jointest.Brute()} {
		t.Run(name, func(t *testing.T) { jointest.TestEngine(t, expanding{e}) })
	}
}

func FuzzExpander(f *testing.F) { jointest.FuzzEngine(f, expanding{cpu.New(cpu.Options{Threads: 2})}) }

// TestExpanderTies has rows that are all at one distance from each other, as far as
// float64 tells: each has as its neighbours the first others.
func TestExpanderTies(t *testing.T) {
	const n, k = 1500, 3
	for _, scale := range []float64{1e-170, 1e170} {
		t.Run(fmt.Sprint(scale), func(t *testing.T) {
			data := jointest.Uniform(n, 2, 3)
			for i := range data {
				data[i] = float64(i) * scale
			}
			idx := jointest.Index(t, cpu.New(cpu.Options{}), jointest.Points(t, 2, data...))
			x := join.NewExpander(cpu.New(cpu.Options{}), idx, 3)
			err := x.KNN(t.Context(), nil, k, func(row int, near []join.Neighbor) error {
				want := int32(0)
				for _, got := range near {
					if int(want) == row {
						want++
					}
					if got.Row != want || got.D2 != float64(scale*scale) || len(near) != k {
						return fmt.Errorf("row %d: got %v, want row %d", row, near, want)
					}
					want++
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestExpanderBeyondEps has rows with less than k others at distances that float64
// can hold.
func TestExpanderBeyondEps(t *testing.T) {
	data := make([]float64, 300)
	for i := range data {
		data[i] = math.MaxFloat64 - float64(i)*1e304
		if i%50 == 7 {
			data[i] = -data[i]
		}
	}
	pts := under(t, join.Metric{Norm: join.Manhattan}, 1, data...)
	idx := bruteIndex(t, pts)
	want := make([][]join.Neighbor, len(data))
	if err := idx.KNN(t.Context(), nil, 9, into(want)); err != nil {
		t.Fatal(err)
	}
	got := make([][]join.Neighbor, len(data))
	if err := join.NewExpander(jointest.Brute(), idx, 1).KNN(t.Context(), nil, 9, into(got)); err != nil {
		t.Fatal(err)
	}
	sameLists(t, got, want)
	if last := got[7][8]; !math.IsInf(last.D2, 1) {
		t.Errorf("the last neighbour of row 7 is %v, want one at +Inf", last)
	}
}

// TestExpanderRefuses wants errors that say what is wrong.
func TestExpanderRefuses(t *testing.T) {
	idx := bruteIndex(t, newPoints(t, 2, 0, 0, 1, 1))
	manhattan := under(t, join.Metric{Norm: join.Manhattan}, 2, 0, 0)
	for _, tt := range []struct {
		name string
		q    *join.Points
		k    int
		want string
	}{
		{"k 0", nil, 0, "k is 0, want at least 1"},
		{"k negative", newPoints(t, 2, 0, 0), -1, "k is -1, want at least 1"},
		{"other columns", newPoints(t, 3, 0, 0, 0), 1, "query points have 3 coordinates, the index 2"},
		{"other metric", manhattan, 1, "query points have another metric"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := join.NewExpander(jointest.Brute(), idx, 1).KNN(t.Context(), tt.q, tt.k, func(int, []join.Neighbor) error {
				t.Error("emit was called")
				return nil
			})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want %q", err, tt.want)
			}
		})
	}
}

// miscounting is an index that counts or lists what is not there.
type miscounting struct {
	join.Index
	more int32 // counts
	skip bool  // leaves pairs out
}

func (x miscounting) Counts(ctx context.Context, q *join.Points, eps float64, limit int32, dst []int32) error {
	err := x.Index.Counts(ctx, q, eps, limit, dst)
	for i := range dst {
		dst[i] += x.more
	}
	return err
}

func (x miscounting) Pairs(ctx context.Context, q *join.Points, eps float64, emit func([]join.Pair) error) error {
	return x.Index.Pairs(ctx, q, eps, func(pairs []join.Pair) error {
		if x.skip {
			pairs = pairs[1:]
		}
		return emit(pairs)
	})
}

// TestExpanderSeesFaults wants an error where pairs are not as many as counted.
func TestExpanderSeesFaults(t *testing.T) {
	small, large := newPoints(t, 1, 1, 2, 3, 5), newPoints(t, 1, jointest.Uniform(300, 1, 2)...)
	manhattan := under(t, join.Metric{Norm: join.Manhattan}, 1, large.Data()...)
	for name, idx := range map[string]join.Index{
		"counts too many": miscounting{Index: bruteIndex(t, large), more: 1},
		"counts too few":  miscounting{Index: bruteIndex(t, large), more: -1},
		"a pair left out": miscounting{Index: bruteIndex(t, large), skip: true},
		"of no squares":   miscounting{Index: bruteIndex(t, manhattan), skip: true, more: math.MaxInt16},
		"of few rows":     miscounting{Index: bruteIndex(t, small), skip: true},
	} {
		err := join.NewExpander(jointest.Brute(), idx, 1).KNN(t.Context(), nil, 3, func(int, []join.Neighbor) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "the engine ") {
			t.Errorf("%s: got error %v, want one about the engine", name, err)
		}
	}
}

// TestExpanderIndexesPlaces wants one index of the distinct rows, if a row is there
// more than four times, that is closed with the expander.
func TestExpanderIndexesPlaces(t *testing.T) {
	for copies, want := range map[int]int{4: 0, 5: 1} {
		var did asked
		data := append(jointest.Uniform(60, 1, 8), slices.Repeat([]float64{math.Copysign(0, -1)}, copies-1)...)
		idx := bruteIndex(t, newPoints(t, 1, append(data, 0)...))
		x := join.NewExpander(bare{jointest.Brute(), &did}, idx, 1)
		for range 2 {
			if err := x.KNN(t.Context(), nil, 2, func(int, []join.Neighbor) error { return nil }); err != nil {
				t.Fatal(err)
			}
		}
		if did.indexes != want || did.closed != 0 {
			t.Errorf("%d equal rows: %d indexes built and %d closed, want %d and 0", copies, did.indexes, did.closed, want)
		}
		if err := x.Close(); err != nil || did.closed != want {
			t.Errorf("%d equal rows: %d indexes closed with error %v, want %d", copies, did.closed, err, want)
		}
	}
}

// TestExpanderBuildFails wants the engine's error, and another try at the next call.
func TestExpanderBuildFails(t *testing.T) {
	idx := bruteIndex(t, newPoints(t, 1, 7, 7, 7, 7, 7, 8))
	none := func(int, []join.Neighbor) error { return nil }
	x := join.NewExpander(jointest.Brute(), idx, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := x.KNN(ctx, nil, 1, none); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want context.Canceled", err)
	}
	if err := x.KNN(t.Context(), nil, 1, none); err != nil {
		t.Errorf("got error %v after a call that was cancelled", err)
	}
	broken := join.NewExpander(brokenEngine{}, idx, 1)
	if err := broken.KNN(t.Context(), nil, 1, none); !errors.Is(err, errNoSearch) {
		t.Errorf("got error %v, want that of the engine", err)
	}
	if err := broken.Close(); err != nil {
		t.Error(err)
	}
}

type brokenEngine struct{ join.Engine }

func (brokenEngine) Index(context.Context, *join.Points) (join.Index, error) { return nil, errNoSearch }

// TestExpanderTellsEffort wants what counts and pairs took told as that of one stage.
func TestExpanderTellsEffort(t *testing.T) {
	var stages []join.Stage
	var sum join.Effort
	ctx := join.WithEffort(t.Context(), func(stage join.Stage, e join.Effort) {
		stages = append(stages, stage)
		sum.Add(e)
	})
	engine := cpu.New(cpu.Options{})
	idx := jointest.Index(t, engine, newPoints(t, 2, jointest.Uniform(500, 2, 1)...))
	if err := join.NewExpander(engine, idx, 0).KNN(ctx, nil, 3, func(int, []join.Neighbor) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(stages, []join.Stage{join.StageKNN}) || sum.Refined == 0 {
		t.Errorf("got efforts of the stages %v, %+v together; want one of %s", stages, sum, join.StageKNN)
	}
}
