package dist_test

import (
	"math"
	"slices"
	"testing"

	"rtcluster/join/internal/dist"
)

func TestRows(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, dim := range dims {
			r, name := seeded("rows/dim=", dim)
			const n = 40
			src := make([]float64, n*dim)
			for i := range src {
				src[i] = r.NormFloat64()
			}
			for _, count := range []int{0, 1, 2, 31, 32, 33} {
				rows, next := make([]int32, count), make([]int32, r.IntN(34))
				for i := range rows {
					rows[i] = r.Int32N(n)
				}
				for i := range next {
					next[i] = r.Int32N(n)
				}
				want := make([]float64, 0, count*dim)
				for _, row := range rows {
					want = append(want, src[int(row)*dim:(int(row)+1)*dim]...)
				}
				dst := guard(count*dim, count%8, -7.5)
				dist.Rows(dst.body(), guardCopy(src, 7-count%8, 1e9).body(), rows, next, dim)
				dst.check(t, name)
				if !slices.Equal(dst.body(), want) {
					t.Fatalf("%s: %d rows: got %v, want %v", name, count, dst.body(), want)
				}
			}
		}
	})
}

func TestSquares(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, dim := range append([]int{0}, dims...) {
			r, name := seeded("squares/dim=", dim)
			const n = 50
			src, x := make([]float64, n*dim), make([]float64, dim)
			for i := range src {
				src[i] = r.NormFloat64() * math.Pow(10, float64(r.IntN(12)-6))
			}
			for k := range x {
				x[k] = r.NormFloat64()
			}
			for _, count := range []int{0, 1, 3, 7, 8, 9, 15, 16, 31, 40} {
				rows, want := make([]int32, count), make([]float64, count)
				for i := range rows {
					rows[i] = r.Int32N(n)
					for k, v := range x {
						d := v - src[int(rows[i])*dim+k]
						want[i] += float64(d * d) // in order, each step rounded
					}
				}
				dst := guard(count, count%8, -7.5)
				dist.Squares(dst.body(), guardCopy(x, count%8, 1e9).body(), guardCopy(src, 7-count%8, 1e9).body(), rows)
				dst.check(t, name)
				if !slices.Equal(dst.body(), want) {
					t.Fatalf("%s: %d rows: got %v, want %v", name, count, dst.body(), want)
				}
			}
		}
	})
}

func TestBounds(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, dim := range dims {
			for _, n := range []int{1, 2, 3, 31, 32, 33} {
				r, name := seeded("bounds/dim=", dim, "/n=", n)
				x, want := make([]float64, n*dim), make([]float64, 2*dim)
				for k := range dim {
					want[k], want[dim+k] = inf, -inf
				}
				for i := range x {
					x[i] = r.NormFloat64() * math.Pow(10, float64(r.IntN(600)-300))
					k := i % dim
					want[k], want[dim+k] = min(want[k], x[i]), max(want[dim+k], x[i])
				}
				box := guard(2*dim, n%8, -7.5)
				dist.Bounds(box.body(), guardCopy(x, 7-n%8, 0).body(), dim)
				box.check(t, name)
				if !slices.Equal(box.body(), want) {
					t.Fatalf("%s: got %v, want %v", name, box.body(), want)
				}
			}
		}
	})
}

func TestOffset(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, dim := range append([]int{0}, dims...) {
			for rep := range 8 {
				r, name := seeded("offset/dim=", dim, "/rep=", rep)
				a, b, want, sum := make([]float64, dim), make([]float64, dim), make([]float32, dim), 0.0
				for k := range dim {
					a[k], b[k] = r.NormFloat64()*1e9, r.NormFloat64()*math.Pow(10, float64(r.IntN(80)-40))
					want[k] = float32(a[k] - b[k])
					sum += (a[k] - b[k]) * (a[k] - b[k])
				}
				dst := guard(dim, rep, float32(-7))
				got := dist.Offset(dst.body(), guardCopy(a, 7-rep, 0).body(), guardCopy(b, rep, 0).body())
				dst.check(t, name)
				if !slices.Equal(dst.body(), want) || math.Abs(got-sum) > float64(dim)*0x1p-52*sum {
					t.Fatalf("%s: got %v and %g, want %v and %g", name, dst.body(), got, want, sum)
				}
			}
		}
	})
}
