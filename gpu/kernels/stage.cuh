// Stages of shared memory, of operands of STEPS × 16 columns, that one warp fills and
// others read: barriers, copies that they wait for, and products.
#pragma once

static __device__ __forceinline__ unsigned shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

static __device__ __forceinline__ float loadFloat(unsigned from) {
	float x;
	asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x) : "r"(from) : "memory");
	return x;
}

static __device__ __forceinline__ uint2 loadPair(unsigned from) {
	uint2 x;
	asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(x.x), "=r"(x.y) : "r"(from) : "memory");
	return x;
}

static __device__ __forceinline__ void storePair(unsigned to, unsigned x, unsigned y) {
	asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(to), "r"(x), "r"(y) : "memory");
}

static __device__ __forceinline__ void barrierInit(unsigned barrier, int arrivals) {
	asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

static __device__ __forceinline__ void barrierArrive(unsigned barrier) {
	asm volatile("{\n.reg .b64 state;\nmbarrier.arrive.shared.b64 state, [%0];\n}" ::"r"(barrier) : "memory");
}

static __device__ __forceinline__ bool barrierPassed(unsigned barrier, unsigned phase) {
	unsigned passed;
#if __CUDA_ARCH__ >= 900
	asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
#else
	asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
#endif
		: "=r"(passed) : "r"(barrier), "r"(phase) : "memory");
	return passed;
}

static __device__ __forceinline__ void barrierWait(unsigned barrier, unsigned phase) {
	while (!barrierPassed(barrier, phase))
		;
}

#if __CUDA_ARCH__ >= 900
enum { LOADERS = 1, ARRIVALS = 1 }; // lanes that load, and arrivals that make a stage full

static __device__ __forceinline__ void barriersReady() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

// load copies so many bytes, a multiple of 16, and then arrives at the barrier.
static __device__ __forceinline__ void load(unsigned to, const char *from, unsigned bytes, unsigned barrier) {
	asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
		::"r"(to), "l"(from), "r"(bytes), "r"(barrier) : "memory");
}
#else
enum { LOADERS = 32, ARRIVALS = 33 }; // the first lane arrives once more

static __device__ __forceinline__ void barriersReady() {}

static __device__ __forceinline__ void load(unsigned to, const char *from, unsigned bytes, unsigned barrier) {
	for (unsigned at = threadIdx.x % 32 * 16; at < bytes; at += 32 * 16)
		asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + at), "l"(from + at) : "memory");
	asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier) : "memory");
}
#endif

// product sets acc to the product of 64 rows of a, of which each of 4 warps has 16 in
// registers, and the leaf of b in shared memory. Numbers are float16, 16 columns a step;
// or int8, 32 columns a step, whose products are added to what acc has. Bytes lie alike
// in both: 8 rows of 16 bytes together, the next 16 bytes of these 1024 bytes on, the next
// 8 rows 128.
static __device__ __forceinline__ constexpr bool adds(const float &) { return false; }

static __device__ __forceinline__ constexpr bool adds(const int &) { return true; }

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#define ACCUMULATORS(C) \
	C(c[0]), C(c[1]), C(c[2]), C(c[3]), C(c[4]), C(c[5]), C(c[6]), C(c[7]), \
	C(c[8]), C(c[9]), C(c[10]), C(c[11]), C(c[12]), C(c[13]), C(c[14]), C(c[15]), \
	C(c[16]), C(c[17]), C(c[18]), C(c[19]), C(c[20]), C(c[21]), C(c[22]), C(c[23]), \
	C(c[24]), C(c[25]), C(c[26]), C(c[27]), C(c[28]), C(c[29]), C(c[30]), C(c[31])
#define REAL(x) "+f"(x)
#define INTEGER(x) "+r"(x)
#define MULTIPLY(kind, signs) \
	"{\n.reg .pred p;\n.reg .b64 rows;\nsetp.ne.b32 p, %38, 0;\nmov.b64 rows, {%36, %37};\n" \
	"wgmma.mma_async.sync.aligned." kind " " \
	"{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
	"%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, " \
	"{%32, %33, %34, %35}, rows, p" signs ";\n}"
#define OPERANDS "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b), "r"(128 >> 4), "r"(add)

static __device__ __forceinline__ void step(float (&c)[32], const unsigned (&a)[4], unsigned b, int add) {
	asm volatile(MULTIPLY("m64n64k16.f32.f16.f16", ", 1, 1, 0") : ACCUMULATORS(REAL) : OPERANDS);
}

static __device__ __forceinline__ void step(int (&c)[32], const unsigned (&a)[4], unsigned b, int add) {
	asm volatile(MULTIPLY("m64n64k32.s32.s8.s8", "") : ACCUMULATORS(INTEGER) : OPERANDS);
}

// settle lets a result be read no sooner.
static __device__ __forceinline__ void settle(float &x) { asm volatile("" : REAL(x)::"memory"); }

static __device__ __forceinline__ void settle(int &x) { asm volatile("" : INTEGER(x)::"memory"); }

template <class T> static __device__ __forceinline__ void product(T (&acc)[32], const unsigned (&a)[STEPS][4], unsigned b) {
	const unsigned rows = b >> 4 | 1024 >> 4 << 16; // b is below 256 KiB
	asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
	for (int k = 0; k < STEPS; k++)
		step(acc, a[k], rows + k * (2048 >> 4), adds(acc[0]) || k > 0);
	asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
	for (int i = 0; i < 32; i++)
		settle(acc[i]);
}
#else
static __device__ __forceinline__ void step(float *c, const unsigned (&a)[4], unsigned first, unsigned second) {
	asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		: "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(first), "r"(second));
}

static __device__ __forceinline__ void step(int *c, const unsigned (&a)[4], unsigned first, unsigned second) {
	asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		: "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
		: "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(first), "r"(second));
}

template <class T> static __device__ __forceinline__ void product(T (&acc)[32], const unsigned (&a)[STEPS][4], unsigned b) {
	const int lane = threadIdx.x % 32;
	if (!adds(acc[0])) {
#pragma unroll
		for (int i = 0; i < 32; i++)
			acc[i] = 0;
	}
#pragma unroll
	for (int k = 0; k < STEPS; k++)
#pragma unroll
		for (int q = 0; q < 4; q++) {
			unsigned f[4];
			const unsigned at = b + k * 2048 + (lane >> 3 & 1) * 1024 + (2 * q + (lane >> 4)) * 128 + (lane & 7) * 16;
			asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
				: "=r"(f[0]), "=r"(f[1]), "=r"(f[2]), "=r"(f[3]) : "r"(at) : "memory");
#pragma unroll
			for (int side = 0; side < 2; side++)
				step(acc + 8 * q + 4 * side, a[k], f[2 * side], f[2 * side + 1]);
		}
}
#endif
