package jointest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"rtcluster/join"
)

// FirstFault runs the short suite on e, or its steps with the given text in
// their names, until a step finds a fault, and returns it with the step's name
// before it, or nil.
func FirstFault(ctx context.Context, e join.Engine, in string) error {
	for _, s := range steps(true) {
		if !strings.Contains(s.name, in) {
			continue
		}
		if err := s.check(ctx, e); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// CheckBytes checks the case that data describes, as [FuzzEngine] does.
func CheckBytes(ctx context.Context, e join.Engine, data []byte) error {
	return checkFuzz(ctx, e, data)
}

// GateFaults returns what the gate says of overlapping calls and of one after
// the end.
func GateFaults() (overlap, late error) {
	var g, h gate
	_ = g.pass(func() error { return g.pass(func() error { return nil }) })
	_ = h.close()
	_ = h.pass(func() error { return errors.New("must not run") })
	return g.close(), h.late()
}
