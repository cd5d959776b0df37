package driver_test

import (
	"errors"
	"fmt"
	"testing"

	"rtcluster/gpu/internal/driver"
)

func TestErrorKinds(t *testing.T) {
	tests := []struct {
		name string
		code int
		want error // the one kind that matches
	}{
		{"out of memory", 2, driver.ErrMemory},
		{"no device", 100, driver.ErrMissing},
		{"memory error", 214, driver.ErrLost},
		{"illegal address", 700, driver.ErrLost},
		{"misaligned address", 716, driver.ErrLost},
		{"launch failed", 719, driver.ErrLost},
		{"invalid value", 1, nil},
		{"refused by us", 0, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := fmt.Errorf("kernel counts: %w", &driver.Error{Call: "waiting", Code: test.code, Text: "x"})
			for _, kind := range []error{driver.ErrMemory, driver.ErrMissing, driver.ErrLost} {
				if got, want := errors.Is(err, kind), errors.Is(test.want, kind); got != want {
					t.Errorf("error %v matches %v: %t, want %t", err, kind, got, want)
				}
			}
		})
	}
}
