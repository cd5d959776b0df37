package cpu

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

// laneDistance2 returns a lower bound of d2 for lane j of a leaf's block and
// the rows of a box. It may return early with any lower bound above limit.
func laneDistance2(block []float64, lane int, box []float64, limit float64) float64 {
	dim := len(box) / 2
	low, high := box[:dim], box[dim:]
	high = high[:len(low)]
	var sum float64
	for k := range low {
		x := block[k*leafRows+lane]
		gap := max(low[k]-x, x-high[k])
		if gap > 0 {
			sum += float64(gap * gap)
			if sum > limit {
				return sum
			}
		}
	}
	return sum
}

// nodeDistance2 returns a lower bound of d2 for the rows of node u of q and
// node v of t, the greater of the plain and the rotated one. It may return
// early with any lower bound above limit.
func nodeDistance2(q *tree, u int, t *tree, v int, limit float64) float64 {
	var turned float64
	if t.m > 0 {
		g2 := boxDistance2(q.turnedBox(u), t.turnedBox(v), rotatedMax)
		if g2 >= rotatedMin && g2 <= rotatedMax {
			turned = g2 * t.factor
			if turned > limit {
				return turned
			}
		}
	}
	return max(turned, boxDistance2(q.box(u), t.box(v), limit))
}
