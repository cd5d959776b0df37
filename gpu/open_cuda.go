//go:build cuda

package gpu

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"rtcluster/gpu/cuda"
	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/optix"
	"rtcluster/join"
)

// ProgramBytes is the memory that the program takes for engines that are not used.
const ProgramBytes = 16 << 20

// Open returns an engine for each kind that this machine can run, or an error
// that says why there is none. Cards are not taken before an engine makes its
// first index.
func Open(opt Options) ([]join.Engine, error) {
	cards, err := driver.List()
	if err != nil {
		return nil, err
	}
	card, err := driver.Pick(cards, opt.Device)
	if err != nil {
		return nil, err
	}
	of := cuda.Options{Device: opt.Device, Threads: opt.Threads, Budget: opt.budget(card.Memory), Synchronous: opt.Synchronous}
	if opt.Log != nil {
		of.Tell = func(line string) { opt.Log.Debug(line) }
	}
	engines := []join.Engine{named{cuda.New(measured(of, opt.Measure)), newCard(card)}}
	if OptiX() == nil {
		engines = append(engines, named{optix.New(of), newCard(card)})
	}
	return engines, nil
}

// measured has the engine choose how it searches, if that is wanted.
func measured(of cuda.Options, wanted bool) cuda.Options {
	if wanted {
		of.Search, of.Tracer = cuda.SearchFaster, optix.Open
	}
	return of
}

// OptiX returns nil where engine optix may be had, if there is a card, or an error that
// says why there is none. It takes no card.
func OptiX() error { return optix.Available() }

// WithTrace returns a context under which engines tell how long the stages of their work
// take, and how much there was of something. They wait for the card at both ends of each
// stage then, which takes time itself.
func WithTrace(ctx context.Context, stage func(stage string, took time.Duration), count func(what string, n int64)) context.Context {
	return cuda.WithTrace(ctx, cuda.Trace{Stage: stage, Count: count})
}

// Likely reports whether [Open] may find a card, without asking the driver, which
// takes a while: whether the system has a device of its, on Linux or on Linux in Windows.
func Likely() bool {
	for _, path := range []string{"/dev/nvidiactl", "/dev/dxg"} {
		if _, err := os.Stat(path); err == nil {
			return true
		}
	}
	return false
}

// laterStart is how many seconds it takes where the driver has kept the kernels that it
// compiled: 0.2 on an H200, and more where there are several cards.
const laterStart = 0.5

// StartSeconds is how long a card takes until it begins, about. It is more where the driver
// has to compile the kernels: it keeps them in a cache, unless it is told otherwise.
func StartSeconds() float64 {
	if os.Getenv("CUDA_CACHE_DISABLE") == "1" {
		return firstStart
	}
	cache := os.Getenv("CUDA_CACHE_PATH")
	if home, err := os.UserHomeDir(); cache == "" && err == nil {
		cache = filepath.Join(home, ".nv", "ComputeCache")
	}
	if kept, err := os.ReadDir(cache); err != nil || len(kept) == 0 {
		return firstStart
	}
	return laterStart
}

// named is an engine that tells its card.
type named struct {
	join.Engine
	card Card
}

// Device implements [Device].
func (n named) Device() Card { return n.card }

// Cards returns the cards of this machine, or an error that says why there is none.
// It takes each for a moment, to see what memory is free.
func Cards() ([]Card, error) {
	list, err := driver.List()
	if err != nil {
		return nil, err
	}
	var cards []Card
	for _, info := range list {
		card := newCard(info)
		if free, err := freeMemory(info.Ordinal); err != nil {
			card.Trouble = err.Error()
		} else {
			card.Free = free
		}
		cards = append(cards, card)
	}
	return cards, nil
}

// freeMemory takes a card for a moment.
func freeMemory(ordinal int) (int64, error) {
	dev, err := driver.Open(ordinal, driver.Options{})
	if err != nil {
		return 0, err
	}
	free, err := dev.Memory()
	return free, errors.Join(err, dev.Close())
}
