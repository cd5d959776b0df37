// Which pairs of leaves bounds leave open.
//
//	tally, tally_plain  how many entries each group has; and what is near without one
//	collect             the entries, from where tally has put them down
//	fill, fill_plain    the entries of some groups, found anew
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
	unsigned held[WARPS][PAGE + 32]; // entries that do not fill a page yet
};

// Turned tells of boxes that a lane meets, 4 axes at a time. Axes that there aren't are
// 0 in all boxes. All lanes of a warp call its functions together, and are through when
// all boxes are apart. The host sets the limits so that float32 doesn't err, see
// gpu/cuda/limits.go.
struct Turned {
	const Search &p;
	const Shared &s;
	const int axes;
	const float *los, *his, *rests; // of the boxes, and
	long long at, stride;           // where one is
	const float *lo, *hi;           // the next axis of it
	float l[4], h[4];               // the last 4

	__device__ Turned(const Search &p, const Shared &s, long long) : p(p), s(s), axes((int)p.t.axes) {}

	__device__ void meet(const float *ofLo, const float *ofHi, const float *ofRest, long long box, long long boxes) {
		los = ofLo;
		his = ofHi;
		rests = ofRest;
		at = box;
		stride = boxes;
		lo = los + at;
		hi = his + at;
	}

	__device__ void load(int from) {
#pragma unroll
		for (int c = 0; c < 4; c++) {
			l[c] = from + c < axes ? *lo : 0;
			h[c] = from + c < axes ? *hi : 0;
			lo += stride;
			hi += stride;
		}
	}

	// gap adds the squared gaps to leaf a of the group, or the WHOLE.
	__device__ void gap(float &sum, int a, int from) const {
#pragma unroll
		for (int c = 0; c < 4; c++) {
			const float2 q = s.box[a][from + c];
			const float by = fmaxf(0, fmaxf(__fsub_rn(l[c], q.y), __fsub_rn(q.x, h[c])));
			sum = __fmaf_rn(by, by, sum);
		}
	}

	// within tells the same of the box that was met last, for one lane.
	__device__ bool within(int a) {
		if (p.more == nullptr || p.within < 0)
			return false;
		const float beyond = __fadd_rn(rests[at], s.rest[a]);
		float sum = __fmul_rn(beyond, beyond);
		for (int k = 0; k < axes && sum <= (float)p.within; k++) {
			const float2 q = s.box[a][k];
			const float by = fmaxf(__fsub_rn(his[k * stride + at], q.x), __fsub_rn(q.y, los[k * stride + at]));
			sum = __fmaf_rn(by, by, sum);
		}
		return sum <= (float)p.within;
	}

	// meetSuper tells of a superleaf and the WHOLE.
	__device__ Verdict meetSuper(bool live, long long super) {
		meet(p.t.superLo, p.t.superHi, p.t.superRest, live ? super : 0, p.t.supers);
		float sum = 0;
		for (int from = 0; from < axes; from += 4) {
			load(from);
			gap(sum, WHOLE, from);
			live = live && sum <= (float)p.apart;
			if (!__any_sync(~0u, live))
				return APART;
		}
		return !live ? APART : within(WHOLE) ? WITHIN : MIXED;
	}

	// meetLeaf returns which of the group's leaves that are wanted are not apart from a
	// leaf.
	__device__ unsigned meetLeaf(unsigned wanted, long long leaf) {
		meet(p.t.lo, p.t.hi, p.t.rest, wanted ? leaf : 0, p.t.leaves);
		load(0);
		float first = 0, sum[GROUP] = {0, 0, 0, 0};
		gap(first, WHOLE, 0);
		wanted = first <= (float)p.apart ? wanted : 0;
		for (int from = 0; from < axes && __any_sync(~0u, wanted); from += 4) {
			if (from > 0)
				load(from);
#pragma unroll
			for (int a = 0; a < GROUP; a++) {
				if (a >= p.group)
					break;
				gap(sum[a], a, from);
				if (sum[a] > (float)p.apart)
					wanted &= ~(1u << a);
			}
		}
		return wanted;
	}
};

// Plain tells the same by the coordinates as given.
struct Plain {
	const Search &p;
	const long long first;
	const int size;
	unsigned inside; // leaves of the group within the leaf that was met last

	__device__ Plain(const Search &p, const Shared &, long long first)
		: p(p), first(first), size((int)min(p.group, p.q.leaves - first)) {}

	__device__ Verdict meet(int a, const double *lo, const double *hi, long long stride) const {
		return boxes(p.q.plainLo + first + a, p.q.plainHi + first + a, p.q.leaves, lo, hi, stride, p.t.dim, p.eps2);
	}

	__device__ bool within(int a) const { return p.more != nullptr && (inside >> a & 1); }

	__device__ Verdict meetSuper(bool live, long long super) const {
		if (!live)
			return APART;
		const Verdict v = meet(0, p.t.plainSuperLo + super, p.t.plainSuperHi + super, p.t.supers);
		for (int a = 1; a < size && v != MIXED; a++)
			if (meet(a, p.t.plainSuperLo + super, p.t.plainSuperHi + super, p.t.supers) != v)
				return MIXED;
		return v;
	}

	__device__ unsigned meetLeaf(unsigned wanted, long long leaf) {
		inside = 0;
		unsigned open = 0;
		for (int a = 0; a < size; a++) {
			if (!(wanted >> a & 1))
				continue;
			const Verdict v = meet(a, p.t.plainLo + leaf, p.t.plainHi + leaf, p.t.leaves);
			open |= (unsigned)(v != APART) << a;
			inside |= (unsigned)(v == WITHIN) << a;
		}
		return open;
	}
};

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
	Searcher<Box, FILL> searcher(p, s, FILL ? p.order[blockIdx.x] : blockIdx.x);
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
