package gpu_test

import (
	"errors"
	"strings"
	"testing"

	"rtcluster/gpu"
)

func TestOpenSaysWhyThereIsNoEngine(t *testing.T) {
	engines, err := gpu.Open()
	if len(engines) != 0 {
		t.Errorf("got %d engines, want none", len(engines))
	}
	if !errors.Is(err, gpu.ErrNotBuilt) {
		t.Fatalf("got error %v, want ErrNotBuilt", err)
	}
	if !strings.Contains(err.Error(), "--engine cpu") {
		t.Errorf("the error %q does not name the engine that works", err)
	}
}
