// A libnvoptix.so.1 without OptiX behind it, for TestCalls. It writes down what it is
// handed, as bytes at the places that ABI 87 has for them: nothing of abi.h is used. Call
// FAKE_FAIL, by its place in the table, returns 7001; FAKE_QUERY is what the query returns.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int number(const char *name) {
	const char *text = getenv(name);
	return text == NULL ? -1 : atoi(text);
}

static int u4(const void *at, int offset) {
	int v;
	return memcpy(&v, (const char *)at + offset, 4), v;
}
static uint64_t u8(const void *at, int offset) {
	uint64_t v;
	return memcpy(&v, (const char *)at + offset, 8), v;
}
static const char *text(const void *at, int offset) {
	const char *t = (const char *)u8(at, offset);
	return t == NULL ? "none" : t;
}

static int done(int slot) { return number("FAKE_FAIL") == slot ? 7001 : 0; }

static const char *name(int code) { return "OPTIX_ERROR_FAKE"; }
static const char *say(int code) { return "Fake error"; }

static int contextCreate(void *cuda, const void *o, void **context) {
	printf("context %p log %" PRIu64 " level %d validation %d\n", cuda, u8(o, 0), u4(o, 16), u4(o, 20));
	*context = (void *)0x100;
	return done(2);
}
static int contextDestroy(void *context) { return printf("destroy %p\n", context), done(3); }
static int cacheEnable(void *context, int on) { return printf("cache %p %d\n", context, on), done(6); }
static int cacheLocation(void *context, const char *folder) { return printf("cache in %s\n", folder), done(7); }

static void pipelineOptions(const void *p) {
	printf("  motion %d graph %d carried %d attributes %d exceptions %d parameter %s primitives %d micromaps %d\n", u4(p, 0), u4(p, 4), u4(p, 8),
		u4(p, 12), u4(p, 16), text(p, 24), u4(p, 32), u4(p, 36));
}

static int moduleCreate(void *context, const void *o, const void *p, const char *ptx, size_t size, char *log, size_t *logSize, void **module) {
	printf("module %p registers %d optimization %d debug %d bound %d payloads %d log %zu ptx %.*s\n", context, u4(o, 0), u4(o, 4), u4(o, 8), u4(o, 24),
		u4(o, 28), *logSize, (int)size, ptx);
	pipelineOptions(p);
	snprintf(log, *logSize, "a line\nof the log");
	*module = (void *)0x200;
	return done(12);
}

static int groupCreate(void *context, const void *d, unsigned n, const void *o, char *log, size_t *logSize, void **groups) {
	printf("groups %u options %" PRIu64 "\n", n, u8(o, 0));
	for (unsigned i = 0; i < n; i++, d = (const char *)d + 56) {
		printf("  kind %#x flags %d: %#" PRIx64 " %s, %#" PRIx64 " %s, %#" PRIx64 " %s\n", u4(d, 0), u4(d, 4), u8(d, 8), text(d, 16), u8(d, 24), text(d, 32),
			u8(d, 40), text(d, 48));
		groups[i] = (void *)(uintptr_t)(0x300 + i);
	}
	return done(18);
}
static int groupStack(void *group, unsigned *sizes, void *pipeline) {
	const unsigned of[7] = {3000, 100, 0, 700, 400, 0, 0};
	memcpy(sizes, of, sizeof of);
	return printf("stack of %p in %p\n", group, pipeline), done(20);
}
static int pipelineCreate(void *context, const void *p, const void *link, void *const *groups, unsigned n, char *log, size_t *logSize, void **pipeline) {
	printf("pipeline of %u, first %p, depth %d\n", n, groups[0], u4(link, 0));
	pipelineOptions(p);
	*pipeline = (void *)0x400;
	return done(21);
}
static int pipelineStack(void *pipeline, unsigned a, unsigned b, unsigned c, unsigned depth) {
	return printf("stack %p %u %u %u depth %u\n", pipeline, a, b, c, depth), done(23);
}
static int recordHeader(void *group, void *record) { return memset(record, (int)(uintptr_t)group & 255, 32), done(38); }

static void input(const void *o, const void *in, unsigned n) {
	printf("  flags %d operation %#x motion %d; %u input of type %#x: %d boxes at %#" PRIx64 " by %d, flags %d, %d record, offsets %" PRIu64 " first %d\n", u4(o, 0),
		u4(o, 4), u4(o, 8), n, u4(in, 0), u4(in, 16), *(uint64_t *)u8(in, 8), u4(in, 20), *(int *)u8(in, 24), u4(in, 32), u8(in, 40), u4(in, 56));
}
static int accelMemory(void *context, const void *o, const void *in, unsigned n, size_t *sizes) {
	sizes[0] = 1000, sizes[1] = 200, sizes[2] = 30;
	printf("sizes\n");
	return input(o, in, n), done(24);
}
static int accelBuild(void *context, void *stream, const void *o, const void *in, unsigned n, uint64_t temporary, size_t temporarySize, uint64_t output,
	size_t outputSize, uint64_t *scene, const void *emitted, unsigned emit) {
	printf("build on %p in %#" PRIx64 " %zu to %#" PRIx64 " %zu emit %p %u\n", stream, temporary, temporarySize, output, outputSize, emitted, emit);
	*scene = 0x500;
	return input(o, in, n), done(25);
}
static int launch(void *pipeline, void *stream, uint64_t parameter, size_t size, const void *t, unsigned w, unsigned h, unsigned d) {
	printf("launch %p on %p of %#" PRIx64 " %zu: %u %u %u\n", pipeline, stream, parameter, size, w, h, d);
	printf("  raygen %#" PRIx64 " exception %#" PRIx64 " miss %#" PRIx64 " %d %d hit %#" PRIx64 " %d %d callables %#" PRIx64 " %d %d\n", u8(t, 0), u8(t, 8), u8(t, 16),
		u4(t, 24), u4(t, 28), u8(t, 32), u4(t, 40), u4(t, 44), u8(t, 48), u4(t, 56), u4(t, 60));
	return done(39);
}

int optixQueryFunctionTable(int abi, unsigned n, void *keys, const void **values, void **table, size_t size) {
	setvbuf(stdout, NULL, _IONBF, 0);
	printf("query %d %u %zu\n", abi, n, size);
	if (number("FAKE_QUERY") > 0)
		return number("FAKE_QUERY");
	table[0] = name, table[1] = say, table[2] = contextCreate, table[3] = contextDestroy, table[6] = cacheEnable, table[7] = cacheLocation;
	table[12] = moduleCreate, table[18] = groupCreate, table[20] = groupStack, table[21] = pipelineCreate, table[23] = pipelineStack;
	table[24] = accelMemory, table[25] = accelBuild, table[38] = recordHeader, table[39] = launch;
	return 0;
}
