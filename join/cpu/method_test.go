package cpu_test

import (
	"fmt"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

// leafOf is a leaf as TestMethod counts with it.
type leafOf struct {
	node cpu.Node
	box  []float64 // along the axes of the index: lows, then highs
	rows [][]float64
}

// leavesOf returns the leaves of the tree that an engine builds, along its first axes.
func leavesOf(t *testing.T, pts *join.Points, opt cpu.Options) (*cpu.Tree, []leafOf) {
	t.Helper()
	tree, err := cpu.NewTree(pts, opt)
	if err != nil {
		t.Fatal(err)
	}
	coords := tree.Coords()
	if coords == nil {
		t.Fatal("the axes are rotated")
	}
	if opt.IndexDims > 0 {
		coords = coords[:min(opt.IndexDims, len(coords))]
	}
	var leaves []leafOf
	for _, node := range tree.Nodes() {
		if node.B-node.A > 1 {
			continue
		}
		leaf := leafOf{node: node, box: make([]float64, 2*len(coords))}
		for k, c := range coords {
			leaf.box[k], leaf.box[len(coords)+k] = node.Box[c], node.Box[pts.Dim()+c]
		}
		for _, row := range node.Rows {
			x := make([]float64, len(coords))
			for k, c := range coords {
				x[k] = pts.Row(int(row))[c]
			}
			leaf.rows = append(leaf.rows, x)
		}
		leaves = append(leaves, leaf)
	}
	return tree, leaves
}

// gap2 returns the squared distance of two boxes.
func gap2(a, b []float64) (sum float64) {
	half := len(a) / 2
	for k := range half {
		gap := max(0, a[k]-b[half+k], b[k]-a[half+k])
		sum += gap * gap
	}
	return sum
}

func pointBox(x []float64) []float64 { return append(append([]float64{}, x...), x...) }

// plainMethod counts by all pairs of leaves and rows what an engine does about the limit,
// if what is apart is further from it than a factor says: float32 can't tell what is
// nearer.
func plainMethod(tree *cpu.Tree, leaves []leafOf, opt cpu.Options, limit, factor float64) (e join.Effort, rowsOf []int) {
	rowsOf = make([]int, len(leaves)) // compared rows of each leaf with itself and later ones
	apart := limit * factor
	for a, mine := range leaves {
		for b, other := range leaves {
			e.Method.Groups++
			if _, within := tree.Bounds(mine.node, other.node, limit); within && opt.Primitives == cpu.PrimitiveLeaves {
				e.Method.Within++
				e.Accepted += int64(len(mine.rows) * len(other.rows))
				continue
			}
			if gap2(mine.box, other.box) > apart {
				continue
			}
			e.Method.Mixed++
			e.Candidates += int64(len(mine.rows) * len(other.rows))
			for _, x := range mine.rows {
				if gap2(pointBox(x), other.box) > apart {
					continue
				}
				if b >= a {
					rowsOf[a]++
				}
				for _, z := range other.rows {
					if opt.Primitives == cpu.PrimitiveLeaves || gap2(pointBox(x), pointBox(z)) <= apart {
						e.Refined++
					}
				}
			}
		}
	}
	return e, rowsOf
}

// steps are rows of which many are equal along the axis of greatest variance, so that
// leaves which nothing parts there are apart along the other one.
func steps(n int) (data []float64) {
	for i := range n {
		data = append(data, float64(100*(i%3)), float64(i)/float64(n))
	}
	return data
}

// TestMethod compares what an engine tells of its work with a plain count, for the axes
// that the index may have.
func TestMethod(t *testing.T) {
	const n = 12 * cpu.LeafRows
	for _, dim := range []int{2, 3, 5, 18} {
		uniform := jointest.Points(t, dim, jointest.Uniform(n, dim, uint64(dim))...)
		// On a lattice few coordinates are equal where others are not, however small ε is.
		lattice := jointest.Points(t, dim, jointest.Lattice(n, dim, 2+6/dim, uint64(dim))...)
		if dim == 2 {
			lattice = jointest.Points(t, dim, steps(n)...)
		}
		for _, basis := range []cpu.Basis{cpu.BasisVariance, cpu.BasisLowest, cpu.BasisRandom} {
			for _, dims := range []int{1, 3, dim, 200} {
				for _, primitives := range []cpu.Primitives{cpu.PrimitiveLeaves, cpu.PrimitivePoints} {
					for _, eps := range []float64{1e-6, 0.2, 0.9} {
						pts := uniform
						if eps < 0.1 {
							pts = lattice
						}
						opt := cpu.Options{Threads: 2, Basis: basis, Seed: 3, IndexDims: dims, Primitives: primitives}
						t.Run(fmt.Sprintf("dim=%d/basis=%s/dims=%d/primitives=%s/eps=%g", dim, basis, dims, primitives, eps), func(t *testing.T) {
							tree, leaves := leavesOf(t, pts, opt)
							least, _ := plainMethod(tree, leaves, opt, join.Squared(eps), 1-1e-5)
							most, _ := plainMethod(tree, leaves, opt, join.Squared(eps), 1+1e-5)
							var got join.Effort
							ctx := join.WithEffort(t.Context(), func(_ join.Stage, e join.Effort) { got = e })
							idx := jointest.Index(t, cpu.New(opt), pts)
							if err := idx.Counts(ctx, pts, eps, 0, make([]int32, n)); err != nil {
								t.Fatal(err)
							}
							if !between(got, least, most) {
								t.Errorf("the engine tells %+v, want from %+v to %+v", got, least, most)
							}
							if most.Refined-least.Refined > n*n/10_000 {
								t.Errorf("from %+v to %+v tells little", least, most)
							}
						})
					}
				}
			}
		}
	}
}

// between reports whether numbers are at least those of one effort and at most those of
// another.
func between(got, least, most join.Effort) bool {
	in := func(x, low, high int64) bool { return low <= x && x <= high }
	return got.Accepted == least.Accepted && got.Method.Groups == least.Method.Groups && got.Method.Within == least.Method.Within &&
		in(got.Method.Mixed, least.Method.Mixed, most.Method.Mixed) && in(got.Candidates, least.Candidates, most.Candidates) &&
		in(got.Refined, least.Refined, most.Refined)
}

// TestBatches compares the number of batches and what they take with a plain count.
func TestBatches(t *testing.T) {
	const n, dim, eps = 20 * cpu.LeafRows, 5, 0.2
	pts := jointest.Points(t, dim, jointest.Uniform(n, dim, 1)...)
	bytes := map[cpu.Result]int{cpu.ResultCompressed: 4, cpu.ResultMask: 4, cpu.ResultBytes: 32, cpu.ResultPairs: 256}
	for result, rowBytes := range bytes {
		for _, room := range []int{1, 999, 5_000, 70_000, 1 << 30, -1} {
			opt := cpu.Options{Threads: 2, Basis: cpu.BasisVariance, IndexDims: 3, Result: result, BatchBytes: room}
			t.Run(fmt.Sprintf("result=%s/room=%d", result, room), func(t *testing.T) {
				tree, leaves := leavesOf(t, pts, opt)
				_, rowsOf := plainMethod(tree, leaves, opt, join.Squared(eps), 1)
				if room < 0 { // what all take
					room = 0
					for _, r := range rowsOf {
						room += r * rowBytes
					}
					opt.BatchBytes = room
				}
				var want join.Method
				left, rows := 0, 0
				for _, r := range rowsOf {
					if want.Batches == 0 || r > left {
						want.Batches++
						left = room / rowBytes
					}
					left -= r
					rows += r
				}
				var got join.Effort
				var pairs int64
				ctx := join.WithEffort(t.Context(), func(_ join.Stage, e join.Effort) { got = e })
				idx := jointest.Index(t, cpu.New(opt), pts)
				if err := idx.Pairs(ctx, nil, eps, func(batch []join.Pair) error { pairs += int64(len(batch)); return nil }); err != nil {
					t.Fatal(err)
				}
				switch result {
				case cpu.ResultCompressed:
					want.Bytes = 4 * pairs
				case cpu.ResultPairs:
					want.Bytes = 8 * pairs
				default:
					want.Bytes = int64(rows * rowBytes)
				}
				if pairs == 0 || got.Accepted != 0 || got.Method.Batches != want.Batches || got.Method.Bytes != want.Bytes {
					t.Errorf("%d pairs of which boxes decided %d, in %d batches of %d bytes, want %d of %d", pairs, got.Accepted, got.Method.Batches, got.Method.Bytes, want.Batches, want.Bytes)
				}
			})
		}
	}
}
