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

// A thread has a row for the norms, and an axis and a quarter of the rows for the box.
extern "C" __global__ void __launch_bounds__(LEAF) box(const Layout p) {
	__shared__ float tile[LEAF][STEP + 1];
	__shared__ float least[4][AXES], most[4][AXES];
	__shared__ double norm[LEAF], beyond[LEAF];
	const Rows &r = p.rows;
	const long long leaf = blockIdx.x, dim = r.dim;
	const float *y = r.y + leaf * LEAF * dim;
	const int lane = threadIdx.x, rows = r.fill[leaf];
	double all = 0, tail = 0;
	for (long long from = 0; from < dim; from += STEP) {
		const int n = dim - from < STEP ? (int)(dim - from) : (int)STEP;
		__syncthreads(); // the last step has been read
		for (int e = threadIdx.x; e < LEAF * STEP; e += LEAF)
			if (e % STEP < n)
				tile[e / STEP][e % STEP] = y[e / STEP * dim + from + e % STEP];
		__syncthreads();
		for (int k = 0; k < n; k++) {
			const double v = tile[lane][k];
			all = __fma_rn(v, v, all);
			if (from + k >= AXES)
				tail = __fma_rn(v, v, tail);
		}
		if (from == 0 && lane % AXES < n) {
			float lo = INF, hi = -INF;
			for (int i = lane / AXES; i < rows; i += LEAF / AXES) {
				lo = fminf(lo, tile[i][lane % AXES]);
				hi = fmaxf(hi, tile[i][lane % AXES]);
			}
			least[lane / AXES][lane % AXES] = lo;
			most[lane / AXES][lane % AXES] = hi;
		}
	}
	norm[lane] = all; // 0 without a row, as y is
	beyond[lane] = tail;
	__syncthreads();
	if (lane < r.axes) {
		((float *)r.lo)[lane * r.leaves + leaf] = fminf(fminf(least[0][lane], least[1][lane]), fminf(least[2][lane], least[3][lane]));
		((float *)r.hi)[lane * r.leaves + leaf] = fmaxf(fmaxf(most[0][lane], most[1][lane]), fmaxf(most[2][lane], most[3][lane]));
	}
	if (lane == 0) {
		for (int i = 1; i < LEAF; i++) {
			all = fmax(all, norm[i]);
			tail = fmax(tail, beyond[i]);
		}
		((float *)r.rest)[leaf] = __double2float_ru(above(tail));
		atomicMax(p.reach, (unsigned long long)__double_as_longlong(above(all)));
	}
}

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
