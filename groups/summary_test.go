package groups_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rtcluster/groups"
)

// bigPrec holds any sum of squares of a few thousand float64 exactly.
const bigPrec = 8600

// bigExtent is the mean, deviation and range of x by exact sums.
func bigExtent(x []float64) groups.Extent {
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(bigPrec).SetFloat64(v) }
	n, sum, squares := number(float64(len(x))), number(0), number(0)
	for _, v := range x {
		sum.Add(sum, number(v))
		squares.Add(squares, new(big.Float).Mul(number(v), number(v)))
	}
	mean := new(big.Float).Quo(sum, n)
	variance := squares.Sub(squares.Quo(squares, n), new(big.Float).Mul(mean, mean))
	e := groups.Extent{Low: slices.Min(x), High: slices.Max(x)}
	e.Mean, _ = mean.Float64()
	if slices.Min(x) != slices.Max(x) {
		e.Deviation, _ = variance.Sqrt(variance).Float64()
	}
	return e
}

// summarize adds the rows of one group.
func summarize(t *testing.T, x []float64, length float64) groups.Extent {
	t.Helper()
	s, err := groups.NewSummary(1, 1, []float64{length})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range x {
		s.Add(0, []float64{v})
	}
	return s.At(0, 0)
}

// near reports whether got is want but for a few units of its last digit.
func near(got, want float64) bool {
	return got == want || math.Abs(got-want) <= 4*(math.Nextafter(math.Abs(want), math.Inf(1))-math.Abs(want))
}

// sameExtent also takes a mean that differs by a trifle beside the deviation.
func sameExtent(got, want groups.Extent) bool {
	trifle := want.Deviation * 0x1p-90
	return (near(got.Mean, want.Mean) || math.Abs(got.Mean-want.Mean) <= trifle) && near(got.Deviation, want.Deviation) && got.Low == want.Low && got.High == want.High
}

// TestSummaryAgainstExactSums has numbers that cost digits, over- and underflow in
// plain sums.
func TestSummaryAgainstExactSums(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 1))
	draw := func(n int, value func(i int) float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = value(i)
		}
		return x
	}
	for name, x := range map[string][]float64{
		"one":                  {0.1},
		"two":                  {0.1, 0.3},
		"equal":                slices.Repeat([]float64{0.1}, 10),
		"normal":               draw(500, func(int) float64 { return r.NormFloat64() }),
		"offset 1e9":           draw(500, func(int) float64 { return 1e9 + r.NormFloat64() }),
		"offset 1e15":          draw(500, func(int) float64 { return 1e15 + float64(r.IntN(3)) }),
		"offset -1e300":        draw(500, func(i int) float64 { return -1e300 * (1 + float64(i%3)*0x1p-52) }),
		"an outlier first":     draw(3000, func(i int) float64 { return r.NormFloat64() + math.Pow(1e12, float64(1-min(i, 1))) }),
		"an outlier last":      draw(3000, func(i int) float64 { return r.NormFloat64() + math.Pow(1e12, float64(i/2999)) }),
		"ever larger":          draw(300, func(i int) float64 { return math.Ldexp(r.Float64(), i*6-900) }),
		"ever smaller":         draw(300, func(i int) float64 { return math.Ldexp(r.Float64(), 900-i*6) }),
		"greatest":             {math.MaxFloat64, -math.MaxFloat64, math.MaxFloat64},
		"greatest, all":        slices.Repeat([]float64{math.MaxFloat64}, 7),
		"beside the greatest":  {math.MaxFloat64, math.MaxFloat64 * (1 - 0x1p-52), math.MaxFloat64},
		"squares overflow":     draw(300, func(int) float64 { return 1e200 * r.NormFloat64() }),
		"squares vanish":       draw(300, func(int) float64 { return 1e-200 * r.NormFloat64() }),
		"subnormal":            {0x1p-1073, 0x3p-1073, 0x5p-1073, 0x7p-1073},
		"subnormal, odd":       {0x3p-1074, 0x3p-1074, 0x2p-1074},
		"huge and tiny":        {1e308, 1e-308, -1e308, 2e-308},
		"negative zero, first": {math.Copysign(0, -1), 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got, want := summarize(t, x, 0), bigExtent(x); !sameExtent(got, want) || got.Mean < got.Low || got.Mean > got.High {
				t.Errorf("seed %d: got %+v, want %+v", seed, got, want)
			}
		})
	}
	if got := summarize(t, []float64{5e-324}, 0); got != (groups.Extent{Mean: 5e-324, Low: 5e-324, High: 5e-324}) {
		t.Errorf("the least float64: got %+v", got)
	}
}

// TestSummaryBox rolls groups through a box: their extents are those before, rolled.
func TestSummaryBox(t *testing.T) {
	const seed, length = 8, 64
	r := rand.New(rand.NewPCG(seed, 1))
	crossed := 0
	for range 400 {
		// Multiples of 1/1024, so that rolling is exact.
		reach, by := 2+r.IntN(length*1024/2-3), float64(r.IntN(length*1024))/1024
		x, rolled := make([]float64, 1+r.IntN(30)), []float64(nil)
		for i := range x {
			x[i] = float64(r.IntN(reach)) / 1024
			rolled = append(rolled, math.Mod(x[i]+by, length))
		}
		want := bigExtent(x)
		for _, v := range []*float64{&want.Mean, &want.Low, &want.High} {
			*v = math.Mod(*v+by, length)
		}
		got := summarize(t, rolled, length)
		if away := math.Abs(got.Mean - want.Mean); away > 1e-13 && away < length-1e-13 || !near(got.Deviation, want.Deviation) ||
			got.Low != want.Low || got.High != want.High || got.Mean < 0 || got.Mean >= length {
			t.Fatalf("seed %d: %v: got %+v, want %+v", seed, rolled, got, want)
		}
		if want.Low > want.High {
			crossed++
		}
	}
	if crossed < 50 {
		t.Errorf("only %d groups cross the end of the box", crossed)
	}
}

func TestSummaryBoxByHand(t *testing.T) {
	tests := []struct {
		name string
		x    []float64
		want groups.Extent
	}{
		{"across the end", []float64{99, 1}, groups.Extent{Mean: 0, Deviation: 1, Low: 99, High: 1}},
		{"across the end, turned", []float64{1, 99}, groups.Extent{Mean: 0, Deviation: 1, Low: 99, High: 1}},
		{"one", []float64{99.9}, groups.Extent{Mean: 99.9, Low: 99.9, High: 99.9}},
		{"mean below the end", []float64{99, 99, 0}, groups.Extent{Mean: 99 + 1./3, Deviation: math.Sqrt(2. / 9), Low: 99, High: 0}},
		{"just less than half", []float64{80, 29}, groups.Extent{Mean: 4.5, Deviation: 24.5, Low: 80, High: 29}},
		{"half", []float64{80, 30}, groups.Extent{Mean: 55, Deviation: 25, Low: 30, High: 80}},
		{"all around", []float64{0, 25, 50, 75}, groups.Extent{Mean: 37.5, Deviation: math.Sqrt(781.25), Low: 0, High: 75}},
		{"wide, from the middle", []float64{20, 60, 5}, groups.Extent{Mean: 85. / 3, Deviation: bigExtent([]float64{20, 60, 5}).Deviation, Low: 5, High: 60}},
		{"a hair across the end", []float64{0, math.Nextafter(100, 0)}, groups.Extent{Mean: 0, Deviation: 0x1p-47, Low: math.Nextafter(100, 0), High: 0}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got := summarize(t, tc.x, 100)
			if got.Mean > 100-1e-13 && got.Mean < 100 { // 0 but for rounding
				got.Mean = 0
			}
			if !sameExtent(got, tc.want) {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}

// TestSummaryKeepsApart mixes groups and coordinates, some of which wrap.
func TestSummaryKeepsApart(t *testing.T) {
	box := []float64{0, 10, 0, 8}
	s, err := groups.NewSummary(3, 4, box)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(9, 1))
	columns := map[string][]float64{}
	for range 90 {
		group, x := r.IntN(2)*2, []float64{r.Float64(), 4 * r.Float64(), -r.Float64(), 3 * r.Float64()}
		s.Add(group, x)
		for k, v := range x {
			key := fmt.Sprint(group, k)
			columns[key] = append(columns[key], v)
		}
	}
	for group := range 3 {
		for k := range box {
			x := columns[fmt.Sprint(group, k)]
			want := groups.Extent{}
			if len(x) > 0 {
				want = bigExtent(x)
			}
			if got := s.At(group, k); !sameExtent(got, want) || s.Rows(group) != len(x) {
				t.Errorf("group %d, coordinate %d: got %+v of %d rows, want %+v of %d", group, k, got, s.Rows(group), want, len(x))
			}
		}
	}
}

func TestSummaryErrors(t *testing.T) {
	for want, box := range map[string][]float64{
		"a box of 1 lengths for 2 coordinates": {1},
		"coordinate 1 wraps after -3":          {1, -3},
		"coordinate 0 wraps after NaN":         {math.NaN(), 1},
		"coordinate 1 wraps after +Inf":        {0, math.Inf(1)},
	} {
		if _, err := groups.NewSummary(1, 2, box); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestTotals(t *testing.T) {
	for name, tc := range map[string]struct {
		x    []float64
		want float64
	}{
		"none":                  {nil, 0},
		"digits come back":      {[]float64{1e16, 1, -1e16}, 1},
		"overflow on the way":   {[]float64{math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64}, math.MaxFloat64},
		"overflow":              {[]float64{math.MaxFloat64, math.MaxFloat64}, math.Inf(1)},
		"tenths":                {slices.Repeat([]float64{0.1}, 10), 1},
		"tiny":                  {slices.Repeat([]float64{5e-324}, 3), 15e-324},
		"tiny before huge":      {[]float64{5e-324, 1e300}, 1e300},
		"of both signs, a zero": {[]float64{2, 0, -2}, 0},
	} {
		totals := groups.NewTotals(2)
		for _, x := range tc.x {
			totals.Add(1, x)
		}
		if got := totals.At(1); got != tc.want || totals.At(0) != 0 {
			t.Errorf("%s: got %v, want %v", name, got, tc.want)
		}
	}
}
