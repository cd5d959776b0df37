#include "simt.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 2) simt_attach(const __grid_constant__ Work w) { any<ATTACH>(w); }
extern "C" __global__ void __launch_bounds__(THREADS, 3) simt_low_attach(const __grid_constant__ Work w) { low<ATTACH>(w); }
