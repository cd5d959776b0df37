package main

import (
	. "github.com/mmcloughlin/avo/build"   //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/operand" //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/reg"     //nolint:revive // avo generators are written so.
)

// A cutting is the state of the cut kernel: values in memory, whole vectors of
// them and a rest.
type cutting struct {
	level
	x, whole GPVirtual // the values, bytes of whole vectors
	rest     Op        // lanes of the rest
	at       GPVirtual
}

// cut bisects the numbers between the least and the greatest value.
func (l level) cut() {
	l.text("cut", "func(x *float32, count, n, most int) float32",
		"cut"+l.suffix+" works like cutGeneric; count > 0.")
	c := &cutting{level: l, x: load("x"), whole: load("count"), at: GP64()}
	part := GP64()
	MOVQ(c.whole, part)
	ANDQ(Imm(uint64(l.bytes/4-1)), part)
	c.rest = l.firstFloats(part)
	SHLQ(Imm(2), c.whole)
	ANDQ(I32(-l.bytes), c.whole)
	low, high := c.bounds()

	pivot, value, up, seen := l.vector(), GP64(), GP64(), GP64()
	spare, over := GP64(), GP64()
	MOVQ(param("most"), spare)
	SUBQ(param("n"), spare)
	Label("bisect")
	CMPQ(low, high)
	JGE(LabelRef("met"))
	LEAQ(Mem{Base: low, Index: high, Scale: 1}, value)
	SARQ(Imm(1), value)
	LEAQ(Mem{Base: value, Disp: 1}, up)
	l.broadcast(value, pivot)
	c.seen(pivot, seen)
	MOVQ(seen, over)
	SUBQ(param("n"), over)
	CMPQ(over, spare) // without sign: from n to most
	JLS(LabelRef("found"))
	TESTQ(over, over) // Branches would be guessed wrong half of the time.
	CMOVQLT(up, low)
	CMOVQGT(value, high)
	JMP(LabelRef("bisect"))
	Label("met")
	l.broadcast(low, pivot)
	Label("found")
	Store(pivot.AsX(), ReturnIndex(0))
	l.ret()
}

// firstFloats returns a mask of the first n lanes, fewer than a vector has.
func (l level) firstFloats(n GPVirtual) Op {
	if l.bytes == 64 {
		return l.firstLanes(n)
	}
	mask, from := YMM(), GP64()
	LEAQ(table("laneMasks").Offset(32), from)
	NEGQ(n)
	VMOVUPS(Mem{Base: from, Index: n, Scale: 4}, mask)
	return mask
}

// bounds returns the numbers of the least and the greatest value.
func (c *cutting) bounds() (low, high GPVirtual) {
	lo, hi, v := c.vector(), c.vector(), c.vector()
	VBROADCASTSS(table("infinities"), lo)
	VBROADCASTSS(table("infinities").Offset(4), hi)
	c.each("bounds", func(at Mem) {
		VMOVUPS(at, v)
		VMINPS(lo, v, lo) // A NaN loses to what Go's assembler puts first.
		VMAXPS(hi, v, hi)
	})
	at := Mem{Base: c.x, Index: c.whole, Scale: 1}
	if c.bytes == 64 {
		VMOVUPS_Z(at, c.rest, v)
		VMINPS(lo, v, c.rest, lo)
		VMAXPS(hi, v, c.rest, hi)
	} else {
		t := c.vector()
		VMASKMOVPS(at, c.rest, v)
		VMINPS(lo, v, t)
		VBLENDVPS(c.rest, t, lo, lo)
		VMAXPS(hi, v, t)
		VBLENDVPS(c.rest, t, hi, hi)
	}
	c.fold(lo, func(a, b, c Op) { VMINPS(a, b, c) })
	c.fold(hi, func(a, b, c Op) { VMAXPS(a, b, c) })
	return number(lo), number(hi)
}

// each writes a loop over the whole vectors.
func (c *cutting) each(label string, do func(at Mem)) {
	XORQ(c.at, c.at)
	Label(label)
	CMPQ(c.at, c.whole)
	JGE(LabelRef(label + "End"))
	do(Mem{Base: c.x, Index: c.at, Scale: 1})
	ADDQ(Imm(uint64(c.bytes)), c.at)
	JMP(LabelRef(label))
	Label(label + "End")
}

// seen counts the values ≤ pivot.
func (c *cutting) seen(pivot VecVirtual, n GPVirtual) {
	bits, k, y := GP64(), K(), c.vector()
	add := func() {
		POPCNTL(bits.As32(), bits.As32())
		ADDQ(bits, n)
	}
	XORQ(n, n)
	c.each("seen", func(at Mem) {
		if c.bytes == 64 {
			VCMPPS(greaterEqual, at, pivot, k)
			KMOVW(k, bits.As32())
		} else {
			VCMPPS(greaterEqual, at, pivot, y)
			VMOVMSKPS(y, bits.As32())
		}
		add()
	})
	at := Mem{Base: c.x, Index: c.whole, Scale: 1}
	if c.bytes == 64 {
		VCMPPS(greaterEqual, at, pivot, c.rest, k)
		KMOVW(k, bits.As32())
	} else {
		VMASKMOVPS(at, c.rest, y)
		VCMPPS(greaterEqual, y, pivot, y)
		VANDPS(c.rest, y, y)
		VMOVMSKPS(y, bits.As32())
	}
	add()
}

// number turns the first lane of v into an integer of the same order, which
// flipping the bits behind the sign does for negative values.
func number(v VecVirtual) GPVirtual {
	n := GP64()
	VMOVD(v.AsX(), n.As32())
	flip(n.As32())
	MOVLQSX(n.As32(), n)
	return n
}

// flip flips the bits behind the sign of a negative value.
func flip(n Register) {
	f := GP32()
	MOVL(n, f)
	SARL(Imm(31), f)
	ANDL(U32(0x7fffffff), f)
	XORL(f, n)
}

// broadcast is the inverse of number, for all lanes.
func (l level) broadcast(n GPVirtual, v VecVirtual) {
	value := GP32()
	MOVL(n.As32(), value)
	flip(value)
	VMOVD(value, v.AsX())
	VBROADCASTSS(v.AsX(), v)
}
