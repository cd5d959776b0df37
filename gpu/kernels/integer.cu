// Refining by tensor cores, of int8 (integer.cuh): integer_count, integer_list,
// integer_unite, integer_attach. STEPS, WARPGROUPS, BLOCKS and STAGES are given.
#include "integer.cuh"

enum { HEAD = HEADBYTES };

#include "products.cuh"

// Bytes are results u of integer.cuh.
struct Bytes {
	typedef int Result;
	struct Limit {}; // the results have it
	enum { DOUBTS = 0 };

	int rest[2] = {0, 0}; // t − n of this thread's two rows

	__device__ __forceinline__ void queries(const Work &w, int leaf) {
#pragma unroll
		for (int h = 0; h < 2; h++)
			rest[h] = (int)(w.limit >> 1) - (w.squareA[(unsigned)(leaf * LEAF + row(2 * h))] >> 1);
	}

	__device__ __forceinline__ Limit begin(int (&acc)[32], unsigned leaf) const {
#pragma unroll
		for (int b = 0; b < 32; b += 4) {
			const uint2 two = loadPair(leaf + 4 * column(b)); // of columns b and b + 1
#pragma unroll
			for (int h = 0; h < 2; h++) {
				acc[b + 2 * h] = rest[h] + (int)two.x;
				acc[b + 2 * h + 1] = rest[h] + (int)two.y;
			}
		}
		return {};
	}

	__device__ __forceinline__ bool any(const int (&acc)[32]) const {
		int all[4] = {-1, -1, -1, -1}; // signs: of negative numbers alone
#pragma unroll
		for (int i = 0; i < 32; i += 8)
#pragma unroll
			for (int k = 0; k < 4; k++)
				all[k] &= acc[i + 2 * k] & acc[i + 2 * k + 1];
		return (all[0] & all[1] & all[2] & all[3]) >= 0;
	}

	__device__ __forceinline__ void masks(const Work &w, int leafA, int leafB, const int (&acc)[32], Limit, unsigned &maybe, unsigned &sure) const {
		sure = ~signs<false>(acc, 0);
		unsigned least[4] = {~0u, ~0u, ~0u, ~0u}; // 0 where a result is
#pragma unroll
		for (int i = 0; i < 32; i++)
			least[i & 3] = min(least[i & 3], (unsigned)acc[i]);
		if (__any_sync(~0u, min(min(least[0], least[1]), min(least[2], least[3])) == 0)) {
			const unsigned zero = sure & signs<true>(acc, -1);
			const unsigned long long p = w.oddA[leafA], q = w.oddB[leafB];
			const bool both = w.limit & 1; // must be odd to be out; else one
			sure &= ~(zero & spread(Lanes{p, both ? q : ~0ull, both ? 0 : q}));
		}
		maybe = sure;
	}
};

KERNEL integer_count(const __grid_constant__ Work w) { run<Bytes, COUNT>(w); }
KERNEL integer_list(const __grid_constant__ Work w) { run<Bytes, LIST>(w); }
KERNEL integer_unite(const __grid_constant__ Work w) { run<Bytes, UNITE>(w); }
KERNEL integer_attach(const __grid_constant__ Work w) { run<Bytes, ATTACH>(w); }

extern "C" __global__ void __launch_bounds__(128) integer_trial(const Trial p) { runTrial<Bytes>(p); }
