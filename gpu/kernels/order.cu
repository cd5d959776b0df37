// The order of rows by the buckets of a kd-tree, whose top comes from the host (kdtop.go):
// its ends are the buckets, which split.cu splits on.
//
//	classify  the bucket of each row
//	tally     how many rows of a piece of the input have each digit of their bucket
//	sum, base where rows with a digit begin, piece by piece
//	place     moves rows to where they belong by a digit; rows that are equal in it keep
//	          their order
//	starts    where buckets begin
//
// What is equal keeps the order of the input everywhere, so that runs agree.
#include "order.cuh"

enum {
	THREADS = 256,
	DIGITS = 4096, // of a bucket's number, a pass each
	AHEAD = 8,     // steps whose loads are under way
};

extern "C" __global__ void __launch_bounds__(THREADS) classify(const Order p) {
	const long long i = (long long)blockIdx.x * THREADS + threadIdx.x;
	if (i >= p.n)
		return;
	const float *key = p.key + i * p.stride;
	Node node = p.nodes[0];
	while (node.axis >= 0)
		node = p.nodes[key[node.axis] < node.at ? node.left : node.right];
	p.bucketOut[i] = node.left;
}

static __device__ __forceinline__ unsigned digit(const Order &p, int bucket) { return (unsigned)bucket >> p.shift & (DIGITS - 1); }

// A warp goes through its piece step by step, and counts in shared memory how many
// rows there have been with each digit: so ranks are those in the order. take is called
// by each lane with a row: its place, its bucket and its rank.
template <typename F> static __device__ __forceinline__ void walk(const Order &p, unsigned *count, F take) {
	const int lane = threadIdx.x;
	const long long from = blockIdx.x * p.piece, to = from + p.piece < p.n ? from + p.piece : p.n;
	for (long long at = from; at < to; at += 32 * AHEAD) {
		int bucket[AHEAD];
#pragma unroll
		for (int a = 0; a < AHEAD; a++) {
			const long long i = at + a * 32 + lane;
			bucket[a] = i < to ? p.bucketIn[i] : -1;
		}
#pragma unroll
		for (int a = 0; a < AHEAD; a++) {
			const bool in = bucket[a] >= 0;
			const unsigned d = in ? digit(p, bucket[a]) : DIGITS;
			const unsigned peers = __match_any_sync(~0u, d);
			const unsigned rank = __popc(peers & ((1u << lane) - 1)), before = in ? count[d] : 0;
			__syncwarp(); // all have read
			if (in && rank == 0)
				count[d] = before + __popc(peers);
			if (in)
				take(at + a * 32 + lane, bucket[a], before + rank);
			__syncwarp(); // what is counted is there for the next step
		}
	}
}

extern "C" __global__ void __launch_bounds__(32) tally(const Order p) {
	__shared__ unsigned count[DIGITS];
	for (int d = threadIdx.x; d < DIGITS; d += 32)
		count[d] = 0;
	__syncwarp();
	walk(p, count, [](long long, int, unsigned) {});
	for (int d = threadIdx.x; d < DIGITS; d += 32)
		p.count[(long long)blockIdx.x * DIGITS + d] = count[d];
}

// A thread a digit: counts become sums of the pieces before, the total goes behind them.
extern "C" __global__ void __launch_bounds__(32) sum(const Order p) {
	const int d = blockIdx.x * 32 + threadIdx.x;
	unsigned before = 0;
	for (long long c = 0; c < p.pieces; c += AHEAD) {
		unsigned count[AHEAD];
#pragma unroll
		for (int a = 0; a < AHEAD; a++)
			count[a] = c + a < p.pieces ? p.count[(c + a) * DIGITS + d] : 0;
#pragma unroll
		for (int a = 0; a < AHEAD; a++)
			if (c + a < p.pieces) {
				p.count[(c + a) * DIGITS + d] = before;
				before += count[a];
			}
	}
	p.count[p.pieces * DIGITS + d] = before;
}

// One block: totals become sums of the digits before.
extern "C" __global__ void __launch_bounds__(SORT) base(const Order p) {
	__shared__ unsigned sums[SORT];
	unsigned *total = p.count + p.pieces * DIGITS;
	const int each = DIGITS / SORT, from = threadIdx.x * each;
	unsigned all = 0;
	for (int d = from; d < from + each; d++)
		all += total[d];
	sums[threadIdx.x] = all;
	__syncthreads();
	for (int by = 1; by < SORT; by *= 2) {
		const unsigned before = threadIdx.x >= by ? sums[threadIdx.x - by] : 0;
		__syncthreads();
		sums[threadIdx.x] += before;
		__syncthreads();
	}
	unsigned before = sums[threadIdx.x] - all;
	for (int d = from; d < from + each; d++) {
		const unsigned count = total[d];
		total[d] = before;
		before += count;
	}
}

extern "C" __global__ void __launch_bounds__(32) place(const Order p) {
	__shared__ unsigned next[DIGITS];
	for (int d = threadIdx.x; d < DIGITS; d += 32)
		next[d] = p.count[(long long)blockIdx.x * DIGITS + d] + p.count[p.pieces * DIGITS + d];
	__syncwarp();
	walk(p, next, [&](long long at, int bucket, unsigned to) {
		p.bucketOut[to] = bucket;
		p.orderOut[to] = p.orderIn ? p.orderIn[at] : (int)at;
	});
}

// A thread a place, and one for the end.
extern "C" __global__ void __launch_bounds__(THREADS) starts(const Order p) {
	const long long i = (long long)blockIdx.x * THREADS + threadIdx.x;
	if (i > p.n)
		return;
	const int before = i == 0 ? -1 : p.bucketIn[i - 1], here = i == p.n ? (int)p.countOf : p.bucketIn[i];
	for (int b = before + 1; b <= here; b++)
		p.start[b] = (int)i;
}
