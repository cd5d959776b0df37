package main

import (
	. "github.com/mmcloughlin/avo/build"   //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/operand" //nolint:revive // avo generators are written so.
)

// tables writes the constants that the AVX2 kernels load.
func tables() {
	// Bit j, for each of 32 lanes.
	GLOBL("laneBits", RODATA|NOPTR)
	for j := range lanes {
		DATA(4*j, U32(1<<j))
	}
	// j, for each of 32 lanes.
	GLOBL("laneNumbers", RODATA|NOPTR)
	for j := range lanes {
		DATA(4*j, U32(j))
	}
	// 4 float64 lanes set, then 4 clear: a mask of the first n starts at 4 − n.
	GLOBL("laneMasks", RODATA|NOPTR)
	for j, set := range []uint64{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), 0, 0, 0, 0} {
		DATA(8*j, U64(set))
	}
	GLOBL("infinities", RODATA|NOPTR)
	DATA(0, U32(0x7f800000))
	DATA(4, U32(0xff800000))
	GLOBL("half", RODATA|NOPTR)
	DATA(0, U32(0x3f000000))
	// For each mask of 8 lanes, the lanes set, in order, then any.
	GLOBL("packOrder", RODATA|NOPTR)
	for mask := range 256 {
		var order, n uint64
		for j := range uint64(8) {
			if mask>>j&1 != 0 {
				order |= j << (8 * n)
				n++
			}
		}
		DATA(8*mask, U64(order))
	}
}

// table returns the address of a table.
func table(name string) Mem {
	return NewDataAddr(NewStaticSymbol(name), 0)
}
