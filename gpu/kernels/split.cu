// The leaves of a bucket, those of a balanced kd-tree along the first axes of the turned
// rows, in shared memory. What is equal keeps its order, so that runs agree.
//
//	split  a bucket, or a part of one
#include "order.cuh"

enum {
	WARPS = SORT / 32,
	LEAVES = 128, // of a part, at most
	NODES = 64,   // of a level that is split: a power of two, half as many suffice
	MOST = 8,     // axes, at most
	SHARED = 7680, // bytes of a block, and for each row that there is room for
	ROW = 13,
};

static __device__ __forceinline__ unsigned sortable(float x) {
	const unsigned bits = __float_as_uint(x);
	return bits >> 31 ? ~bits : bits | 1u << 31;
}

// Level is a level of the tree in a bucket: nodes one after the other, each with the
// leaves that it is to have. A node with one leaf stays as it is, and is its own left
// child.
struct Level {
	int first[LEAVES], rows[LEAVES], leaves[LEAVES];
};

struct Splitter {
	Level level;
	float sum[NODES][MOST], squares[NODES][MOST]; // of a unit's keys
	int axis[NODES], want[NODES]; // rows that go left
	unsigned pivot[NODES];        // the key of the first that does not
	int lessThan[NODES];          // rows with less than that
	int below[2][3][WARPS];       // rows with less than limits; by turns, as they are counted
	int lessBefore[NODES], equalBefore[NODES]; // rows before the node
	int less[WARPS], equal[WARPS]; // of a warp's stretch
};
static_assert(sizeof(Splitter) == SHARED, "SHARED says otherwise");

// Tree splits a bucket; nodes of a level are shared out among the warps.
struct Tree {
	const Order &p;
	Splitter &s;
	unsigned *key;       // room
	int *at, *next;      // room: rows, before and after a step
	unsigned char *node; // room
	int nodes;           // of the level

	// each calls take for a stretch of a node that is to be split, by a whole warp: unit
	// u, node j, and lanes that take every step-th place from from on.
	template <typename F> __device__ __forceinline__ void each(F take) {
		const int parts = nodes < WARPS ? WARPS / nodes : 1;
		for (int u = threadIdx.x / 32; u < nodes * parts; u += WARPS) {
			const int j = u / parts;
			if (s.level.leaves[j] > 1)
				take(u, j, s.level.first[j] + u % parts * 32 + threadIdx.x % 32, s.level.first[j] + s.level.rows[j], parts * 32);
		}
	}

	__device__ const float *keyOf(int i) const { return p.key + (long long)at[i] * p.stride; }

	// measure adds up the keys of each unit, as they differ from that of the first row.
	__device__ void measure() {
		each([&](int u, int j, int from, int to, int step) {
			const float *base = keyOf(s.level.first[j]);
			float sum[MOST] = {}, squares[MOST] = {};
			for (int i = from; i < to; i += step) {
				const float *key = keyOf(i);
#pragma unroll
				for (int k = 0; k < MOST; k++)
					if (k < p.axes) {
						const float v = key[k] - base[k];
						sum[k] += v;
						squares[k] = __fmaf_rn(v, v, squares[k]);
					}
			}
			__syncwarp();
#pragma unroll
			for (int k = 0; k < MOST; k++) {
				if (k >= p.axes)
					break;
				for (int by = 16; by > 0; by /= 2) {
					sum[k] += __shfl_xor_sync(~0u, sum[k], by);
					squares[k] += __shfl_xor_sync(~0u, squares[k], by);
				}
				if (threadIdx.x % 32 == 0) {
					s.sum[u][k] = sum[k];
					s.squares[u][k] = squares[k];
				}
			}
		});
	}

	// aim finds the axis along which the rows of a node have the greatest variance, and
	// takes the keys along it.
	__device__ void aim() {
		measure();
		__syncthreads();
		const int j = threadIdx.x, parts = nodes < WARPS ? WARPS / nodes : 1;
		if (j < nodes) {
			const int leaves = s.level.leaves[j], rows = s.level.rows[j];
			float most = -1;
			s.axis[j] = 0;
			for (int k = 0; leaves > 1 && k < p.axes; k++) {
				float sum = 0, squares = 0;
				for (int u = j * parts; u < (j + 1) * parts; u++) {
					sum += s.sum[u][k];
					squares += s.squares[u][k];
				}
				const float variance = squares - sum / (float)rows * sum;
				if (variance > most) {
					most = variance;
					s.axis[j] = k;
				}
			}
			s.want[j] = leaves > 1 ? rows * ((leaves + 1) / 2) / leaves : rows;
			s.pivot[j] = 0;
			s.lessThan[j] = 0;
		}
		__syncthreads();
		each([&](int, int j, int from, int to, int step) {
			for (int i = from; i < to; i += step)
				key[i] = sortable(keyOf(i)[s.axis[j]]);
		});
		__syncthreads();
	}

	// Counts are how many rows are less than a limit and 1, 2 or 3 more in the digit from
	// bit on: none is more than 2¹⁶, and the first two share a word.
	struct Counts {
		int first, last;
		__device__ int below(int more) const { return more == 3 ? last : first >> (more - 1) * 16 & 0xffff; }
	};

	__device__ Counts count(unsigned limit, int bit, int from, int to, int step) const {
		const unsigned one = limit | 1u << bit, two = limit | 2u << bit, three = limit | 3u << bit;
		Counts c = {0, 0};
		for (int i = from; i < to; i += step) {
			const unsigned k = key[i];
			c.first += (k < one) + ((k < two) << 16);
			c.last += k < three;
		}
		__syncwarp();
		for (int by = 16; by > 0; by /= 2) {
			c.first += __shfl_xor_sync(~0u, c.first, by);
			c.last += __shfl_xor_sync(~0u, c.last, by);
		}
		return c;
	}

	// choose finds the pivots, two bits at a time: the greatest key that no more than want
	// rows are less than is that of the row with this rank. Warps that have a node each
	// need not wait for the others.
	__device__ void choose() {
		if (nodes >= WARPS) {
			each([&](int, int j, int from, int to, int step) {
				unsigned pivot = 0;
				int less = 0;
				for (int bit = 30; bit >= 0; bit -= 2) {
					const Counts c = count(pivot, bit, from, to, step);
					int more = 3;
					while (more > 0 && c.below(more) > s.want[j])
						more--;
					if (more > 0)
						less = c.below(more);
					pivot |= (unsigned)more << bit;
				}
				if (threadIdx.x % 32 == 0) {
					s.pivot[j] = pivot;
					s.lessThan[j] = less;
				}
			});
			__syncthreads();
			return;
		}
		const int j = threadIdx.x;
		if (j < 6 * WARPS)
			(&s.below[0][0][0])[j] = 0;
		__syncthreads();
		for (int bit = 30, turn = 0; bit >= 0; bit -= 2, turn ^= 1) {
			each([&](int, int of, int from, int to, int step) {
				const Counts c = count(s.pivot[of], bit, from, to, step);
				if (threadIdx.x % 32 < 3)
					atomicAdd(&s.below[turn][threadIdx.x % 32][of], c.below(threadIdx.x % 32 + 1));
			});
			__syncthreads();
			if (j < nodes) {
				int more = 3;
				while (more > 0 && s.below[turn][more - 1][j] > s.want[j])
					more--;
				if (more > 0)
					s.lessThan[j] = s.below[turn][more - 1][j];
				s.pivot[j] |= (unsigned)more << bit;
				for (int m = 0; m < 3; m++)
					s.below[turn ^ 1][m][j] = 0;
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
			const int j = i < rows ? node[i] : 0;
			const bool in = i < rows && s.level.leaves[j] > 1;
			isLess = in && key[i] < s.pivot[j];
			isEqual = in && key[i] == s.pivot[j];
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
				const int place = i + lane, j = side(place, isLess, isEqual);
				const unsigned lessMask = __ballot_sync(~0u, isLess), equalMask = __ballot_sync(~0u, isEqual);
				const int myLess = less + __popc(lessMask & before), myEqual = equal + __popc(equalMask & before);
				less += __popc(lessMask);
				equal += __popc(equalMask);
				if (place >= rows)
					continue;
				if (pass == 0) {
					if (place == s.level.first[j]) {
						s.lessBefore[j] = myLess;
						s.equalBefore[j] = myEqual;
					}
					continue;
				}
				int to = place;
				if (s.level.leaves[j] > 1) {
					const int equals = myEqual - s.equalBefore[j], left = s.want[j] - s.lessThan[j];
					const int rank = myLess - s.lessBefore[j] + min(equals, left), first = s.level.first[j];
					const bool goes = isLess || (isEqual && equals < left);
					to = goes ? first + rank : first + s.want[j] + (place - first) - rank;
				}
				next[to] = at[place];
			}
			__syncthreads();
		}
		int *const was = at;
		at = next;
		next = was;
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
				node[s.level.first[c] + i] = (unsigned char)c;
		__syncthreads();
	}
};

// A part a block.
extern "C" __global__ void __launch_bounds__(SORT, 2) split(const Order p) {
	extern __shared__ __align__(16) unsigned char shared[];
	Splitter &s = *(Splitter *)shared;
	unsigned *key = (unsigned *)(shared + sizeof(Splitter));
	int *at = (int *)(key + p.room);
	static_assert(sizeof(*key) + 2 * sizeof(*at) + 1 == ROW, "ROW says otherwise");
	Tree t = {p, s, key, at, at + p.room, (unsigned char *)(at + 2 * p.room), 1};
	const Part own = p.parts[blockIdx.x];
	for (int i = threadIdx.x; i < own.rows; i += SORT) {
		t.at[i] = p.orderIn ? p.orderIn[own.first + i] : own.first + i;
		t.node[i] = 0;
	}
	if (threadIdx.x == 0) {
		s.level.first[0] = 0;
		s.level.rows[0] = own.rows;
		s.level.leaves[0] = own.leaves;
	}
	__syncthreads();
	while (t.nodes < own.leaves) {
		t.aim();
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
			p.row[leaf * LEAF + lane] = lane < rows ? t.at[s.level.first[j] + lane] : -1;
		if (threadIdx.x % 32 == 0)
			p.fill[leaf] = rows;
	}
}
