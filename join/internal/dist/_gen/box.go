package main

import (
	. "github.com/mmcloughlin/avo/build"   //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/operand" //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/reg"     //nolint:revive // avo generators are written so.
)

// Which operand comes where matters to gap2 and reach2 if one is NaN: VMAXPD
// returns its second, which Go's assembler puts first.

// gap2 sums max(0, bLow − aHigh, aLow − bHigh)², NaN losing.
func (l level) gap2() {
	l.boxes("gap2", func(aLow, aHigh, bLow, bHigh, zero VecVirtual) VecVirtual {
		VSUBPD(aHigh, bLow, bLow)
		VSUBPD(bHigh, aLow, aLow)
		VMAXPD(zero, bLow, bLow)
		VMAXPD(bLow, aLow, aLow)
		return aLow
	})
}

// reach2 sums max(bHigh − aLow, aHigh − bLow)².
func (l level) reach2() {
	l.boxes("reach2", func(aLow, aHigh, bLow, bHigh, _ VecVirtual) VecVirtual {
		VSUBPD(aLow, bHigh, bHigh)
		VSUBPD(bLow, aHigh, aHigh)
		VMAXPD(aHigh, bHigh, bHigh)
		return bHigh
	})
}

// boxes writes a sum of squares over the coordinates of two boxes; what term
// returns for bounds of 0 must be 0.
func (l level) boxes(name string, term func(aLow, aHigh, bLow, bHigh, zero VecVirtual) VecVirtual) {
	l.text(name, "func(a, b *float64, dim int) float64",
		name+l.suffix+" works like "+name+"Generic.")
	a, b, left := load("a"), load("b"), load("dim")
	high := GP64() // bytes from a lower bound to its upper bound
	MOVQ(left, high)
	SHLQ(Imm(3), high)
	zero, sum := l.zeros(1)[0], l.zeros(1)[0]
	width := l.bytes / 8
	add := func(load func(at Mem, v VecVirtual)) {
		v := l.vectors(4)
		load(Mem{Base: a}, v[0])
		load(Mem{Base: a, Index: high, Scale: 1}, v[1])
		load(Mem{Base: b}, v[2])
		load(Mem{Base: b, Index: high, Scale: 1}, v[3])
		t := term(v[0], v[1], v[2], v[3], zero)
		VFMADD231PD(t, t, sum)
	}
	SUBQ(Imm(uint64(width)), left)
	JLT(LabelRef("rest"))
	Label("next")
	add(func(at Mem, v VecVirtual) { VMOVUPD(at, v) })
	ADDQ(Imm(uint64(l.bytes)), a)
	ADDQ(Imm(uint64(l.bytes)), b)
	SUBQ(Imm(uint64(width)), left)
	JGE(LabelRef("next"))
	Label("rest")
	ADDQ(Imm(uint64(width)), left)
	JZ(LabelRef("end"))
	read, _ := l.first(left)
	add(read)
	Label("end")
	Store(l.total(sum), ReturnIndex(0))
	l.ret()
}

// firstLanes returns the AVX-512 mask of the first n lanes, up to 16.
func (level) firstLanes(n GPVirtual) OpmaskVirtual {
	k, bits := K(), GP32()
	MOVL(U32(1), bits)
	MOVQ(n, RCX)
	SHLL(CL, bits)
	DECL(bits)
	KMOVW(bits, k)
	return k
}

// total returns the sum of the lanes of v.
func (l level) total(v VecVirtual) Register {
	if l.bytes == 64 {
		upper := YMM()
		VEXTRACTF64X4(Imm(1), v, upper)
		VADDPD(upper, v.AsY(), v.AsY())
	}
	upper, x := XMM(), v.AsX()
	VEXTRACTF128(Imm(1), v.AsY(), upper)
	VADDPD(upper, x, x)
	VPERMILPD(Imm(1), x, upper)
	VADDSD(upper, x, x)
	return x
}
