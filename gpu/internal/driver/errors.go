package driver

import (
	"errors"
	"fmt"
)

// The kinds of faults that callers tell apart.
var (
	// ErrMemory is matched by an [*Error] where memory of the device, or pinned
	// memory of the host, has run out.
	ErrMemory = errors.New("out of GPU memory")
	// ErrLost is matched where the card, or this program's work on it, cannot go on:
	// a fault in a kernel, a memory error, a card that is gone.
	ErrLost = errors.New("the GPU failed")
	// ErrMissing is matched where there is no driver, or no card.
	ErrMissing = errors.New("no GPU to use")
)

// Error is a call of the driver that failed.
type Error struct {
	Call string // what was tried
	Code int    // the driver's, CUresult; 0 if we refused
	Text string // what the driver says of it, or we
}

func (e *Error) Error() string {
	if e.Code == 0 {
		return fmt.Sprintf("cuda: %s: %s", e.Call, e.Text)
	}
	return fmt.Sprintf("cuda: %s: %s (error %d)", e.Call, e.Text, e.Code)
}

// The codes of CUresult that are told apart.
const (
	codeMemory       = 2
	codeNoDevice     = 100
	codeECC          = 214
	codeContained    = 221
	codeIllegal      = 700
	codeTimeout      = 702
	codeAssert       = 710
	codeHardware     = 714
	codeLaunchFailed = 719
	codeUnknown      = 999
)

// Is tells which kind of fault it is.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrMemory:
		return e.Code == codeMemory
	case ErrMissing:
		return e.Code == codeNoDevice
	case ErrLost:
		switch {
		case e.Code == codeECC, e.Code == codeContained, e.Code == codeIllegal, e.Code == codeTimeout,
			e.Code == codeAssert, e.Code >= codeHardware && e.Code <= codeLaunchFailed, e.Code == codeUnknown:
			return true
		}
	}
	return false
}
