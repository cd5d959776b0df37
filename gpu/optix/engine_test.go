//go:build cuda

package optix_test

import (
	"errors"
	"testing"

	"rtcluster/gpu/cuda"
	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/optix"
	"rtcluster/join"
	"rtcluster/join/jointest"
)

func TestEngine(t *testing.T) {
	skipWithoutCard(t)
	for _, setting := range []struct {
		name string
		opt  cuda.Options
	}{
		{"default", cuda.Options{}},
		{"small batches, synchronous", cuda.Options{BatchPairs: 20, Synchronous: true, Threads: 3}},
		{"plain", cuda.Options{Road: cuda.RoadPlain}},
		{"tensor cores", cuda.Options{Road: cuda.RoadTensor}},
	} {
		t.Run(setting.name, func(t *testing.T) { jointest.TestEngine(t, optix.New(setting.opt)) })
	}
}

func FuzzEngine(f *testing.F) {
	skipWithoutCard(f)
	jointest.FuzzEngine(f, optix.New(cuda.Options{}))
}

// TestMissing has the engine say that there is no card, before it says that there is no
// OptiX, and either in a kind of its own.
func TestMissing(t *testing.T) {
	pts, err := join.NewPoints([]float64{1, 2}, 1)
	if err != nil {
		t.Fatal(err)
	}
	e := optix.New(cuda.Options{Device: 1 << 20})
	if e.Name() != "optix" {
		t.Errorf("the engine's name is %s", e.Name())
	}
	if _, err := e.Index(t.Context(), pts); !errors.Is(err, driver.ErrMissing) {
		t.Errorf("a card that is not there: got %v, want ErrMissing", err)
	}
	if err := optix.Available(); err != nil && !errors.Is(err, driver.ErrMissing) {
		t.Errorf("got %v, want ErrMissing", err)
	}
}

// skipWithoutCard skips a test on a machine without a card, or without OptiX.
func skipWithoutCard(t testing.TB) {
	t.Helper()
	if _, err := driver.List(); errors.Is(err, driver.ErrMissing) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	if err := optix.Available(); err != nil {
		t.Skip(err)
	}
}
