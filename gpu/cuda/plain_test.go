//go:build cuda

package cuda_test

import (
	"testing"

	"rtcluster/gpu/cuda"
	"rtcluster/join/jointest"
)

// TestPlainRoad joins without tensor cores, in rounds as large as memory allows, and in
// rounds of a group.
func TestPlainRoad(t *testing.T) {
	skipWithoutCard(t)
	for _, setting := range []struct {
		name string
		opt  cuda.Options
	}{
		{"large rounds", cuda.Options{Road: cuda.RoadPlain}},
		{"small rounds", cuda.Options{Road: cuda.RoadPlain, BatchPairs: 1, Threads: 3}},
	} {
		t.Run(setting.name, func(t *testing.T) { jointest.TestEngine(t, cuda.New(setting.opt)) })
	}
}
