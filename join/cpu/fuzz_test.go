package cpu_test

import (
	"testing"

	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

func FuzzEngine(f *testing.F) { jointest.FuzzEngine(f, cpu.New(cpu.Options{Threads: 2})) }
