package main

import (
	"math"
	"syscall"
)

// addressSpace returns what ulimit -v leaves, less what the runtime has
// reserved for itself already.
func addressSpace() float64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil || limit.Cur > math.MaxInt64 {
		return math.Inf(1)
	}
	used := systemMemory("/proc/self/status", "VmSize:")
	if math.IsInf(used, 1) {
		used = 0
	}
	return max(0, float64(limit.Cur)-used)
}
