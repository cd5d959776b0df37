// Which pairs of leaves bounds leave open.
//
//	tally, tally_plain  how many entries each group has; and what is near without one
//	fill, fill_plain    the entries, of some groups
//	spread              what a superleaf was given, to its leaves
//
// A block has a group of leaves of the queries. Each of its warps goes over a quarter
// of the superleaves, a lane meets one of them, by its box and the group's; then the
// warp goes over the leaves of each that is left, and a lane meets a leaf, by the
// group's box, then by those of the leaves of the group. Warps do not wait for each
// other. The entries of a group are ascending for each 32 leaves, no more.
#include "exact.cuh"

enum {
	THREADS = 128,
	WARPS = THREADS / 32,
	GROUP = 4,   // leaves of a group, at most
	WHOLE = GROUP // stands for all of the group's leaves
};

// Shared is what a block knows of its group.
struct Shared {
	float2 box[GROUP + 1][AXES]; // turned: least and greatest
	float rest[GROUP + 1];
	int fill[GROUP], set[GROUP];
	unsigned entries, tiles, rows[GROUP];
};

// Turned is the box of a leaf or superleaf that a lane meets, with the verdicts on it.
// Axes that there aren't are 0 in all boxes. The host sets the limits so that float32
// doesn't err: gap and reach are made of up to AXES + 1 squares, see search.go.
struct Turned {
	float lo[AXES], hi[AXES], rest;
	float gap; // squared, to the group

	// meet loads a box, and reports whether it isn't apart from the group's. All lanes
	// of a warp call it, and are through when there is none left to tell.
	__device__ bool meet(const Search &p, const Shared &s, bool live, const float *los, const float *his, const float *rests, long long at, long long stride) {
		gap = live ? 0 : __int_as_float(0x7f800000);
#pragma unroll
		for (int k = 0; k < AXES; k++) {
			if (k % 4 == 0 && !__any_sync(~0u, live && gap <= (float)p.apart))
				return false;
			const bool there = live && k < p.t.axes;
			lo[k] = there ? los[k * stride + at] : 0;
			hi[k] = there ? his[k * stride + at] : 0;
			add(gap, s.box[WHOLE][k], k);
		}
		rest = live ? rests[at] : 0;
		return live && gap <= (float)p.apart;
	}

	__device__ void add(float &sum, float2 q, int k) const {
		const float by = fmaxf(0, fmaxf(__fsub_rn(lo[k], q.y), __fsub_rn(q.x, hi[k])));
		sum = __fmaf_rn(by, by, sum);
	}

	__device__ bool meetSuper(const Search &p, const Shared &s, long long, bool live, long long super) {
		return meet(p, s, live, p.t.superLo, p.t.superHi, p.t.superRest, super, p.t.supers);
	}

	__device__ bool meetLeaf(const Search &p, const Shared &s, long long, bool live, long long leaf) {
		return meet(p, s, live, p.t.lo, p.t.hi, p.t.rest, leaf, p.t.leaves);
	}

	// verdict is on leaf a of the group, or the WHOLE, after meet. WITHIN is not looked
	// for where nobody takes it.
	__device__ Verdict verdict(const Search &p, const Shared &s, long long, int, int a) const {
		float least = gap;
		if (a != WHOLE) {
			least = 0;
#pragma unroll
			for (int k = 0; k < AXES; k++)
				add(least, s.box[a][k], k);
		}
		if (least > (float)p.apart)
			return APART;
		if (p.more == nullptr || p.within < 0)
			return MIXED;
		const float beyond = __fadd_rn(rest, s.rest[a]);
		float most = __fmul_rn(beyond, beyond);
#pragma unroll
		for (int k = 0; k < AXES; k++) {
			const float by = fmaxf(__fsub_rn(hi[k], s.box[a][k].x), __fsub_rn(s.box[a][k].y, lo[k]));
			most = __fmaf_rn(by, by, most);
		}
		return most <= (float)p.within ? WITHIN : MIXED;
	}
};

// Plain is the same by the coordinates as given, without a box of the group.
struct Plain {
	const double *lo, *hi;
	long long stride;

	__device__ bool meetSuper(const Search &p, const Shared &, long long, bool live, long long super) {
		lo = p.t.plainSuperLo + super;
		hi = p.t.plainSuperHi + super;
		stride = p.t.supers;
		return live;
	}

	__device__ bool meetLeaf(const Search &p, const Shared &, long long, bool live, long long leaf) {
		lo = p.t.plainLo + leaf;
		hi = p.t.plainHi + leaf;
		stride = p.t.leaves;
		return live;
	}

	__device__ Verdict verdict(const Search &p, const Shared &, long long first, int size, int a) const {
		if (a != WHOLE)
			return boxes(p.q.plainLo + first + a, p.q.plainHi + first + a, p.q.leaves, lo, hi, stride, p.t.dim, p.eps2);
		const Verdict v = boxes(p.q.plainLo + first, p.q.plainHi + first, p.q.leaves, lo, hi, stride, p.t.dim, p.eps2);
		for (int b = 1; b < size && v != MIXED; b++)
			if (boxes(p.q.plainLo + first + b, p.q.plainHi + first + b, p.q.leaves, lo, hi, stride, p.t.dim, p.eps2) != v)
				return MIXED;
		return v;
	}
};

template <class Box, bool FILL> struct Searcher {
	const Search &p;
	Shared &s;
	const long long group, first; // the first leaf of the group
	const int size, lane, warp;
	unsigned entries, tiles; // found by this thread
	unsigned rows[GROUP];    // near each row of a leaf of the group

	__device__ Searcher(const Search &p, Shared &s, long long group)
		: p(p), s(s), group(group), first(group * p.group),
		  size((int)min(p.group, p.q.leaves - group * p.group)),
		  lane(threadIdx.x % 32), warp(threadIdx.x / 32), entries(0), tiles(0), rows{0, 0, 0, 0} {}

	__device__ void load() {
		const int a = threadIdx.x / AXES, k = threadIdx.x % AXES;
		if (a < size) {
			const bool there = !p.plain && k < p.q.axes;
			s.box[a][k] = make_float2(there ? p.q.lo[k * p.q.leaves + first + a] : 0, there ? p.q.hi[k * p.q.leaves + first + a] : 0);
			if (k == 0) {
				s.rest[a] = p.plain ? 0 : p.q.rest[first + a];
				s.fill[a] = p.q.fill[first + a];
				s.set[a] = p.setQ ? p.setQ[first + a] : SEVERAL;
				s.rows[a] = 0;
			}
		}
		if (threadIdx.x == 0)
			s.entries = s.tiles = 0;
		__syncthreads();
		if (threadIdx.x < AXES) {
			float2 whole = s.box[0][k];
			float rest = s.rest[0];
			for (int b = 1; b < size; b++) {
				whole.x = fminf(whole.x, s.box[b][k].x);
				whole.y = fmaxf(whole.y, s.box[b][k].y);
				rest = fmaxf(rest, s.rest[b]);
			}
			s.box[WHOLE][k] = whole;
			if (k == 0)
				s.rest[WHOLE] = rest;
		}
		__syncthreads();
	}

	// matters reports whether a superleaf can hold a leaf that does.
	__device__ bool matters(long long super) const {
		if (p.setQ == nullptr)
			return true;
		for (int a = 0; a < size; a++)
			if (!passedOver(s.set[a], p.superSetT[super]))
				return true;
		return false;
	}

	// takeSuper counts a superleaf of which all rows are near all of the group.
	__device__ void takeSuper(long long super) {
		if (FILL)
			return;
		unsigned sum = 0;
		for (long long l = super * SUPER; l < min((super + 1) * SUPER, p.t.leaves); l++)
			sum += p.t.fill[l];
		for (int a = 0; a < GROUP; a++)
			rows[a] += sum;
		if (p.self) {
			unsigned own = 0;
			for (int a = 0; a < size; a++)
				own += s.fill[a];
			atomicAdd(p.moreSuper + super, own);
		}
	}

	// walk meets the superleaves, in a self-join from that of the group on.
	__device__ void walk() {
		const long long last = first + size - 1;
		for (long long from = p.self ? first / SUPER : 0; from < p.t.supers; from += THREADS) {
			const long long super = from + lane * WARPS + warp; // those of a group are side by side, and go to all warps
			const bool live = super < p.t.supers && matters(super);
			Box box;
			Verdict v = APART;
			if (box.meetSuper(p, s, first, live, super))
				v = box.verdict(p, s, first, size, WHOLE);
			if (v == WITHIN && (p.more == nullptr || (p.self && super * SUPER <= last)))
				v = MIXED;
			if (v == WITHIN)
				takeSuper(super);
			for (unsigned left = __ballot_sync(~0u, v == MIXED); left; left &= left - 1) {
				const long long begin = (from + (__ffs(left) - 1) * WARPS + warp) * SUPER;
				for (int at = 0; at < SUPER && begin + at < p.t.leaves; at += 32)
					meetLeaves(begin + at + lane);
			}
		}
	}

	// meetLeaves meets 32 leaves, one a lane.
	__device__ void meetLeaves(long long leaf) {
		Box box;
		const bool left = box.meetLeaf(p, s, first, leaf < p.t.leaves && !(p.self && leaf < first), leaf);
		if (!__any_sync(~0u, left))
			return;
		unsigned mask = 0, back = 0;
		if (left) {
			const int set = p.setQ ? p.setT[leaf] : SEVERAL, fill = p.t.fill[leaf];
#pragma unroll
			for (int a = 0; a < GROUP; a++) {
				if (a >= size || (p.self && leaf < first + a) || passedOver(s.set[a], set))
					continue;
				const Verdict v = box.verdict(p, s, first, size, a);
				if (v == WITHIN && p.more != nullptr) {
					const bool own = p.self && leaf == first + a;
					rows[a] += own ? fill - 1 : fill; // a row finds itself elsewhere
					back += own ? 0 : s.fill[a];
				} else if (v != APART) {
					mask |= 1u << a;
				}
			}
		}
		if (!FILL && p.self && back > 0)
			atomicAdd(p.moreT + leaf, back);
		take(leaf, mask);
	}

	__device__ void take(long long leaf, unsigned mask) {
		if (!FILL) {
			entries += mask != 0;
			tiles += __popc(mask);
			return;
		}
		const unsigned those = __ballot_sync(~0u, mask != 0);
		if (those == 0)
			return;
		unsigned at = 0;
		if (lane == 0)
			at = atomicAdd(&s.entries, __popc(those));
		at = __shfl_sync(~0u, at, 0) + __popc(those & ((1u << lane) - 1));
		if (mask != 0 && at < p.entriesOf[group])
			p.entries[p.place[blockIdx.x] + at] = (unsigned)leaf | mask << ENTRY_LEAF;
	}

	// gather writes what the threads have counted.
	__device__ void gather() {
		atomicAdd(&s.entries, entries);
		atomicAdd(&s.tiles, tiles);
		for (int a = 0; a < size; a++)
			if (rows[a] > 0)
				atomicAdd(&s.rows[a], rows[a]);
		__syncthreads();
		if (threadIdx.x == 0) {
			p.entriesOf[group] = s.entries;
			p.tilesOf[group] = s.tiles;
		}
		if (threadIdx.x < size && s.rows[threadIdx.x] > 0)
			atomicAdd(p.more + first + threadIdx.x, s.rows[threadIdx.x]);
	}

	// pad fills up with entries for no leaf of the group: sets may have grown since the
	// tally, and then there are fewer.
	__device__ void pad() {
		__syncthreads();
		for (unsigned at = s.entries + threadIdx.x; at < p.entriesOf[group]; at += THREADS)
			p.entries[p.place[blockIdx.x] + at] = 0;
	}
};

template <class Box, bool FILL> static __device__ void run(const Search &p) {
	__shared__ Shared s;
	Searcher<Box, FILL> searcher(p, s, FILL ? p.order[blockIdx.x] : blockIdx.x);
	searcher.load();
	searcher.walk();
	if (FILL)
		searcher.pad();
	else
		searcher.gather();
}

extern "C" __global__ void __launch_bounds__(THREADS, 6) tally(const __grid_constant__ Search p) { run<Turned, false>(p); }
extern "C" __global__ void __launch_bounds__(THREADS, 6) fill(const __grid_constant__ Search p) { run<Turned, true>(p); }
extern "C" __global__ void __launch_bounds__(THREADS, 6) tally_plain(const __grid_constant__ Search p) { run<Plain, false>(p); }
extern "C" __global__ void __launch_bounds__(THREADS, 6) fill_plain(const __grid_constant__ Search p) { run<Plain, true>(p); }

extern "C" __global__ void __launch_bounds__(SUPER) spread(const __grid_constant__ Search p) {
	const long long leaf = (long long)blockIdx.x * SUPER + threadIdx.x;
	if (leaf < p.t.leaves)
		p.moreT[leaf] += p.moreSuper[blockIdx.x];
}
