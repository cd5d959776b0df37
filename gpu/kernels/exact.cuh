// The predicate of package join, and its bounds for boxes: each difference,
// product and sum rounded once, in the order of the coordinates.
#pragma once

#include "params.cuh"

// term adds diff² to sum, never fused.
static __device__ __forceinline__ double term(double sum, double diff) {
	return __dadd_rn(sum, __dmul_rn(diff, diff));
}

// coordinate k of the row at a position; NaN where there is none.
static __device__ __forceinline__ double coordinate(const Rows &r, long long position, long long k) {
	const long long at = position * r.dim + k;
	return r.wide ? ((const double *)r.x)[at] : (double)((const float *)r.x)[at];
}

enum Verdict { APART, MIXED, WITHIN };

// boxes compares two boxes, of which coordinate k is at k·stride. Rounding is
// monotone: the sum of the gaps, made like d2, is at most d2 of any pair of rows
// in the boxes, and that of the reaches at least.
static __device__ Verdict boxes(const double *aLo, const double *aHi, long long aStride,
	const double *bLo, const double *bHi, long long bStride, long long dim, double eps2) {
	double least = 0, most = 0;
	for (long long k = 0; k < dim; k++) {
		double up = __dsub_rn(bHi[k * bStride], aLo[k * aStride]);
		double down = __dsub_rn(aHi[k * aStride], bLo[k * bStride]);
		most = term(most, fmax(up, down));
		least = term(least, fmax(0.0, fmax(-up, -down)));
		if (least > eps2)
			return APART;
	}
	return most <= eps2 ? WITHIN : MIXED;
}
