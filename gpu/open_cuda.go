//go:build cuda

package gpu

import (
	"os"

	"rtcluster/gpu/cuda"
	"rtcluster/gpu/internal/driver"
	"rtcluster/join"
)

// Open returns an engine for each kind that this machine can run, or an error
// that says why there is none. Cards are not taken before an engine makes its
// first index. threads are those at work on the host, 0 for all.
//
// With RTCLUSTER_CUDA_SYNCHRONOUS set to anything, every launch is waited for,
// so that a fault on the card names its kernel.
func Open(threads int) ([]join.Engine, error) {
	cards, err := driver.List()
	if err != nil {
		return nil, err
	}
	var details []string
	for _, card := range cards {
		details = append(details, card.String())
	}
	opt := cuda.Options{Threads: threads, Synchronous: os.Getenv("RTCLUSTER_CUDA_SYNCHRONOUS") != ""}
	return []join.Engine{described{cuda.New(opt), details}}, nil
}

// described is an engine that tells its cards, by a method that `rtcluster devices`
// looks for.
type described struct {
	*cuda.Engine
	cards []string
}

// Devices returns a line for each card.
func (d described) Devices() []string { return d.cards }
