//go:build cuda

package cuda_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rtcluster/gpu/cuda"
	"rtcluster/gpu/kernels"
)

// TestPlant walks a tree with the sample that it was made from: all buckets have about
// as many rows, where rows differ. It needs no card, like all tests of this file.
func TestPlant(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, test := range []struct {
		name          string
		stride, lead  int
		rows, buckets int
		value         func(i, k int) float32
		most          int // rows of a bucket
	}{
		{"one bucket", 4, 1, 10, 1, func(i, _ int) float32 { return float32(i) }, 10},
		{"a line", 4, 1, 1000, 10, func(i, _ int) float32 { return float32(i * 7919 % 1000) }, 100},
		{"normal", 4, 4, 20_000, 333, func(_, k int) float32 { return float32(r.NormFloat64()) / float32(k+1) }, 64},
		{"eight axes", 8, 7, 20_000, 512, func(_, _ int) float32 { return float32(r.NormFloat64()) }, 45},
		{"fewer rows than buckets", 4, 2, 5, 9, func(i, _ int) float32 { return float32(i) }, 1},
		{"few values", 4, 3, 5000, 40, func(_, _ int) float32 { return float32(r.IntN(3)) }, 260},
		{"equal", 4, 4, 500, 16, func(_, _ int) float32 { return 2 }, 500},
		{"mostly equal", 4, 4, 6000, 20, func(i, _ int) float32 { return float32(i % 3 * (i % 2)) }, 4000},
	} {
		t.Run(test.name, func(t *testing.T) {
			key := make([]float32, test.rows*test.stride)
			for i := range key {
				if i%test.stride < test.lead {
					key[i] = test.value(i/test.stride, i%test.stride)
				}
			}
			nodes := cuda.Plant(slices.Clone(key), test.stride, test.lead, test.buckets, 1)
			if other := cuda.Plant(key, test.stride, test.lead, test.buckets, 4); !slices.Equal(nodes, other) {
				t.Error("another tree with 4 threads")
			}
			count := make([]int, test.buckets)
			for i := range test.rows {
				n, steps := nodes[0], 0
				for ; n.Axis >= 0; steps++ {
					if int(n.Axis) >= test.lead || steps > len(nodes) {
						t.Fatalf("row %d meets node %+v after %d steps", i, n, steps)
					}
					if key[i*test.stride+int(n.Axis)] < n.At {
						n = nodes[n.Left]
					} else {
						n = nodes[n.Right]
					}
				}
				count[n.Left]++
			}
			if most := slices.Max(count); most > test.most {
				t.Errorf("a bucket has %d rows of %d, want at most %d: %v", most, test.rows, test.most, count)
			}
			checkOrder(t, nodes, 0, new(int32))
		})
	}
}

// checkOrder wants the buckets numbered from left to right.
func checkOrder(t *testing.T, nodes []kernels.Node, at int32, next *int32) {
	t.Helper()
	n := nodes[at]
	if n.Axis < 0 {
		if n.Left < *next {
			t.Fatalf("bucket %d comes after %d", n.Left, *next-1)
		}
		*next = n.Left + 1
		return
	}
	checkOrder(t, nodes, n.Left, next)
	checkOrder(t, nodes, n.Right, next)
}

func TestPartsOf(t *testing.T) {
	const room = 3000
	for _, start := range [][]int32{
		{0, 0},
		{0, 1},
		{0, 64, 64, 129},
		{0, room, 2*room + 1},
		{0, 100 * room, 100*room + 65},
	} {
		parts, leaves := cuda.PartsOf(start, room)
		var rows, all int32
		for _, p := range parts {
			if p.First != rows || p.Leaf != all || p.Rows < 1 || p.Rows > room || p.Leaves != (p.Rows+kernels.Leaf-1)/kernels.Leaf {
				t.Fatalf("buckets %v: part %+v after %d rows and %d leaves", start, p, rows, all)
			}
			rows, all = rows+p.Rows, all+p.Leaves
		}
		if rows != start[len(start)-1] || int(all) != leaves {
			t.Errorf("buckets %v: parts have %d rows and %d leaves of %d", start, rows, all, leaves)
		}
	}
}

func TestLeadOf(t *testing.T) {
	for _, test := range []struct {
		variance []float64
		want     int
	}{
		{nil, 0},
		{[]float64{3}, 1},
		{[]float64{0, 0, 0, 0, 0}, 4},
		{[]float64{9, 1, 1, 1, 1, 1}, 4},
		{slices.Repeat([]float64{1}, 11), 5},
		{slices.Repeat([]float64{1}, 200), 8},
		{[]float64{math.Inf(1), 1, 1, 1, 1}, 4},
	} {
		if got := cuda.LeadOf(test.variance); got != test.want {
			t.Errorf("variances %v: %d axes, want %d", test.variance, got, test.want)
		}
	}
}

// TestSample wants each row of a sample once, and the rows from everywhere.
func TestSample(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {7, 7}, {10, 3}, {100_000, 777}, {1 << 30, 1 << 10}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			rows, count := size[0], size[1]
			last := -1
			for i := range count {
				row := cuda.SampleRow(rows, count, i)
				if row <= last || row < i*(rows/count) || row >= rows {
					t.Fatalf("row %d of the sample is %d, after %d", i, row, last)
				}
				last = row
			}
		})
	}
}

func TestPowerFor(t *testing.T) {
	for _, test := range []struct{ radius, want float64 }{
		{0, 1},
		{math.Inf(1), 1},
		{math.NaN(), 1},
		{1, 32},
		{63.9, 1},
		{64, 0.5},
		{5e-324, 0x1p1000},
		{1e308, 0x1p-1000},
	} {
		if got := cuda.PowerFor(test.radius); got != test.want {
			t.Errorf("radius %v: %v, want %v", test.radius, got, test.want)
		}
	}
}
