// What becomes of pairs of rows that are near.
#pragma once

#include "exact.cuh"

enum Mode { COUNT, LIST, UNITE, ATTACH };

// near is the predicate for the rows at positions i of q and j of t.
static __device__ __noinline__ bool near(const Rows &q, long long i, const Rows &t, long long j, double eps2) {
	double sum = 0;
	for (long long k = 0; k < q.dim; k++)
		sum = term(sum, __dsub_rn(coordinate(q, i, k), coordinate(t, j, k)));
	return sum <= eps2; // false for a lane without a row
}

// Consumer<MODE> takes what refining finds:
//
//	matters  whether a pair of leaves can matter at all
//	masks    which rows of a leaf of q, and of t, can
//	pair     a pair of rows that are near, by position, whose masks are met
//
// In a self-join a pair comes once, and counts for both.
template <int MODE> struct Consumer;

template <> struct Consumer<COUNT> {
	static __device__ bool matters(const Work &, long long, long long) { return true; }
	static __device__ void pair(const Work &w, long long i, long long j) {
		atomicAdd(w.countQ + i, 1u);
		if (w.self)
			atomicAdd(w.countT + j, 1u);
	}
};

template <> struct Consumer<LIST> {
	static __device__ bool matters(const Work &, long long, long long) { return true; }
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
