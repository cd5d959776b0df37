#include "simt.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 2) simt_count(const __grid_constant__ Work w) { any<COUNT>(w); }
extern "C" __global__ void __launch_bounds__(THREADS, 3) simt_low_count(const __grid_constant__ Work w) { low<COUNT>(w); }
