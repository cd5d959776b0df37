// Package gpu offers the engines that run on graphics cards.
//
// They are in builds with tag cuda, which `make cuda` makes; [Open] of any other
// returns [ErrNotBuilt], and every command runs on the CPU engine. A build with
// the tag starts on any machine: it looks for the driver at run time. An engine
// that has no metric but the Euclidean returns [join.Metric.OnlyEuclidean] where
// it is asked for an index under another.
//
// A card can run out of memory or fail in the middle of a run: [WithFallback] goes on
// with another engine.
package gpu

import (
	"errors"
	"fmt"
	"log/slog"

	"rtcluster/gpu/internal/driver"
)

// ErrNotBuilt is returned by [Open] when this build holds no GPU engine.
var ErrNotBuilt = errors.New(`this rtcluster was built without GPU engines ("make cuda" in its sources builds one with them); --engine cpu runs everywhere and gives the same results`)

// What the engines' errors match.
var (
	// ErrMissing: there is no driver, or no card to use, or one of them is too old.
	ErrMissing = driver.ErrMissing
	// ErrMemory: the card has no memory left for what was asked.
	ErrMemory = driver.ErrMemory
	// ErrLost: the card failed, and this program cannot use it any more.
	ErrLost = driver.ErrLost
)

// NumberError is returned by [Open] where there are cards, but none of that number. It
// matches [ErrMissing].
type NumberError = driver.NumberError

// Options say which card to use, and how. The zero value is card 0, all of it. None
// changes a result.
type Options struct {
	// Threads are those at work on the host, 0 for all.
	Threads int
	// Device is the number of the card, as the driver counts those that
	// CUDA_VISIBLE_DEVICES leaves.
	Device int
	// Budget is the most bytes to take on the card, 0 for no such limit.
	Budget int64
	// Share is the most to take as a share of the card's memory, 0 for no such limit.
	Share float64
	// Synchronous waits after each launch, so that a fault on the card names its
	// kernel.
	Synchronous bool
	// Measure has engine cuda measure, in the first join of an index, whether OptiX searches
	// faster, and keep what does.
	Measure bool
	// Log is told at debug level what was chosen, and why; nil if nobody wants to know.
	Log *slog.Logger
}

// MeasureOptiX is whether --engine auto asks for [Options.Measure]. It does not: package
// optix compiles, and its tests that take no card pass, but it has never run on one. This
// is to be true once the tests of gpu/cuda and gpu/optix have passed on a card.
const MeasureOptiX = false

// budget is the most bytes to take on a card of that memory, 0 for no limit.
func (o Options) budget(memory int64) int64 {
	budget := o.Budget
	if share := int64(o.Share * float64(memory)); o.Share > 0 && (budget == 0 || share < budget) {
		budget = max(share, 1)
	}
	return budget
}

// Card is a graphics card.
type Card struct {
	Number     int    `json:"number"`
	Name       string `json:"name"`
	Memory     int64  `json:"memory_bytes"`
	Free       int64  `json:"free_bytes"` // −1: not known
	Capability string `json:"compute_capability"`
	Driver     string `json:"driver_for_cuda"` // the newest CUDA that the driver knows
	Trouble    string `json:"trouble,omitempty"`

	// Rate is how many pairs of rows it compares in a second, about.
	Rate float64 `json:"-"`
}

// String is the card in a line for people.
func (c Card) String() string {
	text := fmt.Sprintf("%d: %s, %s", c.Number, c.Name, driver.Size(c.Memory))
	if c.Free >= 0 {
		text += fmt.Sprintf(" (%s free)", driver.Size(c.Free))
	}
	text += fmt.Sprintf(", compute capability %s, driver for CUDA %s", c.Capability, c.Driver)
	if c.Trouble != "" {
		text += "; cannot be used: " + c.Trouble
	}
	return text
}

// Device is an engine that tells which card it uses.
type Device interface {
	Device() Card
}

// newCard describes a card for callers.
func newCard(info driver.Info) Card {
	return Card{
		Number: info.Ordinal, Name: info.Name, Memory: info.Memory, Free: -1,
		Capability: fmt.Sprintf("%d.%d", info.Capability/10, info.Capability%10),
		Driver:     fmt.Sprintf("%d.%d", info.Driver/1000, info.Driver%1000/10),
		Rate:       pairRate(info.Capability, info.Processors),
	}
}

// pairRate is the pairs of rows that a card compares in a second, about: on an H200 with
// 132 processors 1.8 to 3.9·10¹² by tensor cores, from 128 coordinates to 18, and
// 2·10¹¹ without (90 coordinates). The rest of a join takes as long again. Tensor cores
// are used from compute capability 8.0 on; those before 9.0 take twice the time.
func pairRate(capability, processors int) float64 {
	each := 1e12 / 132
	switch {
	case capability < 80:
		each /= 10
	case capability < 90:
		each /= 2
	}
	return each * float64(processors)
}

// HostBytes is the memory that an engine takes on the host beside that for its rows:
// the driver's, 180 MiB on one with a single H200, and buffers for copies.
const HostBytes = 512 << 20

// firstStart is how many seconds a card takes until it begins where the driver compiles
// the kernels: 2.8 to 3.7 on an H200.
const firstStart = 3.5

// IsFault reports whether an error says that the card cannot do the work: that it is
// not there, has failed, or has too little memory. Another engine may do it.
func IsFault(err error) bool {
	return errors.Is(err, ErrMissing) || errors.Is(err, ErrLost) || errors.Is(err, ErrMemory)
}
