package main

import (
	. "github.com/mmcloughlin/avo/build"   //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/operand" //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/reg"     //nolint:revive // avo generators are written so.
)

// shift adds a value to each coordinate of a block.
func (l level) shift() {
	l.text("shift", "func(dst, src, by *float32, dim int)",
		"shift"+l.suffix+" works like shiftGeneric; dim > 0.")
	dst, src, by, dim := load("dst"), load("src"), load("by"), load("dim")
	add := l.vector()
	Label("next")
	VBROADCASTSS(Mem{Base: by}, add)
	for at := 0; at < row; at += l.bytes {
		x := l.vector()
		VADDPS(Mem{Base: src, Disp: at}, add, x)
		VMOVUPS(x, Mem{Base: dst, Disp: at})
	}
	ADDQ(Imm(4), by)
	ADDQ(Imm(row), src)
	ADDQ(Imm(row), dst)
	DECQ(dim)
	JNZ(LabelRef("next"))
	l.ret()
}

// minMax finds the bounds of each coordinate of a block.
func (l level) minMax() {
	l.text("minMax", "func(low, high, x *float32, dim int)",
		"minMax"+l.suffix+" works like minMaxGeneric; dim > 0.")
	low, high, x, dim := load("low"), load("high"), load("x"), load("dim")
	least, most := l.vector(), l.vector()
	VBROADCASTSS(table("infinities"), least)
	VBROADCASTSS(table("infinities").Offset(4), most)
	Label("next")
	lo, hi := l.vector(), l.vector()
	for at := 0; at < row; at += l.bytes {
		v := l.vector()
		VMOVUPS(Mem{Base: x, Disp: at}, v)
		// A NaN loses to what Go's assembler puts first.
		if at == 0 {
			VMINPS(least, v, lo)
			VMAXPS(most, v, hi)
		} else {
			VMINPS(lo, v, lo)
			VMAXPS(hi, v, hi)
		}
	}
	l.fold(lo, func(a, b, c Op) { VMINPS(a, b, c) })
	l.fold(hi, func(a, b, c Op) { VMAXPS(a, b, c) })
	VMOVSS(lo.AsX(), Mem{Base: low})
	VMOVSS(hi.AsX(), Mem{Base: high})
	ADDQ(Imm(row), x)
	ADDQ(Imm(4), low)
	ADDQ(Imm(4), high)
	DECQ(dim)
	JNZ(LabelRef("next"))
	l.ret()
}

// fold combines the lanes of v, none of them NaN, into its first.
func (l level) fold(v VecVirtual, op func(a, b, c Op)) {
	if l.bytes == 64 {
		upper := YMM()
		VEXTRACTF64X4(Imm(1), v, upper)
		op(upper, v.AsY(), v.AsY())
	}
	upper, x := XMM(), v.AsX()
	VEXTRACTF128(Imm(1), v.AsY(), upper)
	op(upper, x, x)
	VPERMILPD(Imm(1), x, upper)
	op(upper, x, x)
	VPERMILPS(Imm(1), x, upper)
	op(upper, x, x)
}

// near compares the rows of a block with a box, and their sums with one limit.
func (l level) near() {
	l.text("near", "func(q, box *float32, dim int, limit float32) uint32",
		"near"+l.suffix+" works like nearGeneric; dim > 0.")
	limit := l.vector()
	VBROADCASTSS(param("limit"), limit)
	l.nearest(func(int) Op { return limit })
}

// nearEach is near with a limit for each row.
func (l level) nearEach() {
	l.text("nearEach", "func(q, box *float32, dim int, limits *float32) uint32",
		"nearEach"+l.suffix+" works like nearEachGeneric; dim > 0.")
	limits := load("limits")
	l.nearest(func(v int) Op { return Mem{Base: limits, Disp: v * l.bytes} })
}

// nearest writes the loop of near and nearEach; limit has that of a vector of rows.
func (l level) nearest(limit func(v int) Op) {
	q, low, dim := load("q"), load("box"), load("dim")
	high, left, mask := GP64(), GP64(), GP32()
	LEAQ(Mem{Base: low, Index: dim, Scale: 4}, high)
	s := l.zeros(row / l.bytes)
	MOVQ(U32(exitEvery), left)

	Label("next")
	lo, hi := l.vector(), l.vector()
	VBROADCASTSS(Mem{Base: low}, lo)
	VBROADCASTSS(Mem{Base: high}, hi)
	for v := range s {
		x, c := l.vector(), l.vector()
		VMOVUPS(Mem{Base: q, Disp: v * l.bytes}, x)
		// Of two operands of which one is NaN, these return their second,
		// which Go's assembler puts first: a NaN bound bounds nothing.
		VMAXPS(x, lo, c)
		VMINPS(c, hi, c)
		VSUBPS(c, x, x)
		VFMADD231PS(x, x, s[v])
	}
	ADDQ(Imm(row), q)
	ADDQ(Imm(4), low)
	ADDQ(Imm(4), high)
	DECQ(dim)
	JZ(LabelRef("end"))
	DECQ(left)
	JNZ(LabelRef("next"))
	MOVQ(U32(exitEvery), left)
	l.maskEach(s, limit, mask)
	TESTL(mask, mask)
	JNZ(LabelRef("next"))

	Label("end")
	l.maskEach(s, limit, mask)
	Store(mask, ReturnIndex(0))
	l.ret()
}

// param returns the place of a parameter.
func param(name string) Mem {
	c, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return c.Addr
}

// mask sets the bits of the sums that are ≤ limit.
func (l level) mask(s []VecVirtual, limit VecVirtual, mask GPVirtual) {
	l.maskEach(s, func(int) Op { return limit }, mask)
}

// maskEach is mask with limits for each vector.
func (l level) maskEach(s []VecVirtual, limit func(v int) Op, mask GPVirtual) {
	if l.bytes == 64 {
		KMOVD(l.pairMask([2]VecVirtual(s), limit), mask)
		return
	}
	for v := len(s) - 1; v >= 0; v-- {
		c, m := l.vector(), GP32()
		VCMPPS(lessEqual, limit(v), s[v], c)
		if v == len(s)-1 {
			VMOVMSKPS(c, mask)
			continue
		}
		VMOVMSKPS(c, m)
		SHLL(Imm(8), mask)
		ORL(m, mask)
	}
}

// pairMask returns the mask of the sums that are ≤ limit, in two vectors of 16.
func (l level) pairMask(s [2]VecVirtual, limit func(v int) Op) OpmaskVirtual {
	low, high := K(), K()
	VCMPPS(lessEqual, limit(0), s[0], low)
	VCMPPS(lessEqual, limit(1), s[1], high)
	KUNPCKWD(low, high, low)
	return low
}

// addBits adds the bits of a mask to 32 counts.
func (l level) addBits() {
	l.text("addBits", "func(counts *int32, mask uint32)",
		"addBits"+l.suffix+" works like addBitsGeneric.")
	counts := load("counts")
	if l.bytes == 64 {
		mask, one := Load(Param("mask"), GP32()), ZMM()
		VPTERNLOGD(U8(0xff), one, one, one)
		for v := range 2 {
			k, c := K(), ZMM()
			at := Mem{Base: counts, Disp: 64 * v}
			KMOVW(mask, k)
			VMOVDQU32(at, c)
			VPSUBD(one, c, k, c)
			VMOVDQU32(c, at)
			if v == 0 {
				SHRL(Imm(16), mask)
			}
		}
		l.ret()
		return
	}
	bits, mask := table("laneBits"), YMM()
	VBROADCASTSS(param("mask"), mask) // go vet takes VPBROADCASTD for 8 bytes.
	for v := range 4 {
		b, m, c := YMM(), YMM(), YMM()
		at := Mem{Base: counts, Disp: 32 * v}
		VMOVDQU(bits.Offset(32*v), b)
		VPAND(b, mask, m)
		VPCMPEQD(b, m, m)
		VMOVDQU(at, c)
		VPSUBD(m, c, c)
		VMOVDQU(c, at)
	}
	l.ret()
}

// gaps compares the boxes of a block with a box.
func (l level) gaps() {
	l.text("gaps", "func(dst, low, high, box *float32, dim int, limit float32) uint32",
		"gaps"+l.suffix+" works like gapsGeneric; dim > 0.")
	low, high, boxLow, dim := load("low"), load("high"), load("box"), load("dim")
	limit, zero := l.vector(), l.zeros(1)[0]
	VBROADCASTSS(param("limit"), limit)
	boxHigh, left, mask, dst := GP64(), GP64(), GP32(), GP64()
	LEAQ(Mem{Base: boxLow, Index: dim, Scale: 4}, boxHigh)
	s := l.zeros(row / l.bytes)
	MOVQ(U32(exitEvery), left)

	Label("next")
	lo, hi := l.vector(), l.vector()
	VBROADCASTSS(Mem{Base: boxLow}, lo)
	VBROADCASTSS(Mem{Base: boxHigh}, hi)
	for v := range s {
		up, down := l.vector(), l.vector()
		VMOVUPS(Mem{Base: low, Disp: v * l.bytes}, up)
		VSUBPS(hi, up, up)
		VSUBPS(Mem{Base: high, Disp: v * l.bytes}, lo, down)
		// A NaN, the difference of equal infinities, loses to what Go's
		// assembler puts first.
		VMAXPS(zero, up, up)
		VMAXPS(up, down, down)
		VFMADD231PS(down, down, s[v])
	}
	ADDQ(Imm(row), low)
	ADDQ(Imm(row), high)
	ADDQ(Imm(4), boxLow)
	ADDQ(Imm(4), boxHigh)
	DECQ(dim)
	JZ(LabelRef("end"))
	DECQ(left)
	JNZ(LabelRef("next"))
	MOVQ(U32(exitEvery), left)
	l.mask(s, limit, mask)
	TESTL(mask, mask)
	JNZ(LabelRef("next"))

	Label("end")
	MOVQ(param("dst"), dst)
	for v := range s {
		VMOVUPS(s[v], Mem{Base: dst, Disp: v * l.bytes})
	}
	l.mask(s, limit, mask)
	Store(mask, ReturnIndex(0))
	l.ret()
}
