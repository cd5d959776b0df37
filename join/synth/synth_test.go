package synth_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"rtcluster/join"
	"rtcluster/join/synth"
)

const seed = 11

func mustMake(t *testing.T, shape string, n, dim int, seed uint64) *synth.Set {
	t.Helper()
	set, err := synth.Make(shape, n, dim, seed)
	if err != nil {
		t.Fatalf("Make(%q, %d, %d, %d): %v", shape, n, dim, seed, err)
	}
	return set
}

// column returns the least and greatest value and the mean of column k.
func column(set *synth.Set, k int) (low, high, mean float64) {
	low, high = math.Inf(1), math.Inf(-1)
	n := len(set.Data) / set.Dim
	for i := range n {
		x := set.Data[i*set.Dim+k]
		low, high, mean = min(low, x), max(high, x), mean+x/float64(n)
	}
	return low, high, mean
}

func TestEveryShape(t *testing.T) {
	for _, shape := range synth.Shapes() {
		for _, n := range []int{0, 1, 2, 3, 100, 1000} {
			for _, dim := range []int{1, 2, 3, 7, 33} {
				if shape == "moons" && dim == 1 {
					continue
				}
				t.Run(fmt.Sprintf("%s/n=%d/dim=%d", shape, n, dim), func(t *testing.T) {
					set := mustMake(t, shape, n, dim, seed)
					if set.Dim != dim || len(set.Data) != n*dim {
						t.Fatalf("got %d values of dimension %d", len(set.Data), set.Dim)
					}
					if set.Labels != nil && len(set.Labels) != n {
						t.Errorf("got %d labels, want %d", len(set.Labels), n)
					}
					if _, err := join.NewPoints(set.Data, dim); err != nil {
						t.Errorf("not usable as points: %v", err)
					}
					if again := mustMake(t, shape, n, dim, seed); !reflect.DeepEqual(set, again) {
						t.Error("another call with the same seed gave other numbers")
					}
				})
			}
		}
	}
}

func TestSeedMatters(t *testing.T) {
	for _, shape := range synth.Shapes() {
		a, b := mustMake(t, shape, 200, 3, 1), mustMake(t, shape, 200, 3, 2)
		if slices.Equal(a.Data, b.Data) {
			t.Errorf("%s: seeds 1 and 2 gave the same numbers", shape)
		}
	}
}

func TestUniformIsFixed(t *testing.T) {
	got := mustMake(t, "uniform", 2, 2, 1).Data
	want := []float64{0.06261612482267986, 0.4311712362645682, 0.06539601459302136, 0.7203467938463525}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestMakeErrors(t *testing.T) {
	tests := []struct {
		name   string
		shape  string
		n, dim int
		want   string
	}{
		{"unknown shape", "torus", 1, 1, `unknown shape "torus"`},
		{"no shape", "", 1, 1, "want one of uniform"},
		{"negative rows", "uniform", -1, 1, "-1 rows"},
		{"too many rows", "uniform", math.MaxInt32 + 1, 1, "want 0 to 2147483647"},
		{"no columns", "uniform", 1, 0, "0 coordinates"},
		{"moons on a line", "moons", 10, 1, "moons needs at least 2"},
		{"product overflows", "uniform", math.MaxInt32, math.MaxInt32, "more than memory"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			set, err := synth.Make(test.shape, test.n, test.dim, seed)
			if set != nil || err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, %v, want an error with %q", set, err, test.want)
			}
		})
	}
}

func TestRanges(t *testing.T) {
	tests := []struct {
		shape         string
		low, high     float64 // all values lie between
		mean, meanTol float64 // of each column
	}{
		{"uniform", 0, 1, 0.5, 0.03},
		{"exponential", 0, 1, 1.0 / 40, 0.002},
		{"latent", 0, 1, 0.5, 0.3},
		{"lattice", 0, 9, 4.5, 1e-9},
	}
	for _, test := range tests {
		t.Run(test.shape, func(t *testing.T) {
			set := mustMake(t, test.shape, 1000, 3, seed)
			for k := range set.Dim {
				low, high, mean := column(set, k)
				if low < test.low || high > test.high || math.Abs(mean-test.mean) > test.meanTol {
					t.Errorf("column %d: low %v, high %v, mean %v", k, low, high, mean)
				}
			}
		})
	}
}

func TestLatentIsScaledToTheUnitInterval(t *testing.T) {
	set := mustMake(t, "latent", 500, 20, seed)
	for k := range set.Dim {
		if low, high, _ := column(set, k); low != 0 || high != 1 {
			t.Errorf("column %d runs from %v to %v, want 0 to 1", k, low, high)
		}
	}
}

// TestGroupsAreGroups checks that the labels say something: rows of a group
// are nearer to their own group's mean than other rows are, on average.
func TestGroupsAreGroups(t *testing.T) {
	for _, shape := range []string{"blobs", "latent"} {
		t.Run(shape, func(t *testing.T) {
			set := mustMake(t, shape, 2000, 5, seed)
			means, counts := map[int32][]float64{}, map[int32]float64{}
			for i, label := range set.Labels {
				if means[label] == nil {
					means[label] = make([]float64, set.Dim)
				}
				counts[label]++
				for k, x := range set.Data[i*set.Dim : (i+1)*set.Dim] {
					means[label][k] += x
				}
			}
			for label, mean := range means {
				for k := range mean {
					mean[k] /= counts[label]
				}
			}
			var own, other, nOther float64
			for i, label := range set.Labels {
				if label < 0 {
					continue
				}
				for of, mean := range means {
					d2 := join.SquaredDistance(set.Data[i*set.Dim:(i+1)*set.Dim], mean)
					switch {
					case of == label:
						own += d2 / float64(len(set.Labels))
					case of >= 0:
						other += d2
						nOther++
					}
				}
			}
			if other /= nOther; own > other/4 {
				t.Errorf("mean squared distance to the own mean %v, to others %v", own, other)
			}
		})
	}
}

func TestMoonsLieOnTheirArcs(t *testing.T) {
	set := mustMake(t, "moons", 1000, 2, seed)
	for i, label := range set.Labels {
		x, y := set.Data[2*i], set.Data[2*i+1]
		r := math.Hypot(x, y)
		if label == 1 {
			r = math.Hypot(x-1, y-0.5)
		}
		if math.Abs(r-1) > 0.3 {
			t.Fatalf("row %d of moon %d at (%v, %v) is %v from its centre", i, label, x, y, r)
		}
	}
}

func TestLatticeRowsAreDistinctIntegers(t *testing.T) {
	set := mustMake(t, "lattice", 100, 3, seed)
	seen := map[[3]float64]bool{}
	for i := 0; i < len(set.Data); i += 3 {
		row := [3]float64(set.Data[i : i+3])
		for _, x := range row {
			if x != math.Trunc(x) || x < 0 || x > 4 {
				t.Errorf("row %v is not on the lattice of side 5", row)
			}
		}
		seen[row] = true
	}
	if len(seen) != 100 {
		t.Errorf("%d distinct rows, want 100", len(seen))
	}
}

func TestDuplicates(t *testing.T) {
	distinct := func(shape string) int {
		set := mustMake(t, shape, 400, 2, seed)
		rows := map[int32][2]float64{}
		for i, label := range set.Labels {
			row := [2]float64(set.Data[2*i : 2*i+2])
			if first, ok := rows[label]; ok && first != row {
				t.Fatalf("%s: row %d differs from others with label %d", shape, i, label)
			}
			rows[label] = row
		}
		return len(rows)
	}
	if n := distinct("duplicates"); n < 15 || n > 20 {
		t.Errorf("duplicates: %d distinct rows of 400, want about 20", n)
	}
	if n := distinct("equal"); n != 1 {
		t.Errorf("equal: %d distinct rows, want 1", n)
	}
}
