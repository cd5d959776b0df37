package main

import (
	. "github.com/mmcloughlin/avo/build"   //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/operand" //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/reg"     //nolint:revive // avo generators are written so.
)

// sliceHeader is the size of a slice in an array of slices.
const sliceHeader = 24

// A parting is the state of the partition kernel. A vector of each array is
// packed twice: the rows that go left are stored in place, at or before where
// they come from, the others in scratch.
//
//	array    [ left, done  | free     | vector | to come ]
//	scratch  [ right, done | free                        ]
//
// Whole vectors are stored; what they hold behind the packed rows falls on free
// places, or on the vector itself, which has been read. AVX-512 packs by mask
// (stored in memory at once, that is slow on some processors), AVX2 by a
// permutation from a table.
type parting struct {
	level
	at, left, right GPVirtual
	toLeft, toRight Op // masks, or permutations
}

// partition moves whole vectors of rows, and with AVX-512 the rest, too.
func (l level) partition() {
	l.text("partition", "func(keys, scratchKeys *[]float32, arrays int, ids, scratchIDs *int32, n int, axis *float32, pivot float32) int",
		"partition"+l.suffix+" works like partitionGeneric from 0 on; arrays > 0.",
		"With AVX2, n must be a multiple of 8.")
	p := &parting{level: l, at: GP64(), left: GP64(), right: GP64()}
	axis, last, pivot := load("axis"), load("n"), l.vector()
	VBROADCASTSS(param("pivot"), pivot)
	XORQ(p.at, p.at)
	XORQ(p.left, p.left)
	SUBQ(Imm(uint64(l.bytes/4)), last)
	JLT(LabelRef("rest"))

	Label("vector")
	count := GP32()
	v := l.vector()
	VMOVUPS(Mem{Base: axis, Index: p.at, Scale: 4}, v)
	if l.bytes == 64 {
		k, not := K(), K()
		VCMPPS(lessEqual, pivot, v, k)
		KNOTW(k, not)
		KMOVW(k, count)
		p.toLeft, p.toRight = k, not
	} else {
		p.orders(v, pivot, count)
	}
	POPCNTL(count, count)
	p.moveAll("vector", func(at Mem, v VecVirtual) { VMOVUPS(at, v) }, func(v VecVirtual, at Mem, _ bool) { VMOVUPS(v, at) })
	ADDQ(count.As64(), p.left)
	ADDQ(Imm(uint64(l.bytes/4)), p.at)
	CMPQ(p.at, last)
	JLE(LabelRef("vector"))

	Label("rest")
	if l.bytes == 64 {
		p.rest(axis, pivot)
		Label("end")
	}
	Store(p.left, ReturnIndex(0))
	l.ret()
}

// orders finds the permutations that pack a vector with AVX2, and the mask of
// the rows that go left.
func (p *parting) orders(v, pivot VecVirtual, mask GPVirtual) {
	from, right := GP64(), GP64()
	left, rest := YMM(), YMM()
	VCMPPS(lessEqual, pivot, v, v)
	VMOVMSKPS(v, mask)
	LEAQ(table("packOrder"), from)
	VPMOVZXBD(Mem{Base: from, Index: mask.As64(), Scale: 8}, left)
	MOVQ(mask.As64(), right)
	XORQ(U32(0xff), right)
	VPMOVZXBD(Mem{Base: from, Index: right, Scale: 8}, rest)
	p.toLeft, p.toRight = left, rest
}

// rest moves the last rows, fewer than a vector, with masks for the ends.
func (p *parting) rest(axis GPVirtual, pivot VecVirtual) {
	rows, count := GP64(), GP64()
	MOVQ(param("n"), rows)
	SUBQ(p.at, rows)
	JZ(LabelRef("end"))
	all, left, right, v := p.firstLanes(rows), K(), K(), p.vector()
	VMOVUPS_Z(Mem{Base: axis, Index: p.at, Scale: 4}, all, v)
	VCMPPS(lessEqual, pivot, v, all, left)
	KANDNW(all, left, right)
	KMOVW(left, count.As32())
	POPCNTL(count.As32(), count.As32())
	SUBQ(count, rows)
	someLeft, someRight := p.firstLanes(count), p.firstLanes(rows)
	p.toLeft, p.toRight = left, right
	p.moveAll("rest",
		func(at Mem, v VecVirtual) { VMOVUPS_Z(at, all, v) },
		func(v VecVirtual, at Mem, isLeft bool) {
			if isLeft {
				VMOVUPS(v, someLeft, at)
			} else {
				VMOVUPS(v, someRight, at)
			}
		})
	ADDQ(count, p.left)
}

// moveAll moves a vector of ids and of each array of keys.
func (p *parting) moveAll(label string, load func(Mem, VecVirtual), store func(v VecVirtual, at Mem, isLeft bool)) {
	label += "Array"
	keys, scratch, more := GP64(), GP64(), GP64()
	from, to := GP64(), GP64()
	MOVQ(p.at, p.right)
	SUBQ(p.left, p.right)
	move := func() {
		v, left, right := p.vector(), p.vector(), p.vector()
		load(Mem{Base: from, Index: p.at, Scale: 4}, v)
		if p.bytes == 64 {
			VCOMPRESSPS_Z(v, p.toLeft, left)
			VCOMPRESSPS_Z(v, p.toRight, right)
		} else {
			VPERMPS(v, p.toLeft, left)
			VPERMPS(v, p.toRight, right)
		}
		store(left, Mem{Base: from, Index: p.left, Scale: 4}, true)
		store(right, Mem{Base: to, Index: p.right, Scale: 4}, false)
	}
	MOVQ(param("ids"), from)
	MOVQ(param("scratchIDs"), to)
	move()
	MOVQ(param("keys"), keys)
	MOVQ(param("scratchKeys"), scratch)
	MOVQ(param("arrays"), more)
	Label(label)
	MOVQ(Mem{Base: keys}, from)
	MOVQ(Mem{Base: scratch}, to)
	move()
	ADDQ(Imm(sliceHeader), keys)
	ADDQ(Imm(sliceHeader), scratch)
	DECQ(more)
	JNZ(LabelRef(label))
}
