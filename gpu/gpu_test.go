package gpu_test

import (
	"errors"
	"strings"
	"testing"

	"rtcluster/gpu"
)

// TestOpen holds for every build: either there are engines, or a line that says
// why there are none.
func TestOpen(t *testing.T) {
	engines, err := gpu.Open(1)
	switch {
	case err == nil:
		for _, e := range engines {
			d, ok := e.(interface{ Devices() []string })
			if !ok || len(d.Devices()) == 0 {
				t.Errorf("engine %s names no devices", e.Name())
			}
		}
		if len(engines) == 0 {
			t.Error("neither engines nor an error")
		}
	case len(engines) != 0:
		t.Errorf("got %d engines with the error %v", len(engines), err)
	case errors.Is(err, gpu.ErrNotBuilt):
		if !strings.Contains(err.Error(), "make cuda") || !strings.Contains(err.Error(), "--engine cpu") {
			t.Errorf("the error %q does not say what to do", err)
		}
	case !errors.Is(err, gpu.ErrMissing):
		t.Errorf("got error %v, want ErrNotBuilt or ErrMissing", err)
	}
}
