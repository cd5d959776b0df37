package main

import (
	. "github.com/mmcloughlin/avo/build"   //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/operand" //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/reg"     //nolint:revive // avo generators are written so.
)

const (
	squaresAtOnce = 8 // rows whose sums stand in registers together
	squaresAhead  = 6 // cache lines of a row that are asked for ahead
)

// squares sums squares of differences in the order of the coordinates. Four rows
// by four coordinates are squared row by row and then turned, so that each
// coordinate is one addition to the sums of four rows; eight rows at a time, since
// such additions wait for each other.
func (l level) squares() {
	l.text("squares", "func(dst, x, src *float64, rows *int32, n, dim int)",
		"squares"+l.suffix+" works like squaresGeneric; n > 0 is a multiple of 8, dim > 0.")
	dst, x, rows, n := load("dst"), load("x"), load("rows"), load("n")
	row := make([]GPVirtual, squaresAtOnce)
	sums := []VecVirtual{YMM(), YMM()}
	k, whole := GP64(), GP64() // bytes of a row done, and in whole vectors
	mask := YMM()
	left, from := GP64(), GP64()
	MOVQ(param("dim"), left)
	ANDQ(Imm(3), left)
	LEAQ(table("laneMasks").Offset(32), from)
	NEGQ(left)
	VMOVUPD(Mem{Base: from, Index: left, Scale: 8}, mask)

	Label("group")
	size := GP64()
	MOVQ(param("dim"), size)
	SHLQ(Imm(3), size)
	for i := range row {
		row[i] = GP64()
		MOVLQSX(Mem{Base: rows, Disp: 4 * i}, row[i])
		IMULQ(size, row[i])
		ADDQ(param("src"), row[i])
	}
	// Ask for the rows of the next group: they come while these are computed.
	CMPQ(n, Imm(squaresAtOnce))
	JEQ(LabelRef("asked"))
	for i := range row {
		at := GP64()
		MOVLQSX(Mem{Base: rows, Disp: 4 * (squaresAtOnce + i)}, at)
		IMULQ(size, at)
		ADDQ(param("src"), at)
		for line := range squaresAhead {
			PREFETCHT0(Mem{Base: at, Disp: line * cacheLine})
		}
	}
	Label("asked")
	MOVQ(size, whole)
	ANDQ(I32(-32), whole)
	for _, s := range sums {
		VXORPD(s, s, s)
	}
	XORQ(k, k)
	CMPQ(k, whole)
	JEQ(LabelRef("rest"))
	Label("four")
	fourColumns(x, row, k, sums, func(m Mem, v VecVirtual) { VMOVUPD(m, v) })
	ADDQ(Imm(32), k)
	CMPQ(k, whole)
	JLT(LabelRef("four"))
	Label("rest")
	TESTQ(U32(3), param("dim"))
	JZ(LabelRef("sums"))
	fourColumns(x, row, k, sums, func(m Mem, v VecVirtual) { VMASKMOVPD(m, mask, v) })
	Label("sums")
	for i, s := range sums {
		VMOVUPD(s, Mem{Base: dst, Disp: 32 * i})
	}
	ADDQ(Imm(4*squaresAtOnce), rows)
	ADDQ(Imm(8*squaresAtOnce), dst)
	SUBQ(Imm(squaresAtOnce), n)
	JNZ(LabelRef("group"))
	l.ret()
}

// fourColumns adds the squares of four coordinates, k bytes behind the first, to
// the sums of four rows each.
func fourColumns(x GPVirtual, row []GPVirtual, k GPVirtual, sums []VecVirtual, read func(Mem, VecVirtual)) {
	here := YMM()
	read(Mem{Base: x, Index: k, Scale: 1}, here)
	for g, sum := range sums {
		var sq [4]VecVirtual
		for i := range sq {
			sq[i] = YMM()
			read(Mem{Base: row[4*g+i], Index: k, Scale: 1}, sq[i])
			VSUBPD(sq[i], here, sq[i])
			VMULPD(sq[i], sq[i], sq[i])
		}
		//	sq 0: a0 a1 a2 a3        even: a0 b0 a2 b2    c0 d0 c2 d2
		//	sq 1: b0 b1 b2 b3   →    odd:  a1 b1 a3 b3    c1 d1 c3 d3    →    a0 b0 c0 d0, …
		even, odd, even2, odd2 := YMM(), YMM(), YMM(), YMM()
		VUNPCKLPD(sq[1], sq[0], even)
		VUNPCKHPD(sq[1], sq[0], odd)
		VUNPCKLPD(sq[3], sq[2], even2)
		VUNPCKHPD(sq[3], sq[2], odd2)
		for _, column := range []struct {
			a, b VecVirtual
			half uint8
		}{{even, even2, 0x20}, {odd, odd2, 0x20}, {even, even2, 0x31}, {odd, odd2, 0x31}} {
			c := YMM()
			VPERM2F128(Imm(uint64(column.half)), column.b, column.a, c)
			VADDPD(c, sum, sum)
		}
	}
}
