package cpu_test

import (
	"fmt"
	"testing"

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
	{Threads: 2, Basis: cpu.BasisVariance, IndexDims: 2, Primitives: cpu.PrimitivePoints, Result: cpu.ResultPairs, BatchBytes: 1 << 16},
	{Threads: 3, Basis: cpu.BasisRandom, Seed: 5, IndexDims: 1, Refine: cpu.RefineQuery, Result: cpu.ResultMask, BatchBytes: 1},
	{Threads: 1, Basis: cpu.BasisPCA, IndexDims: 200, Refine: cpu.RefineNone, Result: cpu.ResultBytes},
	{Threads: 2, Primitives: cpu.PrimitivePoints},
	{Threads: 2, IndexDims: 3},
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
		t.Run(fmt.Sprintf("basis=%s/dims=%d/primitives=%s/refine=%s/result=%s", opt.Basis, opt.IndexDims, opt.Primitives, opt.Refine, opt.Result), func(t *testing.T) {
			jointest.TestEngine(t, cpu.New(opt))
		})
	}
}

// TestOptions wants panics where the options say what there is not.
func TestOptions(t *testing.T) {
	for name, opt := range map[string]cpu.Options{
		"threads":    {Threads: -1},
		"basis":      {Basis: "x"},
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
