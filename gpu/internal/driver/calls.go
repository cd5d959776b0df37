//go:build cuda

package driver

/*
#cgo LDFLAGS: -ldl
#include <cuda.h>
#include <stdlib.h>

// Of our libcuda.a; where a program is linked with the driver's own library,
// that is initialised already.
__attribute__((weak)) int cudaShimOpen(const char **why);

static int openDriver(const char **why) {
	if (cudaShimOpen == NULL)
		return cuInit(0);
	return cudaShimOpen(why);
}

static CUresult launch(CUfunction f, unsigned blocks, unsigned threads, unsigned shared, CUstream s, void *block) {
	void *args[] = {block};
	return cuLaunchKernel(f, blocks, 1, 1, threads, 1, 1, shared, s, args, NULL);
}

static CUresult load(CUmodule *m, const char *ptx, char *log, unsigned size) {
	CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
	void *values[] = {log, (void *)(size_t)size};
	return cuModuleLoadDataEx(m, ptx, 2, names, values);
}

// keep makes the pool hold on to what is freed, up to that many bytes.
static CUresult keep(CUdevice d, cuuint64_t bytes) {
	CUmemoryPool pool;
	CUresult r = cuDeviceGetDefaultMemPool(&pool, d);
	return r ? r : cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &bytes);
}

// idle is what the pool holds on to and nobody uses.
static CUresult idle(CUdevice d, cuuint64_t *bytes) {
	CUmemoryPool pool;
	cuuint64_t held = 0, used = 0;
	CUresult r = cuDeviceGetDefaultMemPool(&pool, d);
	if (!r)
		r = cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &held);
	if (!r)
		r = cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used);
	*bytes = held - used;
	return r;
}
*/
import "C"

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"unsafe"
)

// failed makes an error of what package cu returns, whose errors are codes of an
// unexported integer type.
func failed(call string, err error) error {
	if err == nil {
		return nil
	}
	if v := reflect.ValueOf(err); v.Kind() == reflect.Int {
		return code(call, C.CUresult(v.Int()))
	}
	return fmt.Errorf("cuda: %s: %w", call, err)
}

// code makes an error of a result of the driver.
func code(call string, r C.CUresult) error {
	if r == C.CUDA_SUCCESS {
		return nil
	}
	return &Error{Call: call, Code: int(r), Text: textOf(r)}
}

// textOf is what the driver says of a result.
func textOf(r C.CUresult) string {
	var text *C.char
	if C.cuGetErrorString(r, &text) == C.CUDA_SUCCESS && text != nil {
		return C.GoString(text)
	}
	return "unknown error"
}

// start opens the driver's library, once.
var start = sync.OnceValue(func() error {
	var why *C.char
	r := C.openDriver(&why)
	switch {
	case r < 0:
		return startError(codeNoLibrary, "", C.GoString(why))
	case r != 0:
		return startError(int(r), textOf(C.CUresult(r)), "")
	}
	return nil
})

// launchBlock runs f on a stream with one parameter, which it copies.
func launchBlock(f unsafe.Pointer, blocks, threads, shared int, s unsafe.Pointer, block unsafe.Pointer) error {
	return code("launching a kernel", C.launch(C.CUfunction(f), C.uint(blocks), C.uint(threads), C.uint(shared), C.CUstream(s), block))
}

func loadModule(ptx string) (unsafe.Pointer, error) {
	text := C.CString(ptx)
	defer C.free(unsafe.Pointer(text))
	const size = 4096
	log := (*C.char)(C.calloc(size, 1))
	defer C.free(unsafe.Pointer(log))
	var m C.CUmodule
	err := code("compiling kernels for this card", C.load(&m, text, log, size))
	if said := C.GoString(log); err != nil && said != "" {
		err = fmt.Errorf("%w: %s", err, strings.Join(strings.Fields(said), " ")) // one line
	}
	return unsafe.Pointer(m), err
}

func findKernel(module unsafe.Pointer, name string) (unsafe.Pointer, error) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	var f C.CUfunction
	err := code("finding kernel "+name, C.cuModuleGetFunction(&f, C.CUmodule(module), text))
	return unsafe.Pointer(f), err
}

func unloadModule(module unsafe.Pointer) error {
	return code("unloading kernels", C.cuModuleUnload(C.CUmodule(module)))
}

// allowShared lets a kernel take more than 48 KiB of shared memory.
func allowShared(f unsafe.Pointer, bytes int) error {
	return code("setting the shared memory of a kernel",
		C.cuFuncSetAttribute(C.CUfunction(f), C.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, C.int(bytes)))
}

func allocAsync(bytes int64, s unsafe.Pointer) (uint64, error) {
	var p C.CUdeviceptr
	err := code("allocating memory", C.cuMemAllocAsync(&p, C.size_t(bytes), C.CUstream(s)))
	return uint64(p), err
}

func zeroAsync(p uint64, bytes int64, s unsafe.Pointer) error {
	return code("clearing memory", C.cuMemsetD8Async(C.CUdeviceptr(p), 0, C.size_t(bytes), C.CUstream(s)))
}

func copyAsync(to, from uint64, bytes int64, s unsafe.Pointer) error {
	return code("copying", C.cuMemcpyDtoDAsync(C.CUdeviceptr(to), C.CUdeviceptr(from), C.size_t(bytes), C.CUstream(s)))
}

func freeAsync(p uint64, s unsafe.Pointer) error {
	return code("freeing memory", C.cuMemFreeAsync(C.CUdeviceptr(p), C.CUstream(s)))
}

func keepFreed(ordinal int, bytes int64) error {
	return code("setting up the memory pool", C.keep(C.CUdevice(ordinal), C.cuuint64_t(bytes)))
}

func idleBytes(ordinal int) (int64, error) {
	var n C.cuuint64_t
	err := code("asking the memory pool", C.idle(C.CUdevice(ordinal), &n))
	return int64(n), err
}

func allocHost(bytes int64) (unsafe.Pointer, error) {
	var p unsafe.Pointer
	err := code("allocating pinned memory", C.cuMemHostAlloc(&p, C.size_t(bytes), 0))
	return p, err
}
