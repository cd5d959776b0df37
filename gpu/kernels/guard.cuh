// When float32 decides, and how the numbers for it are made.
//
// A row is kept as its float32 offset from the middle of its leaf. A leaf B is
// moved next to a leaf A of queries by t = fl32(fl64(midB − midA)), coordinate by
// coordinate, and sums of squared differences are made in float32. The proof stands
// in the comment of package join/internal/dist, under "Error bounds", for rows on
// the axes given (P the identity, near = far = σ = 1, E = 0), with B as the leaf
// that is moved:
//
//	δ = 1.02u·(2·rB + 2·T + rA) + √d·2⁻¹⁴⁵
//	sure in:  s ≤ (1−g)·(√L·(1−(d+8)v) − δ)² − a   ⇒  d2 ≤ L
//	sure out: s > (1+g)·(√L·(1+(d+8)v) + δ)² + a   ⇒  d2 > L
//
// with u = 2⁻²⁴, v = 2⁻⁵³, g = 1.05(d+4)u, a = (d+4)·2⁻¹⁴⁵, and (1 ∓ 2⁻²²) for the
// rounding of the limits. Terms may be fused, which rounds once less.
#pragma once

#include "exact.cuh"

// Limits of float32 sums: up to sure is near, above hit is not; in between, and
// everywhere if hit is NaN, the predicate decides.
struct Limits {
	float sure, hit;
};

static __device__ __forceinline__ float shift(double midA, double midB) {
	return __double2float_rn(__dsub_rn(midB, midA));
}

// limits returns those of two leaves, of radii rA and rB, with t2 the sum of the
// squares of the shift.
static __device__ Limits limits(double eps2, long long dim, double rA, double rB, double t2) {
	const double u = 0x1p-24, v = 0x1p-53, d = (double)dim;
	const double g = 1.05 * (d + 4) * u, a = (d + 4) * 0x1p-145, slack = (d + 8) * v;
	const double t = sqrt(t2), root = sqrt(fmax(eps2, 1e-280));
	const double delta = 1.02 * u * (2 * rB + 2 * t + rA) + sqrt(d) * 0x1p-145;
	const double high = root * (1 + slack) + delta, high2 = high * high * (1 + g) + a;
	Limits l = {-1, __int_as_float(0x7fc00000)};
	if (!(eps2 <= 1e280 && root <= 1e17 && g < 0.01 && high2 <= 1e34 && rA < 1e15 && rB < 1e15 && t < 1e15))
		return l;
	l.hit = __double2float_ru(high2 * (1 + 0x1p-22));
	const double low = root * (1 - slack) - delta, low2 = low * low * (1 - g) - a;
	if (eps2 >= 1e-280 && low > 0 && low2 > 1e-34)
		l.sure = __double2float_rd(low2 * (1 - 0x1p-22));
	return l;
}
