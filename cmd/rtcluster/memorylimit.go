package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/pflag"

	"rtcluster/cmd/rtcluster/internal/cgroup"
	"rtcluster/join/cpu"
)

// This file has --memory-limit: how it is given, refused and kept.

// memoryLimit is a number of bytes, or a share of what the machine has. The zero
// value is no limit.
type memoryLimit struct {
	Bytes float64
	Share float64 // that was given, of all memory; 0: bytes were
	Text  string  // as given
}

func (o *runOptions) defineMemory(fs *pflag.FlagSet) {
	fs.Var(&o.MemoryLimit, "memory-limit",
		"memory to keep within, such as 4GiB, 512MB, or 50% of what the machine or the control group has; a run that is estimated to take more is refused, exit 4, before its work (default none); a card in use keeps within as much of its own memory")
}

func (v *memoryLimit) String() string { return v.Text }

func (v *memoryLimit) Type() string { return "SIZE" }

func (v *memoryLimit) Set(text string) error {
	bytes, err := parseSize(text)
	if err != nil {
		return err
	}
	*v = memoryLimit{Bytes: bytes, Text: text}
	if strings.HasSuffix(strings.TrimSpace(text), "%") {
		v.Share = bytes / totalMemory()
	}
	return nil
}

var errSize = errors.New("want a size such as 4GiB, 512MB, 2000000000 or 50%")

// parseSize reads a number of bytes: KiB, MiB, GiB and TiB are powers of 1024, kB,
// MB, GB and TB of 1000; % is of the memory that there is.
func parseSize(text string) (float64, error) {
	text = strings.TrimSpace(text)
	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%")
	value, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || notFinite(value) || value <= 0 || strings.ContainsAny(number, "xX_") {
		return 0, errSize
	}
	unit := strings.ToLower(strings.TrimSpace(text[len(number):]))
	if unit == "%" {
		all := totalMemory()
		switch {
		case value > 100:
			return 0, fmt.Errorf("%w, and not above 100%%", errSize)
		case math.IsInf(all, 1):
			return 0, errors.New("this system does not say how much memory there is: give a size such as 4GiB")
		}
		return value / 100 * all, nil
	}
	if power := slices.Index([]string{"b", "kb", "mb", "gb", "tb"}, unit); power >= 0 || unit == "" {
		return value * math.Pow(1000, float64(max(power, 0))), nil
	}
	if power := slices.Index([]string{"kib", "mib", "gib", "tib"}, unit); power >= 0 {
		return value * math.Pow(1024, float64(power+1)), nil
	}
	return 0, errSize
}

// totalMemory is what the machine has, or the control groups may have, +Inf where
// nothing says.
func totalMemory() float64 {
	return min(systemMemory("/proc/meminfo", "MemTotal:"), cgroup.Read("/").Memory)
}

// limitError says that a run does not fit into --memory-limit.
type limitError struct{ error }

// Is makes it a resource that ran out.
func (limitError) Is(target error) bool { return target == syscall.ENOMEM }

// said is the limit for a message: as it was given, and what a share comes to.
func (v *memoryLimit) said() string {
	if v.Share > 0 {
		return v.Text + ", " + bytesText(v.Bytes)
	}
	return v.Text
}

// limited reports whether there is a limit.
func (v *memoryLimit) limited() bool { return v.Bytes > 0 }

// apply makes the garbage collector keep to the limit. What the process has
// outside its reach comes off. A lower limit, by GOMEMLIMIT, stays.
func (v *memoryLimit) apply(outside float64) {
	if v.limited() {
		soft := int64(max(v.Bytes-outside, v.Bytes/2))
		debug.SetMemoryLimit(min(soft, debug.SetMemoryLimit(-1)))
	}
}

// keepMemory has the garbage collector keep to the memory of the control groups: a
// process that takes more is ended by the system, without a word.
func (a *app) keepMemory() {
	if most := a.limits().Memory; most < math.MaxInt64 {
		(&memoryLimit{Bytes: most}).apply(outsideBytes)
	}
}

// reportMemory is what the report tells of a run with a limit.
type reportMemory struct {
	Limit    int64        `json:"limit_bytes"`
	Estimate int64        `json:"estimate_bytes"`
	Peak     int64        `json:"peak_bytes,omitempty"` // resident memory, where the system tells it
	Parts    []memoryPart `json:"parts"`
}

// estimateMemory estimates what a run takes, where somebody wants to know, and
// refuses what is above the limit.
func (j *job) estimateMemory(in *inputOptions, metric *metricOptions, sources []*source) error {
	if !j.dry && !j.runOpt.MemoryLimit.limited() {
		return nil
	}
	j.estimate = j.need(in, metric, sources)
	if !j.runOpt.MemoryLimit.limited() {
		return nil
	}
	return j.checkMemory(j.estimate)
}

// settle takes note of the peak of the process.
func (m *reportMemory) settle() {
	if peak := systemMemory("/proc/self/status", "VmHWM:"); m != nil && !math.IsInf(peak, 1) {
		m.Peak = int64(peak)
	}
}

// checkMemory refuses a run that needs more than the limit, and else takes note of
// what it was estimated to need.
func (j *job) checkMemory(need *memoryNeed) error {
	v, total, command := &j.runOpt.MemoryLimit, need.total(), j.report.Command
	j.report.Memory = &reportMemory{Limit: int64(v.Bytes), Estimate: int64(total), Parts: need.sorted()}
	if total <= v.Bytes {
		return nil
	}
	return limitError{fmt.Errorf("%s is estimated to take %s of memory, and --memory-limit is %s: %s; raise the limit, or %s",
		command, bytesText(total), v.said(), need.largest(), cmp.Or(j.sparing, need.advice()))}
}

// counted is told by package table how many rows were counted so far, and stops
// reading where the least that they need is above the limit.
func (j *job) counted(rows int64, kept int) error {
	limit := &j.runOpt.MemoryLimit
	if !limit.limited() {
		return nil
	}
	need := &memoryNeed{}
	need.add(partProgram, programBytes)
	need.add(partNumbers, float64(rows)*8*float64(kept))
	if !j.pieces {
		need.add(partIndex, cpu.IndexBytes(float64(rows), 1, true))
	}
	if need.total() <= limit.Bytes {
		return nil
	}
	return limitError{fmt.Errorf("the program and the first %s of the input take %s of memory at least, and --memory-limit is %s: raise the limit, or %s",
		plural(rows, "row", "rows"), bytesText(need.total()), limit.said(), cmp.Or(j.sparing, "choose fewer --columns"))}
}
