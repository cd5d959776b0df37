package dbscan

import (
	"context"

	"rtcluster/join"
)

// weighCores sets core by the weights of opt: by the engine if it is a
// [join.Weigher], else over streamed pairs.
func weighCores(ctx context.Context, idx join.Index, opt *Options, core []bool) error {
	w, err := join.NewWeights(opt.Weights, opt.MinSamples)
	if err != nil {
		return err
	}
	if weigher, ok := idx.(join.Weigher); ok {
		return weigher.Weigh(ctx, opt.Eps, w, core)
	}
	sums := make([]uint64, w.Rows()*w.Words())
	sum := func(row int32) []uint64 {
		at := int(row) * w.Words()
		return sums[at : at+w.Words()]
	}
	for row := range core {
		copy(sum(int32(row)), w.Row(row))
	}
	err = idx.Pairs(ctx, nil, opt.Eps, func(batch []join.Pair) error {
		for _, p := range batch {
			join.AddWords(sum(p.I), w.Row(int(p.J)))
			join.AddWords(sum(p.J), w.Row(int(p.I)))
		}
		return nil
	})
	if err != nil {
		return err
	}
	for row := range core {
		core[row] = w.Reached(sum(int32(row)))
	}
	return nil
}
