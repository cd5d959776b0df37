// Operands of tensor cores: pack makes all but the limits, limits these for an ε. A
// block has a leaf.
#include "tensor.cuh"

enum { THREADS = 128 };

static __device__ __forceinline__ half head(float y) { return toHalf((double)y); }

static __device__ __forceinline__ half tail(float y) { return toHalf((double)y - fromHalf(head(y))); }

// measure finds what a row loses in float16, and its norms.
static __device__ void measure(const Operands &p, const float *y, long long at, bool is) {
	double s = 0, lost = 0, norm = 0, tails = 0;
	for (int k = 0; k < p.rows.dim; k++) {
		const double h = fromHalf(head(y[k])), l = k < p.tails ? fromHalf(tail(y[k])) : 0;
		const double z = h + l, rest = (double)y[k] - z; // both exact: two numbers of 11 bits, near each other
		s += z * z;
		lost += rest * rest;
		norm += (double)y[k] * y[k];
		tails += l * l;
	}
	p.s[at] = is ? s : VOID;
	p.d[at] = is ? (float)((sqrt(lost) + p.kappa * sqrt(norm) + p.floor) * (1 + 0x1p-20) + 0x1p-120) : 0;
	p.norm[at] = is ? (float)(norm * (1 + 0x1p-8)) : 0;
	p.tail[at] = is ? (float)(tails * (1 + 0x1p-20)) : 0;
}

// column of an operand, but the last 4.
static __device__ half column(const Operands &p, const float *y, int k, bool a) {
	const int cross = k - (int)p.rows.dim;
	half x = 0;
	if (cross < 0)
		x = head(y[k]);
	else if (cross < 2 * p.tails)
		x = (cross % 2 == 0) == a ? head(y[cross / 2]) : tail(y[cross / 2]);
	return a ? toHalf(-2 * fromHalf(x)) : x;
}

extern "C" __global__ void __launch_bounds__(THREADS) pack(const Operands p) {
	extern __shared__ float tile[];
	const int dim = (int)p.rows.dim, pitch = dim | 1, columns = 16 * (int)p.steps;
	const long long leaf = blockIdx.x, first = leaf * LEAF;
	const int fill = p.rows.fill[leaf];
	for (int e = threadIdx.x; e < LEAF * dim; e += THREADS)
		tile[e / dim * pitch + e % dim] = p.rows.y[first * dim + e];
	__syncthreads();
	if (threadIdx.x < LEAF)
		measure(p, tile + threadIdx.x * pitch, first + threadIdx.x, (int)threadIdx.x < fill);
	half *b = (half *)((char *)p.b + leaf * bLeaf(p.steps) + BHEAD);
	for (int e = threadIdx.x; e < LEAF * columns; e += THREADS) {
		const int lane = e / columns, k = e % columns;
		const float *y = tile + lane * pitch;
		const half one = toHalf(1);
		if (p.a)
			p.a[first * columns + e] = k < columns - 4 ? column(p, y, k, true) : one;
		if (p.b)
			b[inB(k, lane)] = k < columns - 4 ? column(p, y, k, false) : one;
	}
}

static __device__ void split(double v, half &head, half &tail) {
	head = toHalf(v);
	tail = toHalf(v - fromHalf(head));
}

extern "C" __global__ void __launch_bounds__(LEAF) limits(const Operands p) {
	const long long leaf = blockIdx.x, at = leaf * LEAF + threadIdx.x;
	const int columns = 16 * (int)p.steps;
	const bool is = (int)threadIdx.x < p.rows.fill[leaf];
	const double d = p.d[at], e2 = p.high * p.high;
	const double m = 1.02 * p.norm[at] + 1.1 * e2 + 5 * d * d;
	const double err = (44.0 * (double)p.steps * 0x1p-24 + 0x1p-21) * m + p.tail[at] + 0x1p-23;
	const double t = is ? 2 * p.high * d + 2 * d * d + err : 0;
	half first, second;
	if (p.a) {
		half *a = p.a + at * columns;
		split(p.s[at] - t - e2, first, second);
		a[columns - 4] = first;
		a[columns - 3] = second;
	}
	char *leafB = (char *)p.b + leaf * bLeaf(p.steps);
	if (p.b) {
		half *b = (half *)(leafB + BHEAD);
		split(p.s[at] - t, first, second);
		b[inB(columns - 2, threadIdx.x)] = first;
		b[inB(columns - 1, threadIdx.x)] = second;
	}

	float w = is ? (float)((2 * p.high * d + err + t + 0.5 * (e2 - p.low * p.low)) * 1.0001) : 0;
	for (int by = 16; by > 0; by /= 2)
		w = fmaxf(w, __shfl_xor_sync(~0u, w, by));
	__shared__ float most[2];
	if (threadIdx.x % 32 == 0)
		most[threadIdx.x / 32] = w;
	__syncthreads();
	if (threadIdx.x == 0) {
		p.width[leaf] = fmaxf(most[0], most[1]);
		if (p.b)
			*(float *)leafB = p.width[leaf];
	}
}
