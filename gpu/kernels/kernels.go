package kernels

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"rtcluster/gpu/kernels/shape"
)

//go:embed *.ptx
var files embed.FS // read-only, as embedding asks for a variable

// PTX returns the text of a module, "search" for search.cu, in the newest variant that
// a card of this compute capability takes, 75 for 7.5.
func PTX(module string, capability int) (string, error) {
	names, err := fs.Glob(files, module+".*.ptx")
	if err != nil {
		return "", err
	}
	best, at := 0, ""
	for _, name := range names {
		_, arch, _ := strings.Cut(strings.TrimSuffix(name, ".ptx"), "compute_")
		only := strings.HasSuffix(arch, "a") // for that capability alone
		target, err := strconv.Atoi(strings.TrimSuffix(arch, "a"))
		if err == nil && target > best && (target == capability || target < capability && !only) {
			best, at = target, name
		}
	}
	if at == "" {
		return "", fmt.Errorf("kernels: no code for module %s and compute capability %d.%d; it takes 7.5 or more", module, capability/10, capability%10)
	}
	text, err := files.ReadFile(at)
	return string(text), err
}

// Tensor returns the layout of the kernel for tensor cores that [PTX] gives for this
// compute capability, if there is one.
func Tensor(steps, capability int) (shape.Tensor, bool) {
	switch {
	case steps < 1 || steps > shape.MostSteps || capability < 80:
		return shape.Tensor{}, false
	case capability == 90:
		return shape.For("compute_90a", steps), true
	}
	return shape.For("compute_80", steps), true
}
