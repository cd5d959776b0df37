// The boxes of a scene, a thread each: leaves, enlarged along each axis, rounded outwards.
#include "rays.cuh"

enum { THREADS = 128 };

extern "C" __global__ void __launch_bounds__(THREADS) scene(const Scene p) {
	const long long leaf = (long long)blockIdx.x * THREADS + threadIdx.x;
	if (leaf >= p.t.leaves)
		return;
	const double by[SPACE] = {p.x, p.y, p.z};
#pragma unroll
	for (int k = 0; k < SPACE; k++) {
		const long long at = k * p.t.leaves + leaf;
		const bool there = k < p.t.axes;
		p.boxes[2 * SPACE * leaf + k] = __fsub_rd(there ? p.t.lo[at] : 0, (float)by[k]);
		p.boxes[2 * SPACE * leaf + SPACE + k] = __fadd_ru(there ? p.t.hi[at] : 0, (float)by[k]);
	}
}
