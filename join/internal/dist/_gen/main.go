// Command _gen writes the assembly of package dist and its stubs.
//
// Each kernel is written once, for vectors of either level, unless the levels
// differ by more than the width of their vectors.
package main

import (
	. "github.com/mmcloughlin/avo/build"   //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/operand" //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/reg"     //nolint:revive // avo generators are written so.
)

// Sizes of package dist.
const (
	lanes     = 32
	row       = 4 * lanes // bytes from one coordinate of a block to the next
	exitEvery = 8         // coordinates between looks whether to give up
	atOnce    = 4         // rows whose sums stand in registers together
)

// Predicates of VCMPPS: ordered ones are false for a NaN, NLE is true for it.
const (
	lessEqual    = U8(18)
	notLessEqual = U8(22)
	greaterEqual = U8(29)
	greater      = U8(30)
)

// A level is a set of instructions.
type level struct {
	suffix string
	bytes  int // a vector
	vector func() VecVirtual
}

var (
	avx512 = level{"AVX512", 64, ZMM}
	avx2   = level{"AVX2", 32, YMM}
)

func main() {
	ConstraintExpr("!purego")
	tables()
	for _, l := range []level{avx512, avx2} {
		l.shift()
		l.minMax()
		l.near()
		l.nearEach()
		l.gaps()
		l.tile()
		l.products()
		l.shiftNorms()
		l.distances()
		l.rotate()
		l.rows()
		l.bounds()
		l.offset()
		l.gap2()
		l.reach2()
		l.addBits()
		l.partition()
		l.cut()
		l.append()
		l.keep()
		l.ranks()
	}
	avx2.squares()
	Generate()
}

// text opens the function name for this level.
func (l level) text(name, signature string, doc ...string) {
	TEXT(name+l.suffix, NOSPLIT, signature)
	Pragma("noescape")
	Doc(doc...)
}

// ret closes a function.
func (l level) ret() {
	VZEROUPPER()
	RET()
}

// vectors returns n vector registers.
func (l level) vectors(n int) []VecVirtual {
	v := make([]VecVirtual, n)
	for i := range v {
		v[i] = l.vector()
	}
	return v
}

// zeros returns n vector registers set to 0.
func (l level) zeros(n int) []VecVirtual {
	v := l.vectors(n)
	for _, r := range v {
		l.zero(r)
	}
	return v
}

func (l level) zero(r VecVirtual) {
	if l.bytes == 64 {
		VPXORD(r, r, r)
	} else {
		VXORPS(r, r, r)
	}
}

// load returns a parameter in a register.
func load(name string) GPVirtual {
	return Load(Param(name), GP64()).(GPVirtual)
}
