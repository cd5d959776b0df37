// The leaves of a bucket, those of a balanced kd-tree along the first axes of the turned
// rows, in shared memory. What is equal keeps its order, so that runs agree.
//
//	split  a bucket, or a part of one
#include "order.cuh"

enum {
	WARPS = SORT / 32,
	BUCKET = 3072, // rows of a part, at most
	NODES = 64,    // of a level: a power of two
	MOST = 8,      // axes, at most
};

static __device__ __forceinline__ unsigned sortable(float x) {
	const unsigned bits = __float_as_uint(x);
	return bits >> 31 ? ~bits : bits | 1u << 31;
}

static __device__ __forceinline__ float unsortable(unsigned bits) {
	return __uint_as_float(bits >> 31 ? bits & ~(1u << 31) : ~bits);
}

// Level is a level of the tree in a bucket: nodes one after the other, each with the
// leaves that it is to have. A node with one leaf stays as it is, and is its own left
// child.
struct Level {
	int first[NODES], rows[NODES], leaves[NODES];
};

struct Splitter {
	unsigned key[BUCKET];
	int at[2][BUCKET]; // rows, before and after a step
	unsigned char node[BUCKET];
	Level level;
	unsigned low[NODES][MOST], high[NODES][MOST];
	int axis[NODES], want[NODES];  // rows that go left
	unsigned pivot[NODES];         // the key of the first that does not
	int below[2][NODES];           // rows with less; by turns, as it is counted
	int lessBefore[NODES], equalBefore[NODES]; // rows before the node
	int less[WARPS], equal[WARPS]; // of a warp's stretch
};

// Tree splits a bucket; nodes of a level are shared out among the warps.
struct Tree {
	const Order &p;
	Splitter &s;
	int nodes, now; // of the level; which of at is before

	// each calls take for a stretch of a node that is to be split, by a whole warp:
	// lanes take every step-th place from first + from on.
	template <typename F> __device__ __forceinline__ void each(F take) {
		const int parts = nodes < WARPS ? WARPS / nodes : 1;
		for (int u = threadIdx.x / 32; u < nodes * parts; u += WARPS) {
			const int j = u / parts;
			if (s.level.leaves[j] > 1)
				take(j, s.level.first[j] + u % parts * 32 + threadIdx.x % 32, s.level.first[j] + s.level.rows[j], parts * 32);
		}
	}

	// spread finds the axis along which the rows of a node reach farthest.
	__device__ void spread() {
		for (int e = threadIdx.x; e < nodes * MOST; e += SORT) {
			s.low[e / MOST][e % MOST] = ~0u;
			s.high[e / MOST][e % MOST] = 0;
		}
		__syncthreads();
		each([&](int j, int from, int to, int step) {
			unsigned low[MOST], high[MOST];
#pragma unroll
			for (int k = 0; k < MOST; k++) {
				low[k] = ~0u;
				high[k] = 0;
			}
			for (int i = from; i < to; i += step) {
				const float *key = p.key + (long long)s.at[now][i] * p.stride;
#pragma unroll
				for (int k = 0; k < MOST; k++)
					if (k < p.axes) {
						const unsigned v = sortable(key[k]);
						low[k] = min(low[k], v);
						high[k] = max(high[k], v);
					}
			}
			__syncwarp();
#pragma unroll
			for (int k = 0; k < MOST; k++) {
				if (k >= p.axes)
					break;
				for (int by = 16; by > 0; by /= 2) {
					low[k] = min(low[k], __shfl_xor_sync(~0u, low[k], by));
					high[k] = max(high[k], __shfl_xor_sync(~0u, high[k], by));
				}
				if (threadIdx.x % 32 == 0) {
					atomicMin(&s.low[j][k], low[k]);
					atomicMax(&s.high[j][k], high[k]);
				}
			}
		});
		__syncthreads();
		const int j = threadIdx.x;
		if (j < nodes) {
			int widest = 0;
			float most = -1;
			for (int k = 0; k < p.axes; k++) {
				const float width = unsortable(s.high[j][k]) - unsortable(s.low[j][k]);
				if (s.level.leaves[j] > 1 && width > most) {
					most = width;
					widest = k;
				}
			}
			const int leaves = s.level.leaves[j];
			s.axis[j] = widest;
			s.want[j] = leaves > 1 ? s.level.rows[j] * ((leaves + 1) / 2) / leaves : s.level.rows[j];
			s.pivot[j] = 0;
			s.below[0][j] = s.below[1][j] = 0;
		}
		__syncthreads();
		each([&](int j, int from, int to, int step) {
			for (int i = from; i < to; i += step)
				s.key[i] = sortable(p.key[(long long)s.at[now][i] * p.stride + s.axis[j]]);
		});
	}

	// choose finds the pivots, bit by bit: the greatest key that no more than want rows
	// are less than is that of the row with this rank. At the end below[0] counts the
	// rows that are less.
	__device__ void choose() {
		for (int bit = 31; bit >= -1; bit--) {
			const int turn = (bit & 1) ^ 1; // 0 at the last, which counts for the pivot itself
			const unsigned more = bit < 0 ? 0 : 1u << bit;
			each([&](int j, int from, int to, int step) {
				const unsigned limit = s.pivot[j] | more;
				int count = 0;
				for (int i = from; i < to; i += step)
					count += s.key[i] < limit;
				__syncwarp();
				for (int by = 16; by > 0; by /= 2)
					count += __shfl_xor_sync(~0u, count, by);
				if (threadIdx.x % 32 == 0 && count > 0)
					atomicAdd(&s.below[turn][j], count);
			});
			__syncthreads();
			const int j = threadIdx.x;
			if (j < nodes && bit >= 0) {
				if (s.below[turn][j] <= s.want[j])
					s.pivot[j] |= more;
				s.below[turn ^ 1][j] = 0;
			}
			__syncthreads();
		}
	}

	// part moves rows to the side where they belong. Of those with the pivot's key the
	// first go left, as many as are wanted.
	__device__ void part(int rows) {
		const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
		const int stretch = (rows + SORT - 1) / SORT * 32, from = warp * stretch;
		const unsigned before = (1u << lane) - 1;
		int less = 0, equal = 0;
		auto side = [&](int i, bool &isLess, bool &isEqual) {
			const int j = i < rows ? s.node[i] : 0;
			const bool in = i < rows && s.level.leaves[j] > 1;
			isLess = in && s.key[i] < s.pivot[j];
			isEqual = in && s.key[i] == s.pivot[j];
			return j;
		};
		for (int i = from; i < from + stretch; i += 32) {
			bool isLess, isEqual;
			side(i + lane, isLess, isEqual);
			less += __popc(__ballot_sync(~0u, isLess));
			equal += __popc(__ballot_sync(~0u, isEqual));
		}
		if (lane == 0) {
			s.less[warp] = less;
			s.equal[warp] = equal;
		}
		__syncthreads();
		int firstLess = 0, firstEqual = 0;
		for (int w = 0; w < warp; w++) {
			firstLess += s.less[w];
			firstEqual += s.equal[w];
		}
		for (int pass = 0; pass < 2; pass++) {
			less = firstLess;
			equal = firstEqual;
			for (int i = from; i < from + stretch; i += 32) {
				bool isLess, isEqual;
				const int at = i + lane, j = side(at, isLess, isEqual);
				const unsigned lessMask = __ballot_sync(~0u, isLess), equalMask = __ballot_sync(~0u, isEqual);
				const int myLess = less + __popc(lessMask & before), myEqual = equal + __popc(equalMask & before);
				less += __popc(lessMask);
				equal += __popc(equalMask);
				if (at >= rows)
					continue;
				if (pass == 0) {
					if (at == s.level.first[j]) {
						s.lessBefore[j] = myLess;
						s.equalBefore[j] = myEqual;
					}
					continue;
				}
				int to = at;
				if (s.level.leaves[j] > 1) {
					const int equals = myEqual - s.equalBefore[j], left = s.want[j] - s.below[0][j];
					const int rank = myLess - s.lessBefore[j] + min(equals, left), first = s.level.first[j];
					const bool goes = isLess || (isEqual && equals < left);
					to = goes ? first + rank : first + s.want[j] + (at - first) - rank;
				}
				s.at[now ^ 1][to] = s.at[now][at];
			}
			__syncthreads();
		}
		now ^= 1;
	}

	// descend makes the children the nodes.
	__device__ void descend() {
		const int j = threadIdx.x;
		int first = 0, rows = 0, leaves = 0, want = 0;
		if (j < nodes) {
			first = s.level.first[j];
			rows = s.level.rows[j];
			leaves = s.level.leaves[j];
			want = s.want[j];
		}
		__syncthreads();
		if (j < nodes) {
			const int left = leaves > 1 ? (leaves + 1) / 2 : leaves;
			s.level.first[2 * j] = first;
			s.level.rows[2 * j] = want;
			s.level.leaves[2 * j] = left;
			s.level.first[2 * j + 1] = first + want;
			s.level.rows[2 * j + 1] = rows - want;
			s.level.leaves[2 * j + 1] = leaves - left;
		}
		nodes *= 2;
		__syncthreads();
		// Rows of nodes that stay keep a node's number too.
		for (int c = threadIdx.x / 32; c < nodes; c += WARPS)
			for (int i = threadIdx.x % 32; i < s.level.rows[c]; i += 32)
				s.node[s.level.first[c] + i] = (unsigned char)c;
		__syncthreads();
	}
};

// A part a block.
extern "C" __global__ void __launch_bounds__(SORT) split(const Order p) {
	__shared__ Splitter s;
	const Part own = p.parts[blockIdx.x];
	for (int i = threadIdx.x; i < own.rows; i += SORT) {
		s.at[0][i] = p.orderIn ? p.orderIn[own.first + i] : own.first + i;
		s.node[i] = 0;
	}
	if (threadIdx.x == 0) {
		s.level.first[0] = 0;
		s.level.rows[0] = own.rows;
		s.level.leaves[0] = own.leaves;
	}
	__syncthreads();
	Tree t = {p, s, 1, 0};
	while (t.nodes < own.leaves) {
		t.spread();
		__syncthreads();
		t.choose();
		t.part(own.rows);
		t.descend();
	}
	for (int j = threadIdx.x / 32; j < t.nodes; j += WARPS) {
		if (s.level.leaves[j] == 0)
			continue;
		long long leaf = own.leaf;
		for (int i = 0; i < j; i++)
			leaf += s.level.leaves[i];
		const int rows = s.level.rows[j];
		for (int lane = threadIdx.x % 32; lane < LEAF; lane += 32)
			p.row[leaf * LEAF + lane] = lane < rows ? s.at[t.now][s.level.first[j] + lane] : -1;
		if (threadIdx.x % 32 == 0)
			p.fill[leaf] = rows;
	}
}
