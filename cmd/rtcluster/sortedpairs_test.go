package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/join"
)

// TestEmitSorted merges runs of all lengths, with equal keys among them.
func TestEmitSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{0, 1, sortBatch + 1, sortRun - 1, sortRun, sortRun + 1, 5*sortRun + 3} {
		keys := make([]uint64, n)
		for i := range keys {
			keys[i] = uint64(r.IntN(1000))<<32 | uint64(r.IntN(1000))
		}
		want := slices.Sorted(slices.Values(keys))
		got := make([]uint64, 0, n)
		err := emitSorted(context.Background(), keys, func(pairs []join.Pair) error {
			for _, p := range pairs {
				got = append(got, uint64(p.I)<<32|uint64(p.J))
			}
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d pairs: got %d, not all in order, error %v", n, len(got), err)
		}
	}
}

// TestEmitSortedStops wants an interruption to be seen between runs.
func TestEmitSortedStops(t *testing.T) {
	keys := make([]uint64, 3*sortRun)
	for i := range keys {
		keys[i] = uint64(len(keys) - i)
	}
	err := emitSorted(&dyingContext{Context: context.Background(), looks: 2}, keys, func([]join.Pair) error {
		t.Fatal("pairs are handed on")
		return nil
	})
	if !errors.Is(err, context.Canceled) || keys[2*sortRun] < keys[2*sortRun+1] {
		t.Errorf("got %v; the third run is sorted: %v", err, keys[2*sortRun] < keys[2*sortRun+1])
	}
}

// dyingContext is done after so many looks at it.
type dyingContext struct {
	context.Context
	looks int
}

func (c *dyingContext) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}

func BenchmarkEmitSorted(b *testing.B) {
	const n = 4 << 20
	r := rand.New(rand.NewPCG(9, 0))
	keys := make([]uint64, n)
	b.SetBytes(8 * n)
	for b.Loop() {
		for i := range keys {
			keys[i] = r.Uint64() >> 1
		}
		if err := emitSorted(context.Background(), keys, func([]join.Pair) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
