package cpu

import "rtcluster/join/internal/dist"

// This file bounds the computed squared distance d2 of pairs of rows from their
// boxes. Let x lie in box A and z in box B, fl be rounding to float64, and
// recall that d2 adds fl(diff·diff), diff = fl(x_k − z_k), in the order of k.
//
// Rounding is monotone, and so are the product of non-negative numbers and the
// sum. If |x_k − z_k| ≥ g_k ≥ 0 for all k, then |diff| ≥ fl(g_k), and adding
// the fl(fl(g_k)²) in the same order gives at most d2; likewise with ≤. Here
// g_k = max(0, lowB − highA, lowA − highB) and, for the greatest distance,
// max(highB − lowA, highA − lowB), each difference rounded once as in d2. No
// margin is needed, and none is left: equality at ε stays equality. The
// products are rounded explicitly, since a fused product and sum could exceed
// the bound. Inf from overflow is ordered like any value; no NaN arises, since
// coordinates are finite and differences are squared before they are added.

// boxDistance2 returns a lower bound of d2 for the rows of two boxes. It may
// return early with any lower bound above limit.
func boxDistance2(a, b []float64, limit float64) float64 {
	dim := len(a) / 2
	aLow, aHigh := a[:dim], a[dim:]
	bLow, bHigh := b[:dim], b[dim:]
	aHigh, bLow, bHigh = aHigh[:len(aLow)], bLow[:len(aLow)], bHigh[:len(aLow)]
	var sum float64
	for k, low := range aLow {
		gap := max(bLow[k]-aHigh[k], low-bHigh[k])
		if gap > 0 {
			sum += float64(gap * gap)
			if sum > limit {
				return sum
			}
		}
	}
	return sum
}

// boxReach2 returns an upper bound of d2 for the rows of two boxes. It may
// return early with any value above limit.
func boxReach2(a, b []float64, limit float64) float64 {
	dim := len(a) / 2
	aLow, aHigh := a[:dim], a[dim:]
	bLow, bHigh := b[:dim], b[dim:]
	aHigh, bLow, bHigh = aHigh[:len(aLow)], bLow[:len(aLow)], bHigh[:len(aLow)]
	var sum float64
	for k, low := range aLow {
		reach := max(bHigh[k]-low, aHigh[k]-bLow[k])
		sum += float64(reach * reach)
		if sum > limit {
			return sum
		}
	}
	return sum
}

// nodeDistance2 returns a lower bound of d2 for the rows of node u of q and
// node v of t. It may return early with any lower bound above limit.
func nodeDistance2(q *tree, u int, t *tree, v int, limit float64) float64 {
	if t.turned == nil {
		return boxDistance2(q.box(u), t.box(v), limit)
	}
	gap2 := dist.Gap2(q.turnedBox(u), t.turnedBox(v))
	low := gap2 * t.basis.low
	if gap2 >= rotatedMin && gap2 <= rotatedMax && low >= rotatedMin && low <= rotatedMax {
		return low
	}
	return boxDistance2(q.box(u), t.box(v), limit)
}

// nodesWithin reports whether d2 is at most limit for all rows of node u of q
// and node v of t, as far as their boxes tell.
func nodesWithin(q *tree, u int, t *tree, v int, limit float64) bool {
	// Somewhere in a box wider than 2·√limit, two rows are not within; with
	// room for rounding, which costs a look at most.
	if wide := 4.0001 * limit; q.widths[u] > wide || t.widths[v] > wide {
		return false
	}
	if t.turned != nil {
		reach2 := dist.Reach2(q.turnedBox(u), t.turnedBox(v))
		high := reach2 * t.basis.high
		if reach2 >= rotatedMin && reach2 <= rotatedMax && high >= rotatedMin && high <= min(limit, rotatedMax) {
			return true
		}
	}
	return boxReach2(q.box(u), t.box(v), limit) <= limit
}
