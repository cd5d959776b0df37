package paper

import (
	"context"

	"rtcluster/io/chart"
	"rtcluster/join/cpu"
)

// This file has experiment grouping: leaves of rows that are near each other as the
// primitives that a search finds, against each row as a primitive of its own.

func grouping() Experiment {
	return Experiment{
		Name: "grouping", Paper: "Fig. 7", Purpose: "leaves of rows as primitives against each row as one",
		Params: []Param{axesParam("3"), Work()}, Sets: paperSets(),
		Examples: []string{
			"rtcluster bench grouping --fraction 0.0005 --selectivity 16",
			"rtcluster bench grouping --set susy,uniform3 --fraction 0.001 --axes all -o grouping",
		},
		Run: func(ctx context.Context, s *Setting) (*Table, *chart.Picture, error) {
			a := ablation{
				experiment: "grouping", column: "primitives", axes: axesParam("3"),
				variants: []variant{{"leaves", cpu.Options{}}, {"points", cpu.Options{Primitives: cpu.PrimitivePoints}}},
				notes: []string{
					"Speedup is the time with points over the time.",
					"Points are held against each query row one by one along the axes of the index, and measured where they stand in the table: there is no tile of them.",
				},
			}
			return a.run(ctx, s)
		},
	}
}
