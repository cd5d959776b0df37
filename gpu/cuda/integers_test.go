//go:build cuda

package cuda_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"rtcluster/gpu/cuda"
	"rtcluster/gpu/kernels"
	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/synth"
)

// integerKinds are small integers: those of a byte, with all of their ends, about a far
// middle, few, and all equal.
var integerKinds = map[string]func(rng *rand.Rand, k int) float64{
	"bytes":      func(rng *rand.Rand, k int) float64 { return float64((rng.IntN(64) + 70*k) % 256) },
	"ends":       func(rng *rand.Rand, _ int) float64 { return float64(rng.IntN(2)*255 - 128) },
	"far out":    func(rng *rand.Rand, k int) float64 { return float64(1<<52-rng.IntN(256)) * float64(1-k%2*2) },
	"duplicates": func(rng *rand.Rand, _ int) float64 { return float64(rng.IntN(3) - 7) },
	"equal":      func(*rand.Rand, int) float64 { return -3 },
}

func integerPoints(t testing.TB, kind string, n, dim int, seed uint64) *join.Points {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, uint64(dim)))
	data := make([]float64, n*dim)
	for i := range data {
		data[i] = integerKinds[kind](rng, i%dim)
	}
	return pointsFrom(t, data, dim)
}

func pointsFrom(t testing.TB, data []float64, dim int) *join.Points {
	t.Helper()
	pts, err := join.NewPoints(data, dim)
	if err != nil {
		t.Fatal(err)
	}
	return pts
}

// TestIntegers compares joins by products of integers with the CPU engine's: for each
// layout of the kernels, at distances that rows have, and beside them.
func TestIntegers(t *testing.T) {
	skipWithoutCard(t)
	for kind := range integerKinds {
		for _, dim := range []int{1, 2, 5, 32, 33, 64, 65, 96, 97, 128, 129, 192, 193, kernels.IntegerDims} {
			t.Run(fmt.Sprintf("%s/dim=%d", kind, dim), func(t *testing.T) {
				n := 3_000
				if dim > 30 {
					n = 1_000
				}
				pts, q := integerPoints(t, kind, n, dim, 1), integerPoints(t, kind, n/3, dim, 2)
				eps := distanceAt(rand.New(rand.NewPCG(3, 4)), pts, 0.02)
				exact := math.Round(eps * eps)
				for _, opt := range []cuda.Options{{Road: cuda.RoadInteger}, {Road: cuda.RoadInteger, Capability: 80, BatchPairs: 20}} {
					e := cuda.New(opt)
					switch takes, ok, err := cuda.TakesIntegers(t.Context(), e, pts, q, eps); {
					case err != nil:
						t.Fatal(err)
					case !ok:
						t.Skip("this card has no tensor cores that we use")
					case !takes:
						t.Fatal("another road is taken")
					}
					for _, eps := range []float64{0, math.Sqrt(exact), math.Nextafter(math.Sqrt(exact), 0), math.Sqrt(exact + 1), eps + 0.01} {
						compareJoins(t, e, pts, nil, eps)
						compareJoins(t, e, pts, q, eps)
					}
				}
			})
		}
	}
}

// TestIntegerRange joins all rows with all, and none with any.
func TestIntegerRange(t *testing.T) {
	skipWithoutCard(t)
	pts := integerPoints(t, "ends", 700, kernels.IntegerDims, 5)
	for _, eps := range []float64{0, 1e-200, 254.9, 255, 255 * 16, 1e9, 1e200} {
		compareJoins(t, cuda.New(cuda.Options{Road: cuda.RoadInteger}), pts, nil, eps)
	}
}

// TestAlmostIntegers has one coordinate that is none of those integers, where the look on
// the host does not see it, or queries with one: such joins take another road, and find
// the same.
func TestAlmostIntegers(t *testing.T) {
	skipWithoutCard(t)
	const n, dim = 5_000, 20
	for _, x := range []float64{0.5, -1e-20, 5e-324, 100.25, 256, -1, 1 << 53, 1e300, math.Nextafter(7, 8)} {
		t.Run(fmt.Sprint(x), func(t *testing.T) {
			pts := integerPoints(t, "bytes", n, dim, 1)
			for _, row := range []int{0, n / 2, n - 1} {
				data := slices.Clone(pts.Data())
				data[row*dim+7] = x
				almost := pointsFrom(t, data, dim)
				for _, of := range []struct{ pts, q *join.Points }{{almost, nil}, {pts, almost}, {almost, pts}} {
					e := cuda.New(cuda.Options{Road: cuda.RoadInteger})
					if takes, _, err := cuda.TakesIntegers(t.Context(), e, of.pts, of.q, 90); err != nil || takes {
						t.Errorf("row %d: the road of integers is taken: %t, error %v", row, takes, err)
					}
					compareJoins(t, e, of.pts, of.q, 90)
				}
			}
		})
	}
}

// TestIntegersByDefault wants the road to be taken only where it is asked for.
func TestIntegersByDefault(t *testing.T) {
	skipWithoutCard(t)
	pts := integerPoints(t, "bytes", 1_000, 20, 1)
	for _, road := range []cuda.Road{cuda.RoadAuto, cuda.RoadPlain, cuda.RoadTensor} {
		if takes, _, err := cuda.TakesIntegers(t.Context(), cuda.New(cuda.Options{Road: road}), pts, nil, 100); err != nil || takes {
			t.Errorf("road %d: that of integers is taken: %t, error %v", road, takes, err)
		}
	}
}

// TestIntegerProducts multiplies leaves at the ends of int8 and of any numbers, and wants
// each result exactly.
func TestIntegerProducts(t *testing.T) {
	skipWithoutCard(t)
	rng := rand.New(rand.NewPCG(7, 7))
	for _, capability := range []int{0, 80} {
		for _, dim := range []int{1, 32, 64, 96, 128, 192, 256} {
			for _, number := range []func() int8{
				func() int8 { return -128 }, func() int8 { return 127 },
				func() int8 { return int8(rng.IntN(2)*255 - 128) }, func() int8 { return int8(rng.IntN(256) - 128) },
			} {
				var a, b [][]int8
				var beside []int32
				for lane := range kernels.Leaf {
					a, b = append(a, make([]int8, dim)), append(b, make([]int8, dim))
					for k := range dim {
						a[lane][k], b[lane][k] = number(), number()
					}
					beside = append(beside, rng.Int32N(1<<23)-1<<22)
				}
				got, ok, err := cuda.IntegerProducts(dim, capability, a, b, beside)
				if err != nil {
					t.Fatal(err)
				}
				if !ok {
					t.Skip("this card has no tensor cores that we use")
				}
				for i := range a {
					for j := range b {
						want := beside[j]
						for k := range dim {
							want += int32(a[i][k]) * int32(b[j][k])
						}
						if got[i*kernels.Leaf+j] != want {
							t.Fatalf("kernels %d, %d columns: lanes %d and %d give %d, want %d", capability, dim, i, j, got[i*kernels.Leaf+j], want)
						}
					}
				}
			}
		}
	}
}

// TestMayBeIntegers looks at coordinates on the host.
func TestMayBeIntegers(t *testing.T) {
	whole, late := make([]float64, 100_000), make([]float64, 100_000)
	for i := range whole {
		whole[i], late[i] = float64(i%511-255), float64(i%511-255)
	}
	late[54_321] = 0.5
	for _, test := range []struct {
		name string
		data []float64
		want bool
	}{
		{"none", nil, true},
		{"one", []float64{-3}, true},
		{"one that is none", []float64{1e-9}, false},
		{"few", []float64{1, 2, 3.5}, false},
		{"many", whole, true},
		{"all but one, which is not looked at", late, true},
		{"latent", must(t, "latent", 1_000, 5).Data(), false},
	} {
		if got := cuda.MayBeIntegers(test.data); got != test.want {
			t.Errorf("%s: got %t", test.name, got)
		}
	}
}

// TestIntegerClusters compares clusters of bytes with the CPU engine's.
func TestIntegerClusters(t *testing.T) {
	skipWithoutCard(t)
	for _, test := range []struct {
		shape  string
		n, dim int
		shares []float64 // of all pairs that are near
	}{
		{"latent", 60_000, 18, []float64{0, 1e-4, 1e-3, 0.02}},
		{"latent", 20_000, 128, []float64{1e-3, 0.05}},
		{"blobs", 100_000, 4, []float64{0, 1e-4, 1e-3}},
	} {
		t.Run(fmt.Sprintf("%s/n=%d/dim=%d", test.shape, test.n, test.dim), func(t *testing.T) {
			pts := asBytes(t, must(t, test.shape, test.n, test.dim))
			withClusterer(t, cpu.New(cpu.Options{}), pts, func(host clusterer) {
				withClusterer(t, cuda.New(cuda.Options{Road: cuda.RoadInteger}), pts, func(integers clusterer) {
					for i, share := range test.shares {
						eps := distanceAt(rand.New(rand.NewPCG(uint64(i), 4)), pts, share)
						compareClusters(t, roads{"CPU": host, "integers": integers}, math.Round(eps), 10)
					}
				})
			})
		})
	}
}

// asBytes scales columns to 0 to 255, and rounds.
func asBytes(t testing.TB, pts *join.Points) *join.Points {
	t.Helper()
	dim := pts.Dim()
	lo, hi := slices.Clone(pts.Row(0)), slices.Clone(pts.Row(0))
	for i, x := range pts.Data() {
		lo[i%dim], hi[i%dim] = min(lo[i%dim], x), max(hi[i%dim], x)
	}
	data := make([]float64, len(pts.Data()))
	for i, x := range pts.Data() {
		data[i] = math.Round(255 * (x - lo[i%dim]) / (hi[i%dim] - lo[i%dim]))
	}
	return pointsFrom(t, data, dim)
}

// BenchmarkIntegers counts the neighbours of a million rows of bytes, by products of
// float16 and of integers.
func BenchmarkIntegers(b *testing.B) {
	skipWithoutCard(b)
	const n, dim, share = 1_000_000, 128, 1e-3
	set, err := synth.Make("latent", n, dim, 1)
	if err != nil {
		b.Fatal(err)
	}
	pts := asBytes(b, pointsFrom(b, set.Data, dim))
	eps := distanceAt(rand.New(rand.NewPCG(1, 1)), pts, share)
	for _, road := range []struct {
		name string
		road cuda.Road
	}{{"float16", cuda.RoadTensor}, {"integer", cuda.RoadInteger}} {
		b.Run("road="+road.name, func(b *testing.B) { benchmarkCounts(b, cuda.Options{Road: road.road}, pts, eps) })
	}
}

// benchmarkCounts counts under a trace, which tells how long refining takes.
func benchmarkCounts(b *testing.B, opt cuda.Options, pts *join.Points, eps float64) {
	idx, err := cuda.New(opt).Index(b.Context(), pts)
	if err != nil {
		b.Fatal(err)
	}
	dst, stages, pairs := make([]int32, pts.Rows()), map[string]time.Duration{}, int64(0)
	ctx := cuda.WithTrace(b.Context(), cuda.Trace{Stage: func(name string, took time.Duration) { stages[name] += took }})
	if err := idx.Counts(ctx, nil, eps, 0, dst); err != nil { // which makes the operands, and compiles
		b.Fatal(err)
	}
	clear(stages)
	for b.Loop() {
		if err := idx.Counts(ctx, nil, eps, 0, dst); err != nil {
			b.Fatal(err)
		}
	}
	for name, took := range stages {
		b.ReportMetric(float64(took.Microseconds())/1e3/float64(b.N), "ms-"+strings.ReplaceAll(name, " ", "-"))
	}
	for _, c := range dst {
		pairs += int64(c)
	}
	b.ReportMetric(float64(pairs), "pairs")
	if err := idx.Close(); err != nil {
		b.Fatal(err)
	}
}
