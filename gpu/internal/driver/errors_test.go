package driver_test

import (
	"errors"
	"fmt"
	"strings"
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
		{"card taken by another process", 46, driver.ErrMissing},
		{"no code for the card", 209, driver.ErrMissing},
		{"driver without compiler", 221, driver.ErrMissing},
		{"driver too old for the code", 222, driver.ErrMissing},
		{"driver and module differ", 803, driver.ErrMissing},
		{"memory error", 214, driver.ErrLost},
		{"memory error, contained", 226, driver.ErrLost},
		{"context gone", 709, driver.ErrLost},
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

// TestStartErrors: each says what to do, in one line.
func TestStartErrors(t *testing.T) {
	tests := []struct {
		name          string
		code          int
		text, library string
		want          string
	}{
		{
			"no driver", -1, "", "libcuda.so.1: cannot open shared object file: No such file or directory",
			"no GPU to use: no NVIDIA driver on this machine: libcuda.so.1: cannot open shared object file: No such file or directory",
		},
		{
			"no card", 100, "no CUDA-capable device is detected", "",
			"no GPU to use: the driver finds no card; nvidia-smi lists those of the machine, and CUDA_VISIBLE_DEVICES hides what it does not name",
		},
		{"stub", 34, "stub library", "", "no GPU to use: the NVIDIA driver does not start: stub library (error 34); the libcuda.so.1 that was found is the toolkit's stub"},
		{"updated", 803, "mismatch", "", "no GPU to use: the NVIDIA driver does not start: mismatch (error 803); the driver was updated while it ran: restart the machine"},
		{"other", 3, "initialization error", "", "no GPU to use: the NVIDIA driver does not start: initialization error (error 3); nvidia-smi may tell more"},
		{"no device files", 999, "unknown error", "", "no GPU to use: the NVIDIA driver does not start: unknown error (error 999); nvidia-smi may tell more; in a container, "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := driver.StartError(test.code, test.text, test.library)
			if !errors.Is(err, driver.ErrMissing) || !strings.HasPrefix(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}
