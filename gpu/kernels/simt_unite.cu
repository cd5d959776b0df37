#include "simt.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 2) simt_unite(const __grid_constant__ Work w) { any<UNITE>(w); }
extern "C" __global__ void __launch_bounds__(THREADS, 3) simt_low_unite(const __grid_constant__ Work w) { low<UNITE>(w); }
