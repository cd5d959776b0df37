//go:build !purego

package dist

import "golang.org/x/sys/cpu"

// A level is a set of instructions that kernels are written for.
type level int

const (
	levelGeneric level = iota
	levelAVX2
	levelAVX512
)

// best is the highest level of the machine: processor and operating system.
var best = detect()

// active is the level in use: best, unless a test sets it lower.
var active = best

// Instructions names the instructions that the kernels use: AVX-512, AVX2, or
// none beyond what the compiler emits.
func Instructions() string {
	return [...]string{levelGeneric: "plain Go", levelAVX2: "AVX2", levelAVX512: "AVX-512"}[active]
}

func detect() level {
	x := &cpu.X86
	switch {
	case !x.HasAVX2 || !x.HasFMA || !x.HasPOPCNT:
		return levelGeneric
	case !x.HasAVX512F || !x.HasAVX512DQ || !x.HasAVX512BW || !x.HasAVX512VL:
		return levelAVX2
	}
	return levelAVX512
}

// limitLevel is a hook for tests: it uses no level above top until restore is
// called. No kernel may run meanwhile.
func limitLevel(top level) (restore func()) {
	old := active
	active = min(best, top)
	return func() { active = old }
}
