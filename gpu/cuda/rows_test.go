//go:build cuda

package cuda_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"rtcluster/gpu/cuda"
	"rtcluster/gpu/internal/driver"
	"rtcluster/gpu/kernels"
	"rtcluster/join"
)

// kinds of rows, which the order, the axes and the scale must cope with.
var kinds = map[string]func(r *rand.Rand, i, k int) float64{
	"narrow":     func(r *rand.Rand, _, k int) float64 { return float64(float32(r.NormFloat64() / float64(k+1))) },
	"wide":       func(r *rand.Rand, _, k int) float64 { return r.NormFloat64() + float64(k) },
	"duplicates": func(r *rand.Rand, _, _ int) float64 { return float64(r.IntN(4)) },
	"equal":      func(*rand.Rand, int, int) float64 { return 3.25 },
	"outliers": func(r *rand.Rand, i, _ int) float64 {
		if i%5000 == 17 {
			return 1e12 * r.NormFloat64()
		}
		return float64(r.IntN(1000)) / 8
	},
	"late wide": func(r *rand.Rand, i, _ int) float64 {
		if i == 999 {
			return 0.1
		}
		return float64(r.IntN(1000)) / 8
	},
	"huge":     func(r *rand.Rand, _, _ int) float64 { return 1.7e308 * (2*r.Float64() - 1) },
	"denormal": func(r *rand.Rand, _, _ int) float64 { return float64(r.IntN(9)-4) * 0x1p-149 },
	"tiny":     func(r *rand.Rand, _, _ int) float64 { return float64(r.IntN(9)-4) * 5e-324 },
	"zeros":    func(r *rand.Rand, _, _ int) float64 { return math.Copysign(0, float64(r.IntN(2))-0.5) },
}

func pointsOf(t testing.TB, kind string, n, dim int) *join.Points {
	t.Helper()
	r, data := rand.New(rand.NewPCG(uint64(n), uint64(dim))), make([]float64, n*dim)
	for i := range n {
		for k := range dim {
			data[i*dim+k] = kinds[kind](r, i, k)
		}
	}
	pts, err := join.NewPoints(data, dim)
	if err != nil {
		t.Fatal(err)
	}
	return pts
}

// TestRows checks all that params.cuh says of rows, for rows of many kinds.
func TestRows(t *testing.T) {
	skipWithoutCard(t)
	b := bench(t)
	for kind := range kinds {
		main := kind == "narrow" || kind == "duplicates"
		dims, sizes, most := []int{1, 3, 18, 300}, []int{1, 65, 8193, 20_000}, 200_000
		if main {
			dims, sizes, most = []int{1, 2, 3, 4, 5, 18, 90, 130, 300}, []int{0, 1, 2, 63, 64, 65, 200, 8192, 8193, 20_000, 300_000}, 800_000
		}
		for _, dim := range dims {
			for _, n := range sizes {
				if n*dim > most {
					continue
				}
				t.Run(fmt.Sprintf("%s/dim=%d/n=%d", kind, dim, n), func(t *testing.T) {
					pts := pointsOf(t, kind, n, dim)
					m := made(t, b, pts, nil, 3)
					check(t, fetched(t, b, m), pts)
					if n > 0 && n <= 20_000 && main {
						q := pointsOf(t, kind, n/2+1, dim)
						like := made(t, b, q, m, 2)
						f := fetched(t, b, like)
						check(t, f, q)
						freed(t, b, like)
					}
					freed(t, b, m)
				})
			}
		}
	}
}

func bench(t testing.TB) *cuda.Bench {
	t.Helper()
	b, err := cuda.NewBench(cuda.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func made(t testing.TB, b *cuda.Bench, pts *join.Points, like *cuda.Made, threads int) *cuda.Made {
	t.Helper()
	m, err := b.Make(t.Context(), pts, like, threads)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func freed(t testing.TB, b *cuda.Bench, m *cuda.Made) {
	t.Helper()
	if err := b.Free(m); err != nil {
		t.Fatal(err)
	}
}

// fetched has what the plain road needs too.
func fetched(t testing.TB, b *cuda.Bench, m *cuda.Made) *cuda.Rows {
	t.Helper()
	if err := b.Plain(m); err != nil {
		t.Fatal(err)
	}
	f, err := b.Fetch(m)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func check(t *testing.T, f *cuda.Rows, pts *join.Points) {
	t.Helper()
	dim := pts.Dim()
	if int(f.N) != pts.Rows() || int(f.Dim) != dim || int(f.Axes) != min(dim, kernels.Axes) || f.Supers != (f.Leaves+kernels.Super-1)/kernels.Super {
		t.Fatalf("sizes are %+v for %d rows of %d", f.Rows, pts.Rows(), dim)
	}
	seen := make([]bool, pts.Rows())
	step := 1 + pts.Rows()*dim*dim/2_000_000 // P(x − c) takes long
	for l, rows := range f.Fill {
		if rows < 1 || rows > kernels.Leaf {
			t.Fatalf("leaf %d has %d rows", l, rows)
		}
		for lane := range kernels.Leaf {
			at := l*kernels.Leaf + lane
			row, x, y := int(f.Row[at]), f.X[at*dim:(at+1)*dim], f.Y[at*dim:(at+1)*dim]
			if lane >= int(rows) {
				if row != -1 || !math.IsNaN(x[0]) || !math.IsNaN(x[dim-1]) || y[0] != 0 || y[dim-1] != 0 {
					t.Fatalf("lane %d of leaf %d with %d rows: row %d, x %v, y %v", lane, l, rows, row, x, y)
				}
				continue
			}
			if row < 0 || row >= len(seen) || seen[row] {
				t.Fatalf("lane %d of leaf %d: row %d is none or there before", lane, l, row)
			}
			seen[row] = true
			for k, v := range pts.Row(row) {
				if math.Float64bits(v) != math.Float64bits(x[k]) {
					t.Fatalf("row %d, coordinate %d is %v, want %v", row, k, x[k], v)
				}
			}
			if at%step == 0 {
				checkTurned(t, f, row, x, y)
			}
		}
	}
	if i := slices.Index(seen, false); i >= 0 {
		t.Fatalf("row %d is missing", i)
	}
	checkBoxes(t, f)
	checkPlain(t, f)
}

// checkTurned compares a turned row with P(x − c).
func checkTurned(t *testing.T, f *cuda.Rows, row int, x []float64, y []float32) {
	t.Helper()
	if math.IsInf(f.Reach, 1) {
		for _, v := range y {
			if !(math.Abs(float64(v)) <= 1.1e30) {
				t.Fatalf("row %d: y has %v", row, v)
			}
		}
		return
	}
	dim := len(x)
	z := make([]float64, dim)
	for j, v := range x {
		diff := f.Sigma * (v - f.Center[j])
		for k := range z {
			z[k] += float64(f.Matrix[j*dim+k] * diff)
		}
	}
	var off, norm float64
	for k := range z {
		off += (float64(y[k]) - z[k]) * (float64(y[k]) - z[k])
		norm += float64(y[k]) * float64(y[k])
	}
	if off, norm = math.Sqrt(off), math.Sqrt(norm); !(off <= f.Kappa*norm*(1+1e-6)+f.Floor) || !(norm <= f.Reach) {
		t.Fatalf("row %d is off by %g, its norm is %g; kappa %g, floor %g, reach %g", row, off, norm, f.Kappa, f.Floor, f.Reach)
	}
}

func checkBoxes(t *testing.T, f *cuda.Rows) {
	t.Helper()
	dim, axes := int(f.Dim), int(f.Axes)
	inf := float32(math.Inf(1))
	superLo, superHi := slices.Repeat([]float32{inf}, len(f.SuperLo)), slices.Repeat([]float32{-inf}, len(f.SuperHi))
	superRest := make([]float32, f.Supers)
	for l, rows := range f.Fill {
		super := l / kernels.Super
		for k := range axes {
			lo, hi := inf, -inf
			for lane := range int(rows) {
				v := f.Y[(l*kernels.Leaf+lane)*dim+k]
				lo, hi = min(lo, v), max(hi, v)
			}
			at := k*int(f.Leaves) + l
			if f.Lo[at] != lo || f.Hi[at] != hi {
				t.Fatalf("leaf %d, axis %d reaches from %v to %v, want %v to %v", l, k, f.Lo[at], f.Hi[at], lo, hi)
			}
			to := k*int(f.Supers) + super
			superLo[to], superHi[to] = min(superLo[to], lo), max(superHi[to], hi)
		}
		var most float64
		for lane := range int(rows) {
			var sum float64
			for _, v := range f.Y[(l*kernels.Leaf+lane)*dim+axes : (l*kernels.Leaf+lane+1)*dim] {
				sum += float64(v) * float64(v)
			}
			most = max(most, math.Sqrt(sum))
		}
		if rest := float64(f.Rest[l]); !(rest >= most*(1-1e-14)) || rest > most*(1+3e-7)+1e-44 {
			t.Fatalf("leaf %d: the norm beyond is %v, want %v", l, rest, most)
		}
		superRest[super] = max(superRest[super], f.Rest[l])
	}
	if !slices.Equal(superLo, f.SuperLo) || !slices.Equal(superHi, f.SuperHi) || !slices.Equal(superRest, f.SuperRest) {
		t.Fatalf("boxes of superleaves differ: rest %v, want %v", f.SuperRest, superRest)
	}
}

func checkPlain(t *testing.T, f *cuda.Rows) {
	t.Helper()
	dim, leaves, supers := int(f.Dim), int(f.Leaves), int(f.Supers)
	superLo, superHi := slices.Repeat([]float64{math.Inf(1)}, len(f.PlainSuperLo)), slices.Repeat([]float64{math.Inf(-1)}, len(f.PlainSuperHi))
	for l, rows := range f.Fill {
		sums := make([]float64, kernels.Leaf)
		for k := range dim {
			lo, hi := math.Inf(1), math.Inf(-1)
			for lane := range int(rows) {
				v := f.X[(l*kernels.Leaf+lane)*dim+k]
				lo, hi = min(lo, v), max(hi, v)
			}
			at := k*leaves + l
			if f.PlainLo[at] != lo || f.PlainHi[at] != hi || f.Mid[at] != float64(0.5*lo)+float64(0.5*hi) {
				t.Fatalf("leaf %d, coordinate %d reaches from %v to %v about %v, want %v to %v", l, k, f.PlainLo[at], f.PlainHi[at], f.Mid[at], lo, hi)
			}
			to := k*supers + l/kernels.Super
			superLo[to], superHi[to] = min(superLo[to], lo), max(superHi[to], hi)
			for lane := range kernels.Leaf {
				got := f.Offset[(l*dim+k)*kernels.Leaf+lane]
				want := float32(f.X[(l*kernels.Leaf+lane)*dim+k] - f.Mid[at])
				if got != want && got == got {
					t.Fatalf("leaf %d, lane %d, coordinate %d: offset %v, want %v", l, lane, k, got, want)
				}
				sums[lane] += float64(want) * float64(want)
			}
		}
		for lane := range int(rows) {
			if norm := math.Sqrt(sums[lane]); !(norm <= f.Radius[l]) {
				t.Fatalf("leaf %d, lane %d: offset of norm %g in a radius of %g", l, lane, norm, f.Radius[l])
			}
		}
	}
	if !slices.Equal(superLo, f.PlainSuperLo) || !slices.Equal(superHi, f.PlainSuperHi) {
		t.Fatal("plain boxes of superleaves differ")
	}
}

// TestRowsAlongALine has the leaves of rows on a line one after the other.
func TestRowsAlongALine(t *testing.T) {
	skipWithoutCard(t)
	b := bench(t)
	for _, n := range []int{1000, 8193, 50_000, 1_000_000} {
		data := make([]float64, n)
		for i := range data {
			data[i] = float64((i * 7919) % n)
		}
		pts, err := join.NewPoints(data, 1)
		if err != nil {
			t.Fatal(err)
		}
		m := made(t, b, pts, nil, 2)
		f := fetched(t, b, m)
		full := 0
		for l := range int(f.Leaves) {
			if l > 0 && f.Lo[l] < f.Hi[l-1] {
				t.Fatalf("%d rows: leaf %d begins at %v, before %v, where the last ends", n, l, f.Lo[l], f.Hi[l-1])
			}
			if f.Fill[l] > 48 {
				full++
			}
		}
		t.Logf("%d rows: %d leaves, %d of them with more than 48 rows", n, f.Leaves, full)
		if full < int(f.Leaves)*9/10 {
			t.Errorf("%d rows: only %d of %d leaves are nearly full", n, full, f.Leaves)
		}
		freed(t, b, m)
	}
}

// TestRowsAreTheSame from run to run, for any number of threads.
func TestRowsAreTheSame(t *testing.T) {
	skipWithoutCard(t)
	b := bench(t)
	for _, kind := range []string{"narrow", "duplicates", "outliers"} {
		pts := pointsOf(t, kind, 100_000, 12)
		var want *cuda.Rows
		for threads := 1; threads < 5; threads++ {
			m := made(t, b, pts, nil, threads)
			f := fetched(t, b, m)
			if freed(t, b, m); want == nil {
				want = f
			}
			if !slices.Equal(f.Row, want.Row) || !slices.Equal(f.Y, want.Y) || f.Reach != want.Reach {
				t.Errorf("%s: rows differ with %d threads", kind, threads)
			}
		}
	}
}

// TestRowsOutOfMemory gives less and more memory to rows, which take all that they need
// or leave all. So do those whose context is canceled at some stage.
func TestRowsOutOfMemory(t *testing.T) {
	skipWithoutCard(t)
	for _, dim := range []int{2, 12} {
		pts := pointsOf(t, "narrow", 30_000, dim)
		failed, made := 0, 0
		for budget := int64(1000); made == 0; budget += budget / 5 {
			b, err := cuda.NewBench(cuda.Options{Budget: budget})
			if err != nil {
				t.Fatal(err)
			}
			m, err := b.Make(t.Context(), pts, nil, 3)
			switch {
			case err == nil:
				made++
				if err := b.Free(m); err != nil {
					t.Fatal(err)
				}
			case errors.Is(err, driver.ErrMemory):
				failed++
			default:
				t.Fatalf("budget %d: %v", budget, err)
			}
			if left, err := b.Left(); err != nil || left != budget {
				t.Fatalf("budget %d: %d are left, error %v", budget, left, err)
			}
			if most := int64(30_000) * (36*int64(dim) + 200); budget > most {
				t.Fatalf("%d bytes are not enough for rows of %d coordinates", budget, dim)
			}
		}
		t.Logf("dim %d: %d budgets are too small", dim, failed)
		b, err := cuda.NewBench(cuda.Options{Budget: 1 << 30})
		if err != nil {
			t.Fatal(err)
		}
		stages := 0
		for at := 0; at == stages; at++ {
			ctx, cancel := context.WithCancel(t.Context())
			stages = 0
			m, err := b.Make(cuda.WithTrace(ctx, cuda.Trace{Stage: func(string, time.Duration) {
				if stages++; stages > at {
					cancel()
				}
			}}), pts, nil, 3)
			cancel()
			if m != nil {
				err = b.Free(m)
			} else if !errors.Is(err, context.Canceled) {
				t.Fatalf("canceled after stage %d: error %v", at, err)
			}
			if left, memory := b.Left(); err != nil && m != nil || memory != nil || left != 1<<30 {
				t.Fatalf("canceled after stage %d: %d are left, errors %v, %v", at, left, err, memory)
			}
		}
	}
}
