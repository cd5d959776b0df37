// The ε-join, a leaf of queries a block: d2 = Σ_k (q_k − t_k)² ≤ eps2.
//
//	counts  out[row] = how many rows are near, as far as limit
//	tally   out[block] = how many pairs the block will list
//	fill    out[place[block]…] = these pairs
//
// A block walks over groups of leaves, 256 at a time, then over the leaves of the
// groups that are left, and refines the leaves that are left: 64 × 64 pairs, a
// square of 4 × 4 a thread, in chunks of the coordinates. Float32 decides what it
// can (guard.cuh), the predicate the rest.
#include "guard.cuh"

enum {
	THREADS = 256,
	CHUNK = 32,         // coordinates in shared memory at a time, as float32
	EXACT = CHUNK / 2,  // as float64
	TODO = 2 * THREADS, // leaves to be refined, at most
	INSIDE = 1 << 30 // marks a leaf of which every pair is near
};

enum Mode { COUNTS, TALLY, FILL };

struct Pair {
	int i, j;
};

struct __align__(16) Shared {
	union {
		double q[EXACT][LEAF];
		float q32[CHUNK][LEAF];
	};
	union {
		double t[EXACT][LEAF];
		float t32[CHUNK][LEAF];
	};
	float shift[CHUNK];
	int group[THREADS], todo[TODO];
	Limits limit[TODO]; // of todo
	int groups, todos;
	unsigned count[LEAF];
	unsigned long long cursor;
};

template <int MODE> struct Block {
	const Join &p;
	Shared &s;
	const long long leaf;  // of the queries
	const int rows;        // in it
	unsigned count[4];     // near rows found by this thread, for its 4 query rows
	unsigned long long all; // near rows of all query rows; pairs, in a tally
	bool loaded;           // the queries' offsets are in shared memory, all of them

	__device__ Block(const Join &p, Shared &s)
		: p(p), s(s), leaf(p.first + blockIdx.x), rows(size(p.q, p.first + blockIdx.x)), count{0, 0, 0, 0}, all(0), loaded(false) {}

	static __device__ int size(const Side &side, long long leaf) {
		long long left = side.n - leaf * LEAF;
		return left < LEAF ? (int)left : (int)LEAF;
	}

	__device__ bool once() const { return MODE != COUNTS && p.self; }

	__device__ Verdict verdict(const double *lo, const double *hi, long long at, long long stride) const {
		return boxes(p.q.lo + leaf, p.q.hi + leaf, p.q.leaves, lo + at, hi + at, stride, p.dim, p.eps2);
	}

	// meetGroup keeps a group for its leaves to be met.
	__device__ void meetGroup(long long g) {
		if (once() && (g + 1) * GROUP <= leaf)
			return; // its pairs were listed by its own leaves
		Verdict v = verdict(p.t.groupLo, p.t.groupHi, g, p.t.groups);
		if (v == WITHIN && MODE == COUNTS) {
			long long end = (g + 1) * GROUP * LEAF;
			all += (end < p.t.n ? end : p.t.n) - g * GROUP * LEAF;
		} else if (v != APART) {
			s.group[atomicAdd(&s.groups, 1)] = (int)g;
		}
	}

	// meetLeaf counts a leaf, or keeps it to be refined.
	__device__ void meetLeaf(long long l) {
		if (l >= p.t.leaves || once() && l < leaf)
			return;
		Verdict v = verdict(p.t.lo, p.t.hi, l, p.t.leaves);
		if (v == APART)
			return;
		if (v == WITHIN && MODE != FILL) {
			unsigned long long other = size(p.t, l);
			if (MODE == COUNTS)
				all += other;
			else
				all += once() && l == leaf ? other * (other - 1) / 2 : other * rows;
			return;
		}
		const int at = atomicAdd(&s.todos, 1);
		s.todo[at] = (int)l | (v == WITHIN ? INSIDE : 0);
		double t2 = 0;
		for (long long k = 0; v == MIXED && k < p.dim; k++) {
			double t = shift(p.q.mid[k * p.q.leaves + leaf], p.t.mid[k * p.t.leaves + l]);
			t2 += t * t;
		}
		s.limit[at] = limits(p.eps2, p.dim, p.q.radius[leaf], p.t.radius[l], t2);
	}

	__device__ void load(double (*to)[LEAF], const Side &side, long long l, int from, int n) {
		const double *x = side.x + (l * p.dim + from) * LEAF;
		for (int e = threadIdx.x; e < n * LEAF; e += THREADS)
			(&to[0][0])[e] = x[e];
	}

	// exact returns the mask of this thread's near pairs, by the predicate: bit
	// 4·i + j for query lane 4·y + i and lane 4·x + j.
	__device__ unsigned exact(long long l) {
		const int x = threadIdx.x % 16, y = threadIdx.x / 16;
		double sum[4][4] = {};
		loaded = false;
		for (int from = 0; from < p.dim; from += EXACT) {
			int n = min((int)EXACT, (int)p.dim - from);
			__syncthreads(); // the last chunk has been read
			load(s.q, p.q, leaf, from, n);
			load(s.t, p.t, l, from, n);
			__syncthreads();
			for (int k = 0; k < n; k++)
#pragma unroll
				for (int c = 0; c < 16; c++)
					sum[c / 4][c % 4] = term(sum[c / 4][c % 4], __dsub_rn(s.q[k][4 * y + c / 4], s.t[k][4 * x + c % 4]));
			if (from + EXACT < p.dim && gone(sum, p.eps2))
				return 0;
		}
		unsigned mask = 0;
#pragma unroll
		for (int c = 0; c < 16; c++)
			mask |= (unsigned)(sum[c / 4][c % 4] <= p.eps2) << c;
		return mask;
	}

	// gone reports whether no sum of the block can end below the limit: sums do not
	// shrink. NaN, for lanes without a row, loses.
	template <typename F> __device__ bool gone(const F (&sum)[4][4], F limit) {
		F least = sum[0][0];
#pragma unroll
		for (int c = 1; c < 16; c++)
			least = fmin(least, sum[c / 4][c % 4]);
		return !__syncthreads_or(least <= limit);
	}

	// near is exact in effect: float32 first.
	__device__ unsigned near(long long l, Limits limit) {
		if (!(limit.hit >= 0))
			return exact(l);
		const int x = threadIdx.x % 16, y = threadIdx.x / 16;
		float sum[4][4] = {};
		for (int from = 0; from < p.dim; from += CHUNK) {
			const int n = min((int)CHUNK, (int)p.dim - from);
			__syncthreads(); // the last chunk has been read
			if ((int)threadIdx.x < n)
				s.shift[threadIdx.x] = shift(p.q.mid[(from + threadIdx.x) * p.q.leaves + leaf], p.t.mid[(from + threadIdx.x) * p.t.leaves + l]);
			const float4 *q = (const float4 *)(p.q.offset + (leaf * p.dim + from) * LEAF);
			if (!loaded)
				for (int e = threadIdx.x; e < n * LEAF / 4; e += THREADS)
					((float4 *)&s.q32[0][0])[e] = q[e];
			loaded = p.dim <= CHUNK;
			__syncthreads();
			const float4 *t = (const float4 *)(p.t.offset + (l * p.dim + from) * LEAF);
			for (int e = threadIdx.x; e < n * LEAF / 4; e += THREADS) {
				const float by = s.shift[e / (LEAF / 4)];
				float4 o = t[e];
				o = make_float4(__fadd_rn(o.x, by), __fadd_rn(o.y, by), __fadd_rn(o.z, by), __fadd_rn(o.w, by));
				((float4 *)&s.t32[0][0])[e] = o;
			}
			__syncthreads();
#pragma unroll 4
			for (int k = 0; k < n; k++) {
				const float4 a = *(const float4 *)&s.q32[k][4 * y], b = *(const float4 *)&s.t32[k][4 * x];
				const float as[4] = {a.x, a.y, a.z, a.w}, bs[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
				for (int c = 0; c < 16; c++) {
					const float diff = as[c / 4] - bs[c % 4];
					sum[c / 4][c % 4] = __fmaf_rn(diff, diff, sum[c / 4][c % 4]);
				}
			}
			if (from + CHUNK < p.dim && gone(sum, limit.hit))
				return 0;
		}
		unsigned mask = 0;
#pragma unroll
		for (int c = 0; c < 16; c++) {
			const float d2 = sum[c / 4][c % 4];
			if (d2 <= limit.hit && (d2 <= limit.sure || within(4 * y + c / 4, l, 4 * x + c % 4)))
				mask |= 1u << c;
		}
		return mask;
	}

	// within is the predicate, for one pair.
	__device__ __noinline__ bool within(int lane, long long l, int other) const {
		const double *a = p.q.x + leaf * p.dim * LEAF + lane, *b = p.t.x + l * p.dim * LEAF + other;
		double sum = 0;
		for (long long k = 0; k < p.dim; k++)
			sum = term(sum, __dsub_rn(a[k * LEAF], b[k * LEAF]));
		return sum <= p.eps2;
	}

	// everyone is the mask of a leaf inside: the lanes that have rows.
	__device__ unsigned everyone(long long l) const {
		const int x = threadIdx.x % 16, y = threadIdx.x / 16, others = size(p.t, l);
		unsigned mask = 0;
		for (int c = 0; c < 16; c++)
			mask |= (unsigned)(4 * y + c / 4 < rows && 4 * x + c % 4 < others) << c;
		return mask;
	}

	__device__ void refine() {
		for (int at = 0; at < s.todos; at++) {
			long long l = s.todo[at] & ~INSIDE;
			take(l, s.todo[at] & INSIDE ? everyone(l) : near(l, s.limit[at]));
		}
		__syncthreads();
		if (threadIdx.x == 0)
			s.todos = 0;
		__syncthreads();
	}

	__device__ void take(long long l, unsigned mask) {
		if (once() && l == leaf) { // the lanes after the query's
			const int x = threadIdx.x % 16, y = threadIdx.x / 16;
			for (int c = 0; c < 16; c++)
				if (4 * x + c % 4 <= 4 * y + c / 4)
					mask &= ~(1u << c);
		}
		if (MODE == COUNTS) {
#pragma unroll
			for (int i = 0; i < 4; i++)
				count[i] += __popc(mask >> 4 * i & 15);
		} else if (MODE == TALLY) {
			all += __popc(mask);
		} else {
			list(l, mask);
		}
	}

	// list writes the pairs of a mask: a warp takes a place for all of its pairs.
	__device__ void list(long long l, unsigned mask) {
		const int lane = threadIdx.x % 32, x = threadIdx.x % 16, y = threadIdx.x / 16;
		int mine = __popc(mask), upTo = mine;
		for (int step = 1; step < 32; step *= 2) {
			int before = __shfl_up_sync(~0u, upTo, step);
			if (lane >= step)
				upTo += before;
		}
		unsigned long long at = 0;
		if (lane == 31 && upTo > 0)
			at = atomicAdd(&s.cursor, (unsigned long long)upTo);
		at = __shfl_sync(~0u, at, 31) + upTo - mine;
		for (; mask; mask &= mask - 1) {
			int c = __ffs(mask) - 1;
			int i = p.q.row[leaf * LEAF + 4 * y + c / 4], j = p.t.row[l * LEAF + 4 * x + c % 4];
			((Pair *)p.out)[at++] = p.self && j < i ? Pair{j, i} : Pair{i, j};
		}
	}

	// walk meets the groups, in a self-join from the leaf's own on, so that a count
	// with a limit ends soon.
	__device__ void walk() {
		const long long span = p.end - p.begin;
		long long turn = p.self && MODE == COUNTS ? leaf / GROUP - p.begin : 0;
		if (turn < 0 || turn >= span)
			turn = 0;
		for (long long from = 0; from < span; from += THREADS) {
			if (from + threadIdx.x < span)
				meetGroup(p.begin + (from + threadIdx.x + turn) % span);
			__syncthreads();
			const int leaves = s.groups * GROUP;
			for (int at = 0; at < leaves; at += THREADS) {
				if (at + (int)threadIdx.x < leaves)
					meetLeaf((long long)s.group[(at + threadIdx.x) / GROUP] * GROUP + (at + threadIdx.x) % GROUP);
				__syncthreads();
				const bool full = s.todos > TODO - THREADS;
				__syncthreads(); // all have read it before it grows
				if (full || MODE == COUNTS && p.limit > 0)
					refine();
				if (MODE == COUNTS && p.limit > 0 && enough())
					return;
			}
			__syncthreads();
			if (threadIdx.x == 0)
				s.groups = 0;
			__syncthreads();
		}
		refine();
	}

	// gather adds up what the threads have counted, into s.count and s.cursor.
	__device__ void gather() {
		const int x = threadIdx.x % 16, y = threadIdx.x / 16;
		__syncthreads();
		if (threadIdx.x == 0)
			s.cursor = 0;
		__syncthreads();
		unsigned long long sum = all;
		for (int step = 16; step > 0; step /= 2)
			sum += __shfl_down_sync(~0u, sum, step);
		if (threadIdx.x % 32 == 0 && sum > 0)
			atomicAdd(&s.cursor, sum);
		for (int i = 0; i < 4; i++) {
			unsigned c = count[i];
			for (int step = 8; step > 0; step /= 2)
				c += __shfl_down_sync(~0u, c, step, 16);
			if (x == 0)
				s.count[4 * y + i] = c;
		}
		__syncthreads();
	}

	// enough reports whether every row has as many as the limit.
	__device__ bool enough() {
		gather();
		bool less = (int)threadIdx.x < rows && s.count[threadIdx.x] + s.cursor < (unsigned long long)p.limit;
		return !__syncthreads_or(less);
	}
};

template <int MODE> static __device__ void run(const Join &p) {
	__shared__ Shared s;
	if (threadIdx.x == 0) {
		s.groups = s.todos = 0;
		s.cursor = MODE == FILL ? p.place[blockIdx.x] : 0;
	}
	__syncthreads();
	Block<MODE> b(p, s);
	b.walk();
	if (MODE == FILL)
		return;
	b.gather();
	if (MODE == TALLY) {
		if (threadIdx.x == 0)
			((unsigned long long *)p.out)[blockIdx.x] = s.cursor;
		return;
	}
	if ((int)threadIdx.x < b.rows) {
		unsigned long long c = s.count[threadIdx.x] + s.cursor;
		if (p.limit > 0 && c > (unsigned long long)p.limit)
			c = p.limit;
		((int *)p.out)[p.q.row[b.leaf * LEAF + threadIdx.x]] = (int)c;
	}
}

extern "C" __global__ void __launch_bounds__(THREADS, 3) counts(const Join p) { run<COUNTS>(p); }

extern "C" __global__ void __launch_bounds__(THREADS, 3) tally(const Join p) { run<TALLY>(p); }

extern "C" __global__ void __launch_bounds__(THREADS, 3) fill(const Join p) { run<FILL>(p); }
