package paper

import (
	"errors"
	"fmt"
)

// VariantError is returned when an engine has not the variants that an experiment is
// about. It matches [errors.ErrUnsupported].
type VariantError struct{ Experiment, Engine string }

func (e *VariantError) Error() string {
	return fmt.Sprintf("experiment %s is about variants that engine cpu alone has: leave --engine %s out", e.Experiment, e.Engine)
}

// Unwrap returns [errors.ErrUnsupported].
func (e *VariantError) Unwrap() error { return errors.ErrUnsupported }

// SettingError is returned when flags do not fit the sets, as can be told before any of
// them is made.
type SettingError struct{ Text string }

func (e *SettingError) Error() string { return e.Text }

// DataError is returned when a file is not the set that it should be.
type DataError struct{ Set, Text string }

func (e *DataError) Error() string { return fmt.Sprintf("set %s: %s", e.Set, e.Text) }
