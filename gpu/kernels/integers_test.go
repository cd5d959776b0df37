package kernels_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"rtcluster/gpu/kernels"
	"rtcluster/gpu/kernels/shape"
	"rtcluster/join"
)

// TestIntegerLimit compares limits with the comparison that the predicate makes, at and
// beside squared distances of rows, for ε whose squares are rounded to either side.
func TestIntegerLimit(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for _, dim := range []int{1, 2, 7, 128, kernels.IntegerDims} {
		most := int64(dim) * 255 * 255
		roots := []float64{0, 5e-324, 1e-170, 0.5, 1, 2, 3, math.Sqrt(float64(most)), 1e9, 1e155, math.Inf(1)}
		for range 2_000 {
			roots = append(roots, math.Sqrt(float64(rng.Int64N(most+2))), rng.Float64()*math.Sqrt(float64(most)))
		}
		for _, root := range roots {
			for _, eps := range []float64{root, math.Nextafter(root, 0), math.Nextafter(root, math.Inf(1))} {
				eps2 := join.Squared(eps)
				got := kernels.IntegerLimit(eps2, dim)
				if got < 0 || got > most || float64(got) > eps2 || got < most && float64(got+1) <= eps2 {
					t.Fatalf("%d coordinates, ε %v: the limit is %d, of distances to %d", dim, eps, got, most)
				}
			}
		}
	}
}

// TestIntegerMiddles wants middles from which all that is between the ends is within int8,
// where there are such.
func TestIntegerMiddles(t *testing.T) {
	for _, test := range []struct {
		lo, hi float64
		ok     bool
	}{
		{0, 255, true},
		{0, 256, false},
		{-128, 127, true},
		{-129, 127, false},
		{0, 0, true},
		{-1, 0, true},
		{7, 7, true},
		{0.5, 3, false},
		{0, 3.5, false},
		{-0.25, 0.25, false},
		{math.Inf(-1), 0, false},
		{0, math.Inf(1), false},
		{1 << 52, 1 << 52, true},
		{1<<52 - 255, 1 << 52, true},
		{-1 << 52, -1<<52 + 255, true},
		{1 << 52, 1<<52 + 1, false},
		{-1<<52 - 1, -1 << 52, false},
		{1e300, 1e300, false},
		{math.Copysign(0, -1), 1, true},
	} {
		middle, ok := kernels.IntegerMiddles([]float64{0, test.lo}, []float64{1, test.hi})
		if ok != test.ok {
			t.Errorf("from %v to %v: got %t", test.lo, test.hi, ok)
		}
		if ok && (test.lo-middle[1] < -128 || test.hi-middle[1] > 127 || middle[1] != math.Floor(middle[1])) {
			t.Errorf("from %v to %v: the middle is %v", test.lo, test.hi, middle[1])
		}
	}
	if _, ok := kernels.IntegerMiddles(make([]float64, kernels.IntegerDims+1), make([]float64, kernels.IntegerDims+1)); ok {
		t.Error("more coordinates than there are kernels for")
	}
}

// TestIntegers does what kernels do with rows of small integers, and compares with the
// predicate: packing, products of fragments as the architecture defines them, each sum
// within 32 bits, and masks. ε² is about distances of the rows, so that there are pairs
// on it and next to it.
func TestIntegers(t *testing.T) {
	for kind := range integerKinds {
		for _, dim := range []int{1, 3, 31, 32, 33, 96, 97, 128, 129, kernels.IntegerDims} {
			t.Run(fmt.Sprintf("%s/dim=%d", kind, dim), func(t *testing.T) {
				layout, ok := kernels.Integer(dim, 80)
				if !ok || 32*layout.Steps < dim {
					t.Fatalf("%d steps, %t", layout.Steps, ok)
				}
				rng := rand.New(rand.NewPCG(uint64(dim), 5))
				rowsA, rowsB := integerRows(rng, kind, kernels.Leaf-3, dim), integerRows(rng, kind, kernels.Leaf-1, dim)
				a, b := packIntegers(t, layout, rowsA, dim), packIntegers(t, layout, rowsB, dim)
				products := fragments(t, layout, a.queries, b.indexed, dim)
				exact := join.SquaredDistance(rowsA[1], rowsB[2])
				for _, root := range []float64{0, math.Sqrt(exact), math.Sqrt(exact + 1), math.Sqrt(exact + 2), 1e6} {
					for _, eps := range []float64{math.Nextafter(root, 0), root, math.Nextafter(root, 1e9)} {
						compareMasks(t, rowsA, rowsB, a, b, products, join.Squared(eps), dim)
					}
				}
			})
		}
	}
}

// integerKinds are integers from −128 to 127, of a coordinate of the i-th row.
var integerKinds = map[string]func(rng *rand.Rand, i, k int) int{
	"any":        func(rng *rand.Rand, _, _ int) int { return rng.IntN(256) - 128 },
	"ends":       func(rng *rand.Rand, _, _ int) int { return rng.IntN(2)*255 - 128 },
	"opposite":   func(_ *rand.Rand, i, _ int) int { return i%2*255 - 128 },
	"least":      func(*rand.Rand, int, int) int { return -128 },
	"greatest":   func(*rand.Rand, int, int) int { return 127 },
	"two values": func(rng *rand.Rand, _, _ int) int { return rng.IntN(2) },
	"one aside":  func(_ *rand.Rand, i, k int) int { return max(0, 1-max(i-k, k-i)) },
}

func middleOf(k int) float64 { return []float64{128, 0, -1e6, 1 << 52, -1 << 52, 3}[k%6] }

func integerRows(rng *rand.Rand, kind string, n, dim int) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		for k := range dim {
			rows[i] = append(rows[i], middleOf(k)+float64(integerKinds[kind](rng, i, k)))
		}
	}
	return rows
}

// packedLeaf is what packinteger.cu makes of a leaf.
type packedLeaf struct {
	queries, indexed []int8 // the second without its head
	square           [kernels.Leaf]int32
}

func packIntegers(t *testing.T, layout shape.Tensor, rows [][]float64, dim int) packedLeaf {
	t.Helper()
	p := packedLeaf{queries: make([]int8, 2048*layout.Steps), indexed: make([]int8, 2048*layout.Steps)}
	for lane := range p.square {
		if lane >= len(rows) {
			p.square[lane] = kernels.IntegerVoid
			continue
		}
		for k := range dim {
			y := rows[lane][k] - middleOf(k)
			if y < -128 || y > 127 || y != math.Floor(y) {
				t.Fatalf("%v is no int8", y)
			}
			p.queries[layout.InRow(lane, k)] = int8(y)
			p.indexed[layout.InLeaf(lane, k)-shape.IntegerHead] = int8(y)
			p.square[lane] += int32(y * y)
		}
	}
	return p
}

// compareMasks does what integer.cu does with sums of products, and compares with the
// predicate.
func compareMasks(t *testing.T, rowsA, rowsB [][]float64, a, b packedLeaf, products *[kernels.Leaf][kernels.Leaf]int32, eps2 float64, dim int) {
	t.Helper()
	limit := kernels.IntegerLimit(eps2, dim)
	for i := range kernels.Leaf {
		rest := int32(limit>>1) - a.square[i]>>1
		for j := range kernels.Leaf {
			begin := int64(rest) + int64(-(b.square[j] >> 1))
			u := begin + int64(products[i][j])
			if begin != int64(int32(begin)) || u != int64(int32(u)) {
				t.Fatalf("rows %d and %d: results begin with %d and are %d, which 32 bits do not hold", i, j, begin, u)
			}
			p, q := a.square[i]&1, b.square[j]&1
			got := u > 0 || u == 0 && (limit&1 == 0 && p|q == 0 || limit&1 == 1 && p&q == 0)
			want := i < len(rowsA) && j < len(rowsB) && join.Within(rowsA[i], rowsB[j], eps2)
			if got != want {
				t.Fatalf("rows %d and %d, ε² %v: the limit is %d, the result %d, near %t, want %t", i, j, eps2, limit, u, got, want)
			}
		}
	}
}

// fragments multiplies two leaves by mma.m16n8k32 of s8, whose fragments are as the PTX
// ISA has them, loaded as products.cuh and stage.cuh do. Whatever order a unit adds in,
// each of its sums is within 32 bits if those of the sizes are.
func fragments(t *testing.T, layout shape.Tensor, queries, indexed []int8, dim int) *[kernels.Leaf][kernels.Leaf]int32 {
	t.Helper()
	var out, sizes [kernels.Leaf][kernels.Leaf]int64
	for warp := range 4 {
		for step := range layout.Steps {
			var a [16][32]int8 // the matrix that the registers of a warp are
			for lane := range 32 {
				group, within := lane/4, lane%4
				for register := range 4 {
					// As rows: words 8·steps a row, the second row 8 on, the third word 4 on.
					word := (warp*16+group+register%2*8)*8*layout.Steps + within + 8*step + register/2*4
					for i := range 4 {
						a[group+register%2*8][within*4+i+register/2*16] = queries[4*word+i]
					}
				}
			}
			for q := range 4 {
				var f [4][32][4]int8 // matrix, lane: what ldmatrix gives
				for lane := range 32 {
					at := step*2048 + lane>>3&1*1024 + (2*q+lane>>4)*128 + lane&7*16
					for within := range 4 {
						copy(f[lane/8][lane%8*4+within][:], indexed[at+4*within:])
					}
				}
				for side := range 2 {
					var b [32][8]int8
					for lane := range 32 {
						for i := range 4 {
							b[lane%4*4+i][lane/4] = f[2*side][lane][i]
							b[lane%4*4+i+16][lane/4] = f[2*side+1][lane][i]
						}
					}
					for lane := range 32 {
						for c := range 4 {
							bit := 8*q + 4*side + c
							row, column := lane/4+c/2*8, lane%4*2+c%2
							i := warp*16 + lane/4 + bit>>1&1*8 // as row and column of products.cuh
							j := bit>>2*8 + lane%4*2 + bit&1
							for k := range 32 {
								product := int64(a[row][k]) * int64(b[k][column])
								out[i][j] += product
								sizes[i][j] += max(product, -product)
							}
						}
					}
				}
			}
		}
	}
	var narrow [kernels.Leaf][kernels.Leaf]int32
	for i := range kernels.Leaf {
		for j := range kernels.Leaf {
			var want int64
			for k := range dim {
				want += int64(queries[layout.InRow(i, k)]) * int64(indexed[layout.InLeaf(j, k)-shape.IntegerHead])
			}
			if out[i][j] != want {
				t.Fatalf("rows %d and %d: the product of fragments is %d, want %d", i, j, out[i][j], want)
			}
			if most := int64(1 << 22); sizes[i][j] > most {
				t.Fatalf("rows %d and %d: sums are up to %d, more than %d", i, j, sizes[i][j], most)
			}
			narrow[i][j] = int32(out[i][j])
		}
	}
	return &narrow
}
