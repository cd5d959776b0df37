package paper

import (
	"context"

	"rtcluster/io/chart"
	"rtcluster/join/cpu"
)

// This file has experiment refine: which rows of two leaves are tiles in fast memory while
// they are compared.

func refine() Experiment {
	axes := axesParam("all")
	return Experiment{
		Name: "refine", Paper: "Fig. 8", Purpose: "tiles of queries and primitives, of either, or of none",
		Sets: paperSets(), Params: []Param{axes, Work()},
		Examples: []string{
			"rtcluster bench refine --fraction 0.0005 --selectivity 16",
			"rtcluster bench refine --set msd --fraction 0.005 --work counts -o refine",
		},
		Run: func(ctx context.Context, s *Setting) (*Table, *chart.Picture, error) {
			return (&ablation{
				experiment: "refine", column: "tiles of", axes: axes, variants: refineVariants(),
				notes: []string{"Speedup is the time without tiles over the time. A tile is 32 rows in float32, transposed, so that a vector has a coordinate of all; without any, rows are read where they stand in the table, and measured in float64."},
			}).run(ctx, s)
		},
	}
}

func refineVariants() []variant {
	return []variant{
		{"query and primitive", cpu.Options{}},
		{"primitive", cpu.Options{Refine: cpu.RefinePrimitive}},
		{"query", cpu.Options{Refine: cpu.RefineQuery}},
		{"none", cpu.Options{Refine: cpu.RefineNone}},
	}
}
