package main

import (
	"os"
	"syscall"
)

// peakOf returns the greatest resident memory, in MiB, of a process that has
// ended.
func peakOf(p *os.ProcessState) float64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return float64(usage.Maxrss) / 1024
}
