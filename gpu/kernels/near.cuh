// Pairs of rows of two leaves that float32 shows to be near: not all that are.
//
// Differences of coordinates as given have a relative error of at most 1.01u, u = 2⁻²⁴,
// since floats are subtracted with one rounding, and doubles with one more of 2⁻⁵³. A
// sum of d squares, fused, adds at most u for each, and what underflows at most
// a = (d+4)·2⁻¹⁴⁵. The predicate's own sum differs from the true one by (d+3)·2⁻⁵³·1.01.
// So with all factors 1+O(u) to the right, and (d+8)u < 0.01,
//
//	s ≤ eps2·(1 − 1.1(d+8)u)  ⇒  d2 ≤ eps2
//
// where a ≤ eps2·u/10, which eps2 ≥ 1e-30 and d < 10⁵ see to. What overflows is
// infinite, and not near. Under other eps2, rows are shown to be near if they are equal.
#pragma once

#include "exact.cuh"

enum { COMPARERS = 256, DEPTH = 16 };

// sureLimit is the greatest sum in float32 that is near; −1 if rows must be equal.
static __device__ float sureLimit(double eps2, long long dim) {
	if (!(eps2 >= 1e-30 && dim < 100000))
		return -1;
	return __double2float_rd(eps2 * (1 - 1.1 * (double)(dim + 8) * 0x1p-24));
}

// difference is that of two coordinates; EQUAL asks only whether there is one.
template <bool EQUAL> static __device__ __forceinline__ float difference(float a, float b) {
	return EQUAL ? (a == b ? 0 : 1) : __fsub_rn(a, b);
}
template <bool EQUAL> static __device__ __forceinline__ float difference(double a, double b) {
	return EQUAL ? (a == b ? 0 : 1) : __double2float_rn(__dsub_rn(a, b));
}

// compare sets near[i] to the lanes of leaf b whose sum with lane i of leaf a is at most
// sure. Each thread has 4 × 4 pairs.
template <class T, bool EQUAL> static __device__ void compare(const Rows &r, long long a, long long b, float sure, T (*xa)[LEAF + 1], unsigned long long *near) {
	T(*xb)[LEAF + 1] = xa + DEPTH;
	const T *x = (const T *)r.x;
	const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
	float sum[4][4] = {};
	for (long long from = 0; from < r.dim; from += DEPTH) {
		const int depth = (int)(r.dim - from < DEPTH ? r.dim - from : DEPTH);
		__syncthreads();
		for (int e = threadIdx.x; e < depth * LEAF; e += COMPARERS) {
			const int i = e / depth, k = e % depth;
			xa[k][i] = x[(a * LEAF + i) * r.dim + from + k];
			xb[k][i] = x[(b * LEAF + i) * r.dim + from + k];
		}
		__syncthreads();
		for (int k = 0; k < depth; k++) {
#pragma unroll
			for (int i = 0; i < 4; i++) {
#pragma unroll
				for (int j = 0; j < 4; j++) {
					const float diff = difference<EQUAL>(xa[k][4 * ty + i], xb[k][16 * j + tx]);
					sum[i][j] = __fmaf_rn(diff, diff, sum[i][j]);
				}
			}
		}
	}
#pragma unroll
	for (int i = 0; i < 4; i++) {
		unsigned long long lanes = 0;
#pragma unroll
		for (int j = 0; j < 4; j++) { // half a warp has 16 columns of a row
			const unsigned bits = __ballot_sync(~0u, sum[i][j] <= sure); // not of NaN, where there is no row
			lanes |= (unsigned long long)(bits >> (threadIdx.x & 16) & 0xffff) << 16 * j;
		}
		if (tx == 0)
			near[4 * ty + i] = lanes;
	}
	__syncthreads();
}

// surelyNear sets near[i], in shared memory, to the lanes of leaf b whose rows are
// shown to be near that of lane i of leaf a. All of the block's COMPARERS threads call
// it.
static __device__ void surelyNear(const Rows &r, double eps2, long long a, long long b, unsigned long long *near) {
	__shared__ double room[2 * DEPTH][LEAF + 1];
	const float sure = sureLimit(eps2, r.dim);
	if (r.wide && sure < 0)
		compare<double, true>(r, a, b, 0, room, near);
	else if (r.wide)
		compare<double, false>(r, a, b, sure, room, near);
	else if (sure < 0)
		compare<float, true>(r, a, b, 0, (float(*)[LEAF + 1])room, near);
	else
		compare<float, false>(r, a, b, sure, (float(*)[LEAF + 1])room, near);
}
