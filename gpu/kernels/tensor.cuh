// When tensor cores decide, and what they multiply.
//
// # Operands
//
// A row's turned coordinates y are split into float16 numbers, y = h + l + rest, with
// tails l for the first `tails` axes only. An operand of a leaf has a row of K columns
// for each lane, K a multiple of 16:
//
//	columns             of queries (a)          of indexed rows (b)
//	dim                 −2·h_k                  h_k
//	2·tails             −2·h_k, −2·l_k          l_k, h_k
//	…                   0                       0
//	4                   head, tail of S−T−E², 1, 1   1, 1, head, tail of S−T
//
// so that the product of two rows is nearly the squared distance less a limit, and is
// negative where rows may be near. Lanes without a row have S = VOID, and 0 for T.
//
// # Error bounds
//
// Let z = h + l, S = Σz² (in float64: its error is below the slack in m), N = Σy²
// rounded up by 2⁻⁹ and more, Λ = Σl², and D be the true distance of two rows i and j.
//
//  1. d2 ≤ eps2 ⇒ D ≤ √eps2·(1 + (dim+4)·2⁻⁵³), and d2 > eps2 ⇒ D > √eps2·(1 − …);
//     E⁺ and E⁻ are these times far·σ and near·σ (package join/axes), clamped, see below.
//  2. y differs from σP(x−c) by at most ρ = κ·|y| + floor (gpu/cuda/turn.go), and z
//     from y by e. With d_i = e_i + ρ_i, rounded up:
//     near ⇒ |z_i−z_j| ≤ E⁺ + d_i + d_j; else |z_i−z_j| ≥ E⁻ − d_i − d_j.
//  3. The columns leave out 2·Σ l_i·l_j, at most Λ_i + Λ_j.
//  4. Head and tail of v differ from it by 2⁻²²·|v| + 2⁻²⁵ at most; the other columns are
//     exact.
//  5. The unit adds 16 products, which are exact in float32, to what it has, for each of
//     the K/16 steps. It may cut each of the 17 addends to 24 bits below the greatest
//     of them, and the sum to 24 bits: with a few more for a unit that takes two
//     halves, 22·2⁻²³ of the greatest addend or sum at each step. That is at most
//     m_i + m_j with m = 1.02·N + 1.1·E⁺² + 5·d². The vendor doesn't say so much:
//     tests compare products with float64 (TestTensorProducts), and an engine doesn't
//     take this road on a card where a first trial breaks the bound.
//
// So with err = (44·(K/16)·2⁻²⁴ + 2⁻²¹)·m + Λ + 2⁻²³ and
//
//	T = 2·E⁺·d + 2·d² + err
//	w = 2·E⁺·d + err + T + ½·(E⁺² − E⁻²)
//
// near implies product < 0, by (E + d_i + d_j)² ≤ E² + 2E(d_i+d_j) + 2d_i² + 2d_j²; and
// product < −(w_i + w_j) implies near, by (E − d_i − d_j)² ≥ E² − 2E(d_i+d_j). In between
// there is doubt. w is taken as the greatest of a leaf.
//
// Norms |y| are at most REACH, so no two rows are further apart than 2·REACH + a bit,
// and E⁺ may be cut to MOST: then nothing is out, and all that matters is in.
#pragma once

#include "half.cuh"
#include "params.cuh"

#define REACH 64.5
#define MOST 150.0
#define VOID 30000.0

// What a set of rows has for tensor cores.
struct Operands {
	struct Rows rows;
	long long steps; // K/16
	long long tails;
	half *a;     // positions × K; null for rows that are not queries
	half *b;     // null for rows that are not indexed; leaves: BHEAD bytes with the width, then K/8 slabs of 8 columns of 64 rows
	double *s;   // positions: S
	float *d, *norm, *tail; // positions: d, N, Λ
	float *width; // leaves: the greatest w
	double kappa, floor;

	// For an ε:
	double high, low; // E⁺, E⁻
};

enum { BHEAD = 128 };

// bLeaf is the size of a leaf in b.
static __device__ __forceinline__ long long bLeaf(long long steps) { return BHEAD + steps * 2048; }

// inB is where column k of a row is in a leaf of b: in units of 8 × 8 numbers.
static __device__ __forceinline__ int inB(int k, int lane) {
	return k / 8 * 512 + lane / 8 * 64 + lane % 8 * 8 + k % 8;
}
