package jointest

import (
	"context"
	"fmt"
	"math"

	"rtcluster/join"
	"rtcluster/join/synth"
)

// weighing is a kind of weights, one for each row.
type weighing struct {
	name   string
	weight func(row int) float64
}

// weighings returns kinds of weights whose sums meet whole numbers, cancel, and
// take one word or many.
func weighings() []weighing {
	return []weighing{
		{"whole numbers from 0 on", func(row int) float64 { return float64(row * 7 % 4) }},
		{"tenths", func(row int) float64 { return float64(row*7%5) / 10 }},
		{"whole numbers of either sign", func(row int) float64 { return float64(row*7%9 - 3) }},
		{"some of two words", func(row int) float64 { return [...]float64{2, -1, 1, 0x1p-62, 3}[row*7%5] }},
		{"large ones that cancel", func(row int) float64 { return [...]float64{1e16, 1, -1e16, 0.5, 1e-3}[row*7%5] }},
		{"all of float64", func(row int) float64 {
			return [...]float64{math.MaxFloat64, 1, math.SmallestNonzeroFloat64, -math.MaxFloat64, 2, -math.SmallestNonzeroFloat64, 0}[row*3%7]
		}},
	}
}

// weights returns the weights of so many rows.
func (k weighing) weights(rows, threshold int) *join.Weights {
	all := make([]float64, rows)
	for i := range all {
		all[i] = k.weight(i)
	}
	w, err := join.NewWeights(all, threshold)
	if err != nil {
		panic(err) // the weighings are finite
	}
	return w
}

// checkWeigh compares Weigh with the truth, of a self-join, under one of the
// weighings: which one hangs on the bits of eps, so that many bounds try them all.
func (tr *truth) checkWeigh(ctx context.Context, w join.Weigher, eps float64) error {
	kinds, thresholds := weighings(), []int{2, 9}
	which := int(math.Float64bits(eps+float64(tr.rows)) * 0x9e3779b97f4a7c15 >> 40)
	return tr.checkWeighing(ctx, w, eps, kinds[which%len(kinds)], thresholds[which/len(kinds)%len(thresholds)])
}

func (tr *truth) checkWeighing(ctx context.Context, w join.Weigher, eps float64, kind weighing, threshold int) error {
	weights := kind.weights(tr.rows, threshold)
	dst := make([]bool, tr.rows+1)
	for i := range dst {
		dst[i] = i%2 == 0
	}
	after := dst[tr.rows]
	if err := w.Weigh(ctx, eps, weights, dst[:tr.rows:tr.rows]); err != nil {
		return tr.errorf("Weigh at eps %v, %s: %w", eps, kind.name, err)
	}
	if dst[tr.rows] != after {
		return tr.errorf("Weigh at eps %v wrote beyond the slice", eps)
	}
	eps2, sum := tr.bound(eps), make([]uint64, weights.Words())
	for i := range tr.rows {
		clear(sum)
		for j := range tr.cols {
			if tr.at(i, j) <= eps2 {
				join.AddWords(sum, weights.Row(j))
			}
		}
		if want := weights.Reached(sum); dst[i] != want {
			return tr.errorf("Weigh at eps %v, %s: row %d reaches %d: got %v, want %v", eps, kind.name, i, threshold, dst[i], want)
		}
	}
	return nil
}

// lawWeights compares Weigh, where the index has it, with sums over the pairs.
func lawWeights(ctx context.Context, idx join.Index, list []join.Pair, eps float64) error {
	w, ok := idx.(join.Weigher)
	if !ok {
		return nil
	}
	n := idx.Points().Rows()
	for _, kind := range weighings() {
		weights := kind.weights(n, 9)
		sums := make([][]uint64, n)
		for i := range sums {
			sums[i] = append(sums[i], weights.Row(i)...)
		}
		for _, p := range list {
			join.AddWords(sums[p.I], weights.Row(int(p.J)))
			join.AddWords(sums[p.J], weights.Row(int(p.I)))
		}
		got := make([]bool, n)
		if err := w.Weigh(ctx, eps, weights, got); err != nil {
			return fmt.Errorf("weights at eps %v, %s: %w", eps, kind.name, err)
		}
		for i, sum := range sums {
			if want := weights.Reached(sum); got[i] != want {
				return fmt.Errorf("weights at eps %v, %s: row %d: got %v, but %v by its pairs", eps, kind.name, i, got[i], want)
			}
		}
	}
	return nil
}

// checkWeighCalls checks that Weigh refuses what does not fit.
func checkWeighCalls(ctx context.Context, e join.Engine) error {
	const rows = 7
	pts := must(synth.Make("uniform", rows, 2, seed))
	return withIndex(ctx, e, pts, func(idx join.Index) error {
		w, ok := idx.(join.Weigher)
		if !ok {
			return nil
		}
		for _, call := range []struct {
			name           string
			weights, place int
			eps            float64
		}{
			{"too few weights", rows - 1, rows, 1},
			{"too many weights", rows + 1, rows, 1},
			{"room for too few rows", rows, rows - 1, 1},
			{"room for too many rows", rows, rows + 1, 1},
			{"an eps below 0", rows, rows, -1},
			{"an infinite eps", rows, rows, math.Inf(1)},
		} {
			if err := w.Weigh(ctx, call.eps, weighings()[0].weights(call.weights, 1), make([]bool, call.place)); err == nil {
				return fmt.Errorf("took weights with %s: got no error", call.name)
			}
		}
		return nil
	})
}
