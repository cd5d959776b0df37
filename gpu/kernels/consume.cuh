// What becomes of pairs of rows that are near.
#pragma once

#include "exact.cuh"
#include "forest.cuh"

enum Mode { COUNT, LIST, UNITE, ATTACH };

// ordered is the sum of the predicate. It is no call, for which callers would keep what
// they have in memory.
static __device__ __forceinline__ double ordered(const void *a, long long wideA, const void *b, long long wideB, long long dim) {
	double sum = 0;
	for (long long k = 0; k < dim; k++) {
		const double x = wideA ? ((const double *)a)[k] : (double)((const float *)a)[k];
		const double y = wideB ? ((const double *)b)[k] : (double)((const float *)b)[k];
		sum = term(sum, __dsub_rn(x, y));
	}
	return sum;
}

static __device__ __forceinline__ const void *coordinates(const Rows &r, long long position) {
	return (const char *)r.x + position * r.dim * (r.wide ? 8 : 4);
}

// near is the predicate for the rows at positions i of q and j of t; false for a lane
// without a row.
static __device__ __forceinline__ bool near(const Rows &q, long long i, const Rows &t, long long j, double eps2) {
	return ordered(coordinates(q, i), q.wide, coordinates(t, j), t.wide, q.dim) <= eps2;
}

// Lanes tell which rows of two leaves matter to each other: those of q in a mask with
// some of t, and the others with some.
struct Lanes {
	unsigned long long q, in, out;

	// with returns the lanes of t that matter to a lane of q.
	__device__ unsigned long long with(int lane) const { return q >> lane & 1 ? in : out; }
};

// Consumer<MODE> takes what refining finds:
//
//	matters  whether two leaves can matter, as far as is known by now
//	lanes    which rows of these can: what is found of others may be left out
//	open     whether a pair can matter, so that it need not be looked at else
//	pair     a pair of rows that are near, by position
//
// In a self-join a pair comes once, and counts for both.
template <int MODE> struct Consumer;

// Every is a consumer to whom all pairs matter.
struct Every {
	static __device__ bool matters(const Work &, long long, long long) { return true; }
	static __device__ Lanes lanes(const Work &, long long, long long) { return {0, 0, ~0ull}; }
	static __device__ bool open(const Work &, long long, long long) { return true; }
};

template <> struct Consumer<COUNT> : Every {
	static __device__ void pair(const Work &w, long long i, long long j) {
		atomicAdd(w.countQ + i, 1u);
		if (w.self)
			atomicAdd(w.countT + j, 1u);
	}
};

template <> struct Consumer<LIST> : Every {
	static __device__ void put(const Work &w, unsigned long long at, long long i, long long j) {
		if (at >= (unsigned long long)w.pairRoom)
			return; // the host sees it by the number, and takes less at a time
		const int a = w.q.row[i], b = w.t.row[j];
		w.pairs[at] = w.self && b < a ? Pair{b, a} : Pair{a, b};
	}
	static __device__ void pair(const Work &w, long long i, long long j) {
		put(w, atomicAdd(w.pairCount, 1ull), i, j);
	}
};

// Core rows that are near each other get into one set.
template <> struct Consumer<UNITE> {
	static __device__ bool matters(const Work &w, long long a, long long b) {
		const int p = w.setQ[a], q = w.setT[b];
		return !passedOver(p, q) && (p < 0 || q < 0 || root(w.parent, p) != root(w.parent, q));
	}
	static __device__ Lanes lanes(const Work &w, long long a, long long b) { return {w.core[a], w.core[b], 0}; }
	static __device__ bool open(const Work &w, long long i, long long j) {
		const int p = w.parent[i], q = w.parent[j];
		return p != q && p >= 0 && q >= 0;
	}
	static __device__ void pair(const Work &w, long long i, long long j) {
		const int p = w.parent[i], q = w.parent[j];
		if (p != q && p >= 0 && q >= 0)
			unite(w.parent, p, q);
	}
};

// Rows that are not core find the least label of a core row that is near. In a
// self-join either row of a pair can be the core row.
template <> struct Consumer<ATTACH> {
	static __device__ bool matters(const Work &w, long long a, long long b) {
		return !passedOver(w.setQ[a], w.setT[b]);
	}
	static __device__ Lanes lanes(const Work &w, long long a, long long b) {
		const unsigned long long core = w.core[b];
		return {w.self ? w.core[a] : 0, ~core, core};
	}
	static __device__ bool open(const Work &w, long long i, long long j) {
		const int p = w.self ? w.label[i] : -1, q = w.label[j];
		return p < 0 ? q >= 0 && w.best[i] > q : q < 0 && w.best[j] > p;
	}
	static __device__ void pair(const Work &w, long long i, long long j) {
		if (!open(w, i, j))
			return;
		if (const int label = w.label[j]; label >= 0)
			atomicMin(w.best + i, label);
		else
			atomicMin(w.best + j, w.label[i]);
	}
};
