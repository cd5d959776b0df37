package main

import (
	. "github.com/mmcloughlin/avo/build"   //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/operand" //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/reg"     //nolint:revive // avo generators are written so.
)

const (
	cacheLine  = 64
	linesAhead = 4 // cache lines of a row that are asked for ahead
)

// rows copies rows of float64 from anywhere.
func (l level) rows() {
	l.text("rows", "func(dst, src *float64, rows *int32, n int, next *int32, ahead, dim int)",
		"rows"+l.suffix+" works like rowsGeneric; n > 0, dim > 0.")
	dst, src, rows, n := load("dst"), load("src"), load("rows"), load("n")
	size, left := load("dim"), load("ahead")
	next := load("next")
	SHLQ(Imm(3), size) // bytes a row

	// Ask for the next rows first: they come while these are copied.
	TESTQ(left, left)
	JZ(LabelRef("copy"))
	lines := GP64() // bytes to ask for
	MOVQ(U32(linesAhead*cacheLine), lines)
	CMPQ(size, lines)
	CMOVQLT(size, lines)
	Label("ask")
	at, line := GP64(), GP64()
	MOVLQSX(Mem{Base: next}, at)
	IMULQ(size, at)
	ADDQ(src, at)
	XORQ(line, line)
	Label("line")
	PREFETCHT0(Mem{Base: at, Index: line, Scale: 1})
	ADDQ(Imm(cacheLine), line)
	CMPQ(line, lines)
	JLT(LabelRef("line"))
	PREFETCHT0(Mem{Base: at, Index: lines, Scale: 1, Disp: -8}) // a row may end in another line
	ADDQ(Imm(4), next)
	DECQ(left)
	JNZ(LabelRef("ask"))

	Label("copy")
	whole, word := GP64(), GP64() // bytes of a row in whole vectors, a value
	MOVQ(size, whole)
	ANDQ(I32(-l.bytes), whole)
	Label("row")
	from, off := GP64(), GP64()
	MOVLQSX(Mem{Base: rows}, from)
	IMULQ(size, from)
	ADDQ(src, from)
	XORQ(off, off)
	CMPQ(off, whole)
	JEQ(LabelRef("tail"))
	Label("vector")
	v := l.vector()
	VMOVUPD(Mem{Base: from, Index: off, Scale: 1}, v)
	VMOVUPD(v, Mem{Base: dst, Index: off, Scale: 1})
	ADDQ(Imm(uint64(l.bytes)), off)
	CMPQ(off, whole)
	JLT(LabelRef("vector"))
	JMP(LabelRef("more"))
	Label("tail")
	MOVQ(Mem{Base: from, Index: off, Scale: 1}, word)
	MOVQ(word, Mem{Base: dst, Index: off, Scale: 1})
	ADDQ(Imm(8), off)
	Label("more")
	CMPQ(off, size)
	JLT(LabelRef("tail"))
	ADDQ(size, dst)
	ADDQ(Imm(4), rows)
	DECQ(n)
	JNZ(LabelRef("row"))
	l.ret()
}

// bounds finds the box of rows of float64.
func (l level) bounds() {
	l.text("bounds", "func(box, x *float64, n, dim int)",
		"bounds"+l.suffix+" works like boundsGeneric; n > 0, dim > 0.")
	low, x, size, left := load("box"), load("x"), load("dim"), load("dim")
	high, at, n := GP64(), GP64(), GP64()
	SHLQ(Imm(3), size)
	LEAQ(Mem{Base: low, Index: size, Scale: 1}, high)
	// column writes the bounds of a vector of coordinates.
	column := func(name string, read func(Mem, VecVirtual), write func(VecVirtual, Mem)) {
		lo, hi, v := l.vector(), l.vector(), l.vector()
		MOVQ(x, at)
		MOVQ(param("n"), n)
		read(Mem{Base: at}, lo)
		VMOVAPD(lo, hi)
		JMP(LabelRef("into" + name))
		Label("next" + name)
		read(Mem{Base: at}, v)
		VMINPD(lo, v, lo)
		VMAXPD(hi, v, hi)
		Label("into" + name)
		ADDQ(size, at)
		DECQ(n)
		JNZ(LabelRef("next" + name))
		write(lo, Mem{Base: low})
		write(hi, Mem{Base: high})
	}
	width := uint64(l.bytes / 8)
	SUBQ(Imm(width), left)
	JLT(LabelRef("rest"))
	Label("whole")
	column("Whole", func(m Mem, v VecVirtual) { VMOVUPD(m, v) }, func(v VecVirtual, m Mem) { VMOVUPD(v, m) })
	for _, p := range []GPVirtual{x, low, high} {
		ADDQ(Imm(uint64(l.bytes)), p)
	}
	SUBQ(Imm(width), left)
	JGE(LabelRef("whole"))
	Label("rest")
	ADDQ(Imm(width), left)
	JZ(LabelRef("end"))
	read, write := l.first(left)
	column("Rest", read, write)
	Label("end")
	l.ret()
}

// first returns the code that loads n float64 values, fewer than a vector holds,
// with zeros behind them, and the code that stores them.
func (l level) first(n GPVirtual) (read func(Mem, VecVirtual), write func(VecVirtual, Mem)) {
	if l.bytes == 64 {
		k := l.firstLanes(n)
		return func(m Mem, v VecVirtual) { VMOVUPD_Z(m, k, v) }, func(v VecVirtual, m Mem) { VMOVUPD(v, k, m) }
	}
	mask, from := YMM(), GP64()
	LEAQ(table("laneMasks").Offset(32), from)
	NEGQ(n)
	VMOVUPD(Mem{Base: from, Index: n, Scale: 8}, mask)
	return func(m Mem, v VecVirtual) { VMASKMOVPD(m, mask, v) }, func(v VecVirtual, m Mem) { VMASKMOVPD(v, mask, m) }
}

// offset subtracts one row of float64 from another.
func (l level) offset() {
	l.text("offset", "func(dst *float32, a, b *float64, dim int) float64",
		"offset"+l.suffix+" works like offsetGeneric; dim > 0.")
	dst, a, b, left := load("dst"), load("a"), load("b"), load("dim")
	sum := l.zeros(1)[0]
	width := uint64(l.bytes / 8)
	SUBQ(Imm(width), left)
	JLT(LabelRef("rest"))
	Label("next")
	v := l.vector()
	VMOVUPD(Mem{Base: a}, v)
	VSUBPD(Mem{Base: b}, v, v)
	VFMADD231PD(v, v, sum)
	if l.bytes == 64 {
		VCVTPD2PS(v, v.AsY())
		VMOVUPS(v.AsY(), Mem{Base: dst})
	} else {
		VCVTPD2PSY(v, v.AsX())
		VMOVUPS(v.AsX(), Mem{Base: dst})
	}
	ADDQ(Imm(uint64(l.bytes)), a)
	ADDQ(Imm(uint64(l.bytes)), b)
	ADDQ(Imm(uint64(l.bytes/2)), dst)
	SUBQ(Imm(width), left)
	JGE(LabelRef("next"))
	Label("rest")
	total := l.total(sum).(VecVirtual)
	ADDQ(Imm(width), left)
	JZ(LabelRef("end"))
	Label("one")
	x := XMM()
	VMOVSD(Mem{Base: a}, x)
	VSUBSD(Mem{Base: b}, x, x)
	VFMADD231SD(x, x, total)
	VCVTSD2SS(x, x, x)
	VMOVSS(x, Mem{Base: dst})
	ADDQ(Imm(8), a)
	ADDQ(Imm(8), b)
	ADDQ(Imm(4), dst)
	DECQ(left)
	JNZ(LabelRef("one"))
	Label("end")
	Store(total, ReturnIndex(0))
	l.ret()
}
