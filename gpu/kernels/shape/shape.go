// Package shape says how the kernels for tensor cores are laid out: what the compiler
// is told, what a launch has to give, and where numbers lie in operands.
package shape

import "fmt"

// Tensor is a kernel that multiplies operands of Steps × 32 bytes a row: 16 columns of
// float16, or 32 of int8.
type Tensor struct {
	Steps      int
	Integers   bool
	Warpgroups int // leaves of queries that a block has at a time
	Blocks     int // on a multiprocessor
	Stages     int // leaves of indexed rows in shared memory
}

// Head and IntegerHead are how many bytes a leaf of indexed rows has before its numbers,
// of float16 and of int8, and Warpgroup how many threads take a leaf of queries.
const (
	Head        = 128
	IntegerHead = 256
	Warpgroup   = 128
)

// MostSteps is the most that there are kernels for, of float16. Of int8 there are those
// of IntegerSteps.
const MostSteps = 9

// IntegerSteps are the steps of the kernels of int8, in order: not all, since rows may
// have columns of 0 more than they need.
func IntegerSteps() []int { return []int{1, 2, 3, 4, 6, 8} }

// Targets are the architectures with kernels of their own: PTX, and the least compute
// capability. compute_90a runs on 9.0 alone, the other on 8.0 and later.
func Targets() []string { return []string{"compute_80", "compute_90a"} }

// For returns the layout for so many steps of float16.
func For(target string, steps int) Tensor { return arrange(target, Tensor{Steps: steps}) }

// ForIntegers returns the layout for so many steps of int8.
func ForIntegers(target string, steps int) Tensor {
	return arrange(target, Tensor{Steps: steps, Integers: true})
}

func arrange(target string, t Tensor) Tensor {
	steps := t.Steps
	t.Warpgroups, t.Blocks = 2, 2
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

// LeafBytes is the size of a leaf of indexed rows: a head, and 64 rows.
func (t Tensor) LeafBytes() int { return t.head() + 2048*t.Steps }

func (t Tensor) head() int {
	if t.Integers {
		return IntegerHead
	}
	return Head
}

// InRow and InLeaf are where a byte of a row's operand is: of a query, in its leaf, and of
// an indexed row, in its leaf with the head. Rows of 16 bytes lie together by 8.
func (t Tensor) InRow(lane, at int) int { return 32*t.Steps*lane + at }

// InLeaf is described at InRow.
func (t Tensor) InLeaf(lane, at int) int {
	return t.head() + at/16*1024 + lane/8*128 + lane%8*16 + at%16
}

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

// Name is what the names of its kernels begin with, and Module the module with them.
func (t Tensor) Name() string {
	if t.Integers {
		return "integer"
	}
	return "tensor"
}

// Module is described at Name.
func (t Tensor) Module() string { return fmt.Sprint(t.Name(), t.Steps) }
