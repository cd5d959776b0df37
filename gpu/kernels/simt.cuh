// The plain road: pairs of leaves are refined by float32 differences of offsets from
// the middles of leaves, between the limits of guard.cuh, and by the predicate.
//
//	simt_MODE      any number of coordinates
//	simt_low_MODE  up to 8
//
// Blocks take items until there are none. An item's entries are unfolded into tiles,
// pairs of leaves, some hundred at a time, with a thread to find the limits of each;
// then each warp takes tiles for itself. A lane has two rows of the leaf of t and meets
// those of the leaf of queries one after the other, which lie in shared memory:
//
//	low  all coordinates of its two rows in registers, 4 rows of queries at a time
//	any  32 rows of queries at a time, 4 coordinates at a time
//
// What comes out is a mask for each column of the tile, see Masks.
#pragma once

#include "consume.cuh"
#include "guard.cuh"

enum {
	THREADS = 256,
	WARPS = THREADS / 32,
	GROUP = 4,  // leaves of a group, at most
	LOW = 8,    // coordinates of simt_low, at most
	STAGE = 128 // coordinates of a row, or of as many leaves' rows together, in shared memory
};

struct Tile {
	unsigned b; // the leaf of t
	int a;      // of the group's leaves
	Band band;
};

struct Shared {
	Tile tile[THREADS];
	int tiles, next;
	unsigned item;
	unsigned count[GROUP][LEAF]; // near rows of the group's, not yet in countQ
};

// The rows of queries: coordinates 4k to 4k + 3 of lane i of a leaf at k·LEAF + i.
extern __shared__ float4 staged[];

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

// square adds a squared difference to a sum.
static __device__ __forceinline__ void square(float &sum, float a, float b) {
	const float diff = __fsub_rn(a, b);
	sum = __fmaf_rn(diff, diff, sum);
}

static __device__ __forceinline__ float part(const float4 &v, int k) {
	return k == 0 ? v.x : k == 1 ? v.y : k == 2 ? v.z : v.w;
}

// lowMasks refines the tile of leaves a and b; DIM is the number of coordinates.
template <int DIM> static __device__ __forceinline__ Masks lowMasks(const Work &w, const float4 *rows, long long a, long long b, Band band) {
	const int lane = threadIdx.x % 32;
	float by = 0;
	if (lane < DIM)
		by = shift(w.q.mid[lane * w.q.leaves + a], w.t.mid[lane * w.t.leaves + b]);
	float t[2][DIM];
#pragma unroll
	for (int k = 0; k < DIM; k++) {
		const float *offset = w.t.offset + (b * DIM + k) * LEAF + lane;
		const float step = __shfl_sync(~0u, by, k);
		t[0][k] = __fadd_rn(offset[0], step);
		t[1][k] = __fadd_rn(offset[32], step);
	}
	Masks m = {};
#pragma unroll 1
	for (int h = 1; h >= 0; h--) {
		unsigned mask[2] = {0, 0}, open[2] = {0, 0};
#pragma unroll 1
		for (int i = 28; i >= 0; i -= 4) {
			const float4 *at = rows + 32 * h + i;
			float sum[4][2];
#pragma unroll
			for (int r = 0; r < 4; r++) {
				sum[r][0] = sum[r][1] = -band.mid;
				float4 q;
#pragma unroll
				for (int k = 0; k < DIM; k++) {
					if (k % 4 == 0)
						q = at[k / 4 * LEAF + r];
					square(sum[r][0], part(q, k % 4), t[0][k]);
					square(sum[r][1], part(q, k % 4), t[1][k]);
				}
			}
			bool doubt = false;
#pragma unroll
			for (int r = 3; r >= 0; r--)
#pragma unroll
				for (int c = 0; c < 2; c++) {
					doubt |= fabsf(sum[r][c]) <= band.half;
					mask[c] = shiftIn(mask[c], sum[r][c]);
				}
			if (doubt)
#pragma unroll
				for (int c = 0; c < 8; c++)
					open[c % 2] |= (unsigned)(fabsf(sum[c / 2][c % 2]) <= band.half) << (i + c / 2);
		}
#pragma unroll
		for (int c = 0; c < 2; c++)
			if (open[c])
				mask[c] = settle(w, a * LEAF + 32 * h, b * LEAF + lane + 32 * c, mask[c], open[c]);
#pragma unroll
		for (int c = 0; c < 2; c++) { // the second half comes first, and moves up
			m.of[c][1] = m.of[c][0];
			m.of[c][0] = mask[c];
		}
	}
	return m;
}

// Sums are those of 32 rows of queries and a lane's two rows of t.
struct Sums {
	float of[32][2];

	__device__ __forceinline__ void start(float mid) {
#pragma unroll
		for (int r = 0; r < 32; r++)
			of[r][0] = of[r][1] = -mid;
	}

	// above reports whether all sums of the warp are above a limit. NaN is left out.
	__device__ __forceinline__ bool above(float limit) const {
		float least = of[0][0];
#pragma unroll
		for (int r = 0; r < 32; r++)
			least = fminf(least, fminf(of[r][0], of[r][1]));
		return !__any_sync(~0u, least <= limit);
	}

	// add adds the squares along coordinates from to to of leaves a and b, those of the
	// queries from rows on. It stops, and returns false, when all sums are above the
	// limit.
	__device__ __forceinline__ bool add(const Work &w, const float4 *rows, long long a, long long b, long long from, long long to, float limit) {
		const int lane = threadIdx.x % 32, n = (int)(to - from);
		const float *offset = w.t.offset + (b * w.t.dim + from) * LEAF + lane;
		float by = 0;
#pragma unroll 1
		for (int k = 0; k < n; k += 4, rows += LEAF, offset += 4 * LEAF) {
			if (k % 32 == 0 && k + lane < n)
				by = shift(w.q.mid[(from + k + lane) * w.q.leaves + a], w.t.mid[(from + k + lane) * w.t.leaves + b]);
			float t[2][4];
#pragma unroll
			for (int c = 0; c < 4; c++) {
				const float step = __shfl_sync(~0u, by, k % 32 + c);
				t[0][c] = k + c < n ? __fadd_rn(offset[c * LEAF], step) : 0;
				t[1][c] = k + c < n ? __fadd_rn(offset[c * LEAF + 32], step) : 0;
			}
#pragma unroll
			for (int r = 0; r < 32; r++) {
				const float4 q = rows[r];
#pragma unroll
				for (int c = 0; c < 4; c++) {
					square(of[r][0], part(q, c), t[0][c]);
					square(of[r][1], part(q, c), t[1][c]);
				}
			}
			if (k % 16 == 12 && above(limit))
				return false;
		}
		return n % 16 == 0 || !above(limit);
	}

	__device__ __forceinline__ void masks(const Work &w, float half, long long i, long long j, unsigned &first, unsigned &second) const {
		first = second = 0;
		bool doubt = false;
#pragma unroll
		for (int r = 31; r >= 0; r--) {
			doubt |= fabsf(of[r][0]) <= half || fabsf(of[r][1]) <= half;
			first = shiftIn(first, of[r][0]);
			second = shiftIn(second, of[r][1]);
		}
		if (!doubt)
			return;
		unsigned open[2] = {0, 0};
#pragma unroll
		for (int r = 0; r < 32; r++) {
			open[0] |= (unsigned)(fabsf(of[r][0]) <= half) << r;
			open[1] |= (unsigned)(fabsf(of[r][1]) <= half) << r;
		}
		first = settle(w, i, j, first, open[0]);
		second = settle(w, i, j + 32, second, open[1]);
	}
};

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

// each gives away the pairs that the consumer asks for.
template <int MODE> static __device__ __forceinline__ void each(const Work &w, long long a, long long b, const Masks &m) {
	const int lane = threadIdx.x % 32;
	const Lanes lanes = Consumer<MODE>::lanes(w, a, b);
#pragma unroll
	for (int c = 0; c < 4; c++) {
		const int column = lane + c / 2 * 32;
		const unsigned wanted = (unsigned)((((lanes.in >> column & 1) ? lanes.q : 0) | ((lanes.out >> column & 1) ? ~lanes.q : 0)) >> c % 2 * 32);
		for (unsigned rest = m.of[c / 2][c % 2] & wanted; rest; rest &= rest - 1)
			Consumer<MODE>::pair(w, a * LEAF + c % 2 * 32 + __ffs(rest) - 1, b * LEAF + column);
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

// stage loads coordinates from to to of a leaf of queries, and 0 up to a multiple of 4.
// Threads wait for each other before and after.
static __device__ __noinline__ void stage(const Work &w, float4 *at, long long leaf, long long from, long long to) {
	const int n = (int)(to - from), many = (n + 3) / 4 * 4;
#pragma unroll 4
	for (int e = threadIdx.x; e < many * LEAF; e += THREADS) {
		const int k = e / LEAF, i = e % LEAF;
		((float *)(at + k / 4 * LEAF + i))[k % 4] = k < n ? w.q.offset[(leaf * w.q.dim + from + k) * LEAF + i] : 0;
	}
}

// bandOf is that of two leaves.
static __device__ __noinline__ Band bandOf(const Work &w, long long a, long long b) {
	double t2 = 0;
#pragma unroll 4
	for (long long k = 0; k < w.q.dim; k++) {
		const double t = shift(w.q.mid[k * w.q.leaves + a], w.t.mid[k * w.t.leaves + b]);
		t2 = __fma_rn(t, t, t2);
	}
	return band(w.eps2, w.q.dim, w.q.radius[a], w.t.radius[b], t2);
}

template <int MODE> struct Refiner {
	const Work &w;
	Shared &s;
	Item item;
	long long first; // leaf of the group
	int size;        // leaves in it

	__device__ Refiner(const Work &w, Shared &s) : w(w), s(s), first(0), size(0) {}

	// next takes an item, and reports whether there was one.
	__device__ bool next() {
		__syncthreads();
		if (threadIdx.x == 0)
			s.item = atomicAdd(w.cursor, 1u);
		__syncthreads();
		if (s.item >= w.itemCount)
			return false;
		item = w.items[s.item];
		first = item.group * w.group;
		size = (int)min(w.group, w.q.leaves - first);
		return true;
	}

	// unfold makes tiles of the entries from at on: of one leaf of the group, or, if only
	// is −1, of all. It returns how many entries it took.
	__device__ int unfold(int at, int only) {
		__syncthreads(); // the last tiles are done
		if (threadIdx.x == 0)
			s.tiles = s.next = 0;
		__syncthreads();
		const int each = only < 0 ? GROUP : 1, e = at + (int)threadIdx.x / each;
		const int a = only < 0 ? threadIdx.x % GROUP : only;
		if (e < item.n) {
			const unsigned entry = w.entries[item.from + e];
			const long long leaf = entry & ((1u << ENTRY_LEAF) - 1);
			if (entry >> ENTRY_LEAF >> a & 1 && Consumer<MODE>::matters(w, first + a, leaf))
				s.tile[atomicAdd(&s.tiles, 1)] = {(unsigned)leaf, a, bandOf(w, first + a, leaf)};
		}
		__syncthreads();
		return THREADS / each;
	}

	// grab gives a warp a tile, or reports that there is none.
	__device__ bool grab(Tile &tile) {
		int at = 0;
		if (threadIdx.x % 32 == 0)
			at = atomicAdd(&s.next, 1);
		at = __shfl_sync(~0u, at, 0);
		if (at >= s.tiles)
			return false;
		tile = s.tile[at];
		return true;
	}

	// flush adds what the block has counted to countQ.
	__device__ void flush() {
		if (MODE != COUNT)
			return;
		__syncthreads();
		for (int e = threadIdx.x; e < GROUP * LEAF; e += THREADS) {
			unsigned &sum = s.count[e / LEAF][e % LEAF];
			if (sum > 0)
				atomicAdd(w.countQ + first * LEAF + e, sum);
			sum = 0;
		}
	}

	template <int DIM> __device__ void low() {
		const int pitch = (DIM + 3) / 4 * LEAF;
		while (next()) {
			for (int a = 0; a < size; a++)
				stage(w, staged + a * pitch, first + a, 0, DIM);
			for (int at = 0; at < item.n;) {
				at += unfold(at, -1);
				for (Tile tile; grab(tile);) {
					const long long a = first + tile.a, b = tile.b;
					consume<MODE>(w, s.count[tile.a], a, b, tile.band.half >= 0 ? lowMasks<DIM>(w, staged + tile.a * pitch, a, b, tile.band) : exactMasks(w, a, b));
				}
			}
			flush();
		}
	}

	// half refines half a tile, of which the coordinates are staged from rows on.
	__device__ __forceinline__ void half(const Tile &tile, const float4 *rows, int h, Masks &m) {
		const long long a = first + tile.a, b = tile.b;
		Sums sums;
		sums.start(tile.band.mid);
		if (sums.add(w, rows + 32 * h, a, b, 0, w.q.dim, tile.band.half))
			sums.masks(w, tile.band.half, a * LEAF + 32 * h, b * LEAF + threadIdx.x % 32, m.of[0][h], m.of[1][h]);
	}

	// whole lets each warp take tiles whose rows of queries are staged, leaf by leaf.
	__device__ void whole(int pitch) {
		for (Tile tile; grab(tile);) {
			Masks m = {};
			if (tile.band.half >= 0) {
#pragma unroll 1
				for (int h = 0; h < 2; h++)
					half(tile, staged + tile.a * pitch, h, m);
			} else {
				m = exactMasks(w, first + tile.a, tile.b);
			}
			consume<MODE>(w, s.count[tile.a], first + tile.a, tile.b, m);
		}
	}

	// pieces takes a tile a warp, and all go through the coordinates together.
	__device__ void pieces(long long a) {
		for (int from = 0; from < s.tiles; from += WARPS) {
			const int at = from + threadIdx.x / 32;
			const bool live = at < s.tiles;
			const Tile tile = s.tile[live ? at : 0];
			const bool exact = !(tile.band.half >= 0);
			Masks m = {};
#pragma unroll 1
			for (int h = 0; h < 2; h++) {
				bool open = live && !exact;
				Sums sums;
				sums.start(tile.band.mid);
				for (long long k = 0; k < w.q.dim; k += STAGE) {
					const long long to = min(k + STAGE, w.q.dim);
					if (!__syncthreads_or(open)) // and the last piece is done with
						break;
					stage(w, staged, a, k, to);
					__syncthreads();
					open = open && sums.add(w, staged + 32 * h, a, tile.b, k, to, tile.band.half);
				}
				if (open)
					sums.masks(w, tile.band.half, a * LEAF + 32 * h, (long long)tile.b * LEAF + threadIdx.x % 32, m.of[0][h], m.of[1][h]);
			}
			if (live && exact)
				m = exactMasks(w, a, tile.b);
			if (live)
				consume<MODE>(w, s.count[tile.a], a, tile.b, m);
		}
	}

	__device__ void any() {
		const int quads = (int)((w.q.dim + 3) / 4), pitch = quads * LEAF;
		const bool together = w.group * quads * 4 <= STAGE;
		while (next()) {
			for (int a = 0; together && a < size; a++)
				stage(w, staged + a * pitch, first + a, 0, w.q.dim);
			for (int only = together ? -1 : 0; only < (together ? 0 : size); only++) {
				__syncthreads(); // the last leaf is done with
				if (!together && w.q.dim <= STAGE)
					stage(w, staged, first + only, 0, w.q.dim);
				for (int at = 0; at < item.n;) {
					at += unfold(at, only);
					if (w.q.dim <= STAGE)
						whole(together ? pitch : 0);
					else
						pieces(first + only);
				}
			}
			flush();
		}
	}
};

template <int MODE> static __device__ void any(const Work &w) {
	__shared__ Shared s;
	for (int e = threadIdx.x; e < GROUP * LEAF; e += THREADS)
		s.count[e / LEAF][e % LEAF] = 0;
	Refiner<MODE>(w, s).any();
}

template <int MODE> static __device__ void low(const Work &w) {
	__shared__ Shared s;
	for (int e = threadIdx.x; e < GROUP * LEAF; e += THREADS)
		s.count[e / LEAF][e % LEAF] = 0;
	Refiner<MODE> r(w, s);
	switch (w.q.dim) {
	case 1: return r.template low<1>();
	case 2: return r.template low<2>();
	case 3: return r.template low<3>();
	case 4: return r.template low<4>();
	case 5: return r.template low<5>();
	case 6: return r.template low<6>();
	case 7: return r.template low<7>();
	case 8: return r.template low<8>();
	}
}
