package optix_test

import (
	"errors"
	"strings"
	"testing"

	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/optix"
)

// TestStartErrors: each says what to do, in one line, and that it is the machine's.
func TestStartErrors(t *testing.T) {
	for _, test := range []struct {
		code    int
		library string
		want    string
	}{
		{-1, "libnvoptix.so.1: cannot open shared object file", "no OptiX on this machine: libnvoptix.so.1: cannot open shared object file; the library comes with the NVIDIA driver, into containers if NVIDIA_DRIVER_CAPABILITIES has graphics"},
		{-2, "", "no OptiX on this machine: libnvoptix.so.1 lacks optixQueryFunctionTable"},
		{7801, "", "no OptiX on this machine: the driver is older than OptiX 8.0, or knows it no more: this takes version 535 or later"},
		{7802, "", "no OptiX on this machine: the driver is older than OptiX 8.0"},
		{7999, "", "no OptiX on this machine: libnvoptix.so.1 does not start (error 7999)"},
	} {
		err := optix.StartError(test.code, test.library)
		if !errors.Is(err, driver.ErrMissing) || !strings.HasPrefix(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("code %d: got %v, want %s", test.code, err, test.want)
		}
	}
	if err := optix.StartError(0, ""); err != nil {
		t.Errorf("code 0: got %v", err)
	}
}

func TestErrorKinds(t *testing.T) {
	for code, want := range map[int]error{7807: driver.ErrMemory, 7002: driver.ErrMemory, 7050: driver.ErrMissing, 7200: driver.ErrMissing} {
		err := error(&optix.Error{Call: "following rays", Code: code, Name: "OPTIX_ERROR_SOME", Text: "Some error"})
		for _, kind := range []error{driver.ErrMemory, driver.ErrMissing, driver.ErrLost} {
			if errors.Is(err, kind) != errors.Is(want, kind) {
				t.Errorf("code %d matches %v: %t", code, kind, errors.Is(err, kind))
			}
		}
	}
	err := &optix.Error{Call: "linking programs", Code: 7200, Name: "OPTIX_ERROR_INVALID_INPUT", Text: "Invalid input: no such entry"}
	if want := "optix: linking programs: Invalid input: no such entry (OPTIX_ERROR_INVALID_INPUT, error 7200)"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}
