//go:build cuda

package cuda_test

import (
	"errors"
	"testing"

	"rtcluster/gpu/cuda"
	"rtcluster/gpu/internal/driver"
	"rtcluster/join/jointest"
)

func TestEngine(t *testing.T) {
	skipWithoutCard(t)
	for _, setting := range []struct {
		name string
		opt  cuda.Options
	}{
		{"default", cuda.Options{}},
		{"small batches, synchronous", cuda.Options{BatchPairs: 1, Synchronous: true, Threads: 3}},
	} {
		t.Run(setting.name, func(t *testing.T) { jointest.TestEngine(t, cuda.New(setting.opt)) })
	}
}

func FuzzEngine(f *testing.F) {
	skipWithoutCard(f)
	jointest.FuzzEngine(f, cuda.New(cuda.Options{}))
}

// skipWithoutCard skips a test on a machine without a driver or a card.
func skipWithoutCard(t testing.TB) {
	t.Helper()
	if _, err := driver.List(); errors.Is(err, driver.ErrMissing) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
}
