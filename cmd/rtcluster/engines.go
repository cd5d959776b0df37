package main

import (
	"errors"
	"fmt"
	"runtime"

	"rtcluster/gpu"
	"rtcluster/join"
	"rtcluster/join/cpu"
)

// engine is a join engine, or the reason why there is none of its name.
type engine struct {
	name    string
	join    join.Engine // nil if missing
	card    gpu.Card    // its card, the zero value if it has none
	missing error
}

// findEngine returns the engine of a name. Cards are looked for only where it is on
// one.
func findEngine(name string, opt gpu.Options) engine {
	if name == "cpu" {
		return engine{name: name, join: cpu.New(cpu.Options{Threads: opt.Threads})}
	}
	found, err := gpu.Open(opt)
	if err != nil {
		return engine{name: name, missing: err}
	}
	for _, e := range found {
		if e.Name() == name {
			return newEngine(e)
		}
	}
	return engine{name: name, missing: gpu.OptiX()} // the one of a card that may be missing where another is there
}

// engineNames are the names of all engines.
func engineNames() []string { return []string{"cpu", "cuda", "optix"} }

// newEngine is an engine, and its card if it tells.
func newEngine(e join.Engine) engine {
	found := engine{name: e.Name(), join: e}
	if d, ok := e.(gpu.Device); ok {
		found.card = d.Device()
	}
	return found
}

func threadCount(threads int) int {
	if threads == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return threads
}

// pickEngine returns the engine that --engine names; auto begins with the CPU, see
// settleEngine. A card that --device names and that is not among those that there are
// is a mistake in any case.
func (a *app) pickEngine(run *runOptions) (engine, error) {
	name, opt := run.Engine, run.cardOptions(a.getenv)
	if name == "auto" {
		name = "cpu"
		var number *gpu.NumberError
		if len(run.Device) > 0 && errors.As(a.engine("cuda", opt).missing, &number) {
			return engine{}, engineError{fmt.Errorf("--device %d: %w", opt.Device, number)}
		}
	}
	e := a.engine(name, opt)
	if e.join == nil {
		return e, engineError{fmt.Errorf("engine %s is not there: %w", name, e.missing)}
	}
	return e, nil
}

// text is the engine for a person.
func (e *engine) text() string {
	if e.card.Name != "" {
		return e.name + " (" + e.card.Name + ")"
	}
	return e.name
}

// hostBytes is what the engine's card takes of the host's memory.
func (e *engine) hostBytes() float64 {
	if e.card.Name == "" {
		return 0
	}
	return gpu.HostBytes
}

// advised adds to a fault of a card that --engine named what to do.
func (j *job) advised(err error) error {
	switch {
	case j.runOpt.Engine == "auto" || !gpu.IsFault(err):
		return err
	case errors.Is(err, gpu.ErrMemory) && j.runOpt.MemoryLimit.limited():
		return fmt.Errorf("%w; raise --memory-limit, which holds for the card as well, or take --engine cpu", err)
	case errors.Is(err, gpu.ErrMemory):
		return fmt.Errorf("%w; choose fewer --columns, or take --engine cpu", err)
	}
	return fmt.Errorf("%w; --engine cpu gives the same results", err)
}
