// Package gpu offers the engines that run on graphics cards.
//
// This version has none: [Open] says so, and every command runs on the CPU
// engine. The package exists so that a command asks for engines in one way,
// whatever was built. An engine that has no metric but the Euclidean returns
// [join.Metric.OnlyEuclidean] where it is asked for an index under another.
package gpu

import (
	"errors"

	"rtcluster/join"
)

// ErrNotBuilt is returned by [Open] when this build holds no GPU engine.
var ErrNotBuilt = errors.New("this version of rtcluster has no GPU engine; --engine cpu runs everywhere and gives the same results")

// Open returns an engine for each kind that this machine can run, or an error
// that says why there is none. In this version the error is always
// [ErrNotBuilt].
func Open() ([]join.Engine, error) { return nil, ErrNotBuilt }
