package optix

import (
	"fmt"

	"rtcluster/gpu/internal/driver"
)

// Error is a call of OptiX that failed.
type Error struct {
	Call string // what was tried
	Code int    // OptixResult
	Name string // of it
	Text string // what OptiX says of it, and what it has logged
}

func (e *Error) Error() string {
	return fmt.Sprintf("optix: %s: %s (%s, error %d)", e.Call, e.Text, e.Name, e.Code)
}

// What OptixResult says of memory: that of the card has no more.
const (
	codeHostMemory = 7002
	codeMemory     = 7807
)

// Is makes it one of the kinds of faults of package driver: memory has run out, or else
// OptiX cannot do the work on this card.
func (e *Error) Is(target error) bool {
	if e.Code == codeMemory || e.Code == codeHostMemory {
		return target == driver.ErrMemory
	}
	return target == driver.ErrMissing
}

// missing is the reason why there is no OptiX on a machine with a card.
type missing string

func (m missing) Error() string { return "no OptiX on this machine: " + string(m) }

// Is makes it [driver.ErrMissing].
func (m missing) Is(target error) bool { return target == driver.ErrMissing }

// The codes of optixQueryFunctionTable that are told apart, and ours.
const (
	codeNoLibrary = -1
	codeNoEntry   = -2
	codeABI       = 7801
	codeTable     = 7802
)

// startError says why the library does not serve, and what to do: a code, and for
// codeNoLibrary what the system says. It is nil for code 0.
func startError(code int, library string) error {
	switch code {
	case 0:
		return nil
	case codeNoLibrary:
		return missing(library + "; the library comes with the NVIDIA driver, into containers if NVIDIA_DRIVER_CAPABILITIES has graphics")
	case codeNoEntry:
		return missing("libnvoptix.so.1 lacks optixQueryFunctionTable: it is not the driver's")
	case codeABI, codeTable:
		return missing("the driver is older than OptiX 8.0, or knows it no more: this takes version 535 or later")
	}
	return missing(fmt.Sprintf("libnvoptix.so.1 does not start (error %d)", code))
}
