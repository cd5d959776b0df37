package cpu_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
)

func TestUnionFindShared(t *testing.T) {
	const n, edges = 2000, 1500
	rng := rand.New(rand.NewPCG(1, 9))
	var pairs [edges][2]int32
	for i := range pairs {
		pairs[i] = [2]int32{rng.Int32N(n), rng.Int32N(n)}
	}
	alone, shared := cpu.NewUnionFind(n), cpu.NewUnionFind(n)
	for _, p := range pairs {
		alone.Unite(p[0], p[1])
	}
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range pairs { // all edges, each goroutine from its own start
				p := pairs[(i+g*edges/4)%edges]
				shared.Unite(p[0], p[1])
			}
		})
	}
	all.Wait()
	for i := range int32(n) {
		if got, want := shared.Find(i), alone.Find(i); got != want {
			t.Fatalf("root of %d is %d, want %d", i, got, want)
		}
		if shared.Find(i) > i {
			t.Fatalf("root of %d is larger: %d", i, shared.Find(i))
		}
	}
}

func TestForEach(t *testing.T) {
	for _, threads := range []int{1, 2, 7} {
		var done [100]atomic.Int32
		err := cpu.ForEach(context.Background(), threads, len(done), func(int) func(int) error {
			return func(task int) error { done[task].Add(1); return nil }
		})
		if err != nil {
			t.Fatal(err)
		}
		for task := range done {
			if done[task].Load() != 1 {
				t.Fatalf("threads %d: task %d was done %d times", threads, task, done[task].Load())
			}
		}
	}
}

func TestForEachError(t *testing.T) {
	broken := errors.New("broken")
	var tasks atomic.Int32
	err := cpu.ForEach(context.Background(), 2, 1_000_000, func(int) func(int) error {
		return func(task int) error {
			tasks.Add(1)
			if task == 3 {
				return broken
			}
			return nil
		}
	})
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
	if tasks.Load() == 1_000_000 {
		t.Error("the loop went on after the error")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := cpu.ForEach(ctx, 2, 5, func(int) func(int) error { return func(int) error { return nil } }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v after cancel", err)
	}
}

func TestNewPanics(t *testing.T) {
	for name, opt := range map[string]cpu.Options{"threads": {Threads: -1}, "basis": {Basis: "x"}} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			cpu.New(opt)
		})
	}
}

// TestHeavyDuplicates counts and unites 70,000 equal rows, 2,449,965,000 pairs:
// possible in a test only because no pair is looked at.
func TestHeavyDuplicates(t *testing.T) {
	const n = 70_000
	pts, err := join.NewPoints(make([]float64, 2*n), 2)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	idx, err := cpu.New(cpu.Options{}).Index(ctx, pts)
	if err != nil {
		t.Fatal(err)
	}
	counts := make([]int32, n)
	if err := idx.Counts(ctx, nil, 0, 0, counts); err != nil {
		t.Fatal(err)
	}
	var ordered int64
	for _, c := range counts {
		ordered += int64(c - 1)
	}
	if ordered != 4_899_930_000 {
		t.Errorf("%d ordered pairs, want 4,899,930,000", ordered)
	}
	members, roots := make([]bool, n), make([]int32, n)
	for i := range members {
		members[i] = true
	}
	if err := idx.(join.Componenter).Components(ctx, 0, members, roots); err != nil {
		t.Fatal(err)
	}
	for i, root := range roots {
		if root != 0 {
			t.Fatalf("row %d is in component %d", i, root)
		}
	}
}
