// Float16 numbers, as bits.
#pragma once

typedef unsigned short half;

static __device__ __forceinline__ half toHalf(double x) {
	half h;
	asm("cvt.rn.f16.f64 %0, %1;" : "=h"(h) : "d"(x));
	return h;
}

static __device__ __forceinline__ double fromHalf(half h) {
	float x;
	asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
	return (double)x;
}
