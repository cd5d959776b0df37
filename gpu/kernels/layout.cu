// Rows in the order of their leaves, and the boxes about them; a leaf a block.
//
//	gather  coordinates, from input order
//	box     turned boxes, the norms beyond them, and the greatest norm of all
//	supers  boxes of superleaves, a block each
#include "exact.cuh"

enum {
	THREADS = 128,
	STEP = 32, // axes in shared memory at a time
};

#define INF __int_as_float(0x7f800000)

struct Layout {
	struct Rows rows; // its pointers are written through
	const void *from; // n × dim: coordinates in input order
	unsigned long long *reach; // the greatest norm of a turned row, the bits of a double
};

template <typename X> static __device__ void gatherLeaf(const Layout &p) {
	const unsigned dim = (unsigned)p.rows.dim;
	const long long first = (long long)blockIdx.x * LEAF;
	X *to = (X *)p.rows.x + first * dim;
	for (unsigned e = threadIdx.x; e < LEAF * dim; e += THREADS) {
		const int row = p.rows.row[first + e / dim];
		to[e] = row < 0 ? (X)__int_as_float(0x7fc00000) : ((const X *)p.from)[(long long)row * dim + e % dim];
	}
}

extern "C" __global__ void __launch_bounds__(THREADS) gather(const Layout p) {
	if (p.rows.wide)
		gatherLeaf<double>(p);
	else
		gatherLeaf<float>(p);
}

// A norm is made in double of at most 2¹⁵ squares of float32: each is exact, so the sum
// has a relative error of at most 2⁻³⁷, and so has the root.
static __device__ __forceinline__ double above(double sum) { return sqrt(sum) * (1 + 0x1p-36); }

// For the norms a thread has half a row of what is in shared memory; for the box it has an
// axis, and one in PARTS of the rows.
extern "C" __global__ void __launch_bounds__(THREADS) box(const Layout p) {
	enum { PARTS = THREADS / AXES };
	__shared__ float tile[LEAF][STEP + 1];
	__shared__ float least[PARTS][AXES], most[PARTS][AXES];
	__shared__ double norm[THREADS], beyond[THREADS];
	const Rows &r = p.rows;
	const long long leaf = blockIdx.x, dim = r.dim;
	const float *y = r.y + leaf * LEAF * dim;
	const int lane = threadIdx.x % LEAF, half = threadIdx.x / LEAF * (STEP / 2), rows = r.fill[leaf];
	double all = 0, tail = 0;
	for (long long from = 0; from < dim; from += STEP) {
		const int n = dim - from < STEP ? (int)(dim - from) : (int)STEP;
		__syncthreads(); // the last step has been read
#pragma unroll 8
		for (int e = threadIdx.x; e < LEAF * STEP; e += THREADS)
			tile[e / STEP][e % STEP] = e % STEP < n ? y[e / STEP * dim + from + e % STEP] : 0;
		__syncthreads();
		double sum = 0;
#pragma unroll
		for (int k = 0; k < STEP / 2; k++) {
			const double v = tile[lane][half + k];
			sum = __fma_rn(v, v, sum);
		}
		all += sum;
		if (from + half >= AXES)
			tail += sum; // halves are all within the first axes, or beyond
		const int axis = threadIdx.x % AXES;
		if (from == 0 && axis < n) {
			float lo = INF, hi = -INF;
			for (int i = threadIdx.x / AXES; i < rows; i += PARTS) {
				lo = fminf(lo, tile[i][axis]);
				hi = fmaxf(hi, tile[i][axis]);
			}
			least[threadIdx.x / AXES][axis] = lo;
			most[threadIdx.x / AXES][axis] = hi;
		}
	}
	norm[threadIdx.x] = all; // 0 without a row, as y is
	beyond[threadIdx.x] = tail;
	__syncthreads();
	if (threadIdx.x < r.axes) {
		float lo = least[0][threadIdx.x], hi = most[0][threadIdx.x];
		for (int part = 1; part < PARTS; part++) {
			lo = fminf(lo, least[part][threadIdx.x]);
			hi = fmaxf(hi, most[part][threadIdx.x]);
		}
		((float *)r.lo)[threadIdx.x * r.leaves + leaf] = lo;
		((float *)r.hi)[threadIdx.x * r.leaves + leaf] = hi;
	}
	if (threadIdx.x >= 32 && threadIdx.x < 64) { // a warp that has no box to write
		const int i = threadIdx.x - 32;
		all = fmax(norm[i] + norm[i + LEAF], norm[i + 32] + norm[i + 32 + LEAF]);
		tail = fmax(beyond[i] + beyond[i + LEAF], beyond[i + 32] + beyond[i + 32 + LEAF]);
		for (int by = 16; by > 0; by /= 2) {
			all = fmax(all, __shfl_xor_sync(~0u, all, by));
			tail = fmax(tail, __shfl_xor_sync(~0u, tail, by));
		}
		if (i == 0) {
			((float *)r.rest)[leaf] = __double2float_ru(above(tail));
			atomicMax(p.reach, (unsigned long long)__double_as_longlong(above(all)));
		}
	}
}
static_assert(STEP / 2 == AXES, "a half is within the first axes, or beyond");

// A warp takes an axis of lo, or of hi, or rest.
extern "C" __global__ void __launch_bounds__(THREADS) supers(const Layout p) {
	const Rows &r = p.rows;
	const long long super = blockIdx.x;
	const int lane = threadIdx.x % 32;
	for (int what = threadIdx.x / 32; what < 2 * r.axes + 1; what += THREADS / 32) {
		const bool low = what < r.axes;
		const int k = low ? what : what - (int)r.axes;
		const float *from = low ? r.lo + k * r.leaves : k < r.axes ? r.hi + k * r.leaves : r.rest;
		float *to = (float *)(low ? r.superLo + k * r.supers : k < r.axes ? r.superHi + k * r.supers : r.superRest);
		float v = low ? INF : -INF;
		for (long long l = super * SUPER + lane; l < r.leaves && l < (super + 1) * SUPER; l += 32)
			v = low ? fminf(v, from[l]) : fmaxf(v, from[l]);
		for (int by = 16; by > 0; by /= 2) {
			const float other = __shfl_xor_sync(~0u, v, by);
			v = low ? fminf(v, other) : fmaxf(v, other);
		}
		if (lane == 0)
			to[super] = v;
	}
}
