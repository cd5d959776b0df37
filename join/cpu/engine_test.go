package cpu_test

import (
	"fmt"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

func TestEngine(t *testing.T) {
	settings := []cpu.Options{
		{Threads: 7},
		{Threads: 2, Basis: cpu.BasisPCA},
		{Threads: 1, Basis: cpu.BasisVariance},
	}
	if testing.Short() {
		settings = settings[:1]
	}
	for _, opt := range settings {
		t.Run(fmt.Sprintf("threads=%d/basis=%s", opt.Threads, opt.Basis), func(t *testing.T) {
			jointest.TestEngine(t, cpu.New(opt))
		})
	}
}

// variants are settings in which each value of each option of the variants occurs.
var variants = []cpu.Options{
	{Threads: 2, Basis: cpu.BasisLowest, IndexDims: 3, Refine: cpu.RefinePrimitive, Result: cpu.ResultCompressed, BatchBytes: 1 << 10},
	{Threads: 2, Basis: cpu.BasisVariance, LeafRows: 31, IndexDims: 2, Primitives: cpu.PrimitivePoints, Result: cpu.ResultPairs, BatchBytes: 1 << 16},
	{Threads: 3, Basis: cpu.BasisRandom, Seed: 5, LeafRows: 1 << 20, IndexDims: 1, Refine: cpu.RefineQuery, Result: cpu.ResultMask, BatchBytes: 1},
	{Threads: 1, Basis: cpu.BasisPCA, LeafRows: 1, IndexDims: 200, Refine: cpu.RefineNone, Result: cpu.ResultBytes},
	{Threads: 2, Primitives: cpu.PrimitivePoints},
	{Threads: 2, IndexDims: 3},
	{Threads: 2, LeafRows: 5},
	{Threads: 2, LeafRows: 100},
	{Threads: 2, Refine: cpu.RefinePrimitive},
	{Threads: 2, Refine: cpu.RefineQuery},
	{Threads: 2, Result: cpu.ResultCompressed, BatchBytes: 1 << 14},
}

func TestVariants(t *testing.T) {
	tried := variants
	if testing.Short() {
		tried = variants[:2]
	}
	for _, opt := range tried {
		t.Run(fmt.Sprintf("basis=%s/leaf=%d/dims=%d/primitives=%s/refine=%s/result=%s", opt.Basis, opt.LeafRows, opt.IndexDims, opt.Primitives, opt.Refine, opt.Result), func(t *testing.T) {
			jointest.TestShort(t, cpu.New(opt))
		})
	}
}

// TestOptions wants panics where the options say what there is not.
func TestOptions(t *testing.T) {
	for name, opt := range map[string]cpu.Options{
		"threads":    {Threads: -1},
		"basis":      {Basis: "x"},
		"leaf":       {LeafRows: -1},
		"dims":       {IndexDims: -1},
		"primitives": {Primitives: "x"},
		"refine":     {Refine: "x"},
		"no tiles":   {Primitives: cpu.PrimitivePoints, Refine: cpu.RefineNone},
		"result":     {Result: "x"},
		"batch":      {BatchBytes: -1},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v: no panic", opt)
				}
			}()
			cpu.New(opt)
		})
	}
}

// TestLeafRows wants fewer pairs of rows to be measured the fewer rows a leaf has, and all
// pairs where all rows are in one.
func TestLeafRows(t *testing.T) {
	const n = 5_000
	pts := jointest.Points(t, 3, jointest.Uniform(n, 3, 4)...)
	before := int64(n) * (n + 1) / 2
	for _, rows := range []int{n, 1024, 256, 32, 8} {
		idx, err := cpu.New(cpu.Options{Threads: 2, LeafRows: rows}).Index(t.Context(), pts)
		if err != nil {
			t.Fatal(err)
		}
		var refined int64
		ctx := join.WithEffort(t.Context(), func(_ join.Stage, e join.Effort) { refined += e.Refined })
		if err := idx.Counts(ctx, nil, 0.05, 0, make([]int32, n)); err != nil {
			t.Fatal(err)
		}
		if rows == n && refined < before || rows < n && refined*10 > before*8 {
			t.Errorf("leaves of %d rows: %d pairs were measured, %d before", rows, refined, before)
		}
		before = refined
	}
}
