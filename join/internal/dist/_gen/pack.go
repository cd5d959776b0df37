package main

import (
	. "github.com/mmcloughlin/avo/build"   //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/operand" //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/reg"     //nolint:revive // avo generators are written so.
)

// A packer packs lanes: with AVX-512 by a mask, with AVX2 by a permutation.
type packer struct {
	level
	by   Op
	from GPVirtual // the table of permutations
}

func (l level) packer() *packer {
	p := &packer{level: l}
	if l.bytes == 64 {
		p.by = K()
		return p
	}
	p.by, p.from = YMM(), GP64()
	LEAQ(table("packOrder"), p.from)
	return p
}

// set makes the packer pack the lanes whose bits are set, of which there are none
// behind a vector's.
func (p *packer) set(mask GPVirtual) {
	if p.bytes == 64 {
		KMOVW(mask.As32(), p.by)
		return
	}
	VPMOVZXBD(Mem{Base: p.from, Index: mask.As64(), Scale: 8}, p.by)
}

// pack returns the packed lanes of v, then any.
func (p *packer) pack(v VecVirtual) VecVirtual {
	packed := p.vector()
	if p.bytes == 64 {
		VCOMPRESSPS_Z(v, p.by, packed)
	} else {
		VPERMPS(v, p.by, packed)
	}
	return packed
}

// append packs the hits of each row behind those that it has.
func (l level) append() {
	l.text("append", "func(x *float32, ids, counts *int32, room int, lanes *uint8, n int, src *float32, hits *uint32, first int32)",
		"append"+l.suffix+" works like appendGeneric; n > 0.")
	lanes, left, src, hits := load("lanes"), load("n"), load("src"), load("hits")
	x, ids, counts := load("x"), load("ids"), load("counts")
	p := l.packer()
	width := l.bytes / 4
	names := l.vectors(row / l.bytes)
	VBROADCASTSS(param("first"), names[0])
	for v := len(names) - 1; v >= 0; v-- {
		VPADDD(table("laneNumbers").Offset(l.bytes*v), names[0], names[v])
	}

	Label("next")
	mask, lane, at, part, seen := GP64(), GP64(), GP64(), GP64(), GP64()
	MOVL(Mem{Base: hits}, mask.As32())
	TESTL(mask.As32(), mask.As32())
	JZ(LabelRef("done"))
	MOVBLZX(Mem{Base: lanes}, lane.As32())
	MOVQ(param("room"), at)
	IMULQ(lane, at)
	MOVL(Mem{Base: counts, Index: lane, Scale: 4}, seen.As32())
	ADDQ(seen, at)
	POPCNTL(mask.As32(), seen.As32())
	ADDL(seen.As32(), Mem{Base: counts, Index: lane, Scale: 4})
	for v, name := range names {
		if width == 16 {
			MOVWLZX(mask.As16(), part.As32())
		} else {
			MOVBLZX(mask.As8(), part.As32())
		}
		p.set(part)
		value := l.vector()
		VMOVUPS(Mem{Base: src, Disp: l.bytes * v}, value)
		VMOVUPS(p.pack(value), Mem{Base: x, Index: at, Scale: 4})
		VMOVUPS(p.pack(name), Mem{Base: ids, Index: at, Scale: 4})
		if v < len(names)-1 {
			SHRL(U8(width), mask.As32())
			POPCNTL(part.As32(), part.As32())
			ADDQ(part, at)
		}
	}
	Label("done")
	INCQ(lanes)
	ADDQ(Imm(4), hits)
	ADDQ(Imm(row), src)
	DECQ(left)
	JNZ(LabelRef("next"))
	l.ret()
}

// keep packs what is ≤ limit in place. Whole vectors are stored: what they hold
// behind the packed values falls on what has been read.
func (l level) keep() {
	l.text("keep", "func(x *float32, ids *int32, n int, limit float32) int",
		"keep"+l.suffix+" works like keepGeneric from 0 on.",
		"With AVX2, n must be a multiple of 8.")
	x, ids, last := load("x"), load("ids"), load("n")
	limit, value, name := l.vector(), l.vector(), l.vector()
	VBROADCASTSS(param("limit"), limit)
	p := l.packer()
	at, kept, mask := GP64(), GP64(), GP64()
	XORQ(at, at)
	XORQ(kept, kept)
	SUBQ(Imm(uint64(l.bytes/4)), last)
	JLT(LabelRef("rest"))

	Label("vector")
	VMOVUPS(Mem{Base: x, Index: at, Scale: 4}, value)
	VMOVUPS(Mem{Base: ids, Index: at, Scale: 4}, name)
	if l.bytes == 64 {
		VCMPPS(lessEqual, limit, value, p.by)
		KMOVW(p.by, mask.As32())
	} else {
		c := l.vector()
		VCMPPS(lessEqual, limit, value, c)
		VMOVMSKPS(c, mask.As32())
		p.set(mask)
	}
	VMOVUPS(p.pack(value), Mem{Base: x, Index: kept, Scale: 4})
	VMOVUPS(p.pack(name), Mem{Base: ids, Index: kept, Scale: 4})
	POPCNTL(mask.As32(), mask.As32())
	ADDQ(mask, kept)
	ADDQ(Imm(uint64(l.bytes/4)), at)
	CMPQ(at, last)
	JLE(LabelRef("vector"))

	Label("rest")
	if l.bytes == 64 {
		p.keepRest(x, ids, at, kept, limit)
	}
	Store(kept, ReturnIndex(0))
	l.ret()
}

// keepRest keeps the last values, fewer than a vector.
func (p *packer) keepRest(x, ids, at, kept GPVirtual, limit VecVirtual) {
	rest, mask, value, name := GP64(), GP64(), p.vector(), p.vector()
	MOVQ(param("n"), rest)
	SUBQ(at, rest)
	JZ(LabelRef("end"))
	all := p.firstLanes(rest)
	VMOVUPS_Z(Mem{Base: x, Index: at, Scale: 4}, all, value)
	VMOVUPS_Z(Mem{Base: ids, Index: at, Scale: 4}, all, name)
	VCMPPS(lessEqual, limit, value, all, p.by)
	KMOVW(p.by, mask.As32())
	POPCNTL(mask.As32(), mask.As32())
	some := p.firstLanes(mask)
	VMOVUPS(p.pack(value), some, Mem{Base: x, Index: kept, Scale: 4})
	VMOVUPS(p.pack(name), some, Mem{Base: ids, Index: kept, Scale: 4})
	ADDQ(mask, kept)
	Label("end")
}

// ranks counts for each value those that are less.
func (l level) ranks() {
	l.text("ranks", "func(dst *int32, x *float64, n int)",
		"ranks"+l.suffix+" works like ranksGeneric; n > 0.")
	dst, x, whole := load("dst"), load("x"), load("n")
	width := l.bytes / 8
	left, value, end, at, rank, mask := GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	MOVQ(whole, left)
	MOVQ(x, value)
	MOVQ(whole, mask)
	ANDQ(Imm(uint64(width-1)), mask)
	ANDQ(I32(-width), whole)
	LEAQ(Mem{Base: x, Index: whole, Scale: 8}, end)
	v, other := l.vector(), l.vector()
	var rest Op
	if l.bytes == 64 {
		rest = l.firstLanes(mask)
	} else {
		from := GP64()
		rest = YMM()
		LEAQ(table("laneMasks").Offset(32), from)
		NEGQ(mask)
		VMOVUPD(Mem{Base: from, Index: mask, Scale: 8}, rest)
	}
	k := K()
	count := func() {
		if l.bytes == 64 {
			KMOVW(k, mask.As32())
		} else {
			VMOVMSKPD(other, mask.As32())
		}
		POPCNTL(mask.As32(), mask.As32())
		ADDL(mask.As32(), rank.As32())
	}

	Label("next")
	VBROADCASTSD(Mem{Base: value}, v)
	XORL(rank.As32(), rank.As32())
	MOVQ(x, at)
	CMPQ(at, end)
	JGE(LabelRef("rest"))
	Label("vector")
	if l.bytes == 64 {
		VCMPPD(greater, Mem{Base: at}, v, k)
	} else {
		VCMPPD(greater, Mem{Base: at}, v, other)
	}
	count()
	ADDQ(Imm(uint64(l.bytes)), at)
	CMPQ(at, end)
	JLT(LabelRef("vector"))
	Label("rest")
	if l.bytes == 64 {
		VMOVUPD_Z(Mem{Base: at}, rest, other)
		VCMPPD(greater, other, v, rest, k)
	} else {
		VMASKMOVPD(Mem{Base: at}, rest, other)
		VCMPPD(greater, other, v, other)
		VANDPD(rest, other, other)
	}
	count()
	MOVL(rank.As32(), Mem{Base: dst})
	ADDQ(Imm(4), dst)
	ADDQ(Imm(8), value)
	DECQ(left)
	JNZ(LabelRef("next"))
	l.ret()
}
