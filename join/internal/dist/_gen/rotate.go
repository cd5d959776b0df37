package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"   //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/operand" //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/reg"     //nolint:revive // avo generators are written so.
)

// A rotation is the state of the rotate kernel: the sums of 4 rows in a chunk
// of columns, which is 1 to 6 vectors wide (AVX2: 1 or 2). The last vector of
// the last chunk may be a part of one.
type rotation struct {
	level
	axes, dst GPVirtual         // the first column of the chunk
	left      GPVirtual         // columns from there on
	i         GPVirtual         // the first of the 4 rows
	row       [atOnce]GPVirtual // the rows, in x or in dst
	mask      Op                // the lanes of the last vector
	sum       [atOnce][]VecVirtual
}

// rotate projects rows on axes.
func (l level) rotate() {
	l.text("rotate", "func(dst, x, center, axes *float64, rows, d, m int)",
		"rotate"+l.suffix+" works like rotateGeneric; rows, d, m > 0.")
	r := &rotation{level: l, axes: load("axes"), dst: load("dst"), left: load("m"), i: GP64()}
	most, width := 6, l.bytes/8
	if l.bytes == 32 {
		most = 2
	}
	for s := range atOnce {
		r.row[s], r.sum[s] = GP64(), l.vectors(most)
	}
	Label("columns")
	for n := most; n > 1; n-- {
		least := (n-1)*width + 1
		if l.bytes == 32 {
			least = n * width // VMASKMOVPD is slow: one vector at a time.
		}
		CMPQ(r.left, Imm(uint64(least)))
		JGE(LabelRef(fmt.Sprintf("vectors%d", n)))
	}
	for n := 1; n <= most; n++ {
		Label(fmt.Sprintf("vectors%d", n))
		r.chunk(n)
	}
}

// chunk computes the columns of n vectors for all rows.
func (r *rotation) chunk(n int) {
	name := func(label string) string { return fmt.Sprintf("%s%d", label, n) }
	r.setMask(n)
	XORQ(r.i, r.i)
	Label(name("rows"))
	r.find("x", "d")
	for i := range atOnce {
		for v := range n {
			r.zero(r.sum[i][v])
		}
	}
	center, axis, step, j, d := load("center"), GP64(), load("m"), GP64(), load("d")
	MOVQ(r.axes, axis)
	SHLQ(Imm(3), step)
	XORQ(j, j)

	Label(name("coordinate"))
	c, a := r.vector(), r.vectors(n)
	VBROADCASTSD(Mem{Base: center, Index: j, Scale: 8}, c)
	for v := range a {
		r.load(Mem{Base: axis, Disp: v * r.bytes}, a[v], v == n-1)
	}
	for i, row := range r.row {
		x := r.vector()
		VBROADCASTSD(Mem{Base: row, Index: j, Scale: 8}, x)
		VSUBPD(c, x, x)
		for v := range a {
			VFMADD231PD(x, a[v], r.sum[i][v])
		}
	}
	ADDQ(step, axis)
	INCQ(j)
	CMPQ(j, d)
	JLT(LabelRef(name("coordinate")))

	r.find("", "m")
	for i, row := range r.row {
		for v := range a {
			r.store(r.sum[i][v], Mem{Base: row, Disp: v * r.bytes}, v == n-1)
		}
	}
	ADDQ(Imm(atOnce), r.i)
	CMPQ(r.i, param("rows"))
	JLT(LabelRef(name("rows")))
	ADDQ(U32(n*r.bytes), r.axes)
	ADDQ(U32(n*r.bytes), r.dst)
	SUBQ(U32(n*r.bytes/8), r.left)
	JG(LabelRef("columns"))
	r.ret()
}

// find points at the next 4 rows of the array named (of dst, if none is), which
// are as long as the parameter long says. Where fewer are left, the last one
// stands in for those that miss.
func (r *rotation) find(array, long string) {
	last, bytes := load("rows"), load(long)
	DECQ(last)
	SHLQ(Imm(3), bytes)
	for s, row := range r.row {
		LEAQ(Mem{Base: r.i, Disp: s}, row)
		CMPQ(row, last)
		CMOVQGT(last, row)
		IMULQ(bytes, row)
		if array == "" {
			ADDQ(r.dst, row)
		} else {
			ADDQ(param(array), row)
		}
	}
}

// setMask prepares the mask of the last of n vectors.
func (r *rotation) setMask(n int) {
	width := r.bytes / 8
	r.mask = nil
	if r.bytes == 32 && n > 1 {
		return // The last vector is whole.
	}
	// Lanes of the last vector, at most all, counted from the end.
	most, without := GP64(), GP64()
	XORQ(most, most)
	MOVQ(U32(n*width), without)
	SUBQ(r.left, without)
	CMOVQLT(most, without)
	if r.bytes == 64 {
		k, bits := K(), GP32()
		MOVL(U32(0xff), bits)
		MOVQ(without, RCX)
		SHRL(CL, bits)
		KMOVB(bits, k)
		r.mask = k
		return
	}
	mask, from := YMM(), GP64()
	LEAQ(table("laneMasks"), from)
	VMOVUPD(Mem{Base: from, Index: without, Scale: 8}, mask)
	r.mask = mask
}

// load loads a vector of an axis, 0 beyond the last column.
func (r *rotation) load(at Mem, v VecVirtual, last bool) {
	switch {
	case last && r.bytes == 64:
		VMOVUPD_Z(at, r.mask, v)
	case last && r.mask != nil:
		VMASKMOVPD(at, r.mask, v)
	default:
		VMOVUPD(at, v)
	}
}

// store writes a vector of sums, up to the last column.
func (r *rotation) store(v VecVirtual, at Mem, last bool) {
	switch {
	case last && r.bytes == 64:
		VMOVUPD(v, r.mask, at)
	case last && r.mask != nil:
		VMASKMOVPD(v, r.mask, at)
	default:
		VMOVUPD(v, at)
	}
}
