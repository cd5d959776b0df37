package gpu_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"rtcluster/gpu"
	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
	"rtcluster/join/synth"
)

// roads are what an index of the CPU engine can do that matters here.
type roads interface {
	join.Index
	join.Componenter
	join.Attacher
	join.Clusterer
}

// faulty is an engine that fails: in Index, or in a method of its indexes, behind
// so many calls of emit, having written what must not stay.
type faulty struct {
	join.Engine
	in    string // the method; "any" for all but Index
	after int
	err   error
	calls *atomic.Int64 // of what failed
}

func (f faulty) Name() string { return "faulty" }

func (f faulty) Index(ctx context.Context, pts *join.Points) (join.Index, error) {
	if err := f.fail(ctx, "Index"); err != nil {
		return nil, err
	}
	idx, err := f.Engine.Index(ctx, pts)
	if err != nil {
		return nil, err
	}
	return faultyIndex{idx.(roads), f, new(atomic.Bool)}, nil
}

func (f faulty) fail(ctx context.Context, method string) error {
	if ctx.Err() != nil || f.in != method && (f.in != "any" || method == "Index") {
		return nil
	}
	f.calls.Add(1)
	return fmt.Errorf("cuda: %s: %w", method, f.err)
}

type faultyIndex struct {
	roads
	faulty
	lost *atomic.Bool
}

func (x faultyIndex) fail(ctx context.Context, method string) error {
	err := x.faulty.fail(ctx, method)
	if err != nil {
		x.lost.Store(true)
	}
	return err
}

func (x faultyIndex) Counts(ctx context.Context, q *join.Points, eps float64, limit int32, dst []int32) error {
	err := x.roads.Counts(ctx, q, eps, limit, dst) // which sees what breaks the contract
	return cmp.Or(err, x.spoil(ctx, "Counts", dst))
}

// spoil leaves wrong numbers where a method fails.
func (x faultyIndex) spoil(ctx context.Context, method string, dst []int32) error {
	err := x.fail(ctx, method)
	for i := range dst {
		if err != nil {
			dst[i] = -7
		}
	}
	return err
}

// errCut ends an emission where the fault is.
var errCut = errors.New("cut")

func (x faultyIndex) Pairs(ctx context.Context, q *join.Points, eps float64, emit func([]join.Pair) error) error {
	if x.in != "Pairs" && x.in != "any" {
		return x.roads.Pairs(ctx, q, eps, emit)
	}
	left := x.after
	err := x.roads.Pairs(ctx, q, eps, func(pairs []join.Pair) error {
		for part := range slices.Chunk(pairs, 3) {
			if left--; left < 0 {
				return errCut
			}
			if err := emit(part); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil || errors.Is(err, errCut) {
		return cmp.Or(ctx.Err(), x.fail(ctx, "Pairs"))
	}
	return err
}

func (x faultyIndex) KNN(ctx context.Context, q *join.Points, k int, emit func(row int, near []join.Neighbor) error) error {
	if x.in != "KNN" && x.in != "any" {
		return x.roads.KNN(ctx, q, k, emit)
	}
	left := x.after
	err := x.roads.KNN(ctx, q, k, func(row int, near []join.Neighbor) error {
		if left--; left < 0 {
			return errCut
		}
		return emit(row, near)
	})
	if err == nil || errors.Is(err, errCut) {
		return cmp.Or(ctx.Err(), x.fail(ctx, "KNN"))
	}
	return err
}

func (x faultyIndex) Components(ctx context.Context, eps float64, member []bool, dst []int32) error {
	return cmp.Or(x.roads.Components(ctx, eps, member, dst), x.spoil(ctx, "Components", dst))
}

func (x faultyIndex) Attach(ctx context.Context, q *join.Points, eps float64, member []bool, label, dst []int32) error {
	return cmp.Or(x.roads.Attach(ctx, q, eps, member, label, dst), x.spoil(ctx, "Attach", dst))
}

func (x faultyIndex) Cluster(ctx context.Context, eps float64, least int32, attach bool, core []bool, label []int32) (join.Clustered, error) {
	found, err := x.roads.Cluster(ctx, eps, least, attach, core, label)
	if err = cmp.Or(err, x.spoil(ctx, "Cluster", label)); err != nil {
		return join.Clustered{Clusters: -7}, err
	}
	return found, nil
}

// Close fails, too, where the card is lost.
func (x faultyIndex) Close() error {
	err := x.roads.Close()
	if x.lost.Load() {
		err = cmp.Or(err, x.err)
	}
	return err
}

// fresh is an engine that is made anew for each index.
type fresh struct{ make func() join.Engine }

func (f fresh) Name() string { return f.make().Name() }
func (f fresh) Index(ctx context.Context, pts *join.Points) (join.Index, error) {
	return f.make().Index(ctx, pts)
}

// TestFallbackCalls holds the wrapper to the contract, with an engine under it that
// fails, for each index anew, in the first of the methods that is called, KNN behind
// its second row.
func TestFallbackCalls(t *testing.T) {
	good := cpu.New(cpu.Options{Threads: 2})
	var faults, told atomic.Int64
	e := fresh{func() join.Engine {
		bad := faulty{good, "any", 0, gpu.ErrLost, &faults}
		return gpu.WithFallback(bad, good, func(error) { told.Add(1) })
	}}
	jointest.TestCalls(t, e)
	if faults.Load() == 0 || told.Load() == 0 {
		t.Errorf("%d faults and %d reports of them, want some", faults.Load(), told.Load())
	}
}

// answers are those of an index to one question each.
func answers(ctx context.Context, idx join.Index) (map[string]func() ([]string, error), error) {
	r, ok := idx.(roads)
	if !ok {
		return nil, fmt.Errorf("a %T has no fast roads", idx)
	}
	const eps, k = 0.1, 4
	n := idx.Points().Rows()
	member, label := make([]bool, n), make([]int32, n)
	for i := range n {
		member[i], label[i] = i%2 == 0, int32(n-i)
	}
	return map[string]func() ([]string, error){
		"Counts": func() ([]string, error) {
			dst := make([]int32, n)
			err := idx.Counts(ctx, nil, eps, 0, dst)
			return []string{fmt.Sprint(dst)}, err
		},
		"Pairs": func() (all []string, err error) {
			err = idx.Pairs(ctx, nil, eps, func(pairs []join.Pair) error {
				for _, p := range pairs {
					all = append(all, fmt.Sprint(p))
				}
				return nil
			})
			slices.Sort(all)
			return all, err
		},
		"KNN": func() (all []string, err error) {
			err = idx.KNN(ctx, nil, k, func(row int, near []join.Neighbor) error {
				all = append(all, fmt.Sprint(row, near))
				return nil
			})
			slices.Sort(all)
			return all, err
		},
		"Components": func() ([]string, error) {
			dst := make([]int32, n)
			err := r.Components(ctx, eps, member, dst)
			return []string{fmt.Sprint(dst)}, err
		},
		"Attach": func() ([]string, error) { // in place, as the contract allows
			dst := slices.Clone(label)
			err := r.Attach(ctx, nil, eps, member, dst, dst)
			return []string{fmt.Sprint(dst)}, err
		},
		"Cluster": func() ([]string, error) {
			core, dst := make([]bool, n), make([]int32, n)
			found, err := r.Cluster(ctx, eps, 3, true, core, dst)
			return []string{fmt.Sprint(found, core, dst)}, err
		},
	}, nil
}

func blobs(t *testing.T, n int) *join.Points {
	t.Helper()
	set, err := synth.Make("blobs", n, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	pts, err := join.NewPoints(set.Data, set.Dim)
	if err != nil {
		t.Fatal(err)
	}
	return pts
}

// TestFallback fails once in each method, in each way that can be mended, and wants the
// answers of an engine that does not fail.
func TestFallback(t *testing.T) {
	pts := blobs(t, 500)
	good := cpu.New(cpu.Options{Threads: 2})
	truth, err := good.Index(t.Context(), pts)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = truth.Close() }() // in memory
	want, err := answers(t.Context(), truth)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []error{gpu.ErrMissing, gpu.ErrMemory, gpu.ErrLost} {
		for _, in := range []string{"Index", "Counts", "Pairs", "KNN", "Components", "Attach", "Cluster"} {
			for _, after := range []int{0, 1, 77} {
				if after > 0 && in != "KNN" {
					continue
				}
				t.Run(fmt.Sprintf("%s after %d: %v", in, after, kind), func(t *testing.T) {
					var told []error
					e := gpu.WithFallback(faulty{good, in, after, kind, new(atomic.Int64)}, good, func(err error) { told = append(told, err) })
					idx, err := e.Index(t.Context(), pts)
					if err != nil {
						t.Fatal(err)
					}
					if in == "Index" {
						in = "Counts"
					}
					got, err := answers(t.Context(), idx)
					if err != nil {
						t.Fatal(err)
					}
					for _, method := range []string{in, "Counts", "KNN"} { // and goes on
						found, err := got[method]()
						truth, err2 := want[method]()
						if err := cmp.Or(err, err2); err != nil {
							t.Fatalf("%s: %v", method, err)
						}
						if !slices.Equal(found, truth) {
							t.Errorf("%s: got other answers", method)
						}
					}
					if len(told) != 1 || !errors.Is(told[0], kind) {
						t.Errorf("told %v, want once %v", told, kind)
					}
					if e.Name() != "cpu" {
						t.Errorf("the engine is called %s", e.Name())
					}
					if err := idx.Close(); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
}

// TestNoFallback has faults that must come back as they are.
func TestNoFallback(t *testing.T) {
	pts := blobs(t, 500)
	good := cpu.New(cpu.Options{Threads: 2})
	other := errors.New("other")
	index := func(t *testing.T, in string, after int, kind error) join.Index {
		t.Helper()
		e := gpu.WithFallback(faulty{good, in, after, kind, new(atomic.Int64)}, good, func(err error) { t.Errorf("went on after %v", err) })
		idx, err := e.Index(t.Context(), pts)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = idx.Close() })
		return idx
	}
	t.Run("no fault of the card", func(t *testing.T) {
		err := index(t, "Counts", 0, other).Counts(t.Context(), nil, 0.1, 0, make([]int32, pts.Rows()))
		if !errors.Is(err, other) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("pairs were handed on", func(t *testing.T) {
		batches, given := 0, 0
		err := index(t, "Pairs", 2, gpu.ErrLost).Pairs(t.Context(), nil, 0.1, func(pairs []join.Pair) error {
			batches, given = batches+1, given+len(pairs)
			return nil
		})
		if !errors.Is(err, gpu.ErrLost) || given == 0 || !strings.Contains(err.Error(), fmt.Sprintf("; %d pairs were handed on before", given)) || !strings.Contains(err.Error(), "--engine cpu") || batches != 2 {
			t.Errorf("got %v after %d batches", err, batches)
		}
	})
	t.Run("the callee failed", func(t *testing.T) {
		full := fmt.Errorf("disk, and %w", gpu.ErrMemory) // even so
		calls := 0
		err := index(t, "none", 0, nil).Pairs(t.Context(), nil, 0.1, func([]join.Pair) error { calls++; return full })
		if !errors.Is(err, full) || calls != 1 {
			t.Errorf("pairs: got %v after %d calls", err, calls)
		}
		calls = 0
		err = index(t, "none", 0, nil).KNN(t.Context(), nil, 3, func(int, []join.Neighbor) error { calls++; return full })
		if !errors.Is(err, full) || calls != 1 {
			t.Errorf("nearest rows: got %v after %d calls", err, calls)
		}
	})
	t.Run("interrupted", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		idx := index(t, "KNN", 3, gpu.ErrLost)
		rows := 0
		err := idx.KNN(ctx, nil, 3, func(int, []join.Neighbor) error {
			if rows++; rows == 2 {
				cancel()
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

// cancelling is an engine whose card fails just when the call is cancelled.
type cancelling struct {
	join.Engine
	in     string
	cancel context.CancelFunc
}

func (c cancelling) Index(ctx context.Context, pts *join.Points) (join.Index, error) {
	if c.in == "Index" {
		c.cancel()
		return nil, gpu.ErrLost
	}
	idx, err := c.Engine.Index(ctx, pts)
	return cancellingIndex{idx, c.cancel}, err
}

type cancellingIndex struct {
	join.Index
	cancel context.CancelFunc
}

func (x cancellingIndex) Counts(context.Context, *join.Points, float64, int32, []int32) error {
	x.cancel()
	return gpu.ErrLost
}

// TestFallbackCancelled wants the error of the context, and no second engine, where a
// card fails in a call that has been cancelled.
func TestFallbackCancelled(t *testing.T) {
	pts := blobs(t, 50)
	for _, in := range []string{"Index", "Counts"} {
		ctx, cancel := context.WithCancel(t.Context())
		e := gpu.WithFallback(cancelling{jointest.Brute(), in, cancel}, jointest.Brute(), func(err error) { t.Errorf("%s: went on after %v", in, err) })
		idx, err := e.Index(ctx, pts)
		if in == "Counts" && err == nil {
			err = idx.Counts(ctx, nil, 0.1, 0, make([]int32, pts.Rows()))
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want context.Canceled", in, err)
		}
	}
}

// TestPlainFallback has no fast roads where the first engine has none.
func TestPlainFallback(t *testing.T) {
	good := cpu.New(cpu.Options{Threads: 1})
	pts := blobs(t, 50)
	idx, err := gpu.WithFallback(jointest.Brute(), good, nil).Index(t.Context(), pts)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := idx.(join.Clusterer); ok {
		t.Error("brute force has a fast road")
	}
	if err := idx.Close(); err != nil {
		t.Error(err)
	}
}
