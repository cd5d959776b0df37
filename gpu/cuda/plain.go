//go:build cuda

package cuda

import (
	"errors"

	"rtcluster/gpu/kernels"
)

// plainGroup is how many leaves of queries the plain road takes at a time.
const plainGroup = 4

// refinePlain refines a round by float32 differences, and the predicate: mode is
// "count", "list", "unite" or "attach", and w has what the mode needs. It waits for
// nothing.
func (j *joining) refinePlain(mode string, w *kernels.Work, r round) error {
	return errors.ErrUnsupported
}
