package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"

	"rtcluster/cmd/rtcluster/internal/cgroup"
)

// needMemory returns an error unless about so many bytes can be had: a process
// that asks for more is ended by the system, without a word that helps. The
// product of the factors is the number of bytes.
func needMemory(what string, factors ...float64) error {
	need := 1.0
	for _, f := range factors {
		need *= f
	}
	if free := freeMemory(); need > free {
		return fmt.Errorf("%s takes about %s of memory, and %s can be had: %w", what, bytesText(need), bytesText(free), syscall.ENOMEM)
	}
	return nil
}

// freeMemory returns how many bytes the system says can be had, +Inf where it
// doesn't say.
func freeMemory() float64 {
	return min(addressSpace(), systemMemory("/proc/meminfo", "MemAvailable:"), cgroup.Read("/").Free)
}

// systemMemory reads a line such as "MemAvailable:  1024 kB".
func systemMemory(path, label string) float64 {
	f, err := os.Open(path)
	if err != nil {
		return math.Inf(1)
	}
	defer func() { _ = f.Close() }() // it was only read
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) > 1 && fields[0] == label {
			if kib, err := strconv.ParseFloat(fields[1], 64); err == nil {
				return kib * 1024
			}
		}
	}
	return math.Inf(1)
}

func bytesText(n float64) string {
	switch {
	case n >= 1<<40:
		return fmt.Sprintf("%.3g TiB", n/(1<<40))
	case n >= 1<<30:
		return fmt.Sprintf("%.3g GiB", n/(1<<30))
	}
	return fmt.Sprintf("%.3g MiB", n/(1<<20))
}
