// When float32 decides, and how the numbers for it are made.
//
// A row is kept as its float32 offset from the middle of its leaf. A leaf B of t is
// moved next to a leaf A of queries by t = fl32(fl64(midB − midA)), coordinate by
// coordinate, q = fl32(o + t), and squared differences are summed in float32. How far
// the difference of two such rows is from the true one stands in the comment of package
// join/internal/dist, under "Error bounds", for rows on the axes given (P the identity,
// near = far = σ = 1, E = 0), with B as the leaf that is moved:
//
//	δ = 1.02u·(2·rB + 2·T + rA) + √d·2⁻¹⁴⁵
//
// with u = 2⁻²⁴. Let v = 2⁻⁵³ and Q be the exact sum of the squares of these
// differences. As there, with L the limit,
//
//	√Q ≤ √L·(1−(d+8)v) − δ = lo  ⇒  d2 ≤ L
//	√Q > √L·(1+(d+8)v) + δ = hi  ⇒  d2 > L
//
// The sum starts at −m, so that its sign tells. Each difference is rounded once, so its
// square twice, and each of d sums once, product and sum fused; what is rounded is
// between −m and Q − m, so at most max(m, Q). What underflows is below a = (d+4)·2⁻¹⁴⁵.
// So the sum s is off from Q − m by at most g·max(m, Q) + a, with g = 1.05(d+4)u. Let
//
//	lo² ≤ m ≤ hi²,  h ≥ m(1+g) − lo² + a,  h ≥ hi²(1+g) − m + a
//
// s < −h: if Q ≥ m, s ≥ Q − m − gQ − a ≥ −gm − a ≥ −h against that; so Q < m, and then
// Q ≤ s + m + gm + a < lo²: near. s > h: if Q ≤ hi², s ≤ hi² − m + g·hi² + a ≤ h against
// that: not near. In between the predicate decides. Without a lo, 0 is taken for lo²:
// a sum never falls, so that s ≥ −m ≥ −h, and nothing is sure. Sums of a part of the
// squares that are above h stay there.
//
// Where there are many coordinates, half of Q is computed as ½‖o‖² + ½‖q‖² − o·q. The
// norms are sums of d squares, in 4 parts, so they are off by (d+4)u of themselves; with
// M ≥ ‖o‖ + ‖q‖, by ½(d+4)u·M² together. The sum starts at ½‖o‖² − ½m, has d products
// subtracted, fused, and gets ½‖q‖² at last. What is rounded in these d + 2 steps is at
// most ½M² + ½m. So twice the sum s is off from Q − m by at most
//
//	e = 1.02u·((2d+6)·M² + (d+2)·m) + 2a
//
// and, by the argument above, s < −h means near and s > h not near with
//
//	2h ≥ m − lo² + e,  2h ≥ hi² − m + e
//
// of which sums of a part of the products tell nothing.
#pragma once

#include "exact.cuh"

// Band is what sums are in doubt in: −half to half, if they start at −mid. If half is
// NaN, the predicate decides all.
struct Band {
	float mid, half;
};

static __device__ __forceinline__ float shift(double midA, double midB) {
	return __double2float_rn(__dsub_rn(midB, midA));
}

// Guard is lo² and hi² of two leaves, of radii rA and rB and t2 the sum of the squares of
// the shift. Factors 1 + 2⁻²² are for the rounding here.
struct Guard {
	double low2, high2, reach, a;
	bool decides; // float32 does

	__device__ Guard(double eps2, long long dim, double rA, double rB, double t2) {
		const double u = 0x1p-24, slack = (double)(dim + 8) * 0x1p-53;
		const double t = sqrt(t2), root = sqrt(fmax(eps2, 1e-280));
		const double delta = 1.02 * u * (2 * rB + 2 * t + rA) + sqrt((double)dim) * 0x1p-145;
		const double high = root * (1 + slack) + delta, low = root * (1 - slack) - delta;
		a = (double)(dim + 4) * 0x1p-145;
		reach = 1.0001 * (rA + t + rB);
		high2 = high * high * (1 + 0x1p-22);
		low2 = low * low * (1 - 0x1p-22);
		if (!(eps2 >= 1e-280 && low > 0 && low2 > 1e-34))
			low2 = 0;
		decides = eps2 <= 1e280 && root <= 1e17 && dim < 100000 && high2 <= 1e34 && rA < 1e15 && rB < 1e15 && t < 1e15;
	}

	// around is the band about m that leaves e for the error of a sum.
	__device__ Band around(double m, double e) const {
		const double half = (fmax(m - low2, high2 - m) + e) * (1 + 0x1p-22);
		return {(float)m, decides ? __double2float_ru(half) : __int_as_float(0x7fc00000)};
	}

	__device__ float middle() const { return decides ? __double2float_rn(0.5 * (low2 + high2)) : 0; }
};

// squareBand is for sums of squares.
static __device__ Band squareBand(double eps2, long long dim, double rA, double rB, double t2) {
	const Guard guard(eps2, dim, rA, rB, t2);
	const double m = guard.middle(), g = 1.05 * (double)(dim + 4) * 0x1p-24;
	return guard.around(m, g * fmax(m, guard.high2) + guard.a);
}

// productBand is for half sums by products.
static __device__ Band productBand(double eps2, long long dim, double rA, double rB, double t2) {
	const Guard guard(eps2, dim, rA, rB, t2);
	const double d = (double)dim, m = 2.0 * (double)(0.5f * guard.middle()); // halves of the least numbers are rounded
	Band b = guard.around(m, 1.02 * 0x1p-24 * ((2 * d + 6) * guard.reach * guard.reach + (d + 2) * m) + 2 * guard.a);
	b.mid *= 0.5f;
	b.half *= 0.5f;
	return b;
}
