// The part of our libcuda.a that is the same for all versions of cuda.h; the
// jumps and names beside it are made by shim.awk.
//
// Why there is such a library: a program that is linked with the driver's own
// does not start where that is missing, and the binding package calls cuInit
// while the program starts and ends it if that fails. Here cuInit always
// succeeds and does nothing, every other function says "not initialised", and
// cudaShimOpen, called when a GPU is asked for, does what cuInit would have
// done.
#include <dlfcn.h>
#include <stddef.h>

#include "shim.h"

enum { NOT_INITIALISED = 3, NOT_FOUND = 500 }; // of CUresult

extern const int cudaShimCount;
extern const char *const cudaShimName[];
extern void *cudaShimAddress[] __attribute__((visibility("hidden")));

static int notInitialised(void) { return NOT_INITIALISED; }
static int notFound(void) { return NOT_FOUND; }

int cuInit(unsigned flags) {
	(void)flags;
	return 0;
}

__attribute__((constructor)) static void prepare(void) {
	for (int i = 0; i < cudaShimCount; i++)
		cudaShimAddress[i] = (void *)notInitialised;
}

int cudaShimOpen(const char **why) {
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
	if (library == NULL) {
		*why = dlerror();
		return -1;
	}
	for (int i = 0; i < cudaShimCount; i++) {
		void *found = dlsym(library, cudaShimName[i]);
		cudaShimAddress[i] = found != NULL ? found : (void *)notFound;
	}
	int (*init)(unsigned) = (int (*)(unsigned))dlsym(library, "cuInit");
	return init == NULL ? NOT_FOUND : init(0);
}
