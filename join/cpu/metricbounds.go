package cpu

import "rtcluster/join"

// This file bounds the measures of pairs of rows under any metric from their
// boxes, as bounds.go does for squared distances in open space. Let a and b be
// coordinates in [aLow, aHigh] and [bLow, bHigh], and fl rounding to float64,
// which is monotone and fl(−x) = −fl(x).
//
// The difference t = |fl(a − b)| lies in [near, far] with
//
//	near = max(0, fl(bLow − aHigh), fl(aLow − bHigh))
//	far  = max(fl(bHigh − aLow), fl(aHigh − bLow))
//
// since near and far are roundings of bounds of |a − b|. In a box of length L
// the contract takes |Δ| = min(t, g(t)), g(t) = fl(L − t), which does not grow
// with t. So
//
//	|Δ| ≥ min(near, g(far)),  as t ≥ near and g(t) ≥ g(far),
//	|Δ| ≤ min(far, g(near)),  as t ≤ far and g(t) ≤ g(near),
//	|Δ| ≤ fl(L/2),            as t or the real L − t is at most L/2.
//
// All are 0 or more: far ≤ L, because coordinates are in [0, L). Open
// coordinates have |Δ| = t.
//
// A norm adds the |Δ| up by operations that are monotone in both arguments,
// Norm.Add: the same ones, in the same order, on bounds of the |Δ| bound the
// measure. As in bounds.go no margin is needed and none is left.

// measureBounds returns a lower and an upper bound of the measures of pairs of
// rows in two boxes, each given by its lows and highs.
func measureBounds(m join.Metric, aLow, aHigh, bLow, bHigh []float64) (least, most float64) {
	for k := range aLow {
		near := max(0, bLow[k]-aHigh[k], aLow[k]-bHigh[k])
		far := max(bHigh[k]-aLow[k], aHigh[k]-bLow[k])
		if length := m.Period(k); length > 0 {
			near, far = min(near, length-far), min(far, length-near, length/2)
		}
		least, most = m.Norm.Add(least, near), m.Norm.Add(most, far)
	}
	return least, most
}

// halves returns the lows and the highs of a box.
func halves(box []float64) (low, high []float64) { return box[:len(box)/2], box[len(box)/2:] }
