// Counts by position are made complete, and put in the order of the input.
#include "params.cuh"

struct Result {
	struct Rows rows;
	unsigned *count;      // positions
	const unsigned *more; // leaves: to be added to each row
	int *out;             // by input row
	long long limit;      // no count is above; 0: as they are
	long long own;        // 1: the row itself counts
};

enum { THREADS = 256 };

// complete adds to the counts of a leaf's rows what all of them have, and themselves.
extern "C" __global__ void __launch_bounds__(THREADS) complete(const Result p) {
	const long long at = (long long)blockIdx.x * THREADS + threadIdx.x, leaf = at / LEAF;
	if (leaf < p.rows.leaves && at % LEAF < p.rows.fill[leaf])
		p.count[at] += p.more[leaf] + (unsigned)p.own;
}

// deliver gives each input row its count.
extern "C" __global__ void __launch_bounds__(THREADS) deliver(const Result p) {
	const long long at = (long long)blockIdx.x * THREADS + threadIdx.x, leaf = at / LEAF;
	if (leaf >= p.rows.leaves || at % LEAF >= p.rows.fill[leaf])
		return;
	const unsigned n = p.count[at];
	p.out[p.rows.row[at]] = (int)(p.limit > 0 && n > p.limit ? (unsigned)p.limit : n);
}
