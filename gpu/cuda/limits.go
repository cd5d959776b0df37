//go:build cuda

package cuda

import "math"

// boxLimits returns the limits for boxes of turned rows, in float32: boxes whose
// squared gap is above apart hold no near pair, and all pairs of boxes whose squared
// reach is at most within are near. within is −1 if none can be told to be. It isn't ok
// where the turned rows say too little.
//
// Let u = 2⁻²⁴, v = 2⁻⁵³, L = eps2 and d the number of coordinates. For rows x and z
// that are D apart, D ≤ √L·(1+(d+8)v) if d2 ≤ L, and d2 ≤ L if D ≤ √L·(1−(d+8)v), as
// long as L is within 1e±280; see package join/internal/dist, under "Error bounds". The
// turned rows are y(x) = σP(x−c), with an error of ρ(x) ≤ κ‖y‖ + floor in norm, so that
//
//	σ·near·D − ρ ≤ ‖y(x) − y(z)‖ ≤ σ·far·D + ρ,  ρ = κ·(reachQ + reachT) + 2·floor
//
// The gap along an axis is a difference, rounded once, so its square twice; 16 of them
// are summed, product and sum fused, with a rounding each, which may lose 2⁻¹⁵⁰ to
// underflow. So the computed square is at most (1+u)¹⁸·‖y(x) − y(z)‖² + 2⁻¹⁴⁵, which
// for a near pair is at most
//
//	apart = (σ·far·√L·(1+(d+8)v) + ρ)²·(1 + 2⁻¹⁸) + 2⁻¹⁴⁰
//
// The reach has one more term, for the axes beyond: the sum of the greatest norms there,
// rounded, squared and added. With 19 roundings at most, in each of its terms, the
// computed square is at least (1−u)¹⁹·‖y(x) − y(z)‖² − 2⁻¹⁴⁵. If it is at most
//
//	within = (σ·near·√L·(1−(d+8)v) − ρ)²·(1 − 2⁻¹⁸) − 2⁻¹⁴⁰
//
// then ‖y(x) − y(z)‖ is at most what is squared here, and D ≤ √L·(1−(d+8)v). The limits
// are rounded outwards. 2⁻¹⁸ is more than thrice 18u, and leaves room for the roundings
// here, and ρ has a part in 2⁴⁰ more for its own; what σ·√L loses if it underflows is
// nothing to floor.
func boxLimits(t *turn, eps2, reach float64) (apart, within float64, ok bool) {
	root := t.sigma * math.Sqrt(max(eps2, leastLimit))
	slack := float64(t.dim+8) * 0x1p-53
	rho := (t.kappa*reach + 2*t.floor) * (1 + 0x1p-40)
	if !(eps2 <= greatestLimit && rho <= root) {
		return 0, 0, false
	}
	far := root*t.far*(1+slack) + rho
	apart = above32(far*far*(1+0x1p-18) + 0x1p-140)
	near := root*t.near*(1-slack) - rho
	within = near*near*(1-0x1p-18) - 0x1p-140
	if !(eps2 >= leastLimit && near > 0 && within > 0) {
		return apart, -1, true
	}
	return apart, below32(within), true
}

// The squared limits for which sums of squares keep their relative error.
const leastLimit, greatestLimit = 1e-280, 1e280

// above32 is the least float32 that isn't below v.
func above32(v float64) float64 {
	f := float32(v)
	if float64(f) < v {
		f = math.Nextafter32(f, float32(math.Inf(1)))
	}
	return float64(f)
}

// below32 is the greatest float32 that isn't above v, which is not negative.
func below32(v float64) float64 {
	f := float32(min(v, math.MaxFloat32))
	if float64(f) > v {
		f = math.Nextafter32(f, 0)
	}
	return float64(f)
}
