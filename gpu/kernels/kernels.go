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
	target := tensorTarget(capability)
	if steps < 1 || steps > shape.MostSteps || target == "" {
		return shape.Tensor{}, false
	}
	return shape.For(target, steps), true
}

// Integer is Tensor for the kernels of int8, for rows of so many coordinates.
func Integer(dim, capability int) (shape.Tensor, bool) {
	target := tensorTarget(capability)
	for _, steps := range shape.IntegerSteps() {
		if target != "" && dim > 0 && dim <= 32*steps {
			return shape.ForIntegers(target, steps), true
		}
	}
	return shape.Tensor{}, false
}

// tensorTarget is one of [shape.Targets], or empty.
func tensorTarget(capability int) string {
	switch {
	case capability < 80:
		return ""
	case capability == 90:
		return "compute_90a"
	}
	return "compute_80"
}

// The programs of module "rays".
const (
	RaygenLeaves = "__raygen__leaves"
	RaygenRows   = "__raygen__rows"
	CrossLeaves  = "__intersection__leaves"
	CrossRows    = "__intersection__rows"
	HitRows      = "__anyhit__rows"
	Miss         = "__miss__nothing"
)

// Programs are the names of those, in order.
func Programs() []string {
	return []string{HitRows, CrossLeaves, CrossRows, Miss, RaygenLeaves, RaygenRows}
}

// ProgramsParameter is the name of the block that they read, a [Rays].
const ProgramsParameter = "params"
