// The plain road: pairs of leaves are refined in float32, by offsets from the middles of
// leaves, between the limits of guard.cuh, and by the predicate.
//
//	low_MODE   up to LOW coordinates, see low.cuh
//	simt_MODE  more, see many.cuh
//
// Blocks take items until there are none (tiles.cuh). An item's entries are unfolded into
// tiles, pairs of leaves, some hundred at a time, with a thread to find the limits of
// each; then each warp takes tiles for itself. A lane has two rows of the leaf of t, and
// meets those of the leaf of queries, which lie in shared memory, one after the other.
// What comes out, and is consumed here, is a mask for each row of t.
#pragma once

#include "consume.cuh"
#include "guard.cuh"

// Masks of a tile: bit r of of[c][h] stands for row 32h + r of queries and row
// lane + 32c of t.
struct Masks {
	unsigned of[2][2];

	__device__ void keep(unsigned long long rows, bool first, bool second) {
		for (int h = 0; h < 2; h++) {
			of[0][h] &= first ? (unsigned)(rows >> 32 * h) : 0;
			of[1][h] &= second ? (unsigned)(rows >> 32 * h) : 0;
		}
	}
};

// settle asks the predicate about the rows of queries from i on that are open, and
// row j of t, and puts what it says into a mask.
static __device__ __noinline__ unsigned settle(const Work &w, long long i, long long j, unsigned mask, unsigned open) {
	mask &= ~open;
	for (; open; open &= open - 1) {
		const int r = __ffs(open) - 1;
		mask |= (unsigned)near(w.q, i + r, w.t, j, w.eps2) << r;
	}
	return mask;
}

// shiftIn makes the sign of a sum the lowest bit of a mask.
static __device__ __forceinline__ unsigned shiftIn(unsigned mask, float sum) {
	return __funnelshift_l(__float_as_uint(sum), mask, 1);
}

static __device__ __forceinline__ float part(const float4 &v, int k) {
	return k == 0 ? v.x : k == 1 ? v.y : k == 2 ? v.z : v.w;
}

// exactMasks refines a tile by the predicate alone.
static __device__ __noinline__ Masks exactMasks(const Work &w, long long a, long long b) {
	Masks m = {};
	for (int c = 0; c < 2; c++)
		for (int i = 0; i < w.q.fill[a]; i++)
			m.of[c][i / 32] |= (unsigned)near(w.q, a * LEAF + i, w.t, b * LEAF + threadIdx.x % 32 + 32 * c, w.eps2) << i % 32;
	return m;
}

// turn exchanges lanes and bits: bit i of lane j's is bit j of lane i's.
static __device__ unsigned turn(unsigned x) {
	unsigned low = 0x0000ffff;
#pragma unroll
	for (int by = 16; by > 0; by /= 2, low ^= low << by) {
		const unsigned other = __shfl_xor_sync(~0u, x, by);
		x = threadIdx.x & by ? (x & ~low) | (other >> by & low) : (x & low) | (other & low) << by;
	}
	return x;
}

// count adds the rows of t that are near to the counts of those of queries, and, in a
// self-join, the other way round.
static __device__ __forceinline__ void count(const Work &w, unsigned *counts, long long b, const Masks &m) {
	const int lane = threadIdx.x % 32;
#pragma unroll
	for (int h = 0; h < 2; h++) {
		const unsigned sum = __popc(turn(m.of[0][h])) + __popc(turn(m.of[1][h]));
		if (sum > 0)
			atomicAdd(counts + 32 * h + lane, sum);
	}
	if (!w.self)
		return;
#pragma unroll
	for (int c = 0; c < 2; c++)
		if (const unsigned sum = __popc(m.of[c][0]) + __popc(m.of[c][1]); sum > 0)
			atomicAdd(w.countT + b * LEAF + lane + 32 * c, sum);
}

// list takes a place for all pairs of a tile.
static __device__ __forceinline__ void list(const Work &w, long long a, long long b, const Masks &m) {
	const int lane = threadIdx.x % 32;
	const int mine = __popc(m.of[0][0]) + __popc(m.of[0][1]) + __popc(m.of[1][0]) + __popc(m.of[1][1]);
	int upTo = mine;
	for (int step = 1; step < 32; step *= 2) {
		const int before = __shfl_up_sync(~0u, upTo, step);
		if (lane >= step)
			upTo += before;
	}
	unsigned long long at = 0;
	if (lane == 31)
		at = atomicAdd(w.pairCount, (unsigned long long)upTo);
	at = __shfl_sync(~0u, at, 31) + upTo - mine;
#pragma unroll
	for (int c = 0; c < 4; c++)
		for (unsigned rest = m.of[c / 2][c % 2]; rest; rest &= rest - 1)
			Consumer<LIST>::put(w, at++, a * LEAF + c % 2 * 32 + __ffs(rest) - 1, b * LEAF + lane + c / 2 * 32);
}

// each gives away the pairs that the consumer asks for. Of two leaves whose core rows are
// of one set each, a pair is enough to unite them.
template <int MODE> static __device__ __forceinline__ void each(const Work &w, long long a, long long b, Masks m) {
	const int lane = threadIdx.x % 32;
	const Lanes lanes = Consumer<MODE>::lanes(w, a, b);
	auto pair = [&](int c, unsigned rest) {
		Consumer<MODE>::pair(w, a * LEAF + c % 2 * 32 + __ffs(rest) - 1, b * LEAF + lane + c / 2 * 32);
	};
	bool any = false;
#pragma unroll
	for (int c = 0; c < 4; c++) {
		const int column = lane + c / 2 * 32;
		m.of[c / 2][c % 2] &= (unsigned)((((lanes.in >> column & 1) ? lanes.q : 0) | ((lanes.out >> column & 1) ? ~lanes.q : 0)) >> c % 2 * 32);
		any |= m.of[c / 2][c % 2] != 0;
	}
	const bool one = MODE == UNITE && w.setQ[a] >= 0 && w.setT[b] >= 0;
	if (one && lane != __ffs(__ballot_sync(~0u, any)) - 1)
		return;
#pragma unroll
	for (int c = 0; c < 4; c++)
		for (unsigned rest = m.of[c / 2][c % 2]; rest; rest &= rest - 1) {
			pair(c, rest);
			if (one)
				return;
		}
}

// consume takes the masks of the tile of leaves a and b; counts are those of a's rows.
template <int MODE> static __device__ __noinline__ void consume(const Work &w, unsigned *counts, long long a, long long b, Masks m) {
	const int lane = threadIdx.x % 32;
	m.keep(~0ull >> (LEAF - w.q.fill[a]), lane < w.t.fill[b], lane + 32 < w.t.fill[b]);
	if (w.self && a == b) { // rows before the column
		const unsigned before = (1u << lane) - 1;
		m.of[0][0] &= before;
		m.of[0][1] = 0;
		m.of[1][1] &= before;
	}
	if (!__any_sync(~0u, m.of[0][0] | m.of[0][1] | m.of[1][0] | m.of[1][1]))
		return;
	if (MODE == COUNT)
		count(w, counts, b, m);
	else if (MODE == LIST)
		list(w, a, b, m);
	else
		each<MODE>(w, a, b, m);
}
