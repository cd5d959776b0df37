// Refining by tensor cores, of float16 (tensor.cuh): tensor_count, tensor_list,
// tensor_unite, tensor_attach. STEPS, WARPGROUPS, BLOCKS and STAGES are given.
#include "tensor.cuh"

enum { HEAD = BHEAD };

#include "products.cuh"

// Halves are results in float32: pairs with a negative one may be near, and are if it is
// below the width.
struct Halves {
	typedef float Result;
	typedef float Limit; // the width of both leaves
	enum { DOUBTS = 1 };

	float widthA = 0;

	__device__ __forceinline__ void queries(const Work &w, int leaf) { widthA = w.widthA[leaf]; }

	__device__ __forceinline__ float begin(const float (&)[32], unsigned leaf) const { return widthA + loadFloat(leaf); }

	__device__ __forceinline__ bool any(const float (&acc)[32]) const {
		unsigned any[4] = {0, 0, 0, 0};
#pragma unroll
		for (int i = 0; i < 32; i += 8)
#pragma unroll
			for (int k = 0; k < 4; k++)
				any[k] |= bits(acc[i + 2 * k]) | bits(acc[i + 2 * k + 1]);
		return (int)((any[0] | any[1] | any[2]) | any[3]) < 0;
	}

	__device__ __forceinline__ void masks(const Work &, int, int, const float (&acc)[32], float width, unsigned &maybe, unsigned &sure) const {
		maybe = signs<false>(acc, 0.0f);
		int least[4] = {0, 0, 0, 0}; // of the bits as integers: of negative numbers, the greatest
#pragma unroll
		for (int i = 0; i < 32; i++)
			least[i & 3] = min(least[i & 3], __float_as_int(acc[i]));
		sure = maybe;
		// Negative numbers down to −width are the least integers.
		if (__any_sync(~0u, min(min(least[0], least[1]), min(least[2], least[3])) <= (int)(0x80000000u | __float_as_uint(width))))
			sure = signs<true>(acc, width) & maybe;
	}
};

KERNEL tensor_count(const __grid_constant__ Work w) { run<Halves, COUNT>(w); }
KERNEL tensor_list(const __grid_constant__ Work w) { run<Halves, LIST>(w); }
KERNEL tensor_unite(const __grid_constant__ Work w) { run<Halves, UNITE>(w); }
KERNEL tensor_attach(const __grid_constant__ Work w) { run<Halves, ATTACH>(w); }

extern "C" __global__ void __launch_bounds__(128) tensor_trial(const Trial p) { runTrial<Halves>(p); }
