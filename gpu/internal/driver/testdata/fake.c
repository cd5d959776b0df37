// A libcuda.so.1 without a card behind it, for TestFakeDriver: what it answers is in the
// environment.
#include <stdlib.h>
#include <string.h>

static int number(const char *name) {
	const char *text = getenv(name);
	return text == NULL ? 0 : atoi(text);
}

int cuInit(unsigned flags) { return number("FAKE_INIT"); }
int cuDriverGetVersion(int *v) { return *v = number("FAKE_VERSION"), 0; }
int cuDeviceGetCount(int *n) { return *n = number("FAKE_CARDS"), 0; }
int cuDeviceGet(int *d, int ordinal) { return *d = ordinal, 0; }
int cuDeviceGetName(char *name, int size, int d) { return strncpy(name, "NVIDIA Fake", size), 0; }
int cuDeviceTotalMem_v2(size_t *bytes, int d) { return *bytes = 1 << 30, 0; }
int cuDevicePrimaryCtxRetain(void **ctx, int d) { return number("FAKE_RETAIN"); }

int cuDeviceGetAttribute(int *value, int attribute, int d) {
	switch (attribute) {
	case 75: // major
	case 76: // and minor number of the compute capability
		*value = attribute == 75 ? number("FAKE_CAPABILITY") / 10 : number("FAKE_CAPABILITY") % 10;
		break;
	default:
		*value = 1;
	}
	return 0;
}

int cuGetErrorString(int code, const char **text) { return *text = "what the driver says", 0; }
