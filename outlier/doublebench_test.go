package outlier_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
	"rtcluster/outlier"
)

// BenchmarkDoubling reports by what factor the time grows when a set is doubled: 2, for
// work in proportion to the rows, a little more for larger trees, and 4 where the work
// is quadratic. It is doubled three times. Sets are those that could make it so.
func BenchmarkDoubling(b *testing.B) {
	const n = 10_000
	for _, set := range doublingSets() {
		for _, ties := range []outlier.Ties{outlier.TiesK, outlier.TiesAll} {
			for _, k := range []int{1, 10, 100} {
				for _, opt := range doublingOptions(ties, k, set.eps) {
					name := fmt.Sprintf("data=%s/method=%s/ties=%s/k=%d", set.name, opt.Method, ties, k)
					b.Run(name, func(b *testing.B) { double(b, set.dim, set.rows, n, opt) })
				}
			}
		}
	}
}

type doublingSet struct {
	name string
	dim  int
	eps  float64
	rows func(n int) []float64
}

func doublingSets() []doublingSet {
	return []doublingSet{
		{"uniform", 2, 0.02, func(n int) []float64 { return jointest.Uniform(n, 2, 1) }},
		{"heap", 2, 0.02, func(n int) []float64 { // every second row is in one place
			data := jointest.Uniform(n, 2, 1)
			for i := 0; i < len(data); i += 4 {
				data[i], data[i+1] = 0.5, 0.5
			}
			return data
		}},
		{"heaps", 2, 2, func(n int) []float64 { return jointest.Lattice(n, 2, 12, 1) }},
		{"densities", 2, 0.02, func(n int) []float64 { // sides of 1 to 10⁻³: densities of 1 to 10⁶
			data := jointest.Uniform(n, 2, 1)
			for i, x := range data {
				square := i / 2 % 4
				data[i] = 5*float64(square) + x*math.Pow10(-square)
			}
			return data
		}},
		{"ties", 2, 2, func(n int) []float64 { // all points of a lattice
			data := make([]float64, 0, 2*n)
			side := int(math.Ceil(math.Sqrt(float64(n))))
			for i := range n {
				data = append(data, float64(i%side), float64(i/side))
			}
			return data
		}},
	}
}

// doublingOptions are all methods that have a k, or at k 1 those that have none.
func doublingOptions(ties outlier.Ties, k int, eps float64) []outlier.Options {
	var all []outlier.Options
	for _, method := range outlier.Methods() {
		if !method.Nearest() && (k > 1 || ties == outlier.TiesAll) || method == outlier.LDOF && k == 1 {
			continue
		}
		all = append(all, outlier.Options{
			Method: method, K: k, Ties: ties, Eps: eps, MinSamples: 10, Engine: cpu.New(cpu.Options{}),
		})
	}
	return all
}

// double scores n rows and 8·n in turn, and compares the least times of each.
func double(b *testing.B, dim int, rows func(n int) []float64, n int, opt outlier.Options) {
	var idx [2]join.Index
	for i := range idx {
		size := n << (3 * i)
		idx[i] = jointest.Index(b, cpu.New(cpu.Options{}), jointest.Points(b, dim, rows(size)...))
	}
	best := [2]time.Duration{math.MaxInt64, math.MaxInt64}
	for b.Loop() {
		for i := range idx {
			start := time.Now()
			if _, err := outlier.Score(b.Context(), idx[i], opt); err != nil {
				b.Fatal(err)
			}
			best[i] = min(best[i], time.Since(start))
		}
	}
	b.ReportMetric(math.Cbrt(float64(best[1])/float64(best[0])), "×/double")
	b.ReportMetric(float64(best[1].Nanoseconds())/float64(8*n), "ns/row")
}
