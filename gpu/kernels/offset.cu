// The middles, offsets and radii of leaves, a leaf a block of LEAF threads.
//
//	mid    = ½·lo + ½·hi
//	offset = fl32(x − mid)
#include "exact.cuh"

struct Offsets {
	struct Side side;
	long long dim;
	float *offset; // to be written: what side has after it
	double *mid, *radius;
};

extern "C" __global__ void __launch_bounds__(LEAF) offsets(const Offsets p) {
	const Side &s = p.side;
	const long long leaf = blockIdx.x;
	double sum = 0;
	for (long long k = 0; k < p.dim; k++) {
		const double mid = __dadd_rn(__dmul_rn(0.5, s.lo[k * s.leaves + leaf]), __dmul_rn(0.5, s.hi[k * s.leaves + leaf]));
		const long long at = (leaf * p.dim + k) * LEAF + threadIdx.x;
		const float offset = __double2float_rn(__dsub_rn(s.x[at], mid));
		p.offset[at] = offset;
		if (threadIdx.x == 0)
			p.mid[k * s.leaves + leaf] = mid;
		sum += (double)offset * offset;
	}
	__shared__ double norm[LEAF];
	norm[threadIdx.x] = sqrt(sum) * (1 + 0x1p-20);
	__syncthreads();
	if (threadIdx.x == 0) {
		double most = 0;
		for (int i = 0; i < LEAF && leaf * LEAF + i < s.n; i++)
			most = fmax(most, norm[i]); // never NaN: a row's offset is at worst infinite
		p.radius[leaf] = most;
	}
}
