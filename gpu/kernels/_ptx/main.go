// Command ptx compiles the kernels with NVRTC, of which it is given the folder:
//
//	go run ./gpu/kernels/_ptx FOLDER gpu/kernels
//
// NVRTC is opened at run time, so that nothing of CUDA is needed to build this.
package main

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static void *library;
static const char *load(const char *path) {
	library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
	return library ? NULL : dlerror();
}
static void version(int *major, int *minor) {
	((int (*)(int *, int *))dlsym(library, "nvrtcVersion"))(major, minor);
}
// compile returns 0, and the PTX or the log, which the caller frees.
static int compile(const char *source, const char *name, const char **options, int n, char **out) {
	void *program = NULL;
	size_t size = 0;
	int r = ((int (*)(void **, const char *, const char *, int, const char **, const char **))dlsym(library, "nvrtcCreateProgram"))(&program, source, name, 0, NULL, NULL);
	if (r) { *out = strdup("nvrtcCreateProgram failed"); return r; }
	r = ((int (*)(void *, int, const char **))dlsym(library, "nvrtcCompileProgram"))(program, n, options);
	((int (*)(void *, size_t *))dlsym(library, r ? "nvrtcGetProgramLogSize" : "nvrtcGetPTXSize"))(program, &size);
	*out = calloc(size + 1, 1);
	((int (*)(void *, char *))dlsym(library, r ? "nvrtcGetProgramLog" : "nvrtcGetPTX"))(program, *out);
	return r;
}
*/
import "C"

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"rtcluster/gpu/kernels/fresh"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: ptx FOLDER_OF_NVRTC FOLDER_OF_KERNELS")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "ptx:", err)
		os.Exit(1)
	}
}

func run(nvrtc, dir string) error {
	library, err := filepath.Abs(filepath.Join(nvrtc, "libnvrtc.so.12"))
	if err != nil {
		return err
	}
	path := C.CString(library)
	defer C.free(unsafe.Pointer(path))
	if why := C.load(path); why != nil {
		return fmt.Errorf("opening NVRTC: %s", C.GoString(why))
	}
	var major, minor C.int
	C.version(&major, &minor)
	if got := fmt.Sprintf("%d.%d", major, minor); got != fresh.Compiler {
		return fmt.Errorf("NVRTC is %s, want %s", got, fresh.Compiler)
	}
	if err := os.Chdir(dir); err != nil { // includes are relative
		return err
	}
	for _, v := range fresh.Variants() {
		if err := compile(v); err != nil {
			return fmt.Errorf("%s for %s: %w", v.Source(), v.Target, err)
		}
		fmt.Println(v.File())
	}
	return nil
}

func compile(v fresh.Variant) error {
	header, err := v.Header(os.DirFS("."))
	if err != nil {
		return err
	}
	source, err := os.ReadFile(v.Source())
	if err != nil {
		return err
	}
	text, name := C.CString(string(source)), C.CString(v.Source())
	options := (*[16]*C.char)(C.calloc(16, C.size_t(unsafe.Sizeof(text))))
	for i, o := range v.Options() {
		options[i] = C.CString(o)
	}
	var out *C.char
	if code := C.compile(text, name, &options[0], C.int(len(v.Options())), &out); code != 0 {
		return fmt.Errorf("NVRTC failed with %d:\n%s", code, C.GoString(out))
	}
	return os.WriteFile(v.File(), []byte(header+plain(C.GoString(out))), 0o644)
}

// plain drops comments and empty lines. Of a block that calls a function, NVRTC says in
// a comment which call it is, by a number that is another each time.
func plain(ptx string) string {
	var b strings.Builder
	for line := range strings.Lines(ptx) {
		code, _, _ := strings.Cut(line, "//")
		if code = strings.TrimRight(code, " \t\n"); strings.TrimSpace(code) != "" {
			b.WriteString(code + "\n")
		}
	}
	return b.String()
}
