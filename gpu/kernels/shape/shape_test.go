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
		var all []shape.Tensor
		for steps := 1; steps <= shape.MostSteps; steps++ {
			all = append(all, shape.For(target, steps))
		}
		for _, steps := range shape.IntegerSteps() {
			all = append(all, shape.ForIntegers(target, steps))
		}
		for _, got := range all {
			if got.Steps < 1 || got.Stages < 2 || got.Blocks < 1 || got.Warpgroups < 1 || got.Threads() > 1024 {
				t.Errorf("%s: %+v", target, got)
			}
			if all := got.Blocks * (got.Shared() + 2<<10); all > room[target] {
				t.Errorf("%s, %s: %d blocks share %d bytes, there are %d", target, got.Module(), got.Blocks, all, room[target])
			}
		}
	}
}

// TestIn wants each byte of an operand in a place of its own, in both layouts, with 16 of
// a row together, as copies and products take them.
func TestIn(t *testing.T) {
	for _, layout := range []shape.Tensor{shape.For("compute_80", 3), shape.ForIntegers("compute_80", 4)} {
		size := 2048 * layout.Steps
		head := layout.LeafBytes() - size
		row, leaf := make([]bool, size), make([]bool, size)
		for lane := range 64 {
			for at := range 32 * layout.Steps {
				i, j := layout.InRow(lane, at), layout.InLeaf(lane, at)
				if row[i] || leaf[j-head] {
					t.Fatalf("%s: lane %d, byte %d: another is at %d or %d", layout.Module(), lane, at, i, j)
				}
				row[i], leaf[j-head] = true, true
				if from := at / 16 * 16; j-at != layout.InLeaf(lane, from)-from || layout.InLeaf(lane, from)%16 != 0 {
					t.Fatalf("%s: lane %d, byte %d is at %d, the first of its 16 at %d", layout.Module(), lane, at, j, layout.InLeaf(lane, from))
				}
			}
		}
	}
}
