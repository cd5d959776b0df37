// What comparing by the coordinates as given needs: a leaf a block of LEAF threads.
//
//	mid    = ½·lo + ½·hi
//	offset = fl32(x − mid)
#include "exact.cuh"

enum { SUPERS = 128 }; // threads of a block of supers_plain

#define INF __longlong_as_double(0x7ff0000000000000ll)

// Threads take coordinates first, then lanes.
extern "C" __global__ void __launch_bounds__(LEAF) offsets(const Rows r) {
	const long long leaf = blockIdx.x;
	const int rows = r.fill[leaf];
	for (long long k = threadIdx.x; k < r.dim; k += LEAF) {
		double lo = INF, hi = -INF;
		for (int i = 0; i < rows; i++) {
			const double v = coordinate(r, leaf * LEAF + i, k);
			lo = fmin(lo, v);
			hi = fmax(hi, v);
		}
		((double *)r.plainLo)[k * r.leaves + leaf] = lo;
		((double *)r.plainHi)[k * r.leaves + leaf] = hi;
		((double *)r.mid)[k * r.leaves + leaf] = __dadd_rn(__dmul_rn(0.5, lo), __dmul_rn(0.5, hi));
	}
	__syncthreads(); // middles are there
	double sum = 0;
	for (long long k = 0; k < r.dim; k++) {
		const double x = coordinate(r, leaf * LEAF + threadIdx.x, k); // NaN without a row
		const float offset = __double2float_rn(__dsub_rn(x, r.mid[k * r.leaves + leaf]));
		((float *)r.offset)[(leaf * r.dim + k) * LEAF + threadIdx.x] = offset;
		sum += (double)offset * offset;
	}
	__shared__ double norm[LEAF];
	norm[threadIdx.x] = sqrt(sum) * (1 + 0x1p-20);
	__syncthreads();
	if (threadIdx.x == 0) {
		double most = 0;
		for (int i = 0; i < rows; i++)
			most = fmax(most, norm[i]); // never NaN: a row's offset is at worst infinite
		((double *)r.radius)[leaf] = most;
	}
}

// A superleaf a block, a warp a coordinate.
extern "C" __global__ void __launch_bounds__(SUPERS) supers_plain(const Rows r) {
	const long long super = blockIdx.x;
	const int lane = threadIdx.x % 32;
	for (long long k = threadIdx.x / 32; k < r.dim; k += SUPERS / 32) {
		double lo = INF, hi = -INF;
		for (long long l = super * SUPER + lane; l < r.leaves && l < (super + 1) * SUPER; l += 32) {
			lo = fmin(lo, r.plainLo[k * r.leaves + l]);
			hi = fmax(hi, r.plainHi[k * r.leaves + l]);
		}
		for (int by = 16; by > 0; by /= 2) {
			lo = fmin(lo, __shfl_xor_sync(~0u, lo, by));
			hi = fmax(hi, __shfl_xor_sync(~0u, hi, by));
		}
		if (lane == 0) {
			((double *)r.plainSuperLo)[k * r.supers + super] = lo;
			((double *)r.plainSuperHi)[k * r.supers + super] = hi;
		}
	}
}
