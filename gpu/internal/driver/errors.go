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
	codeNoLibrary    = -1 // ours: there is no libcuda.so.1
	codeMemory       = 2
	codeDeinit       = 4
	codeStub         = 34
	codeUnavailable  = 46
	codeNoDevice     = 100
	codeBadDevice    = 101
	codeNoBinary     = 209
	codeECC          = 214
	codeLink         = 220
	codeNoCompiler   = 221
	codeOldPTX       = 222
	codeNoCompiling  = 223
	codeContained    = 226
	codeIllegal      = 700
	codeTimeout      = 702
	codeDestroyed    = 709
	codeAssert       = 710
	codeHardware     = 714
	codeLaunchFailed = 719
	codeNotReady     = 802
	codeMismatch     = 803
	codeNotCompat    = 804
	codeUnknown      = 999
)

// Is tells which kind of fault it is.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrMemory:
		return e.Code == codeMemory
	case ErrMissing:
		switch e.Code {
		case codeStub, codeUnavailable, codeNoDevice, codeBadDevice, codeNoBinary, codeNoCompiler, codeOldPTX, codeNoCompiling,
			codeNotReady, codeMismatch, codeNotCompat:
			return true
		}
	case ErrLost:
		switch {
		case e.Code == codeDeinit, e.Code == codeECC, e.Code == codeLink, e.Code == codeContained, e.Code == codeIllegal,
			e.Code == codeTimeout, e.Code == codeDestroyed, e.Code == codeAssert,
			e.Code >= codeHardware && e.Code <= codeLaunchFailed, e.Code == codeUnknown:
			return true
		}
	}
	return false
}

// startError says why the driver does not start, and what to do: a code, what the
// driver says of it, and for codeNoLibrary what the system says. It matches
// [ErrMissing].
func startError(code int, text, library string) error {
	var advice string
	switch code {
	case codeNoLibrary:
		return fmt.Errorf("%w: no NVIDIA driver on this machine: %s", ErrMissing, library)
	case codeNoDevice:
		return fmt.Errorf("%w: the driver finds no card; nvidia-smi lists those of the machine, and CUDA_VISIBLE_DEVICES hides what it does not name", ErrMissing)
	case codeStub:
		advice = "the libcuda.so.1 that was found is the toolkit's stub: take it out of LD_LIBRARY_PATH"
	case codeMismatch:
		advice = "the driver was updated while it ran: restart the machine"
	case codeNotReady:
		advice = "the fabric of the cards is still being set up: see nvidia-fabricmanager"
	case codeNotCompat:
		advice = "the libcuda.so.1 that was found is a compatibility package that this card is not for: take it out of LD_LIBRARY_PATH"
	case codeUnknown:
		advice = "nvidia-smi may tell more; in a container, /dev/nvidia* must be there and readable"
	default:
		advice = "nvidia-smi may tell more"
	}
	return fmt.Errorf("%w: the NVIDIA driver does not start: %s (error %d); %s", ErrMissing, text, code, advice)
}
