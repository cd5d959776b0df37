// Operands of small integers (integer.cuh). A block has a leaf.
#include "exact.cuh"
#include "integer.cuh"

enum { THREADS = 128, PITCH = MOST / 4 + 1 }; // in words

// squares adds the squares of the 4 columns of a word to a sum.
static __device__ __forceinline__ int squares(int word, int sum) {
	asm("dp4a.s32.s32 %0, %1, %1, %0;" : "+r"(sum) : "r"(word));
	return sum;
}

extern "C" __global__ void __launch_bounds__(THREADS) pack_integers(const Integers p) {
	__shared__ int tile[LEAF][PITCH]; // 4 columns a word
	const int dim = (int)p.rows.dim, words = 8 * (int)p.steps;
	const long long leaf = blockIdx.x, first = leaf * LEAF;
	const int fill = p.rows.fill[leaf];
	for (int e = threadIdx.x; e < LEAF * words; e += THREADS)
		tile[e / words][e % words] = 0;
	__syncthreads();
	bool fits = true;
	for (int e = threadIdx.x; e < fill * dim; e += THREADS) {
		const int lane = e / dim, k = e % dim;
		const double x = coordinate(p.rows, first + lane, k), y = x - p.middle[k];
		// The difference of an integer up to 2⁵³ is exact, that of a greater one far out. That
		// of another number may be rounded to an integer.
		const bool is = x == rint(x) && y >= -128 && y <= 127;
		fits = fits && is;
		((signed char *)tile[lane])[k] = is ? (signed char)y : 0;
	}
	if (__any_sync(~0u, !fits) && threadIdx.x % 32 == 0)
		*p.unfit = 1; // as many do
	__syncthreads();
	if (threadIdx.x < LEAF) {
		const int lane = threadIdx.x;
		int square = 0;
		for (int e = 0; e < words; e++)
			square = squares(tile[lane][e], square);
		if (lane >= fill)
			square = VOID;
		p.square[first + lane] = square;
		const unsigned odd = __ballot_sync(~0u, square & 1);
		if (lane % 32 == 0)
			((unsigned *)p.odd)[2 * leaf + lane / 32] = odd; // the lower half first
		if (p.b)
			((int *)(p.b + leaf * (HEADBYTES + p.steps * 2048)))[lane] = -(square >> 1);
	}
	int *a = (int *)p.a + first * words, *b = (int *)(p.b + leaf * (HEADBYTES + p.steps * 2048) + HEADBYTES);
	for (int e = threadIdx.x; e < LEAF * words; e += THREADS) {
		const int lane = e / words, word = e % words, v = tile[lane][word];
		if (p.a)
			a[e] = v;
		if (p.b)
			b[inBytes(4 * word, lane) / 4] = v;
	}
}
