package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"rtcluster/gpu"
	"rtcluster/join"
	"rtcluster/join/cpu"
)

// engine is a join engine, or the reason why there is none of its name.
type engine struct {
	name    string
	join    join.Engine // nil if missing
	detail  string      // for `rtcluster devices`
	missing error
}

// findEngines returns every engine by name, the CPU first. 0 threads are as
// many as the machine has for us.
func findEngines(threads int) []engine {
	list := []engine{{
		name:   "cpu",
		join:   cpu.New(cpu.Options{Threads: threads}),
		detail: fmt.Sprintf("%d threads, %s", threadCount(threads), instructionSet()),
	}}
	found, err := gpu.Open(threads)
	for _, name := range []string{"cuda", "optix"} {
		e := engine{name: name, missing: err}
		for _, g := range found {
			if g.Name() == name {
				e.join, e.missing, e.detail = g, nil, devicesOf(g)
			}
		}
		if e.join == nil && e.missing == nil {
			e.missing = errors.New("no device for it was found; --engine cpu runs everywhere")
		}
		list = append(list, e)
	}
	return list
}

// devicesOf names the devices of an engine that tells them.
func devicesOf(e join.Engine) string {
	if d, ok := e.(interface{ Devices() []string }); ok {
		return strings.Join(d.Devices(), "; ")
	}
	return ""
}

func threadCount(threads int) int {
	if threads == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return threads
}

// pickEngine returns the engine that --engine names; auto takes the CPU.
func pickEngine(list []engine, name string) (engine, error) {
	if name == "auto" {
		name = "cpu"
	}
	for _, e := range list {
		if e.name == name && e.join != nil {
			return e, nil
		}
		if e.name == name {
			return engine{}, engineError{fmt.Errorf("engine %s is not there: %w", name, e.missing)}
		}
	}
	return engine{}, engineError{fmt.Errorf("engine %s is not there", name)}
}
