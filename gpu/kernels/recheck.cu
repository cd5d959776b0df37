// Pairs in doubt, decided by the predicate: PARTS blocks share those of each block
// of what refined.
//
//	recheck_count, recheck_list, recheck_unite, recheck_attach
//
// Eight lanes add the squares in any order, with sums and products fused. Let
// u = 2⁻⁵³ and D² be the true sum for these coordinates. A difference is rounded
// once, so each square has a relative error of at most 2u + u², each of at most d + 3
// sums one of u, and so has the product of the contract: both sums differ from D² by
// at most (d + 6)u·D²·1.01, and from each other by twice that, as long as nothing
// under- or overflows, which limits on eps2 see to: a sum that underflowed products
// could change is below 1e-280, far below them. What is left is decided in order.
#include "consume.cuh"

enum { THREADS = 256, LANES = 8, PARTS = 4 };

template <int MODE> static __device__ void run(const Work &w) {
	const int block = blockIdx.x / PARTS, part = blockIdx.x % PARTS;
	const long long from = block * w.doubtRoom;
	long long n = w.doubts[block];
	n = n < w.doubtRoom ? n : w.doubtRoom;
	const int lane = threadIdx.x % LANES;
	const double slack = 4.0 * (double)(w.q.dim + 8) * 0x1p-53;
	const bool any = (w.eps2 >= 1e-280 && w.eps2 <= 1e300);
	const long long step = PARTS * (THREADS / LANES);
	for (long long at = part * (THREADS / LANES) + threadIdx.x / LANES; at < (n + 3) / 4 * 4; at += step) {
		const Pair p = at < n ? w.doubt[from + at] : Pair{0, 0};
		const long long i = (unsigned)p.i, j = (unsigned)p.j;
		// What is open changes meanwhile: one lane decides for all of them.
		const bool open = __shfl_sync(~0u, at < n && Consumer<MODE>::open(w, i, j), 0, LANES);
		double sum = 0;
		for (long long k = open ? lane : w.q.dim; k < w.q.dim; k += LANES) {
			const double diff = coordinate(w.q, i, k) - coordinate(w.t, j, k);
			sum = __fma_rn(diff, diff, sum);
		}
		for (int by = LANES / 2; by > 0; by /= 2)
			sum += __shfl_xor_sync(~0u, sum, by);
		if (lane > 0 || !open || (any && sum * (1 - slack) > w.eps2))
			continue;
		if ((any && sum * (1 + slack) <= w.eps2) || near(w.q, i, w.t, j, w.eps2))
			Consumer<MODE>::pair(w, i, j);
	}
}

extern "C" __global__ void __launch_bounds__(THREADS) recheck_count(const Work w) { run<COUNT>(w); }
extern "C" __global__ void __launch_bounds__(THREADS) recheck_list(const Work w) { run<LIST>(w); }
extern "C" __global__ void __launch_bounds__(THREADS) recheck_unite(const Work w) { run<UNITE>(w); }
extern "C" __global__ void __launch_bounds__(THREADS) recheck_attach(const Work w) { run<ATTACH>(w); }
