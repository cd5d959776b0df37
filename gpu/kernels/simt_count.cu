#include "many.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 2) simt_count(const __grid_constant__ Work w) { many<COUNT>(w); }
