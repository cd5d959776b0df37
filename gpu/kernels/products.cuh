// Refining by products of leaves: what kernels for tensor cores have in common. STEPS,
// WARPGROUPS, BLOCKS and STAGES are given, and HEAD, the bytes of a leaf of indexed rows
// before its numbers.
//
// Blocks stay, and take items by a cursor. A warp loads leaves of indexed rows, stage
// by stage; the others are warpgroups of four warps, each with a leaf of the item's
// group in registers, which they multiply with what comes. A thread has 32 results of
// a product: bit b of its masks is row `row(b)` and column `column(b)`.
//
// What the numbers are, and what is read out of results, is a unit's:
//
//	Result   the type of results
//	DOUBTS   whether some pairs are put aside
//	Limit    what tells pairs of two leaves, beside their results
//	queries  takes what a leaf of queries has beside its numbers
//	begin    the same of a leaf of indexed rows, and gives the limit; where products are
//	         added to what results have, it sets these
//	any      whether some result of this thread may tell of a near pair
//	masks    pairs that may be near, and those that are
#pragma once

#include "consume.cuh"
#include "stage.cuh"

enum { STOP = -1, PIECE = 256, PRODUCTS = WARPGROUPS * 128, THREADS = PRODUCTS + 32, STAGE = HEAD + STEPS * 2048 };

// MANY is how far pairs in doubt are counted, about: the number never starts anew.
static constexpr unsigned MANY = 1u << 31;

struct Shared {
	unsigned long long full[STAGES], empty[STAGES]; // barriers
	uint2 what[STAGES];                             // group and entry
	unsigned after[128]; // by thread of a warpgroup: the results behind the diagonal
	unsigned doubts;
};

// Places are addresses of shared memory, kept in registers: to make one anew takes
// several instructions.
struct Places {
	unsigned shared, stages;

	__device__ __forceinline__ unsigned full(int stage) const { return shared + 8 * stage; }
	__device__ __forceinline__ unsigned empty(int stage) const { return shared + 8 * STAGES + 8 * stage; }
	__device__ __forceinline__ unsigned what(int stage) const { return shared + 16 * STAGES + 8 * stage; }
	__device__ __forceinline__ unsigned leaf(int stage) const { return stages + STAGE * stage; }
};

static __device__ __forceinline__ int row(int b) { return threadIdx.x / 32 % 4 * 16 + threadIdx.x % 32 / 4 + (b >> 1 & 1) * 8; }

static __device__ __forceinline__ int column(int b) { return (b >> 2) * 8 + threadIdx.x % 4 * 2 + (b & 1); }

// columns takes those of 64 columns that this thread has, 2 of each 8, to the bits
// of its first row.
static __device__ __forceinline__ unsigned columns(unsigned long long of) {
	of >>= threadIdx.x % 4 * 2;
	auto nibbles = [](unsigned x) { // the 2 lowest bits of each byte into a nibble
		x &= 0x03030303u;
		x |= x >> 4;
		return (x & 0x33u) | (x >> 8 & 0x3300u);
	};
	return nibbles((unsigned)of) | nibbles((unsigned)(of >> 32)) << 16;
}

static __device__ __forceinline__ unsigned bits(float x) { return __float_as_uint(x); }

static __device__ __forceinline__ unsigned bits(int x) { return (unsigned)x; }

// signs returns the signs of results plus a number, as a mask, in four chains so that
// none is long.
template <bool PLUS, class T> static __device__ __forceinline__ unsigned signs(const T (&acc)[32], T plus) {
	unsigned part[4] = {0, 0, 0, 0};
#pragma unroll
	for (int i = 7; i >= 0; i--)
#pragma unroll
		for (int k = 0; k < 4; k++)
			part[k] = __funnelshift_l(bits(PLUS ? acc[8 * k + i] + plus : acc[8 * k + i]), part[k], 1);
	return __byte_perm(__byte_perm(part[0], part[1], 0x0040), __byte_perm(part[2], part[3], 0x0040), 0x5410);
}

// spread is a mask of the pairs that lanes name.
static __device__ __forceinline__ unsigned spread(const Lanes &lanes) {
	return columns(lanes.with(row(0))) | columns(lanes.with(row(2))) << 2;
}

// rows loads this thread's part of a leaf of queries.
static __device__ __forceinline__ void rows(unsigned (&a)[STEPS][4], const void *operand, int leaf) {
	const unsigned *from = (const unsigned *)operand + (long long)(unsigned)(leaf * LEAF + row(0)) * (STEPS * 8) + threadIdx.x % 4;
#pragma unroll
	for (int k = 0; k < STEPS; k++) {
		a[k][0] = from[8 * k];
		a[k][1] = from[8 * k + 8 * STEPS * 8];
		a[k][2] = from[8 * k + 4];
		a[k][3] = from[8 * k + 4 + 8 * STEPS * 8];
	}
}

// produce fills stage after stage with the leaves that entries name.
static __device__ void produce(const Work &w, const Places &at) {
	const bool leads = threadIdx.x % 32 == 0;
	if (LOADERS == 1 && !leads)
		return;
	int stage = 0;
	unsigned phase = 1; // of the barriers that stages are empty: the first round waits for none
	auto tell = [&](int group, unsigned entry) {
		if (leads) {
			storePair(at.what(stage), (unsigned)group, entry);
			if (LOADERS > 1)
				barrierArrive(at.full(stage)); // after what was written
		}
	};
	for (;;) {
		unsigned taken = leads ? atomicAdd(w.cursor, 1u) : 0;
		if (LOADERS > 1)
			taken = __shfl_sync(~0u, taken, 0);
		if (taken >= w.itemCount)
			break;
		const Item item = w.items[taken];
		for (int i = 0; i < item.n; i++) {
			const unsigned entry = __ldg(w.entries + item.from + i);
			barrierWait(at.empty(stage), phase);
			tell(item.group, entry);
			const long long leaf = entry & ((1u << ENTRY_LEAF) - 1);
			load(at.leaf(stage), (const char *)w.b + leaf * STAGE, STAGE, at.full(stage));
			if (++stage == STAGES) {
				stage = 0;
				phase ^= 1;
			}
		}
	}
	barrierWait(at.empty(stage), phase);
	tell(STOP, 0);
	barrierArrive(at.full(stage));
}

// Tile is what a warp has to do with.
template <class UNIT, int MODE> struct Tile {
	const Work &w;
	Shared &s;
	int leafA, leafB;
	unsigned count[2]; // near rows of this thread's two rows, in COUNT
	unsigned place, left; // in LIST: where the next pairs of the warp go, and how many have room there

	__device__ Tile(const Work &w, Shared &s) : w(w), s(s), leafA(0), leafB(0), count{0, 0}, place(0), left(0) {}

	// results takes the results of a product.
	__device__ __forceinline__ void results(const typename UNIT::Result (&acc)[32], const UNIT &unit, const typename UNIT::Limit &limit) {
		if (!__any_sync(~0u, unit.any(acc)))
			return;
		unsigned maybe, sure;
		unit.masks(w, leafA, leafB, acc, limit, maybe, sure);
		unsigned after = ~0u;
		if (w.self && leafA == leafB)
			after = *(volatile unsigned *)&s.after[threadIdx.x & 127];
		if (MODE == UNITE || MODE == ATTACH)
			after &= wanted();
		if (MODE == UNITE && enough(sure & after))
			return;
		if (UNIT::DOUBTS)
			doubt(maybe & ~sure & after);
		near(sure & after);
	}

	// wanted is the mask of the pairs that can matter.
	__device__ __forceinline__ unsigned wanted() const {
		const Lanes lanes = Consumer<MODE>::lanes(w, leafA, leafB);
		return spread(lanes);
	}

	// enough unites two leaves whose core rows are of one set each, for which a pair
	// does, if the warp has one.
	__device__ __forceinline__ bool enough(unsigned mask) {
		if (w.setQ[leafA] < 0 || w.setT[leafB] < 0)
			return false;
		unsigned i = 0, j = 0;
		bool found = false;
		for (; mask && !found; mask &= mask - 1) {
			const int b = __ffs(mask) - 1;
			i = leafA * LEAF + row(b);
			j = leafB * LEAF + column(b);
			found = w.parent[i] >= 0 && w.parent[j] >= 0;
		}
		const unsigned those = __ballot_sync(~0u, found);
		if (found && threadIdx.x % 32 == __ffs(those) - 1)
			Consumer<UNITE>::pair(w, i, j);
		return those != 0;
	}

	// doubt puts pairs aside, but for those that cannot matter. Where there is no room,
	// the host sees it by the number.
	__device__ __forceinline__ void doubt(unsigned mask) {
		for (; mask; mask &= mask - 1) {
			const int b = __ffs(mask) - 1, i = leafA * LEAF + row(b), j = leafB * LEAF + column(b);
			if (!Consumer<MODE>::open(w, (unsigned)i, (unsigned)j))
				continue;
			const unsigned at = atomicAdd(&s.doubts, 1u);
			if (at < w.doubtRoom)
				w.doubt[blockIdx.x * w.doubtRoom + at] = Pair{i, j};
			else if (at >= MANY)
				s.doubts = MANY; // the other threads add no more than 1 each meanwhile
		}
	}

	__device__ __forceinline__ void near(unsigned mask) {
		if (MODE == COUNT) {
			counted(mask);
		} else if (MODE == LIST) {
			list(mask);
		} else {
			for (; mask; mask &= mask - 1) {
				const int b = __ffs(mask) - 1;
				Consumer<MODE>::pair(w, (unsigned)(leafA * LEAF + row(b)), (unsigned)(leafB * LEAF + column(b)));
			}
		}
	}

	// counted counts rows here, and columns in memory: one by one if they are few, else
	// added up over the warp, 8 bits for each of 4 columns in a word.
	__device__ __forceinline__ void counted(unsigned mask) {
		count[0] += __popc(mask & 0x33333333u);
		count[1] += __popc(mask & 0xccccccccu);
		if (!w.self)
			return;
		unsigned *to = w.countT + (long long)leafB * LEAF;
		if (!__any_sync(~0u, __popc(mask) > 3)) {
			for (; mask; mask &= mask - 1)
				atomicAdd(to + column(__ffs(mask) - 1), 1u);
			return;
		}
		unsigned even = (mask & 0x11111111u) + (mask >> 2 & 0x11111111u), odd = (mask >> 1 & 0x11111111u) + (mask >> 3 & 0x11111111u);
		even += __shfl_xor_sync(~0u, even, 4);
		odd += __shfl_xor_sync(~0u, odd, 4);
		even += __shfl_xor_sync(~0u, even, 8);
		odd += __shfl_xor_sync(~0u, odd, 8); // up to 8 in 4 bits
		unsigned low[2] = {even & 0x0f0f0f0fu, odd & 0x0f0f0f0fu}, high[2] = {even >> 4 & 0x0f0f0f0fu, odd >> 4 & 0x0f0f0f0fu};
#pragma unroll
		for (int side = 0; side < 2; side++) {
			low[side] += __shfl_xor_sync(~0u, low[side], 16);
			high[side] += __shfl_xor_sync(~0u, high[side], 16);
			const int g = threadIdx.x % 32 / 4; // this lane's block of 8 columns
			const unsigned n = ((g & 1 ? high[side] : low[side]) >> (g >> 1) * 8) & 0xff;
			if (n)
				atomicAdd(to + g * 8 + threadIdx.x % 4 * 2 + side, n);
		}
	}

	// flush adds the counts of the rows of the leaf that was.
	__device__ void flush() {
		if (MODE != COUNT)
			return;
#pragma unroll
		for (int h = 0; h < 2; h++) {
			count[h] += __shfl_xor_sync(~0u, count[h], 1);
			count[h] += __shfl_xor_sync(~0u, count[h], 2);
			if (threadIdx.x % 4 == 0 && count[h])
				atomicAdd(w.countQ + (unsigned)(leafA * LEAF + row(2 * h)), count[h]);
			count[h] = 0;
		}
	}

	// list writes pairs. A warp takes room for PIECE of them at a time.
	__device__ void list(unsigned mask) {
		const int lane = threadIdx.x % 32;
		unsigned upTo = __popc(mask);
		const unsigned mine = upTo;
		for (int by = 1; by < 32; by *= 2) {
			const unsigned before = __shfl_up_sync(~0u, upTo, by);
			if (lane >= by)
				upTo += before;
		}
		const unsigned all = __shfl_sync(~0u, upTo, 31);
		unsigned long long more = 0;
		const unsigned pieces = all > left ? (all - left + PIECE - 1) / PIECE : 0;
		if (pieces && lane == 0)
			more = atomicAdd(w.pairCount, (unsigned long long)pieces * PIECE);
		more = __shfl_sync(~0u, more, 0);
		unsigned rank = upTo - mine;
		for (; mask; mask &= mask - 1, rank++) {
			const int b = __ffs(mask) - 1;
			const unsigned long long at = rank < left ? place + rank : more + (rank - left);
			Consumer<LIST>::put(w, at, (unsigned)(leafA * LEAF + row(b)), (unsigned)(leafB * LEAF + column(b)));
		}
		if (pieces) {
			place = (unsigned)(more + (all - left)); // dropped if it passes 32 bits: room is less
			left = pieces * PIECE - (all - left);
		} else {
			place += all;
			left -= all;
		}
	}

	// close tells what a list has left of its last piece.
	__device__ void close() {
		if (MODE == LIST && threadIdx.x % 32 == 0)
			w.holes[blockIdx.x * (PRODUCTS / 32) + threadIdx.x / 32] = Pair{(int)place, (int)(place + left)};
	}
};

template <class UNIT, int MODE> static __device__ __forceinline__ void consume(const Work &w, Shared &s, const Places &at) {
	const int group = threadIdx.x / 128;
	unsigned own = 1u << (ENTRY_LEAF + group); // in an entry
	asm volatile("" : "+r"(own));              // not to be made again
	Tile<UNIT, MODE> tile(w, s);
	UNIT unit;
	unsigned a[STEPS][4], phase = 0;
	typename UNIT::Result acc[32];
	int last = STOP;
	for (int stage = 0;;) {
		barrierWait(at.full(stage), phase);
		const uint2 what = loadPair(at.what(stage));
		if ((int)what.x != last) {
			if (last != STOP && tile.leafA < w.q.leaves)
				tile.flush();
			last = (int)what.x;
			if (last == STOP)
				break;
			tile.leafA = last * WARPGROUPS + group;
			if (tile.leafA < w.q.leaves) {
				unit.queries(w, tile.leafA);
				rows(a, w.a, tile.leafA);
			}
		}
		const bool mine = what.y & own; // never for a leaf that isn't there
		typename UNIT::Limit limit{};
		if (mine) {
			limit = unit.begin(acc, at.leaf(stage));
			tile.leafB = what.y & ((1u << ENTRY_LEAF) - 1);
			product(acc, a, at.leaf(stage) + HEAD);
		}
		barrierArrive(at.empty(stage)); // each thread for itself, as racecheck wants to see it; it costs nothing
		if (++stage == STAGES) {
			stage = 0;
			phase ^= 1;
		}
		if (mine)
			tile.results(acc, unit, limit);
	}
	tile.close();
}

template <class UNIT, int MODE> static __device__ __forceinline__ void run(const Work &w) {
	extern __shared__ __align__(1024) char stages[];
	__shared__ __align__(8) Shared s;
	Places at = {shared(&s), shared(stages)};
	asm volatile("" : "+r"(at.shared), "+r"(at.stages)); // not to be made again
	if (threadIdx.x == 0) {
		for (int i = 0; i < STAGES; i++) {
			barrierInit(at.full(i), ARRIVALS);
			barrierInit(at.empty(i), PRODUCTS);
		}
		s.doubts = 0;
		barriersReady();
	}
	if (threadIdx.x < 128) {
		unsigned after = 0;
		for (int b = 0; b < 32; b++)
			after |= (unsigned)(column(b) > row(b)) << b;
		s.after[threadIdx.x] = after;
	}
	__syncthreads();
	if (threadIdx.x >= PRODUCTS)
		produce(w, at);
	else
		consume<UNIT, MODE>(w, s, at);
	__syncthreads();
	if (UNIT::DOUBTS && threadIdx.x == 0)
		w.doubts[blockIdx.x] = s.doubts;
}

#define KERNEL extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)

// One leaf of each, to try what the unit does: a block of 128 threads.
struct Trial {
	const void *a; // LEAF × STEPS·32 bytes
	const void *b; // a leaf of b
	void *out;     // LEAF × LEAF results
};

template <class UNIT> static __device__ __forceinline__ void runTrial(const Trial &p) {
	__shared__ __align__(1024) char leaf[STAGE];
	for (int e = threadIdx.x; e < STAGE / 16; e += 128)
		((uint4 *)leaf)[e] = ((const uint4 *)p.b)[e];
#if __CUDA_ARCH__ >= 900
	asm volatile("fence.proxy.async;" ::: "memory"); // products read what was just written
#endif
	__syncthreads();
	unsigned a[STEPS][4];
	typename UNIT::Result acc[32];
	rows(a, p.a, 0);
	UNIT unit;
	unit.begin(acc, shared(leaf));
	product(acc, a, shared(leaf) + HEAD);
#pragma unroll
	for (int b = 0; b < 32; b++)
		((typename UNIT::Result *)p.out)[row(b) * LEAF + column(b)] = acc[b];
}
