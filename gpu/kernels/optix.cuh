// What OptiX's compiler finds in PTX in the place of functions: the calls that rays.cu makes.
// A test puts others in their place (testdata/host.h), hence the macro.
#ifndef OPTIX_CUH
#define OPTIX_CUH

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

// trace follows a ray from a point of a scene on, which carries two numbers, and returns the first.
// The call has places for 32 of them.
static __device__ unsigned trace(unsigned long long scene, float x, float y, float z, unsigned first, unsigned second) {
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
		: "r"(0), "l"(scene), "f"(x), "f"(y), "f"(z), "f"(1.0f), "f"(0.0f), "f"(0.0f), // type of what is carried; from, and where to
		"f"(0.0f), "f"(LENGTH), "f"(0.0f), "r"(255), "r"(0),                                  // its ends, time, mask, flags
		"r"(0), "r"(1), "r"(0), "r"(2), "r"(first), "r"(second), "r"(0)                       // records: offset, stride, miss; numbers carried
		:);
	return p[0];
}

// report says that the ray meets the primitive: the any-hit program is next.
static __device__ __forceinline__ void report() {
	unsigned taken;
	asm volatile("call (%0), _optix_report_intersection_0, (%1, %2);" : "=r"(taken) : "f"(MIDDLE), "r"(0));
}

// ignore has the ray go on as if it had not met the primitive, and ends the program.
static __device__ __forceinline__ void ignore() { asm volatile("call _optix_ignore_intersection, ();"); }

#endif
