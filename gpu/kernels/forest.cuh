// Sets of rows as a forest, which many threads unite at once.
//
// The parent of a row is a row of its set, by position, and before it but for a root,
// which is its own. Only a root is ever made a child, by compare-and-swap, and none
// becomes a root again. Other stores shorten paths: they replace an ancestor by another
// one, whatever happens meanwhile. So a value that was read is an ancestor for ever,
// even one from a cache that is behind.
#pragma once

// root returns the root of row i's set, and halves the path to it.
static __device__ int root(int *parent, int i) {
	int above = __ldcg(parent + i);
	while (above != i) {
		const int next = __ldcg(parent + above);
		if (next != above)
			parent[i] = next;
		i = above;
		above = next;
	}
	return i;
}

// unite makes one set of those of rows i and j.
static __device__ void unite(int *parent, int i, int j) {
	i = root(parent, i);
	j = root(parent, j);
	while (i != j) {
		const int child = max(i, j), to = min(i, j);
		const int was = atomicCAS(parent + child, child, to);
		if (was == child)
			return;
		i = root(parent, was); // another thread was first
		j = to;
	}
}
