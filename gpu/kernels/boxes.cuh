// Verdicts on boxes of a group of leaves of the queries and one that a lane meets.
#pragma once

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
