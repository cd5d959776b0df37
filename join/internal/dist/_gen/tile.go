package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"   //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/operand" //nolint:revive // avo generators are written so.
	. "github.com/mmcloughlin/avo/reg"     //nolint:revive // avo generators are written so.
)

// A group is the state of the tile kernels: the sums of 4 rows of q against two
// vectors of lanes of b. The last 1 to 3 rows make groups of 2, in which the
// last row may stand twice.
//
//	          b: 2 vectors
//	q: row 0 [ s[0][0]  s[0][1] ]
//	   row 1 [ s[1][0]  s[1][1] ]
//	   row 2 [ s[2][0]  s[2][1] ]
//	   row 3 [ s[3][0]  s[3][1] ]
//
// Vector instructions share their ports with those that count and point, so
// that there are few of the latter: what is used once a group is read again
// from the arguments.
type group struct {
	level
	rows   int
	i      GPVirtual   // the place of the first row in lanes
	second GPVirtual   // that of the second row of 2, which may be the first
	lane   []GPVirtual // the rows
	first  GPVirtual   // the lanes of b in hand, at their first coordinate
	b, q   GPVirtual   // these lanes, and q, at the current coordinate
	eights GPVirtual   // b after the last 8 coordinates
	end    GPVirtual   // b after the last coordinate
	s      [][2]VecVirtual
}

// A finisher ends a group: finish writes its masks, giveUp writes empty ones,
// look jumps to label if no sum of the group can pass any more.
type finisher struct {
	look           func(g *group, label string)
	finish, giveUp func(g *group)
}

// groups writes the loops over the lanes of b (where two vectors do not hold
// them all), over the rows of q, and over coordinates.
func (l level) groups(f finisher) {
	g := &group{level: l, rows: atOnce, i: GP64(), first: load("b"), b: GP64(), q: GP64(), eights: GP64(), end: GP64()}
	for range atOnce {
		g.lane = append(g.lane, GP64())
		g.s = append(g.s, [2]VecVirtual{l.vector(), l.vector()})
	}
	few := *g
	few.rows, few.second = 2, GP64()
	left := GP64()
	Label("pass")
	MOVQ(param("dim"), g.end)
	SHLQ(Imm(7), g.end)
	MOVQ(g.end, g.eights)
	ANDQ(I32(-exitEvery*row), g.eights)
	ADDQ(g.first, g.end)
	ADDQ(g.first, g.eights)
	XORQ(g.i, g.i)
	CMPQ(param("n"), Imm(atOnce))
	JLT(LabelRef("few"))
	Label("many")
	g.group(f)
	ADDQ(Imm(atOnce), g.i)
	MOVQ(param("n"), left)
	SUBQ(g.i, left)
	JZ(LabelRef("end"))
	CMPQ(left, Imm(atOnce))
	JGE(LabelRef("many"))
	Label("few")
	few.group(f)
	ADDQ(Imm(2), g.i)
	CMPQ(g.i, param("n"))
	JLT(LabelRef("few"))
	Label("end")
	if 2*l.bytes < row {
		ADDQ(Imm(uint64(2*l.bytes)), g.first)
		MOVQ(param("b"), left)
		ADDQ(U32(row), left)
		CMPQ(g.first, left)
		JLT(LabelRef("pass"))
	}
	l.ret()
}

// group writes one group of rows.
func (g *group) group(f finisher) {
	g.begin()
	CMPQ(g.b, g.eights)
	JEQ(g.ref("one"))
	Label(g.name("eight"))
	for k := range exitEvery {
		g.coordinate(k * row)
	}
	ADDQ(U32(exitEvery*row), g.q)
	ADDQ(U32(exitEvery*row), g.b)
	CMPQ(g.b, g.end)
	JEQ(g.ref("sums"))
	f.look(g, g.name("dead"))
	CMPQ(g.b, g.eights)
	JLT(g.ref("eight"))
	Label(g.name("one"))
	g.coordinate(0)
	ADDQ(U32(row), g.q)
	ADDQ(U32(row), g.b)
	CMPQ(g.b, g.end)
	JLT(g.ref("one"))
	Label(g.name("sums"))
	f.finish(g)
	JMP(g.ref("next"))
	Label(g.name("dead"))
	f.giveUp(g)
	Label(g.name("next"))
}

// name makes a label of this group.
func (g *group) name(label string) string {
	return fmt.Sprintf("%s%d", label, g.rows)
}

func (g *group) ref(label string) LabelRef {
	return LabelRef(g.name(label))
}

// begin finds the rows, and sets the sums to 0.
func (g *group) begin() {
	from := GP64()
	if g.second != nil {
		last := GP64()
		MOVQ(param("n"), last)
		DECQ(last)
		LEAQ(Mem{Base: g.i, Disp: 1}, g.second)
		CMPQ(g.second, last)
		CMOVQGT(last, g.second)
	}
	MOVQ(param("lanes"), from)
	for i := range g.rows {
		MOVBQZX(g.at(from, i, 1), g.lane[i])
		ANDL(Imm(lanes-1), g.lane[i].As32())
		g.zero(g.s[i][0])
		g.zero(g.s[i][1])
	}
	MOVQ(param("q"), g.q)
	MOVQ(g.first, g.b)
}

// at returns the address of what belongs to row i, in an array with size bytes
// for each row of the call.
func (g *group) at(base GPVirtual, i, size int) Mem {
	if g.second != nil && i == 1 {
		return Mem{Base: base, Index: g.second, Scale: uint8(size)}
	}
	return Mem{Base: base, Index: g.i, Scale: uint8(size), Disp: i * size}
}

// coordinate adds the squares of the coordinate disp bytes further on.
func (g *group) coordinate(disp int) {
	b := g.vectors(2)
	for v := range b {
		VMOVUPS(Mem{Base: g.b, Disp: disp + v*g.bytes}, b[v])
	}
	for i := range g.rows {
		x := g.vector()
		VBROADCASTSS(Mem{Base: g.q, Index: g.lane[i], Scale: 4, Disp: disp}, x)
		for v := range b {
			t := g.vector()
			VSUBPS(b[v], x, t)
			VFMADD231PS(t, t, g.s[i][v])
		}
	}
}

// tile writes masks for two limits.
func (l level) tile() {
	l.text("tile", "func(hits, sure *uint32, q *float32, lanes *uint8, n int, b *float32, dim int, sureLimit, hitLimit float32)",
		"tile"+l.suffix+" works like tileGeneric; n > 0, dim > 0, sureLimit ≤ hitLimit.")
	sure, hit := l.vector(), l.vector()
	VBROADCASTSS(param("sureLimit"), sure)
	VBROADCASTSS(param("hitLimit"), hit)
	hitLimit := func(int) VecVirtual { return hit }
	sureLimit := func(int) VecVirtual { return sure }
	l.groups(finisher{
		look: func(g *group, label string) { g.look(hitLimit, label) },
		finish: func(g *group) {
			g.store("hits", hitLimit)
			g.store("sure", sureLimit)
		},
		giveUp: func(g *group) {
			g.clear("hits")
			g.clear("sure")
		},
	})
}

// distances writes masks for a limit a row, and sums.
func (l level) distances() {
	l.text("distances", "func(dst *float32, hits *uint32, q *float32, lanes *uint8, n int, b *float32, dim int, limits *float32)",
		"distances"+l.suffix+" works like distancesGeneric; n > 0, dim > 0.")
	// Limits are read when they are needed: AVX2 has no registers left for 4.
	limits := func(g *group) func(i int) VecVirtual {
		from := GP64()
		MOVQ(param("limits"), from)
		return func(i int) VecVirtual {
			v := l.vector()
			VBROADCASTSS(g.at(from, i, 4), v)
			return v
		}
	}
	l.groups(finisher{
		look: func(g *group, label string) { g.look(limits(g), label) },
		finish: func(g *group) {
			g.store("hits", limits(g))
			g.storeSums()
		},
		giveUp: func(g *group) { g.clear("hits") },
	})
}

// look jumps to label if no sum is ≤ the limit of its row.
func (g *group) look(limit func(i int) VecVirtual, label string) {
	if g.bytes == 64 {
		over := K() // lanes in which no sum so far is ≤ its limit
		for i := range g.rows {
			l := limit(i)
			for v := range 2 {
				if i == 0 && v == 0 {
					VCMPPS(notLessEqual, l, g.s[i][v], over)
				} else {
					VCMPPS(notLessEqual, l, g.s[i][v], over, over)
				}
			}
		}
		KORTESTW(over, over)
		JCS(LabelRef(label))
		return
	}
	within, mask := g.vector(), GP32()
	for i := range g.rows {
		l := limit(i)
		for v := range 2 {
			if i == 0 && v == 0 {
				VCMPPS(lessEqual, l, g.s[i][v], within)
				continue
			}
			c := g.vector()
			VCMPPS(lessEqual, l, g.s[i][v], c)
			VORPS(c, within, within)
		}
	}
	VMOVMSKPS(within, mask)
	TESTL(mask, mask)
	JZ(LabelRef(label))
}

// masks returns the address of the masks of the lanes of b in hand.
func (g *group) masks(name string) GPVirtual {
	to := GP64()
	if 2*g.bytes == row {
		MOVQ(param(name), to)
		return to
	}
	MOVQ(g.first, to)
	SUBQ(param("b"), to)
	SHRQ(Imm(5), to) // 4 bytes a lane to 1 bit
	ADDQ(param(name), to)
	return to
}

// store writes which sums are ≤ the limit of their row.
func (g *group) store(name string, limit func(i int) VecVirtual) {
	to := g.masks(name)
	for i := range g.rows {
		at := g.at(to, i, 4)
		l := limit(i)
		if g.bytes == 64 {
			k := g.pairMask(g.s[i], func(int) Op { return l })
			KMOVD(k, at)
			continue
		}
		for v := range 2 {
			c, m := g.vector(), GP32()
			VCMPPS(lessEqual, l, g.s[i][v], c)
			VMOVMSKPS(c, m)
			MOVB(m.As8(), at.Offset(v))
		}
	}
}

// clear writes empty masks.
func (g *group) clear(name string) {
	to := g.masks(name)
	for i := range g.rows {
		at := g.at(to, i, 4)
		if g.bytes == 64 {
			MOVL(U32(0), at)
		} else {
			MOVW(U16(0), at)
		}
	}
}

// storeSums writes the sums.
func (g *group) storeSums() {
	to, at := GP64(), GP64()
	MOVQ(g.first, to)
	SUBQ(param("b"), to)
	ADDQ(param("dst"), to)
	MOVQ(g.i, at)
	SHLQ(Imm(7), at)
	for i := range g.rows {
		disp := i * row
		if g.second != nil && i == 1 {
			MOVQ(g.second, at)
			SHLQ(Imm(7), at)
			disp = 0
		}
		for v := range 2 {
			VMOVUPS(g.s[i][v], Mem{Base: to, Index: at, Scale: 1, Disp: disp + v*g.bytes})
		}
	}
}
