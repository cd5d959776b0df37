package cpu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
)

// sets are point sets on which bounds are hard to keep: ties, offsets that
// swamp the spacing, squares near under- and overflow, correlated columns.
func sets(tb testing.TB, n, dim int) map[string]*join.Points {
	tb.Helper()
	rng := rand.New(rand.NewPCG(uint64(n), uint64(dim)))
	direction := make([]float64, dim)
	for k := range direction {
		direction[k] = rng.NormFloat64()
	}
	kinds := map[string]func(k int, along float64) float64{
		"normal":    func(int, float64) float64 { return rng.NormFloat64() },
		"lattice":   func(int, float64) float64 { return float64(rng.IntN(3)) },
		"line":      func(k int, along float64) float64 { return along * direction[k] },
		"offset":    func(int, float64) float64 { return 1e9 + rng.NormFloat64() },
		"tiny":      func(int, float64) float64 { return 1e-140 * rng.NormFloat64() },
		"subnormal": func(int, float64) float64 { return 1e-165 * rng.NormFloat64() },
		"large":     func(int, float64) float64 { return 1e139 * rng.NormFloat64() },
		"overflow":  func(int, float64) float64 { return 1e200 * rng.NormFloat64() },
		"pareto":    func(int, float64) float64 { return math.Pow(rng.Float64(), -2) },
		"equal":     func(int, float64) float64 { return 0.1 },
	}
	out := map[string]*join.Points{}
	for name, value := range kinds {
		data := make([]float64, n*dim)
		var along float64
		for i := range data {
			if i%dim == 0 {
				along = rng.NormFloat64()
			}
			data[i] = value(i%dim, along)
		}
		pts, err := join.NewPoints(data, dim)
		if err != nil {
			tb.Fatal(err)
		}
		out[name] = pts
	}
	return out
}

func TestTree(t *testing.T) {
	for _, n := range []int{0, 1, 31, 32, 33, 64, 65, 100, 257, 1000} {
		for _, dim := range []int{1, 3, 5, 17} {
			for name, pts := range sets(t, n, dim) {
				for threads := 1; threads <= 3; threads += 2 {
					t.Run(fmt.Sprintf("data=%s/n=%d/dim=%d/threads=%d", name, n, dim, threads), func(t *testing.T) {
						tree, err := cpu.NewTree(pts, cpu.Options{Threads: threads})
						if err != nil {
							t.Fatal(err)
						}
						checkTree(t, pts, tree.Nodes())
					})
				}
			}
		}
	}
}

// checkTree checks that leaves hold each row once, all but the last leaf full,
// and that boxes are the least ones around their rows.
func checkTree(t *testing.T, pts *join.Points, nodes []cpu.Node) {
	t.Helper()
	seen := make([]int, pts.Rows())
	for _, node := range nodes {
		if node.B-node.A == 1 {
			last := node.B == (pts.Rows()+cpu.LeafRows-1)/cpu.LeafRows
			if len(node.Rows) != cpu.LeafRows && !last {
				t.Fatalf("leaf %d has %d rows", node.A, len(node.Rows))
			}
			for _, row := range node.Rows {
				seen[row]++
			}
		}
		for k := range pts.Dim() {
			low, high := math.Inf(1), math.Inf(-1)
			for _, row := range node.Rows {
				low, high = min(low, pts.Row(int(row))[k]), max(high, pts.Row(int(row))[k])
			}
			if got := [2]float64{node.Box[k], node.Box[pts.Dim()+k]}; got != [2]float64{low, high} {
				t.Fatalf("node %d: box on coordinate %d is %v, want [%v %v]", node.V, k, got, low, high)
			}
		}
	}
	for row, times := range seen {
		if times != 1 {
			t.Fatalf("row %d stands in %d leaves", row, times)
		}
	}
}

// wrongBound returns the first pair of rows that contradicts the bounds of two
// nodes, or float32's verdict on two leaves.
func wrongBound(pts *join.Points, tree *cpu.Tree) error {
	nodes := tree.Nodes()
	for _, u := range nodes {
		for _, v := range nodes {
			low, _ := tree.Bounds(u, v, math.Inf(1))
			var most float64
			for i, a := range u.Rows {
				for j, b := range v.Rows {
					d2 := join.SquaredDistance(pts.Row(int(a)), pts.Row(int(b)))
					most = max(most, d2)
					if low > d2 {
						return fmt.Errorf("nodes %d, %d, rows %d, %d: squared distance %v, bound %v", u.V, v.V, a, b, d2, low)
					}
					if u.B-u.A == 1 && v.B-v.A == 1 && i == j {
						if err := wrongVerdict(pts, tree, u, v, d2); err != nil {
							return err
						}
					}
				}
			}
			if _, within := tree.Bounds(u, v, math.Nextafter(most, 0)); within && most > 0 {
				return fmt.Errorf("nodes %d, %d are within less than %v", u.V, v.V, most)
			}
		}
	}
	return nil
}

// wrongVerdict compares float32's verdict at an attained distance, and one ulp
// below and above, with the predicate.
func wrongVerdict(pts *join.Points, tree *cpu.Tree, u, v cpu.Node, d2 float64) error {
	for _, limit := range []float64{math.Nextafter(d2, 0), d2, math.Nextafter(d2, math.Inf(1))} {
		maybe, sure := tree.Verdict(u.A, v.A, limit)
		for i, a := range u.Rows {
			for j, b := range v.Rows {
				within := join.Within(pts.Row(int(a)), pts.Row(int(b)), limit)
				at := [2]int{i, j}
				if within && !maybe[at] || !within && sure[at] {
					return fmt.Errorf("leaves %d, %d, rows %d, %d, limit %v: within %t, maybe %t, sure %t", u.A, v.A, a, b, limit, within, maybe[at], sure[at])
				}
			}
		}
	}
	return nil
}

func TestBounds(t *testing.T) {
	dims := []int{1, 3, 4, 17, 40}
	if testing.Short() {
		dims = []int{1, 4, 9}
	}
	for _, dim := range dims {
		for name, pts := range sets(t, 70, dim) {
			for _, basis := range []cpu.Basis{cpu.BasisVariance, cpu.BasisPCA} {
				t.Run(fmt.Sprintf("data=%s/dim=%d/basis=%s", name, dim, basis), func(t *testing.T) {
					tree, err := cpu.NewTree(pts, cpu.Options{Threads: 1, Basis: basis})
					if err != nil {
						t.Fatal(err)
					}
					if err := wrongBound(pts, tree); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
}

// TestBoundsCanFail shows that the check above sees rotated bounds that are
// wrong by a millionth: on a line, the gap and the reach of two boxes are nearly
// attained.
func TestBoundsCanFail(t *testing.T) {
	for name, factors := range map[string][2]float64{"right": {1, 1}, "low": {1 + 1e-6, 1}, "high": {1, 1 - 1e-6}} {
		t.Run(name, func(t *testing.T) {
			pts := sets(t, 2*cpu.LeafRows, 5)["line"]
			tree, err := cpu.NewTree(pts, cpu.Options{Threads: 1, Basis: cpu.BasisPCA})
			if err != nil {
				t.Fatal(err)
			}
			if !tree.Rotated() {
				t.Fatal("no rotated axes")
			}
			tree.ScaleBounds(factors[0], factors[1])
			if got := wrongBound(pts, tree); (got == nil) != (name == "right") {
				t.Errorf("bounds scaled by %v: %v", factors, got)
			}
		})
	}
}
