// Labels of sets, and where they go.
//
//	label_first    the least input row of each set
//	label_name     labels a core row by that row
//	label_mark, label_tally, label_scan, label_rank, label_number
//	               label a core row by how many sets are before its own in that order
//	label_reset    makes room for what other rows find
//	label_row, label_coded
//	               labels in the order of the input
#include "params.cuh"

enum { THREADS = 256, WARP = 32, WORD = 32, SCANNERS = 1024 };

static __device__ __forceinline__ long long thread() { return blockIdx.x * (long long)THREADS + threadIdx.x; }

extern "C" __global__ void __launch_bounds__(THREADS) label_first(const Forest f) {
	const long long p = thread();
	if (p >= f.rows.leaves * LEAF)
		return; // a whole warp
	const int top = f.parent[p];
	int row = top < 0 ? 0x7fffffff : f.rows.row[p];
	const int lane = __ffs(__match_any_sync(~0u, top)) - 1;
	if (__all_sync(~0u, lane == 0)) { // all of one set
		for (int by = WARP / 2; by > 0; by /= 2)
			row = min(row, __shfl_xor_sync(~0u, row, by));
		if (threadIdx.x % WARP != 0)
			return;
	}
	if (top >= 0 && row < __ldcg(f.first + top))
		atomicMin(f.first + top, row);
}

extern "C" __global__ void __launch_bounds__(THREADS) label_name(const Forest f) {
	const long long p = thread();
	if (p < f.rows.leaves * LEAF)
		f.label[p] = f.parent[p] < 0 ? -1 : f.first[f.parent[p]];
}

extern "C" __global__ void __launch_bounds__(THREADS) label_mark(const Forest f) {
	const long long p = thread();
	if (p < f.rows.leaves * LEAF && f.parent[p] == p)
		atomicOr(f.named + f.first[p] / WORD, 1u << f.first[p] % WORD);
}

// before returns the sum of the numbers of the threads before, and sets all to that of
// all of them; all threads call it.
template <int N> static __device__ unsigned before(unsigned mine, unsigned &all) {
	__shared__ unsigned sums[N / WARP];
	const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
	unsigned sum = mine;
	for (int by = 1; by < WARP; by *= 2) {
		const unsigned other = __shfl_up_sync(~0u, sum, by);
		sum += lane >= by ? other : 0;
	}
	__syncthreads(); // the sums may be in use
	if (lane == WARP - 1)
		sums[warp] = sum;
	__syncthreads();
	unsigned others = all = 0;
	for (int i = 0; i < N / WARP; i++) {
		others += i < warp ? sums[i] : 0;
		all += sums[i];
	}
	return others + sum - mine;
}

// wordBits counts the bits of a thread's words of a run: EACH, one after the other.
enum { EACH = RUN / THREADS };
static __device__ unsigned wordBits(const Forest &f, unsigned (&bits)[EACH]) {
	unsigned sum = 0;
	for (int i = 0; i < EACH; i++) {
		const long long word = thread() * EACH + i;
		sum += bits[i] = word < f.words ? __popc(f.named[word]) : 0;
	}
	return sum;
}

extern "C" __global__ void __launch_bounds__(THREADS) label_tally(const Forest f) {
	unsigned bits[EACH], all;
	before<THREADS>(wordBits(f, bits), all);
	if (threadIdx.x == 0)
		f.runs[blockIdx.x] = all;
}

// One block of label_scan has all runs.
extern "C" __global__ void __launch_bounds__(SCANNERS) label_scan(const Forest f) {
	const long long runs = (f.words + RUN - 1) / RUN;
	unsigned done = 0, all;
	for (long long from = 0; from < runs; from += SCANNERS) {
		const long long run = from + threadIdx.x;
		const unsigned earlier = before<SCANNERS>(run < runs ? f.runs[run] : 0, all);
		if (run < runs)
			f.runs[run] = done + earlier;
		done += all;
	}
	if (threadIdx.x == 0)
		f.sums[SETS] = done;
}

extern "C" __global__ void __launch_bounds__(THREADS) label_rank(const Forest f) {
	unsigned bits[EACH], all;
	unsigned sum = f.runs[blockIdx.x] + before<THREADS>(wordBits(f, bits), all);
	for (int i = 0; i < EACH; i++) {
		const long long word = thread() * EACH + i;
		if (word < f.words)
			f.before[word] = sum;
		sum += bits[i];
	}
}

extern "C" __global__ void __launch_bounds__(THREADS) label_number(const Forest f) {
	const long long p = thread();
	if (p >= f.rows.leaves * LEAF)
		return;
	int label = -1;
	if (f.parent[p] >= 0) {
		const int row = f.first[f.parent[p]], word = row / WORD;
		label = f.before[word] + __popc(f.named[word] & ((1u << row % WORD) - 1));
	}
	f.label[p] = label;
}

extern "C" __global__ void __launch_bounds__(THREADS) label_reset(const Forest f) {
	const long long p = thread();
	if (p < f.rows.leaves * LEAF)
		f.best[p] = 0x7fffffff;
}

// label returns that of a row that is core, or what it has found.
static __device__ int label(const Forest &f, long long p, bool &core) {
	const int own = f.label ? f.label[p] : -1, best = f.best ? f.best[p] : 0x7fffffff;
	core = own >= 0;
	return core ? own : best < 0x7fffffff ? best : -1;
}

extern "C" __global__ void __launch_bounds__(THREADS) label_row(const Forest f) {
	const long long p = thread();
	bool core;
	if (p < f.rows.leaves * LEAF && f.rows.row[p] >= 0)
		f.out[f.rows.row[p]] = label(f, p, core);
}

// label_coded gives −2 less the label of a core row.
extern "C" __global__ void __launch_bounds__(THREADS) label_coded(const Forest f) {
	const long long p = thread();
	bool core = false, noise = false;
	if (p < f.rows.leaves * LEAF && f.rows.row[p] >= 0) {
		const int found = label(f, p, core);
		f.out[f.rows.row[p]] = core ? -2 - found : found;
		noise = found < 0;
	}
	const int all = __syncthreads_count(noise);
	if (threadIdx.x == 0 && all > 0)
		atomicAdd(f.sums + NOISE, (unsigned long long)all);
}
