// Package shape says how the kernels for tensor cores are laid out: what the compiler
// is told, and what a launch has to give.
package shape

import "fmt"

// Tensor is a kernel that multiplies operands of Steps × 16 columns.
type Tensor struct {
	Steps      int
	Warpgroups int // leaves of queries that a block has at a time
	Blocks     int // on a multiprocessor
	Stages     int // leaves of indexed rows in shared memory
}

// Head is how many bytes a leaf of indexed rows has before its numbers, and Warpgroup
// how many threads take a leaf of queries.
const (
	Head      = 128
	Warpgroup = 128
)

// MostSteps is the most that there are kernels for.
const MostSteps = 9

// Targets are the architectures with kernels of their own: PTX, and the least compute
// capability. compute_90a runs on 9.0 alone, the other on 8.0 and later.
func Targets() []string { return []string{"compute_80", "compute_90a"} }

// For returns the layout for so many steps.
func For(target string, steps int) Tensor {
	t := Tensor{Steps: steps, Warpgroups: 2, Blocks: 2}
	room := 96 << 10 // bytes of a multiprocessor's shared memory, on most cards
	switch {
	case target != "compute_90a" && steps > 3:
		t.Blocks = 1
	case target == "compute_90a":
		room = 208 << 10
		switch {
		case steps <= 3:
			t.Blocks = 3
		case steps >= 8:
			t.Warpgroups, t.Blocks = 4, 1
		}
	}
	t.Stages = min(room/t.Blocks/t.LeafBytes(), 16)
	return t
}

// LeafBytes is the size of a leaf of indexed rows: a head, and 64 rows of float16.
func (t Tensor) LeafBytes() int { return Head + 2048*t.Steps }

// Shared is the dynamic shared memory of a block, in bytes.
func (t Tensor) Shared() int { return t.Stages * t.LeafBytes() }

// Threads are those of a block: the warpgroups', and a warp that loads.
func (t Tensor) Threads() int { return Warpgroup*t.Warpgroups + 32 }

// Defines are for the compiler.
func (t Tensor) Defines() []string {
	return []string{
		fmt.Sprintf("-DSTEPS=%d", t.Steps), fmt.Sprintf("-DWARPGROUPS=%d", t.Warpgroups),
		fmt.Sprintf("-DBLOCKS=%d", t.Blocks), fmt.Sprintf("-DSTAGES=%d", t.Stages),
	}
}

// Module is the name of the module with the kernel.
func (t Tensor) Module() string { return fmt.Sprintf("tensor%d", t.Steps) }
