package cpu_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"rtcluster/join/cpu"
)

// TestFans checks that the children of a fan cover the leaves of its node in
// order, down to the leaves, and that their float32 boxes hold the exact ones.
func TestFans(t *testing.T) {
	for _, n := range []int{33, 64, 257, 1_000, 2_100, 34_000} {
		for _, dim := range []int{1, 3, 5, 17} {
			if n*dim > 40_000 {
				continue // 34,000 rows, three levels of fans, in one dimension only
			}
			for name, pts := range sets(t, n, dim) {
				t.Run(fmt.Sprintf("data=%s/n=%d/dim=%d", name, n, dim), func(t *testing.T) {
					tree, err := cpu.NewTree(pts, cpu.Options{Threads: 1})
					if err != nil {
						t.Fatal(err)
					}
					fans, leaves := tree.Fans(), 0
					for _, node := range tree.Nodes() {
						if node.V == 0 {
							checkCover(t, fans, node.V, node.A, node.B)
						}
						if node.B-node.A == 1 {
							leaves++
						}
					}
					for _, children := range fans {
						for _, c := range children {
							if c.B-c.A == 1 {
								leaves--
							}
							checkFanBox(t, tree, c)
						}
					}
					if leaves != 0 {
						t.Errorf("%d leaves more in the tree than in fans", leaves)
					}
				})
			}
		}
	}
}

func checkCover(t *testing.T, fans map[int][]cpu.Child, v, a, b int) {
	t.Helper()
	children := fans[v]
	if len(children) < 2 {
		t.Fatalf("node %d over leaves %d to %d has %d children in its fan", v, a, b, len(children))
	}
	for _, c := range children {
		if c.A != a || c.B <= c.A {
			t.Fatalf("a child of node %d covers leaves %d to %d, want from %d on", v, c.A, c.B, a)
		}
		a = c.B
		if c.B-c.A > 1 {
			checkCover(t, fans, c.V, c.A, c.B)
		}
	}
	if a != b {
		t.Fatalf("the children of node %d end at leaf %d, want %d", v, a, b)
	}
}

// checkFanBox compares the bounds without rounding.
func checkFanBox(t *testing.T, tree *cpu.Tree, c cpu.Child) {
	t.Helper()
	axes := len(c.Box) / 2
	for k := range axes {
		low, high, origin := tree.AxisBounds(c.V, k)
		if math.IsInf(low, 0) || math.IsInf(high, 0) {
			if !math.IsInf(float64(c.Box[k]), -1) || !math.IsInf(float64(c.Box[axes+k]), 1) {
				t.Fatalf("node %d, axis %d: box [%g, %g] around all", c.V, k, c.Box[k], c.Box[axes+k])
			}
			continue
		}
		if above(float64(c.Box[k]), low, origin) || !above(float64(c.Box[axes+k]), high, origin) {
			t.Fatalf("node %d, axis %d: box [%g, %g] for %g to %g around %g", c.V, k, c.Box[k], c.Box[axes+k], low, high, origin)
		}
	}
}

// above reports whether bound > v − origin.
func above(bound, v, origin float64) bool {
	if math.IsInf(bound, 0) {
		return bound > 0
	}
	exact := func(x float64) *big.Float { return new(big.Float).SetPrec(2200).SetFloat64(x) }
	diff := new(big.Float).SetPrec(2200).Sub(exact(v), exact(origin))
	return exact(bound).Cmp(diff) > 0
}
