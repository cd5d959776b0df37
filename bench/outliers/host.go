package main

import (
	"os/exec"
	"runtime"
	"strings"
	"time"

	"rtcluster/join/cpu"
)

// host is what was measured, where and when.
type host struct {
	Cores                          int
	Go, Instructions, Commit, Date string
}

func thisHost() host {
	h := host{
		Cores: runtime.NumCPU(), Go: runtime.Version(), Instructions: cpu.Instructions(),
		Commit: "unknown", Date: time.Now().UTC().Format(time.DateOnly),
	}
	if id, err := exec.Command("git", "describe", "--always", "--dirty=+", "--abbrev=10").Output(); err == nil {
		h.Commit = strings.TrimSpace(string(id))
	}
	return h
}
