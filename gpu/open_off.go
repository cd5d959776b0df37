//go:build !cuda

package gpu

import (
	"context"
	"time"

	"rtcluster/join"
)

// ProgramBytes is the memory that the program takes for engines that are not used: none
// in this build.
const ProgramBytes = 0

// Open returns an engine for each kind that this machine can run, or an error
// that says why there is none: in this build [ErrNotBuilt].
func Open(Options) ([]join.Engine, error) { return nil, ErrNotBuilt }

// Cards returns the cards of this machine, or an error that says why there is none:
// in this build [ErrNotBuilt].
func Cards() ([]Card, error) { return nil, ErrNotBuilt }

// OptiX returns nil where engine optix may be had, or an error that says why there is none:
// in this build [ErrNotBuilt].
func OptiX() error { return ErrNotBuilt }

// Likely reports whether [Open] may find a card, without asking the driver, which
// takes a while: not in this build.
func Likely() bool { return false }

// StartSeconds is how long a card takes until it begins, about.
func StartSeconds() float64 { return firstStart }

// WithTrace returns a context under which engines tell how long the stages of their work
// take, and how much there was of something. In this build no engine does.
func WithTrace(ctx context.Context, _ func(stage string, took time.Duration), _ func(what string, n int64)) context.Context {
	return ctx
}
