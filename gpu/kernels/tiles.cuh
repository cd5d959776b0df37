// How blocks get from items to tiles, and the rows of queries to shared memory.
#pragma once

#include "simt.cuh"

enum {
	THREADS = 256,
	WARPS = THREADS / 32,
	GROUP = 4 // leaves of a group, at most
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

// shift2 is the sum of the squares of the shift from leaf a of queries to leaf b.
static __device__ __noinline__ double shift2(const Work &w, long long a, long long b) {
	double sum = 0;
#pragma unroll 4
	for (long long k = 0; k < w.q.dim; k++) {
		const double t = shift(w.q.mid[k * w.q.leaves + a], w.t.mid[k * w.t.leaves + b]);
		sum = __fma_rn(t, t, sum);
	}
	return sum;
}

// Tiles are those of a block. Bounds has the limits of a tile.
template <int MODE, class Bounds> struct Tiles {
	const Work &w;
	Shared &s;
	Item item;
	long long first; // leaf of the group
	int size;        // leaves in it

	__device__ Tiles(const Work &w, Shared &s) : w(w), s(s), first(0), size(0) {
		for (int e = threadIdx.x; e < GROUP * LEAF; e += THREADS)
			s.count[e / LEAF][e % LEAF] = 0;
	}

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
				s.tile[atomicAdd(&s.tiles, 1)] = {(unsigned)leaf, a, Bounds::of(w, first + a, leaf)};
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
};
