package cpu

import (
	"context"

	"rtcluster/join"
)

// Weigh takes each leaf through the tree. Where no weight is negative, rows that
// have reached the threshold drop out.
func (x *metricIndex) Weigh(ctx context.Context, eps float64, w *join.Weights, dst []bool) error {
	t := x.tree
	if err := checkWeights(t, eps, w, dst); err != nil {
		return err
	}
	m := newMeter(ctx, join.StageCounts, len(t.rows))
	weights, err := newLeafWeights(ctx, t, x.threads, w)
	if err != nil {
		return err
	}
	err = x.eachLeaf(ctx, m, t, eps, func(walker *metricWalker) func(leaf int) error {
		sums, node := make([]uint64, leafRows*weights.words), make([]uint64, weights.words)
		var first, size int
		sum := func(i int) []uint64 { return sums[i*weights.words : (i+1)*weights.words] }
		done := func(i int) bool { return !w.Signed() && w.Reached(sum(i)) }
		settle := func() {
			walker.stop = true
			for i := range size {
				walker.stop = walker.stop && done(i)
			}
		}
		walker.accept = func(a, b int) bool {
			clear(node)
			weights.addLeaves(node, a, b)
			for i := range size {
				if !done(i) {
					join.AddWords(sum(i), node)
				}
			}
			settle()
			return true
		}
		walker.leaf = func(b int) {
			for i := range size {
				if !done(i) {
					walker.within(t.row(first+i), b, func(at int) { join.AddWords(sum(i), weights.at(at)) })
				}
			}
			settle()
		}
		return func(leaf int) error {
			first, size = t.first(leaf), t.size(leaf)
			clear(sums)
			walker.run()
			for i := range size {
				dst[t.rows[first+i]] = w.Reached(sum(i))
			}
			return nil
		}
	})
	if err == nil {
		m.end()
	}
	return err
}
