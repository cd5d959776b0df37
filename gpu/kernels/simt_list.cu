#include "simt.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 2) simt_list(const __grid_constant__ Work w) { any<LIST>(w); }
extern "C" __global__ void __launch_bounds__(THREADS, 3) simt_low_list(const __grid_constant__ Work w) { low<LIST>(w); }
