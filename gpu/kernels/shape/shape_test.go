package shape_test

import (
	"testing"

	"rtcluster/gpu/kernels/shape"
)

// TestFor wants blocks that a multiprocessor has room for, beside 2 KiB that each takes
// else, with leaves on the way while others are read.
func TestFor(t *testing.T) {
	room := map[string]int{
		"compute_80":  100 << 10, // of shared memory, of 8.6 and 8.9; others have more
		"compute_90a": 228 << 10,
	}
	for _, target := range shape.Targets() {
		for steps := 1; steps <= shape.MostSteps; steps++ {
			got := shape.For(target, steps)
			if got.Steps != steps || got.Stages < 2 || got.Blocks < 1 || got.Warpgroups < 1 || got.Threads() > 1024 {
				t.Errorf("%s, %d steps: %+v", target, steps, got)
			}
			if all := got.Blocks * (got.Shared() + 2<<10); all > room[target] {
				t.Errorf("%s, %d steps: %d blocks share %d bytes, there are %d", target, steps, got.Blocks, all, room[target])
			}
		}
	}
}
