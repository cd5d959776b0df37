#include "low.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 3) low_count(const __grid_constant__ Work w) { low<COUNT>(w); }
