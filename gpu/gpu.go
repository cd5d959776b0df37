// Package gpu offers the engines that run on graphics cards.
//
// They are in builds with tag cuda, which `make cuda` makes; [Open] of any other
// returns [ErrNotBuilt], and every command runs on the CPU engine. A build with
// the tag starts on any machine: it looks for the driver at run time. An engine
// that has no metric but the Euclidean returns [join.Metric.OnlyEuclidean] where
// it is asked for an index under another.
package gpu

import (
	"errors"

	"rtcluster/gpu/internal/driver"
)

// ErrNotBuilt is returned by [Open] when this build holds no GPU engine.
var ErrNotBuilt = errors.New(`this rtcluster was built without GPU engines ("make cuda" in its sources builds one with them); --engine cpu runs everywhere and gives the same results`)

// What the engines' errors match.
var (
	// ErrMissing: there is no driver, or no card to use.
	ErrMissing = driver.ErrMissing
	// ErrMemory: the card has no memory left for what was asked.
	ErrMemory = driver.ErrMemory
	// ErrLost: the card failed, and this program cannot use it any more.
	ErrLost = driver.ErrLost
)
