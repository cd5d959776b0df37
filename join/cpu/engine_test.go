package cpu_test

import (
	"fmt"
	"testing"

	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

func TestEngine(t *testing.T) {
	for _, opt := range []cpu.Options{
		{Threads: 1, Basis: cpu.BasisVariance},
		{Threads: 2, Basis: cpu.BasisPCA},
		{Threads: 7},
	} {
		t.Run(fmt.Sprintf("threads=%d/basis=%s", opt.Threads, opt.Basis), func(t *testing.T) {
			jointest.TestEngine(t, cpu.New(opt))
		})
	}
}
