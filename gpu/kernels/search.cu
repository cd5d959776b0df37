// Which pairs of leaves bounds leave open.
//
//	tally, tally_plain  how many entries each group has; and what is near without one
//	collect             the entries of some groups, from where tally has put them down
//	fill, fill_plain    the entries of some groups, found anew
//	spread              what a superleaf was given, to its leaves
//
// A block has a group of leaves of the queries. Each of its warps goes over a quarter
// of the superleaves, a lane meets one of them, by its box and the group's; then the
// warp goes over the leaves of each that is left, and a lane meets a leaf, by the
// group's box, then by those of the leaves of the group. Warps do not wait for each
// other. The entries of a group are ascending for each 32 leaves, no more. Where rays
// have looked for leaves before (rays.cu), those that they did not find are passed over.
#include "boxes.cuh"

template <class Box, bool FILL> struct Searcher {
	const Search &p;
	Shared &s;
	const long long group, first; // the first leaf of the group
	const int size, lane, warp;
	unsigned entries, tiles; // found by this thread
	int held;                // by the warp
	unsigned rows[GROUP];    // near each row of a leaf of the group
	Box box;

	__device__ Searcher(const Search &p, Shared &s, long long group)
		: p(p), s(s), group(group), first(group * p.group),
		  size((int)min(p.group, p.q.leaves - group * p.group)),
		  lane(threadIdx.x % 32), warp(threadIdx.x / 32), entries(0), tiles(0), held(0), rows{0, 0, 0, 0},
		  box(p, s, group * p.group) {}

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

	// bits are those of found for the group, if there are any.
	__device__ const unsigned *bits() const { return p.found + (group - p.begin) * p.t.supers * (SUPER / 32); }

	// matters reports whether a superleaf can hold a leaf that does.
	__device__ bool matters(long long super) const {
		if (p.found != nullptr) {
			const uint4 of = ((const uint4 *)bits())[super];
			if ((of.x | of.y | of.z | of.w) == 0)
				return false;
		}
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
#pragma unroll
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
			const long long super = from + lane * WARPS + warp; // those left are side by side, and go to all warps
			Verdict v = box.meetSuper(super < p.t.supers && matters(super), super);
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

	// wanted is a mask of the group's leaves that are to meet a leaf.
	__device__ unsigned wanted(long long leaf) const {
		if (leaf >= p.t.leaves || (p.self && leaf < first))
			return 0;
		if (p.found != nullptr && !(bits()[leaf / 32] >> leaf % 32 & 1))
			return 0;
		unsigned mask = (1u << size) - 1;
		if (p.self && leaf < first + size - 1)
			mask &= (2u << (leaf - first)) - 1;
		if (p.setQ != nullptr) {
			const int set = p.setT[leaf];
			for (int a = 0; a < size; a++)
				if (passedOver(s.set[a], set))
					mask &= ~(1u << a);
		}
		return mask;
	}

	// meetLeaves meets 32 leaves, one a lane.
	__device__ void meetLeaves(long long leaf) {
		unsigned mask = box.meetLeaf(wanted(leaf), leaf);
		if (p.more != nullptr && mask != 0) {
			const unsigned fill = p.t.fill[leaf];
			unsigned back = 0;
#pragma unroll
			for (int a = 0; a < GROUP; a++) {
				if (!(mask >> a & 1) || !box.within(a))
					continue;
				const bool own = p.self && leaf == first + a;
				mask &= ~(1u << a);
				rows[a] += own ? fill - 1 : fill; // a row finds itself elsewhere
				back += own ? 0 : s.fill[a];
			}
			if (!FILL && p.self && back > 0)
				atomicAdd(p.moreT + leaf, back);
		}
		take(leaf, mask);
	}

	__device__ void take(long long leaf, unsigned mask) {
		const unsigned those = __ballot_sync(~0u, mask != 0), entry = (unsigned)leaf | mask << ENTRY_LEAF;
		if (those == 0)
			return;
		if (!FILL) {
			entries += mask != 0;
			tiles += __popc(mask);
			if (p.pages != nullptr)
				hold(those, entry);
			return;
		}
		unsigned at = 0;
		if (lane == 0)
			at = atomicAdd(&s.entries, __popc(those));
		at = __shfl_sync(~0u, at, 0) + __popc(those & ((1u << lane) - 1));
		if (mask != 0 && at < p.entriesOf[group])
			p.entries[p.place[group] + at] = entry;
	}

	// hold keeps the entries of those lanes, and writes them when they fill a page.
	__device__ void hold(unsigned those, unsigned entry) {
		unsigned *mine = s.held[warp];
		if (those >> lane & 1)
			mine[held + __popc(those & ((1u << lane) - 1))] = entry;
		held += __popc(those);
		__syncwarp();
		if (held < PAGE)
			return;
		writePage(PAGE);
		held -= PAGE;
		const unsigned rest = mine[PAGE + lane];
		__syncwarp(); // all have read
		mine[lane] = rest;
		__syncwarp();
	}

	// writePage writes the first n entries that the warp holds.
	__device__ void writePage(int n) {
		unsigned page = 0;
		if (lane == 0)
			page = atomicAdd(p.pageCount, 1u);
		page = __shfl_sync(~0u, page, 0);
		if (page >= p.pageRoom)
			return;
		for (int i = lane; i < n; i += 32)
			p.pages[(long long)page * PAGE + i] = s.held[warp][i];
		if (lane == 0) {
			p.pageGroup[page] = (int)group;
			p.pageFill[page] = n;
		}
	}

	// gather writes what the threads have counted.
	__device__ void gather() {
		if (held > 0)
			writePage(held);
		atomicAdd(&s.entries, entries);
		atomicAdd(&s.tiles, tiles);
#pragma unroll
		for (int a = 0; a < GROUP; a++)
			if (a < size && rows[a] > 0)
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
			p.entries[p.place[group] + at] = 0;
	}
};

template <class Box, bool FILL> static __device__ void run(const Search &p) {
	__shared__ Shared s;
	Searcher<Box, FILL> searcher(p, s, FILL ? p.order[blockIdx.x] : p.begin + blockIdx.x);
	searcher.load();
	searcher.walk();
	if (FILL)
		searcher.pad();
	else
		searcher.gather();
}

extern "C" __global__ void __launch_bounds__(THREADS, 8) tally(const __grid_constant__ Search p) { run<Turned, false>(p); }
extern "C" __global__ void __launch_bounds__(THREADS, 8) fill(const __grid_constant__ Search p) { run<Turned, true>(p); }
extern "C" __global__ void __launch_bounds__(THREADS) tally_plain(const __grid_constant__ Search p) { run<Plain, false>(p); }
extern "C" __global__ void __launch_bounds__(THREADS) fill_plain(const __grid_constant__ Search p) { run<Plain, true>(p); }

// A warp moves a page.
extern "C" __global__ void __launch_bounds__(THREADS) collect(const __grid_constant__ Search p) {
	const long long page = (long long)blockIdx.x * WARPS + threadIdx.x / 32;
	if (page >= *p.pageCount)
		return;
	const int lane = threadIdx.x % 32, group = p.pageGroup[page], n = p.pageFill[page];
	if (group < p.begin || group >= p.end)
		return;
	unsigned at = 0;
	if (lane == 0)
		at = atomicAdd(p.collected + group, (unsigned)n);
	at = __shfl_sync(~0u, at, 0);
	for (int i = lane; i < n; i += 32)
		p.entries[p.place[group] + at + i] = p.pages[page * PAGE + i];
}

extern "C" __global__ void __launch_bounds__(SUPER) spread(const __grid_constant__ Search p) {
	const long long leaf = (long long)blockIdx.x * SUPER + threadIdx.x;
	if (leaf < p.t.leaves)
		p.moreT[leaf] += p.moreSuper[blockIdx.x];
}
