// Package measure holds what the commands that measure have in common.
package measure

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"rtcluster/join/cpu"
)

// Host is what was measured, where and when.
type Host struct {
	Processor    string
	Cores        int
	MemoryGiB    float64
	Go           string
	Commit       string
	Date         string
	Instructions string
}

// ThisHost describes this machine and this program, of the working tree at hand.
func ThisHost() Host {
	h := Machine()
	h.Commit = commit()
	return h
}

// Machine describes this machine and this program by itself, wherever it runs.
func Machine() Host {
	h := Host{
		Processor: "a processor of unknown name", Cores: runtime.NumCPU(), Go: runtime.Version(),
		Commit: builtOf(), Date: time.Now().UTC().Format(time.DateOnly), Instructions: cpu.Instructions(),
	}
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		h.Processor = processor(text, h.Processor)
	}
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		h.MemoryGiB = statusMiB(text, "MemTotal:") / 1024
	}
	return h
}

// processor finds the name of the first processor in /proc/cpuinfo.
func processor(cpuinfo []byte, unknown string) string {
	for line := range bytes.Lines(cpuinfo) {
		key, value, ok := strings.Cut(string(line), ":")
		if ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return unknown
}

// commit names the commit of the working tree, with a plus sign if files differ
// from it; outside a tree, the one that this program was built of.
func commit() string {
	id, err := exec.Command("git", "rev-parse", "--short=10", "HEAD").Output()
	if err != nil {
		return builtOf()
	}
	name := strings.TrimSpace(string(id))
	changed, err := exec.Command("git", "status", "--porcelain", "--untracked-files=no", "--", "*.go", "*.s", "*.ptx", "go.mod").Output()
	if err != nil || len(changed) > 0 {
		name += "+"
	}
	return name
}

// builtOf names the commit in the build information.
func builtOf() string {
	name, plus := "unknown", ""
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return name
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			name = s.Value[:min(10, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			plus = "+"
		}
	}
	return name + plus
}
