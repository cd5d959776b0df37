// Turned rows, y = fl32(σ·P(x − c)): see the comment of type turn in package cuda for
// how exact they are.
//
//	lead4, lead8  the first 4 or 8 axes of rows, in the order of the rows
//	turn          all axes, a leaf a block of 16 threads for each 4 axes of a turn
//	permute       the same where P is a permutation
#include "exact.cuh"

enum {
	ROWS = 128, // rows of a block of lead, a thread each
	STEP = 16,  // coordinates in shared memory at a time
	PERMUTE = 128,
};

struct Turn {
	const void *x;        // n × dim, or positions × dim
	const int *fill;      // leaves; of turn and permute
	const double *axes;   // Pᵀ: coordinate j weighs axes[j·dim + k] in axis k; null: a permutation
	const int *coords;    // permutation: the coordinate of axis k
	const double *center; // c
	float *y;             // n × 4 or 8, or positions × dim
	double sigma;
	long long n;
	long long dim;
	long long wide; // 1: x is double
};

// WILD stands for what no turned row can be; who reads it knows that y says nothing.
#define WILD 1e30

static __device__ __forceinline__ float tame(double y) {
	return y >= -WILD && y <= WILD ? __double2float_rn(y) : (float)WILD;
}

template <typename X> static __device__ __forceinline__ double shifted(const Turn &p, X x, long long coord) {
	return __dmul_rn(p.sigma, __dsub_rn((double)x, p.center[coord]));
}

template <typename X, int AXES_OF> static __device__ void lead(const Turn &p) {
	__shared__ X tile[ROWS][STEP + 1];
	__shared__ double weight[STEP][AXES_OF];
	const X *x = (const X *)p.x;
	const long long first = (long long)blockIdx.x * ROWS, row = first + threadIdx.x;
	double sum[AXES_OF] = {};
	if (p.axes == nullptr) {
		for (int k = 0; k < AXES_OF; k++)
			if (k < p.dim && row < p.n)
				sum[k] = shifted(p, x[row * p.dim + p.coords[k]], p.coords[k]);
	} else {
		for (long long from = 0; from < p.dim; from += STEP) {
			const int n = p.dim - from < STEP ? (int)(p.dim - from) : (int)STEP;
			__syncthreads(); // the last step has been read
			for (int e = threadIdx.x; e < ROWS * STEP; e += ROWS)
				if (e % STEP < n && first + e / STEP < p.n)
					tile[e / STEP][e % STEP] = x[(first + e / STEP) * p.dim + from + e % STEP];
			for (int e = threadIdx.x; e < STEP * AXES_OF; e += ROWS)
				weight[e / AXES_OF][e % AXES_OF] =
					e / AXES_OF < n && e % AXES_OF < p.dim ? p.axes[(from + e / AXES_OF) * p.dim + e % AXES_OF] : 0;
			__syncthreads();
			if (row < p.n)
				for (int j = 0; j < n; j++) {
					const double v = shifted(p, tile[threadIdx.x][j], from + j);
#pragma unroll
					for (int k = 0; k < AXES_OF; k++)
						sum[k] = __fma_rn(v, weight[j][k], sum[k]);
				}
		}
	}
	if (row < p.n)
#pragma unroll
		for (int k = 0; k < AXES_OF; k += 4)
			*(float4 *)(p.y + row * AXES_OF + k) = make_float4(tame(sum[k]), tame(sum[k + 1]), tame(sum[k + 2]), tame(sum[k + 3]));
}

extern "C" __global__ void __launch_bounds__(ROWS) lead4(const Turn p) {
	if (p.wide)
		lead<double, 4>(p);
	else
		lead<float, 4>(p);
}

extern "C" __global__ void __launch_bounds__(ROWS) lead8(const Turn p) {
	if (p.wide)
		lead<double, 8>(p);
	else
		lead<float, 8>(p);
}

// What a block of turn shares: STEP coordinates of the rows and of the axes, then the
// results on their way out. Paddings keep 16-byte alignment.
union Shared {
	struct {
		double x[STEP][LEAF + 2];
		double axis[STEP][LEAF + 2];
	} in;
	float out[LEAF][LEAF + 1];
};

// A thread has 4 rows, 2 and 2 in either half of the leaf, and 4 axes; the block
// takes as many axes at a time as its threads have.
template <typename X> static __device__ void turnLeaf(const Turn &p, Shared &s) {
	const X *x = (const X *)p.x + (long long)blockIdx.x * LEAF * p.dim;
	float *y = p.y + (long long)blockIdx.x * LEAF * p.dim;
	const int rows = p.fill[blockIdx.x], wide = (int)blockDim.x / 4;
	const int r = threadIdx.x % 16 * 2, c = threadIdx.x / 16 * 4;
	for (long long axis = 0; axis < p.dim; axis += wide) {
		double sum[4][4] = {};
		for (long long from = 0; from < p.dim; from += STEP) {
			const int n = p.dim - from < STEP ? (int)(p.dim - from) : (int)STEP;
			__syncthreads(); // what is there has been read
			for (int e = threadIdx.x; e < STEP * LEAF; e += blockDim.x) {
				const int i = e / STEP, j = e % STEP;
				s.in.x[j][i] = j < n && i < rows ? shifted(p, x[i * p.dim + from + j], from + j) : 0;
			}
			for (int e = threadIdx.x; e < STEP * wide; e += blockDim.x) {
				const int j = e / wide, k = e % wide;
				s.in.axis[j][k] = j < n && axis + k < p.dim ? p.axes[(from + j) * p.dim + axis + k] : 0;
			}
			__syncthreads();
#pragma unroll 4
			for (int j = 0; j < (n + 3) / 4 * 4; j++) { // zeros beyond n
				const double2 x0 = *(const double2 *)&s.in.x[j][r], x1 = *(const double2 *)&s.in.x[j][r + 32];
				const double2 a0 = *(const double2 *)&s.in.axis[j][c], a1 = *(const double2 *)&s.in.axis[j][c + 2];
				const double xs[4] = {x0.x, x0.y, x1.x, x1.y}, as[4] = {a0.x, a0.y, a1.x, a1.y};
#pragma unroll
				for (int e = 0; e < 16; e++)
					sum[e / 4][e % 4] = __fma_rn(xs[e / 4], as[e % 4], sum[e / 4][e % 4]);
			}
		}
		__syncthreads(); // the last step has been read
#pragma unroll
		for (int e = 0; e < 16; e++)
			s.out[r + (e / 4) / 2 * 32 + (e / 4) % 2][c + e % 4] = tame(sum[e / 4][e % 4]);
		__syncthreads();
		const int columns = p.dim - axis < wide ? (int)(p.dim - axis) : wide;
		for (int e = threadIdx.x; e < LEAF * columns; e += blockDim.x)
			y[e / columns * p.dim + axis + e % columns] = e / columns < rows ? s.out[e / columns][e % columns] : 0;
	}
}

extern "C" __global__ void __launch_bounds__(256) turn(const Turn p) {
	__shared__ __align__(16) unsigned char shared[sizeof(Shared)];
	if (p.wide)
		turnLeaf<double>(p, *(Shared *)shared);
	else
		turnLeaf<float>(p, *(Shared *)shared);
}

template <typename X> static __device__ void permuteLeaf(const Turn &p) {
	const X *x = (const X *)p.x + (long long)blockIdx.x * LEAF * p.dim;
	float *y = p.y + (long long)blockIdx.x * LEAF * p.dim;
	const int rows = p.fill[blockIdx.x];
	for (long long e = threadIdx.x; e < LEAF * p.dim; e += PERMUTE) {
		const long long i = e / p.dim, at = p.coords[e % p.dim];
		y[e] = i < rows ? tame(shifted(p, x[i * p.dim + at], at)) : 0;
	}
}

extern "C" __global__ void __launch_bounds__(PERMUTE) permute(const Turn p) {
	if (p.wide)
		permuteLeaf<double>(p);
	else
		permuteLeaf<float>(p);
}
