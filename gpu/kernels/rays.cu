// Programs of OptiX: which leaves may be near, and, of few coordinates, which rows are.
//
//	leaves  a ray for each cell of a group of leaves: found gets the leaves of t that the
//	        first axes do not tell apart from the group
//	rows    a ray for each row of the queries, of at most SPACE coordinates: its near rows
//	        are counted, and pairs in doubt put aside
//
// The calls are those that OptiX's compiler finds in PTX in the place of functions. Its
// own test of a ray and a box is not exact, so the programs do that again, by the
// arithmetic of boxes.cuh and with its limits. What they do for groups may be done twice.
// OptiX calls an intersection program as often as it likes, but, as the scene asks for it,
// an any-hit program once for a ray and a box: near rows are counted there.
#include "rays.cuh"

extern "C" {
__constant__ Rays params;
}

#define LENGTH 1e-16f // of a ray
#define MIDDLE 5e-17f // where a box is said to be hit

static __device__ __forceinline__ unsigned launched() {
	unsigned i;
	asm volatile("call (%0), _optix_get_launch_index_x, ();" : "=r"(i) :);
	return i;
}

static __device__ __forceinline__ unsigned primitive() {
	unsigned i;
	asm volatile("call (%0), _optix_read_primitive_idx, ();" : "=r"(i) :);
	return i;
}

// What a ray carries: number 0 and 1.
static __device__ __forceinline__ unsigned carried(int number) {
	unsigned v;
	asm volatile("call (%0), _optix_get_payload, (%1);" : "=r"(v) : "r"(number));
	return v;
}
static __device__ __forceinline__ void carry(int number, unsigned v) {
	asm volatile("call _optix_set_payload, (%0, %1);" : : "r"(number), "r"(v));
}

// trace follows a ray from a point on, which carries two numbers, and returns the first.
// The call has places for 32 of them.
static __device__ unsigned trace(float x, float y, float z, unsigned first, unsigned second) {
	unsigned p[32];
	asm volatile(
		"call (%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, "
		"%25, %26, %27, %28, %29, %30, %31), _optix_trace_typed_32, (%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
		"%44, %45, %46, %47, %48, %49, %50, %51, %51, %51, %51, %51, %51, %51, %51, %51, %51, %51, %51, %51, %51, %51, %51, %51, "
		"%51, %51, %51, %51, %51, %51, %51, %51, %51, %51, %51, %51, %51);"
		: "=r"(p[0]), "=r"(p[1]), "=r"(p[2]), "=r"(p[3]), "=r"(p[4]), "=r"(p[5]), "=r"(p[6]), "=r"(p[7]), "=r"(p[8]), "=r"(p[9]),
		"=r"(p[10]), "=r"(p[11]), "=r"(p[12]), "=r"(p[13]), "=r"(p[14]), "=r"(p[15]), "=r"(p[16]), "=r"(p[17]), "=r"(p[18]),
		"=r"(p[19]), "=r"(p[20]), "=r"(p[21]), "=r"(p[22]), "=r"(p[23]), "=r"(p[24]), "=r"(p[25]), "=r"(p[26]), "=r"(p[27]),
		"=r"(p[28]), "=r"(p[29]), "=r"(p[30]), "=r"(p[31])
		: "r"(0), "l"(params.scene), "f"(x), "f"(y), "f"(z), "f"(1.0f), "f"(0.0f), "f"(0.0f), // type of what is carried; from, and where to
		"f"(0.0f), "f"(LENGTH), "f"(0.0f), "r"(255), "r"(0),                                  // its ends, time, mask, flags
		"r"(0), "r"(1), "r"(0), "r"(2), "r"(first), "r"(second), "r"(0)                       // records: offset, stride, miss; numbers carried
		:);
	return p[0];
}

// gap adds the square of the gap between [lo, hi] and [least, most], as boxes.cuh does.
static __device__ __forceinline__ float gap(float sum, float lo, float hi, float least, float most) {
	const float by = fmaxf(0, fmaxf(__fsub_rn(lo, most), __fsub_rn(least, hi)));
	return __fmaf_rn(by, by, sum);
}

extern "C" __global__ void __raygen__leaves() {
	const Ray r = params.rays[launched()];
	trace(r.x, r.y, r.z, 0, (unsigned)r.group);
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
	params.count[i] = trace(y[0], dim > 1 ? y[1] : 0, dim > 2 ? y[2] : 0, 0, (unsigned)i);
}

extern "C" __global__ void __intersection__rows() {
	const long long leaf = primitive(), i = carried(1), dim = params.q.dim;
	const float *y = params.q.y + i * dim;
	float sum = 0;
	for (long long k = 0; k < dim; k++) {
		const long long at = k * params.t.leaves + leaf;
		sum = gap(sum, params.t.lo[at], params.t.hi[at], y[k], y[k]);
	}
	if (!(sum <= (float)params.apart))
		return;
	unsigned taken;
	asm volatile("call (%0), _optix_report_intersection_0, (%1, %2);" : "=r"(taken) : "f"(MIDDLE), "r"(0));
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
	asm volatile("call _optix_ignore_intersection, ();");
}

extern "C" __global__ void __miss__nothing() {}
