// The door to the driver's library, which shim.c opens at run time.
#ifndef RTCLUSTER_SHIM_H
#define RTCLUSTER_SHIM_H

// cudaShimOpen opens libcuda.so.1, finds its functions and initialises it. It
// returns 0, the driver's error code, or −1 if there is no such library; why
// then says what the loader said. It is called once, before any other function
// of the driver that does work.
int cudaShimOpen(const char **why);

#endif
