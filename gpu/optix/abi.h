// What rtcluster uses of OptiX's ABI 87 (OptiX 8.0), in declarations of our own: numbers
// of functions in the table that optixQueryFunctionTable fills, values, and the layout of
// what calls take. Names are ours, but for those that others look for.
#ifndef RTCLUSTER_OPTIX_ABI_H
#define RTCLUSTER_OPTIX_ABI_H

#include <stddef.h>
#include <stdint.h>

enum { ABI = 87, FUNCTIONS = 48 };

// Places in the table of functions.
enum {
	AT_ERROR_NAME = 0,
	AT_ERROR_TEXT = 1,
	AT_CONTEXT_CREATE = 2,
	AT_CONTEXT_DESTROY = 3,
	AT_CACHE_ENABLE = 6,
	AT_CACHE_LOCATION = 7,
	AT_MODULE_CREATE = 12,
	AT_GROUP_CREATE = 18,
	AT_GROUP_STACK = 20,
	AT_PIPELINE_CREATE = 21,
	AT_PIPELINE_STACK = 23,
	AT_ACCEL_MEMORY = 24,
	AT_ACCEL_BUILD = 25,
	AT_RECORD_HEADER = 38,
	AT_LAUNCH = 39
};

typedef uint64_t Address; // CUdeviceptr

typedef struct {
	void *log, *logData;
	int logLevel;
	unsigned validation;
} ContextOptions;

typedef struct {
	int maxRegisters, optimization, debug; // 0: as OptiX likes
	const void *bound;
	unsigned bounds;
	unsigned payloadTypes;
	const void *payloads;
} ModuleOptions;

enum { GRAPH_SINGLE_SCENE = 1, PRIMITIVES_CUSTOM = 1 };

typedef struct {
	int motion;
	unsigned graph;
	int carried, attributes; // numbers that a ray, and a hit, have
	unsigned exceptions;
	const char *parameter;
	unsigned primitives;
	int micromaps;
} PipelineOptions;

enum { GROUP_RAYGEN = 0x2421, GROUP_MISS = 0x2422, GROUP_HIT = 0x2424 };

typedef struct {
	int kind;
	unsigned flags;
	union {
		struct {
			void *module;
			const char *entry;
		} one;
		struct {
			void *closestModule;
			const char *closest;
			void *anyModule;
			const char *any;
			void *crossModule;
			const char *cross;
		} hit;
	} of;
} GroupDescription;

typedef struct {
	const void *payload;
} GroupOptions;

typedef struct {
	unsigned maxDepth, reserved; // the second is ours: OptiX 8.0 has one number
} LinkOptions;

typedef struct {
	unsigned raygen, miss, closest, any, cross, continuation, direct;
} StackSizes;

enum { INPUT_CUSTOM = 0x2142 };
enum { GEOMETRY_SINGLE_ANY = 1 << 1 }; // an any-hit program once for a ray and a primitive

typedef struct {
	const Address *boxes;
	unsigned n, stride;
	const unsigned *flags;
	unsigned records;
	Address offsets;
	unsigned offsetSize, offsetStride, first;
} CustomPrimitives;

typedef struct {
	int type;
	union {
		CustomPrimitives custom;
		char room[1024];
	} of;
} BuildInput;

enum { BUILD_MAY_UPDATE = 1 << 0, BUILD_FAST_TRACE = 1 << 2 };
enum { OPERATION_BUILD = 0x2161, OPERATION_UPDATE = 0x2162 };

typedef struct {
	unsigned flags;
	int operation;
	unsigned short motionKeys, motionFlags;
	float motionBegin, motionEnd;
} BuildOptions;

typedef struct {
	size_t output, temporary, update;
} BufferSizes;

enum { RECORD = 32, RECORD_ALIGN = 16 }; // of a program in a binding table: a header alone

typedef struct {
	Address raygen, exception, miss;
	unsigned missStride, misses;
	Address hit;
	unsigned hitStride, hits;
	Address callables;
	unsigned callableStride, callable;
} BindingTable;

#endif
