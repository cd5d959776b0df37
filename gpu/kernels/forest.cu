// Sets of core rows that are near each other, and the labels made of them.
//
//	forest_count, forest_member, forest_given  which rows are core
//	forest_own, forest_ahead                   first unions, of what float32 shows to be near
//	forest_flatten, forest_supers              roots, and which leaves have one set
//	forest_thin_unite, forest_thin_attach      drop entries that do not matter
//	forest_open                                which leaves have what to attaching
#include "consume.cuh"
#include "near.cuh"

enum { THREADS = 256, WARP = 32 };

static __device__ __forceinline__ long long thread() { return blockIdx.x * (long long)THREADS + threadIdx.x; }

// addUp adds the numbers of a block's threads, all of which call it.
static __device__ void addUp(unsigned long long *to, unsigned long long mine) {
	__shared__ unsigned long long sum;
	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	for (int by = WARP / 2; by > 0; by /= 2)
		mine += __shfl_xor_sync(~0u, mine, by);
	if (threadIdx.x % WARP == 0 && mine > 0)
		atomicAdd(&sum, mine);
	__syncthreads();
	if (threadIdx.x == 0 && sum > 0)
		atomicAdd(to, sum);
	__syncthreads(); // the sum is used again
}

// begin makes a row a set of its own, if it is core. A warp's threads call it for half a
// leaf.
static __device__ void begin(const Forest &f, long long p, bool core) {
	const unsigned lanes = __ballot_sync(~0u, core);
	if (threadIdx.x % WARP == 0)
		((unsigned *)f.core)[p / WARP] = lanes;
	f.parent[p] = core ? (int)p : -1;
}

extern "C" __global__ void __launch_bounds__(THREADS) forest_count(const Forest f) {
	const long long p = thread();
	bool core = false;
	long long others = 0;
	if (p < f.rows.leaves * LEAF) { // of all lanes of a warp, or of none
		const long long count = f.rows.row[p] < 0 ? 0 : f.count[p];
		core = count >= f.least; // which is 1 or more
		others = count == 0 ? 0 : (core ? f.least : count) - 1;
		begin(f, p, core);
		f.first[p] = 0x7fffffff;
	}
	addUp(f.sums + ORDERED, others);
	addUp(f.sums + CORES, core);
}

extern "C" __global__ void __launch_bounds__(THREADS) forest_member(const Forest f) {
	const long long p = thread();
	if (p >= f.rows.leaves * LEAF)
		return;
	const int row = f.rows.row[p];
	begin(f, p, row >= 0 && f.member[row]);
	f.first[p] = 0x7fffffff;
}

extern "C" __global__ void __launch_bounds__(THREADS) forest_given(const Forest f) {
	const long long p = thread();
	if (p >= f.rows.leaves * LEAF)
		return;
	const int row = f.rows.row[p], label = row < 0 ? -1 : f.given[row];
	const unsigned lanes = __ballot_sync(~0u, label >= 0);
	if (threadIdx.x % WARP == 0)
		((unsigned *)f.core)[p / WARP] = lanes;
	f.label[p] = label;
}

// A block of forest_own has a leaf. Each core row gets the first row of its set in the
// leaf as parent; nobody else has the leaf's rows. A warp finds one set after the other:
// what is near a row of the set joins it, until nothing does.
extern "C" __global__ void __launch_bounds__(COMPARERS) forest_own(const Forest f) {
	__shared__ unsigned long long near[LEAF];
	const long long leaf = blockIdx.x;
	const unsigned long long core = f.core[leaf];
	if (core == 0)
		return;
	surelyNear(f.rows, f.eps2, leaf, leaf, near);
	if (threadIdx.x >= WARP)
		return;
	const int lane = threadIdx.x;
	const unsigned long long low = core >> lane & 1 ? near[lane] : 0, high = core >> (lane + WARP) & 1 ? near[lane + WARP] : 0;
	int *parent = f.parent + leaf * LEAF + lane;
	for (unsigned long long rest = core; rest != 0;) {
		const int first = __ffsll(rest) - 1;
		unsigned long long set = 1ull << first, was;
		do {
			was = set;
			set |= __ballot_sync(~0u, (low & was) != 0) | (unsigned long long)__ballot_sync(~0u, (high & was) != 0) << WARP;
		} while (set != was);
		if (set >> lane & 1)
			parent[0] = (int)(leaf * LEAF) + first;
		if (set >> (lane + WARP) & 1)
			parent[WARP] = (int)(leaf * LEAF) + first;
		rest &= ~set;
	}
}

// Unions are rows to be united, in shared memory: all at once, since each takes long.
struct Unions {
	enum { ROOM = 512 };
	int n;
	Pair of[ROOM];

	__device__ void add(int *parent, int i, int j) {
		const int at = atomicAdd(&n, 1);
		if (at < ROOM)
			of[at] = {i, j};
		else
			unite(parent, i, j);
	}
};

// meet finds which rows of leaf a to unite with those of leaf b that are near: a set in
// the half of a leaf needs one of each such set. A warp has half of leaf a.
static __device__ void meet(const Forest &f, Unions &unions, const unsigned long long *near, const int *parents,
	const unsigned long long *alike, int parent, unsigned long long core) {
	const unsigned mates = __match_any_sync(~0u, parent);
	const int half = threadIdx.x & WARP;
	if (parent < 0 || threadIdx.x % WARP != __ffs(mates) - 1)
		return;
	unsigned long long hits = 0;
	for (unsigned rest = mates; rest != 0; rest &= rest - 1)
		hits |= near[half + __ffs(rest) - 1];
	for (hits &= core; hits != 0;) {
		const int lane = __ffsll(hits) - 1;
		if (parent != parents[lane])
			unions.add(f.parent, parent, parents[lane]);
		hits &= ~alike[lane];
	}
}

// A block of forest_ahead has a leaf, and unites it with the next ones in order, which
// are often near.
extern "C" __global__ void __launch_bounds__(COMPARERS) forest_ahead(const Forest f) {
	__shared__ unsigned long long near[LEAF], alike[LEAF];
	__shared__ int parents[LEAF];
	__shared__ Unions unions;
	const long long a = blockIdx.x, last = a + f.reach < f.rows.leaves ? a + f.reach : f.rows.leaves - 1;
	if (f.core[a] == 0)
		return;
	if (threadIdx.x == 0)
		unions.n = 0;
	for (long long b = a + 1; b <= last; b++) {
		const unsigned long long core = f.core[b];
		if (core == 0)
			continue;
		int parent = -1;
		if (threadIdx.x < LEAF) { // ancestors, some of which others may replace now
			parent = __ldcg(f.parent + a * LEAF + threadIdx.x);
			parents[threadIdx.x] = __ldcg(f.parent + b * LEAF + threadIdx.x);
			alike[threadIdx.x] = (unsigned long long)__match_any_sync(~0u, parents[threadIdx.x]) << (threadIdx.x & WARP);
		}
		surelyNear(f.rows, f.eps2, a, b, near); // waits, too
		if (threadIdx.x < LEAF)
			meet(f, unions, near, parents, alike, parent, core);
		__syncthreads();
	}
	__syncthreads();
	for (int i = threadIdx.x; i < min(unions.n, (int)Unions::ROOM); i += COMPARERS)
		unite(f.parent, unions.of[i].i, unions.of[i].j);
}

// forest_flatten makes each root the parent of all rows of its set. Nothing else is
// stored meanwhile: root could put back a parent that is none.
extern "C" __global__ void __launch_bounds__(THREADS) forest_flatten(const Forest f) {
	__shared__ int least[THREADS / WARP], most[THREADS / WARP];
	const long long p = thread();
	int top = -1;
	if (p < f.rows.leaves * LEAF && f.parent[p] >= 0) {
		top = (int)p;
		for (int above; (above = __ldcg(f.parent + top)) != top;)
			top = above;
		f.parent[p] = top;
	}
	int low = top < 0 ? 0x7fffffff : top, high = top;
	for (int by = WARP / 2; by > 0; by /= 2) {
		low = min(low, __shfl_xor_sync(~0u, low, by));
		high = max(high, __shfl_xor_sync(~0u, high, by));
	}
	const int warp = threadIdx.x / WARP;
	if (threadIdx.x % WARP == 0) {
		least[warp] = low;
		most[warp] = high;
	}
	__syncthreads();
	if (threadIdx.x % LEAF == 0 && p < f.rows.leaves * LEAF) {
		low = min(least[warp], least[warp + 1]);
		high = max(most[warp], most[warp + 1]);
		f.set[p / LEAF] = high < 0 ? NOTHING : low == high ? high : SEVERAL;
	}
}

// A block of forest_supers has a superleaf.
extern "C" __global__ void __launch_bounds__(SUPER) forest_supers(const Forest f) {
	__shared__ int least, most;
	const long long leaf = blockIdx.x * (long long)SUPER + threadIdx.x;
	const int set = leaf < f.rows.leaves ? f.set[leaf] : NOTHING;
	if (threadIdx.x == 0) {
		least = 0x7fffffff;
		most = -1;
	}
	const bool several = __syncthreads_or(set == SEVERAL);
	if (set >= 0) {
		atomicMin(&least, set);
		atomicMax(&most, set);
	}
	__syncthreads();
	if (threadIdx.x == 0)
		f.superSet[blockIdx.x] = several ? SEVERAL : most < 0 ? NOTHING : least == most ? most : SEVERAL;
}

// A warp of thin has an item, and moves what matters of its entries to the front.
template <int MODE> static __device__ void thin(const Work &w) {
	const long long at = thread() / WARP;
	if (at >= w.itemCount)
		return;
	Item *item = w.items + at;
	unsigned *entries = w.entries + item->from;
	const int n = item->n, lane = threadIdx.x % WARP;
	int left = 0;
	for (int from = 0; from < n; from += WARP) {
		unsigned entry = 0;
		if (from + lane < n) {
			const unsigned whole = entries[from + lane], b = whole & ((1u << ENTRY_LEAF) - 1);
			for (unsigned rest = whole >> ENTRY_LEAF; rest != 0; rest &= rest - 1) {
				const int bit = __ffs(rest) - 1;
				if (Consumer<MODE>::matters(w, item->group * w.group + bit, b))
					entry |= 1u << (ENTRY_LEAF + bit);
			}
			if (entry != 0)
				entry |= b;
		}
		const unsigned matters = __ballot_sync(~0u, entry != 0);
		if (entry != 0)
			entries[left + __popc(matters & ((1u << lane) - 1))] = entry;
		left += __popc(matters);
		__syncwarp();
	}
	if (lane == 0)
		item->n = left;
}

extern "C" __global__ void __launch_bounds__(THREADS) forest_thin_unite(const Work w) { thin<UNITE>(w); }
extern "C" __global__ void __launch_bounds__(THREADS) forest_thin_attach(const Work w) { thin<ATTACH>(w); }

// A leaf of forest_open has rows that look for a label, or core rows to be found, or
// both. In the numbers of sets, 0 is a leaf of core rows, 1 one of rows that look.
extern "C" __global__ void __launch_bounds__(THREADS) forest_open(const Forest f) {
	const long long p = thread();
	const bool inside = p < f.rows.leaves * LEAF;
	const bool core = inside && f.core && f.core[p / LEAF] >> p % LEAF & 1;
	const bool looks = inside && f.best && !core && f.rows.row[p] >= 0 && f.best[p] > 0;
	__shared__ unsigned cores[THREADS / WARP], looking[THREADS / WARP];
	const int warp = threadIdx.x / WARP;
	cores[warp] = __ballot_sync(~0u, core);
	looking[warp] = __ballot_sync(~0u, looks);
	__syncthreads();
	if (threadIdx.x % LEAF != 0 || !inside)
		return;
	const bool anyCore = (cores[warp] | cores[warp + 1]) != 0, anyLooks = (looking[warp] | looking[warp + 1]) != 0;
	f.set[p / LEAF] = anyCore && anyLooks ? SEVERAL : anyCore ? 0 : anyLooks ? 1 : NOTHING;
}
