package paper

import (
	"context"

	"rtcluster/io/chart"
	"rtcluster/join/cpu"
)

// This file has experiment result: what comparisons are written to before pairs are handed
// over, and how many batches that makes in a given memory.

func batchParam() Param {
	return Param{
		Name: "batch", Word: "KIB", Default: "1024", Usage: "memory of the results of a batch, in KiB (result)",
		Check: checkWholes,
	}
}

func result() Experiment {
	return Experiment{
		Name: "result", Paper: "Fig. 9, Table III", Purpose: "masks against key–value pairs as results, and their batches",
		Params: []Param{batchParam()}, Sets: paperSets(),
		Examples: []string{
			"rtcluster bench result --fraction 0.0005 --selectivity 16",
			"rtcluster bench result --set susy --fraction 0.002 --batch 4096 -o result",
		},
		Run: runResult,
	}
}

func runResult(ctx context.Context, s *Setting) (*Table, *chart.Picture, error) {
	if err := s.NeedCPU("result"); err != nil {
		return nil, nil, err
	}
	sizes, err := s.Wholes(batchParam())
	if err != nil {
		return nil, nil, err
	}
	var variants []variant
	for _, v := range []variant{
		{"compressed mask", cpu.Options{Result: cpu.ResultCompressed}},
		{"mask of bits", cpu.Options{Result: cpu.ResultMask}},
		{"mask of bytes", cpu.Options{Result: cpu.ResultBytes}},
		{"key–value pairs", cpu.Options{Result: cpu.ResultPairs}},
	} {
		v.opt.BatchBytes = sizes[0] << 10
		variants = append(variants, v)
	}
	variants = append(variants, variant{"streamed pairs", cpu.Options{}})
	const mask, keyValue = 0, 3
	t := &Table{Columns: []string{"set", "rows", "coordinates", "eps", "result", "seconds", "speedup", "batches", "ratio", "MiB", "pairs"}}
	t.Note("Speedup is the time with key–value pairs over the time, ratio the number of batches over that of the compressed mask. MiB is what batches handed over, in all.")
	t.Note("A batch has room for all comparisons of its queries, as a first search counts them: a bit each in a mask, a byte, or a pair of 8 bytes. Streamed pairs, as rtcluster does it, are handed over as they are found, 128 KiB at a time.")
	t.Note("Results do not leave the memory of the processor, so that a smaller one saves no copy. Pinned against pageable memory is a matter of cards.")
	picture, err := s.eachVariant(ctx, "result", variants, workPairs, func(c *Case, i int, all []*Outcome) {
		var batches, mib any
		var ratio *Ratio
		if m := all[i].effort().Method; m.Batches > 0 {
			batches, mib = m.Batches, float64(m.Bytes)/(1<<20)
			if least := all[mask].effort().Method.Batches; least > 0 && i < len(variants)-1 {
				ratio = &Ratio{Value: float64(m.Batches) / float64(least)}
			}
		}
		t.Add(c.Set.Name, c.Rows(), c.Dim, c.Eps, variants[i].name, all[i].Time, all[keyValue].Per(all[i].Time), batches, ratio, mib, known(all[i].Pairs))
	})
	return t, picture, err
}
