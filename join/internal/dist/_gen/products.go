package main

import (
	. "github.com/mmcloughlin/avo/build"   //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/operand" //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/reg"     //nolint:revive // avo generators are written so.
)

// products subtracts the products of all rows of two blocks from halves of their
// norms. With AVX-512 8 rows stand in registers against all lanes of b, with AVX2 4
// rows against half of them.
func (l level) products() {
	l.text("products", "func(hits, sure *uint32, q, b *float32, dim int, qHalf, bHalf *float32, sureLimit, hitLimit float32) uint32",
		"products"+l.suffix+" works like productsGeneric; dim > 0, sureLimit ≤ hitLimit.")
	rows, parts := 8, 1
	if l.bytes == 32 {
		rows, parts = 4, 2
	}
	hit, sure := l.vector(), l.vector()
	VBROADCASTSS(param("hitLimit"), hit)
	VBROADCASTSS(param("sureLimit"), sure)
	first := GP64() // bytes of the rows before those in hand, in a row of numbers
	half := GP64()  // bytes of the lanes before those in hand
	XORQ(half, half)
	Label("part")
	XORQ(first, first)
	Label("rows")
	s := make([][2]VecVirtual, rows)
	q, b, left, halves := GP64(), GP64(), GP64(), GP64()
	MOVQ(param("qHalf"), q)
	MOVQ(param("bHalf"), halves)
	for i := range s {
		s[i] = [2]VecVirtual{l.vector(), l.vector()}
		x := l.vector()
		VBROADCASTSS(Mem{Base: q, Index: first, Scale: 1, Disp: 4 * i}, x)
		for v := range 2 {
			VADDPS(Mem{Base: halves, Index: half, Scale: 1, Disp: v * l.bytes}, x, s[i][v])
		}
	}
	MOVQ(param("q"), q)
	ADDQ(first, q)
	MOVQ(param("b"), b)
	ADDQ(half, b)
	MOVQ(param("dim"), left)

	Label("next")
	y := l.vectors(2)
	for v := range y {
		VMOVUPS(Mem{Base: b, Disp: v * l.bytes}, y[v])
	}
	for i := range s {
		x := l.vector()
		VBROADCASTSS(Mem{Base: q, Disp: 4 * i}, x)
		for v := range y {
			VFNMADD231PS(y[v], x, s[i][v])
		}
	}
	ADDQ(Imm(row), q)
	ADDQ(Imm(row), b)
	DECQ(left)
	JNZ(LabelRef("next"))

	l.storeMasks("hits", s, hit, first, half)
	l.storeMasks("sure", s, sure, first, half)
	ADDQ(Imm(uint64(4*rows)), first)
	CMPQ(first, U32(row))
	JLT(LabelRef("rows"))
	if parts == 2 {
		ADDQ(Imm(uint64(row/parts)), half)
		CMPQ(half, U32(row))
		JLT(LabelRef("part"))
	}
	Store(l.anyBits(param("hits")), ReturnIndex(0))
	l.ret()
}

// anyBits returns which of 32 numbers are not 0.
func (l level) anyBits(numbers Mem) Register {
	from, mask := GP64(), GP32()
	MOVQ(numbers, from)
	if l.bytes == 64 {
		v, low, high := l.vectors(2), K(), K()
		VMOVDQU32(Mem{Base: from}, v[0])
		VMOVDQU32(Mem{Base: from, Disp: l.bytes}, v[1])
		VPTESTMD(v[0], v[0], low)
		VPTESTMD(v[1], v[1], high)
		KUNPCKWD(low, high, low)
		KMOVD(low, mask)
		return mask
	}
	zero, v, part := l.zeros(1)[0], l.vector(), GP32()
	XORL(mask, mask)
	for at := row - l.bytes; at >= 0; at -= l.bytes {
		VPCMPEQD(Mem{Base: from, Disp: at}, zero, v)
		VMOVMSKPS(v, part)
		SHLL(Imm(uint64(l.bytes/4)), mask)
		ORL(part, mask)
	}
	NOTL(mask)
	return mask
}

// storeMasks writes the masks of the sums that are ≤ limit.
func (l level) storeMasks(name string, s [][2]VecVirtual, limit VecVirtual, first, half GPVirtual) {
	to, m := GP64(), GP32()
	MOVQ(param(name), to)
	ADDQ(first, to)
	if l.bytes == 32 {
		skip := GP64()
		MOVQ(half, skip)
		SHRQ(Imm(5), skip) // 4 bytes a lane to 1 bit
		ADDQ(skip, to)
	}
	for i := range s {
		at := Mem{Base: to, Disp: 4 * i}
		if l.bytes == 64 {
			KMOVD(l.pairMask(s[i], func(int) Op { return limit }), at)
			continue
		}
		for v := range 2 {
			c := l.vector()
			VCMPPS(lessEqual, limit, s[i][v], c)
			VMOVMSKPS(c, m)
			MOVB(m.As8(), at.Offset(v))
		}
	}
}

// shiftNorms is shift that halves the squared norms of the rows, too.
func (l level) shiftNorms() {
	l.text("shiftNorms", "func(dst, src, by *float32, dim int, half *float32)",
		"shiftNorms"+l.suffix+" works like shiftGeneric, then halfNormsGeneric; dim > 0.")
	dst, src, by, dim, half := load("dst"), load("src"), load("by"), load("dim"), load("half")
	s, add, two := l.zeros(row/l.bytes), l.vector(), l.vector()
	Label("next")
	VBROADCASTSS(Mem{Base: by}, add)
	for v := range s {
		x, at := l.vector(), v*l.bytes
		VADDPS(Mem{Base: src, Disp: at}, add, x)
		VMOVUPS(x, Mem{Base: dst, Disp: at})
		VFMADD231PS(x, x, s[v])
	}
	ADDQ(Imm(4), by)
	ADDQ(Imm(row), src)
	ADDQ(Imm(row), dst)
	DECQ(dim)
	JNZ(LabelRef("next"))
	VBROADCASTSS(table("half"), two)
	for v := range s {
		VMULPS(two, s[v], s[v])
		VMOVUPS(s[v], Mem{Base: half, Disp: v * l.bytes})
	}
	l.ret()
}
