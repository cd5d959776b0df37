// When products of small integers decide, which they do without a doubt.
//
// # What
//
// Let every coordinate of two rows x and z be an integer, and x_k − m_k and z_k − m_k be
// within −128 to 127, for a middle m_k of each coordinate, an integer of at most 2⁵². Such
// rows have
//
//	D = Σ (x_k − z_k)² = N(x) + N(z) − 2·Σ a_k·b_k,  a = x − m, b = z − m, N(x) = Σ a_k²
//
// as integers. The predicate finds the same: x_k − z_k is at most 255 in size, so float64
// has it, its square, of at most 255², and all sums of such, of at most dim·255² < 2⁵³,
// exactly. So d2 = D, and with the limit T, the greatest integer from 0 to dim·255² that
// is at most eps2,
//
//	d2 ≤ eps2  ⇔  D ≤ T
//
// since no D is above dim·255² (kernels.IntegerLimit).
//
// # In 32 bits
//
// Let n = ⌊N/2⌋ and p = N − 2n, for each row, and t = ⌊T/2⌋ and s = T − 2t. The unit is
// given t − n(x) − n(z) and adds products, so that it has
//
//	u = t − n(x) − n(z) + Σ a_k·b_k,  and D = 2t − 2u + p(x) + p(z)
//
// so that D ≤ T ⇔ 2u ≥ p(x) + p(z) − s. u < 0 is never near, u > 0 always, and u = 0 is
// unless s = 0 and one of the rows is odd (p = 1), or s = 1 and both are.
//
// There are at most 256 columns, so N ≤ 256·128² = 2²², each sum of some of the products
// is within ±2²², and t < 256·255²/2 < 2²³: what the unit has at any time is within ±2²⁴.
// Lanes without a row are 0 with N = VOID: they have u ≤ 2²³ − (2³⁰ − 1) < 0, and two of
// them u ≥ −2·(2³⁰ − 1) > −2³¹.
//
// # Operands
//
// Rows are as they were given, never turned. An operand has a row of K bytes for each
// lane, K a multiple of 32: a or b, then 0.
#pragma once

#include "params.cuh"

#define VOID 2147483646
#define MOST 256 // columns

// What a set of rows has for products of integers.
struct Integers {
	struct Rows rows;
	long long steps; // K/32
	char *a; // positions × K; null for rows that are not queries
	char *b; // null for rows that are not indexed; leaves: n of each lane, negative, in HEADBYTES, then K/16 slabs of 16 columns of 64 rows
	int *square; // positions: N
	unsigned long long *odd; // leaves: the lanes with an odd N
	const double *middle; // dim
	unsigned *unfit; // set to 1 where a coordinate is none of those integers
};

enum { HEADBYTES = 256 };

// inBytes is where column k of a row is in a leaf of b.
static __device__ __forceinline__ int inBytes(int k, int lane) { return k / 16 * 1024 + lane / 8 * 128 + lane % 8 * 16 + k % 16; }
