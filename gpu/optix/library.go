//go:build cuda

package optix

/*
#cgo LDFLAGS: -ldl
#include "abi.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static void *function[FUNCTIONS];

// openLibrary returns 0, what optixQueryFunctionTable returns, or −1 and why, or −2.
static int openLibrary(const char **why) {
	void *library = dlopen("libnvoptix.so.1", RTLD_NOW | RTLD_LOCAL);
	if (library == NULL)
		return *why = dlerror(), -1;
	int (*query)(int, unsigned, void *, const void **, void *, size_t) = dlsym(library, "optixQueryFunctionTable");
	return query == NULL ? -2 : query(ABI, 0, NULL, NULL, function, sizeof function);
}

static const char *errorName(int code) { return ((const char *(*)(int))function[AT_ERROR_NAME])(code); }
static const char *errorText(int code) { return ((const char *(*)(int))function[AT_ERROR_TEXT])(code); }

// newContext is for the CUDA context that is current.
static int newContext(void **context) {
	ContextOptions options = {0};
	return ((int (*)(void *, const ContextOptions *, void **))function[AT_CONTEXT_CREATE])(NULL, &options, context);
}
static int closeContext(void *context) { return ((int (*)(void *))function[AT_CONTEXT_DESTROY])(context); }
static int enableCache(void *context, int enabled) { return ((int (*)(void *, int))function[AT_CACHE_ENABLE])(context, enabled); }
static int locateCache(void *context, const char *folder) { return ((int (*)(void *, const char *))function[AT_CACHE_LOCATION])(context, folder); }

enum { CARRIED = 2, ATTRIBUTES = 2 }; // numbers of a ray; OptiX takes no fewer of a hit

static PipelineOptions pipelineOptions(const char *parameter) {
	PipelineOptions options = {.graph = GRAPH_SINGLE_SCENE, .carried = CARRIED, .attributes = ATTRIBUTES, .parameter = parameter, .primitives = PRIMITIVES_CUSTOM};
	return options;
}

static int newModule(void *context, const char *parameter, const char *ptx, size_t size, char *log, size_t logSize, void **module) {
	*log = 0;
	ModuleOptions options = {0};
	PipelineOptions pipeline = pipelineOptions(parameter);
	return ((int (*)(void *, const ModuleOptions *, const PipelineOptions *, const char *, size_t, char *, size_t *, void **))function[AT_MODULE_CREATE])(
		context, &options, &pipeline, ptx, size, log, &logSize, module);
}

// Groups of programs. A pair of leaves needs no any-hit program.
enum { RAYGEN_LEAVES, RAYGEN_ROWS, MISS, HIT_LEAVES, HIT_ROWS, GROUPS };

typedef struct {
	const char *name[GROUPS]; // that of the intersection program for a hit
	const char *any;          // of HIT_ROWS
} Names;

static int newGroups(void *context, void *module, const Names *names, char *log, size_t logSize, void **groups) {
	*log = 0;
	GroupDescription of[GROUPS];
	memset(of, 0, sizeof of);
	for (int i = 0; i < GROUPS; i++) {
		if (i < HIT_LEAVES) {
			of[i].kind = i == MISS ? GROUP_MISS : GROUP_RAYGEN;
			of[i].of.one.module = module;
			of[i].of.one.entry = names->name[i];
		} else {
			of[i].kind = GROUP_HIT;
			of[i].of.hit.crossModule = module;
			of[i].of.hit.cross = names->name[i];
		}
	}
	of[HIT_ROWS].of.hit.anyModule = module;
	of[HIT_ROWS].of.hit.any = names->any;
	GroupOptions options = {NULL};
	return ((int (*)(void *, const GroupDescription *, unsigned, const GroupOptions *, char *, size_t *, void **))function[AT_GROUP_CREATE])(
		context, of, GROUPS, &options, log, &logSize, groups);
}

static int newPipeline(void *context, const char *parameter, void **groups, char *log, size_t logSize, void **pipeline) {
	*log = 0;
	PipelineOptions options = pipelineOptions(parameter);
	LinkOptions link = {.maxDepth = 1};
	return ((int (*)(void *, const PipelineOptions *, const LinkOptions *, void *const *, unsigned, char *, size_t *, void **))function[AT_PIPELINE_CREATE])(
		context, &options, &link, groups, GROUPS, log, &logSize, pipeline);
}

// groupStack returns what a group's programs take of the stack.
static int groupStack(void *group, void *pipeline, StackSizes *sizes) {
	memset(sizes, 0, sizeof *sizes);
	return ((int (*)(void *, StackSizes *, void *))function[AT_GROUP_STACK])(group, sizes, pipeline);
}

// setStack: nothing is called but through a trace, and a scene is one deep.
static int setStack(void *pipeline, unsigned continuation) {
	return ((int (*)(void *, unsigned, unsigned, unsigned, unsigned))function[AT_PIPELINE_STACK])(pipeline, 0, 0, continuation, 1);
}

static int recordHeader(void *group, void *record) { return ((int (*)(void *, void *))function[AT_RECORD_HEADER])(group, record); }

static BuildOptions buildOptions(int update) {
	BuildOptions options = {.flags = BUILD_MAY_UPDATE | BUILD_FAST_TRACE, .operation = update ? OPERATION_UPDATE : OPERATION_BUILD};
	return options;
}

// sceneInput is n boxes at an address, which stands in *boxes.
static BuildInput sceneInput(const Address *boxes, unsigned n, const unsigned *flags) {
	BuildInput input;
	memset(&input, 0, sizeof input);
	input.type = INPUT_CUSTOM;
	input.of.custom.boxes = boxes;
	input.of.custom.n = n;
	input.of.custom.flags = flags;
	input.of.custom.records = 1;
	return input;
}

static const unsigned singleAny = GEOMETRY_SINGLE_ANY;

static int sceneMemory(void *context, Address boxes, unsigned n, BufferSizes *sizes) {
	BuildOptions options = buildOptions(0);
	BuildInput input = sceneInput(&boxes, n, &singleAny);
	return ((int (*)(void *, const BuildOptions *, const BuildInput *, unsigned, BufferSizes *))function[AT_ACCEL_MEMORY])(context, &options, &input, 1, sizes);
}

static int buildScene(void *context, void *stream, int update, Address boxes, unsigned n, Address temporary, size_t temporarySize, Address output, size_t outputSize, uint64_t *scene) {
	BuildOptions options = buildOptions(update);
	BuildInput input = sceneInput(&boxes, n, &singleAny);
	return ((int (*)(void *, void *, const BuildOptions *, const BuildInput *, unsigned, Address, size_t, Address, size_t, uint64_t *, const void *, unsigned))function[AT_ACCEL_BUILD])(
		context, stream, &options, &input, 1, temporary, temporarySize, output, outputSize, scene, NULL, 0);
}

// launch follows n rays, of rows or of leaves. Records of all groups are side by side.
static int launch(void *pipeline, void *stream, Address parameter, size_t size, Address records, int rows, unsigned n) {
	BindingTable table;
	memset(&table, 0, sizeof table);
	table.raygen = records + RECORD * (rows ? RAYGEN_ROWS : RAYGEN_LEAVES);
	table.miss = records + RECORD * MISS;
	table.hit = records + RECORD * (rows ? HIT_ROWS : HIT_LEAVES);
	table.missStride = table.hitStride = RECORD;
	table.misses = table.hits = 1;
	return ((int (*)(void *, void *, Address, size_t, const BindingTable *, unsigned, unsigned, unsigned))function[AT_LAUNCH])(
		pipeline, stream, parameter, size, &table, n, 1, 1);
}
*/
import "C"

import (
	"strings"
	"sync"
	"unsafe"

	"rtcluster/gpu/kernels"
)

// Available returns nil where there is OptiX, or an error that matches
// [rtcluster/gpu.ErrMissing] and says why there is none. It takes no card.
func Available() error { return open() }

// open opens the library, once.
var open = sync.OnceValue(func() error {
	var why *C.char
	code := C.openLibrary(&why)
	return startError(int(code), C.GoString(why))
})

// failed makes an error of a result, with what OptiX has logged.
func failed(call string, code C.int, logged string) error {
	if code == 0 {
		return nil
	}
	text := C.GoString(C.errorText(code))
	if said := strings.Join(strings.Fields(logged), " "); said != "" { // one line
		text += ": " + said
	}
	return &Error{Call: call, Code: int(code), Name: C.GoString(C.errorName(code)), Text: text}
}

// record is the size of a program's record in a binding table.
const record = C.RECORD

// linked are the programs of OptiX on a card, ready to be launched.
type linked struct {
	context, pipeline unsafe.Pointer
	records           [C.GROUPS * record]byte
}

// leastStack is the least stack of a pipeline, with which a trial ran.
const leastStack = 2048

// link compiles and links the programs for the card whose context is current, and has
// OptiX keep what it compiles in a folder, if it is not "".
func link(ptx, folder string) (*linked, error) {
	l := new(linked)
	if err := failed("taking the card", C.newContext(&l.context), ""); err != nil {
		return nil, err
	}
	err := l.keep(folder)
	if err == nil {
		err = l.compile(ptx)
	}
	if err != nil {
		C.closeContext(l.context) // and all that was made for it
		return nil, err
	}
	return l, nil
}

// keep sets the folder for what is compiled. One that OptiX cannot use is no fault: all
// is compiled anew then, in each run.
func (l *linked) keep(folder string) error {
	if folder == "" {
		return nil
	}
	path := C.CString(folder)
	defer C.free(unsafe.Pointer(path))
	if C.locateCache(l.context, path) == 0 {
		return failed("keeping what is compiled", C.enableCache(l.context, 1), "")
	}
	return failed("keeping nothing", C.enableCache(l.context, 0), "")
}

// compile makes the pipeline and the records of its programs.
func (l *linked) compile(ptx string) error {
	text, parameter := C.CString(ptx), C.CString(kernels.ProgramsParameter)
	defer C.free(unsafe.Pointer(text))
	defer C.free(unsafe.Pointer(parameter))
	const size = 4096
	log := (*C.char)(C.calloc(size, 1))
	defer C.free(unsafe.Pointer(log))
	said := func() string { return C.GoStringN(log, C.int(C.strnlen(log, size))) }

	var module unsafe.Pointer
	if err := failed("compiling programs", C.newModule(l.context, parameter, text, C.size_t(len(ptx)), log, size, &module), said()); err != nil {
		return err
	}
	// C may keep no pointers to the Go heap, nor be handed any that have some behind them.
	names := (*C.Names)(C.calloc(1, C.sizeof_Names))
	defer C.free(unsafe.Pointer(names))
	for i, name := range [C.GROUPS]string{
		C.RAYGEN_LEAVES: kernels.RaygenLeaves, C.RAYGEN_ROWS: kernels.RaygenRows, C.MISS: kernels.Miss,
		C.HIT_LEAVES: kernels.CrossLeaves, C.HIT_ROWS: kernels.CrossRows,
	} {
		names.name[i] = C.CString(name)
		defer C.free(unsafe.Pointer(names.name[i]))
	}
	names.any = C.CString(kernels.HitRows)
	defer C.free(unsafe.Pointer(names.any))
	groups := (*[C.GROUPS]unsafe.Pointer)(C.calloc(C.GROUPS, C.size_t(unsafe.Sizeof(module))))
	defer C.free(unsafe.Pointer(groups))
	if err := failed("grouping programs", C.newGroups(l.context, module, names, log, size, &groups[0]), said()); err != nil {
		return err
	}
	if err := failed("linking programs", C.newPipeline(l.context, parameter, &groups[0], log, size, &l.pipeline), said()); err != nil {
		return err
	}
	var raygen, hit uint32
	for i, group := range groups {
		var s C.StackSizes
		if err := failed("asking for the stack", C.groupStack(group, l.pipeline, &s), ""); err != nil {
			return err
		}
		raygen = max(raygen, uint32(s.raygen))
		hit = max(hit, uint32(s.miss), uint32(s.cross)+uint32(s.any))
		header := unsafe.SliceData(l.records[i*record:])
		if err := failed("making a record", C.recordHeader(group, unsafe.Pointer(header)), ""); err != nil {
			return err
		}
	}
	return failed("setting the stack", C.setStack(l.pipeline, C.uint(max(leastStack, raygen+hit))), "")
}

// sceneSizes are the bytes that a scene takes: for good, to be built, and to be refitted.
type sceneSizes struct{ output, build, refit int64 }

func (l *linked) sizes(boxes uint64, n int) (sceneSizes, error) {
	var s C.BufferSizes
	err := failed("asking for the size of a scene", C.sceneMemory(l.context, C.Address(boxes), C.uint(n), &s), "")
	return sceneSizes{int64(s.output), int64(s.temporary), int64(s.update)}, err
}

// room is memory on the card.
type room struct {
	at   uint64
	size int64
}

// build queues that a scene of n boxes is built, or refitted, and returns its handle.
func (l *linked) build(stream unsafe.Pointer, refit bool, boxes uint64, n int, temporary, output room) (uint64, error) {
	var scene C.uint64_t
	update := C.int(0)
	call := "building a scene"
	if refit {
		update, call = 1, "refitting a scene"
	}
	code := C.buildScene(l.context, stream, update, C.Address(boxes), C.uint(n), C.Address(temporary.at), C.size_t(temporary.size),
		C.Address(output.at), C.size_t(output.size), &scene)
	return uint64(scene), failed(call, code, "")
}

// launch queues n rays, of rows or of leaves, for a parameter on the card.
func (l *linked) launch(stream unsafe.Pointer, parameter room, records uint64, rows bool, n int) error {
	of := C.int(0)
	if rows {
		of = 1
	}
	return failed("following rays", C.launch(l.pipeline, stream, C.Address(parameter.at), C.size_t(parameter.size), C.Address(records), of, C.uint(n)), "")
}
