// Programs of OptiX: which leaves may be near, and, of few coordinates, which rows are.
//
//	leaves  a ray for each cell of a group of leaves: found gets the leaves of t that the
//	        first axes do not tell apart from the group
//	rows    a ray for each row of the queries, of at most SPACE coordinates: its near rows
//	        are counted, and pairs in doubt put aside
//
// OptiX's own test of a ray and a box is not exact, so the programs do that again, by the
// arithmetic of boxes.cuh and with its limits. What they do for groups may be done twice.
// OptiX calls an intersection program as often as it likes, but, as the scene asks for it,
// an any-hit program once for a ray and a box: near rows are counted there.
#include "optix.cuh"
#include "rays.cuh"

extern "C" {
__constant__ Rays params;
}

// gap adds the square of the gap between [lo, hi] and [least, most], as boxes.cuh does.
static __device__ __forceinline__ float gap(float sum, float lo, float hi, float least, float most) {
	const float by = fmaxf(0, fmaxf(__fsub_rn(lo, most), __fsub_rn(least, hi)));
	return __fmaf_rn(by, by, sum);
}

extern "C" __global__ void __raygen__leaves() {
	const Ray r = params.rays[launched()];
	trace(params.scene, r.x, r.y, r.z, 0, (unsigned)r.group);
}

extern "C" __global__ void __intersection__leaves() {
	const long long leaf = primitive(), group = carried(1), axes = min(params.t.axes, (long long)SPACE);
	if (params.self && leaf < group * params.group)
		return;
	const float *whole = params.whole + 2 * SPACE * group;
	float sum = 0;
	for (long long k = 0; k < axes; k++) {
		const long long at = k * params.t.leaves + leaf;
		sum = gap(sum, params.t.lo[at], params.t.hi[at], whole[k], whole[SPACE + k]);
	}
	if (sum <= (float)params.apart)
		atomicOr(params.found + ((group - params.begin) * params.t.supers * SUPER + leaf) / 32, 1u << leaf % 32);
}

extern "C" __global__ void __raygen__rows() {
	const long long i = params.begin + launched(), dim = params.q.dim;
	if (i % LEAF >= params.q.fill[i / LEAF])
		return;
	const float *y = params.q.y + i * dim;
	params.count[i] = trace(params.scene, y[0], dim > 1 ? y[1] : 0, dim > 2 ? y[2] : 0, 0, (unsigned)i);
}

extern "C" __global__ void __intersection__rows() {
	const long long leaf = primitive(), i = carried(1), dim = params.q.dim;
	const float *y = params.q.y + i * dim;
	float sum = 0;
	for (long long k = 0; k < dim; k++) {
		const long long at = k * params.t.leaves + leaf;
		sum = gap(sum, params.t.lo[at], params.t.hi[at], y[k], y[k]);
	}
	if (sum <= (float)params.apart)
		report();
}

// putAside writes a pair in doubt, if there is room: the host sees by the number where
// there was none. Once it tells that, it is left alone, lest it overflow.
static __device__ void putAside(long long i, long long j) {
	const long long list = i / 32 % DOUBTERS; // rows side by side share one
	if (*(volatile unsigned *)(params.doubts + list) > params.doubtRoom)
		return;
	const unsigned at = atomicAdd(params.doubts + list, 1u);
	if (at < params.doubtRoom)
		params.doubt[list * params.doubtRoom + at] = Pair{(int)i, (int)j};
}

// All rows of the leaf may be near; else each is, or is not, or is in doubt.
extern "C" __global__ void __anyhit__rows() {
	const long long leaf = primitive(), i = carried(1), dim = params.q.dim;
	const float *y = params.q.y + i * dim, *x = params.t.y + leaf * LEAF * dim;
	const float apart = (float)params.apart, within = (float)params.within;
	const int fill = params.t.fill[leaf];
	float reach = 0;
	for (long long k = 0; k < dim; k++) {
		const long long at = k * params.t.leaves + leaf;
		const float by = fmaxf(__fsub_rn(params.t.hi[at], y[k]), __fsub_rn(y[k], params.t.lo[at]));
		reach = __fmaf_rn(by, by, reach);
	}
	unsigned n = reach <= within ? fill : 0; // never, if within is −1
	for (int lane = n > 0 ? fill : 0; lane < fill; lane++) {
		float sum = 0;
		for (long long k = 0; k < dim; k++) {
			const float by = __fsub_rn(x[lane * dim + k], y[k]);
			sum = __fmaf_rn(by, by, sum);
		}
		if (sum <= within)
			n++;
		else if (sum <= apart)
			putAside(i, leaf * LEAF + lane);
	}
	carry(0, carried(0) + n);
	ignore();
}

extern "C" __global__ void __miss__nothing() {}
