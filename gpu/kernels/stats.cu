// Where rows are and how they spread: the box about all, and mean and covariance of
// some. Sums are made in a fixed order, so that runs give the same axes.
//
//	span        lo, hi of each coordinate
//	means       the sum of CHUNK rows, coordinate by coordinate, a block each
//	mean        the mean of all: what means has found, over n
//	products    sums of products about the mean, of PART rows and a pair of tiles each
//	covariance  their sums, over n
#include "exact.cuh"

enum {
	THREADS = 256,
	CHUNK = 256, // rows of a block of means
	PART = 512,  // rows of a block of products
	TILE = 32,   // coordinates of a tile
	STEP = 16,   // rows in shared memory at a time
};

struct Stats {
	const void *x; // n × dim
	unsigned long long *lo, *hi; // dim, as sortable
	double *partial; // chunks × dim, or parts × pairs of tiles × TILE × TILE
	double *mean;    // dim
	double *cov;     // dim × dim
	long long n;
	long long dim;
	long long wide; // 1: x is double, as that of means and products is
};

// sortable makes an integer of a double that compares like it.
static __device__ __forceinline__ unsigned long long sortable(double x) {
	const unsigned long long bits = (unsigned long long)__double_as_longlong(x);
	return bits >> 63 ? ~bits : bits | 1ull << 63;
}

// A thread stays with one coordinate: the block's threads take several rows of few
// coordinates at a time, or a row of many piece by piece.
template <typename X> static __device__ void spanOf(const Stats &p) {
	const X *x = (const X *)p.x;
	const int together = p.dim < THREADS ? THREADS / (int)p.dim : 1; // rows
	const int mine = threadIdx.x / (p.dim < THREADS ? (int)p.dim : THREADS);
	if (mine >= together)
		return;
	for (long long k = threadIdx.x % (p.dim < THREADS ? (int)p.dim : THREADS); k < p.dim; k += THREADS) {
		bool any = false;
		X lo = 0, hi = 0;
		for (long long i = (long long)blockIdx.x * together + mine; i < p.n; i += (long long)gridDim.x * together) {
			const X v = x[i * p.dim + k];
			lo = any && lo < v ? lo : v;
			hi = any && hi > v ? hi : v;
			any = true;
		}
		if (any) {
			atomicMin(p.lo + k, sortable(lo));
			atomicMax(p.hi + k, sortable(hi));
		}
	}
}

extern "C" __global__ void __launch_bounds__(THREADS) span(const Stats p) {
	if (p.wide)
		spanOf<double>(p);
	else
		spanOf<float>(p);
}

extern "C" __global__ void __launch_bounds__(THREADS) means(const Stats p) {
	const long long from = (long long)blockIdx.x * CHUNK, to = from + CHUNK < p.n ? from + CHUNK : p.n;
	for (long long k = threadIdx.x; k < p.dim; k += THREADS) {
		double sum = 0;
		for (long long i = from; i < to; i++)
			sum += ((const double *)p.x)[i * p.dim + k];
		p.partial[blockIdx.x * p.dim + k] = sum;
	}
}

// One thread a coordinate.
extern "C" __global__ void __launch_bounds__(THREADS) mean(const Stats p) {
	const long long k = (long long)blockIdx.x * THREADS + threadIdx.x, chunks = (p.n + CHUNK - 1) / CHUNK;
	if (k >= p.dim)
		return;
	double sum = 0;
	for (long long c = 0; c < chunks; c++)
		sum += p.partial[c * p.dim + k];
	p.mean[k] = sum / (double)p.n;
}

// tilesOf finds the pair a ≤ b of tiles with this number.
static __device__ void tilesOf(int pair, int tiles, int &a, int &b) {
	for (a = 0; pair >= tiles - a; a++)
		pair -= tiles - a;
	b = a + pair;
}

// Block: a part of the rows, and a pair of tiles; each thread has 2 × 2 products.
extern "C" __global__ void __launch_bounds__(THREADS) products(const Stats p) {
	__shared__ double left[STEP][TILE], right[STEP][TILE];
	const int tiles = ((int)p.dim + TILE - 1) / TILE, pairs = tiles * (tiles + 1) / 2;
	const long long from = (long long)(blockIdx.x / pairs) * PART, to = from + PART < p.n ? from + PART : p.n;
	int a, b;
	tilesOf((int)blockIdx.x % pairs, tiles, a, b);
	const int row = threadIdx.x / 16 * 2, col = threadIdx.x % 16 * 2;
	double sum[2][2] = {};
	for (long long i = from; i < to; i += STEP) {
		__syncthreads(); // the last step has been read
		for (int e = threadIdx.x; e < STEP * TILE; e += THREADS) {
			const long long r = i + e / TILE;
			const int k = e % TILE, ka = a * TILE + k, kb = b * TILE + k;
			left[e / TILE][k] = r < to && ka < p.dim ? ((const double *)p.x)[r * p.dim + ka] - p.mean[ka] : 0;
			right[e / TILE][k] = r < to && kb < p.dim ? ((const double *)p.x)[r * p.dim + kb] - p.mean[kb] : 0;
		}
		__syncthreads();
#pragma unroll
		for (int s = 0; s < STEP; s++)
#pragma unroll
			for (int c = 0; c < 4; c++)
				sum[c / 2][c % 2] = __fma_rn(left[s][row + c / 2], right[s][col + c % 2], sum[c / 2][c % 2]);
	}
	for (int c = 0; c < 4; c++)
		p.partial[(long long)blockIdx.x * TILE * TILE + (row + c / 2) * TILE + col + c % 2] = sum[c / 2][c % 2];
}

// A block a pair of tiles.
extern "C" __global__ void __launch_bounds__(THREADS) covariance(const Stats p) {
	const int tiles = ((int)p.dim + TILE - 1) / TILE, pairs = tiles * (tiles + 1) / 2;
	const long long parts = (p.n + PART - 1) / PART;
	int a, b;
	tilesOf((int)blockIdx.x, tiles, a, b);
	for (int e = threadIdx.x; e < TILE * TILE; e += THREADS) {
		double sum = 0;
		for (long long part = 0; part < parts; part++)
			sum += p.partial[(part * pairs + blockIdx.x) * TILE * TILE + e];
		const int i = a * TILE + e / TILE, j = b * TILE + e % TILE;
		if (i < p.dim && j < p.dim)
			p.cov[i * p.dim + j] = p.cov[j * p.dim + i] = sum / (double)p.n;
	}
}
