package cpu_test

import (
	"fmt"
	"testing"

	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

func TestEngine(t *testing.T) {
	settings := []cpu.Options{
		{Threads: 7},
		{Threads: 2, Basis: cpu.BasisPCA},
		{Threads: 1, Basis: cpu.BasisVariance},
	}
	if testing.Short() {
		settings = settings[:1]
	}
	for _, opt := range settings {
		t.Run(fmt.Sprintf("threads=%d/basis=%s", opt.Threads, opt.Basis), func(t *testing.T) {
			jointest.TestEngine(t, cpu.New(opt))
		})
	}
}
