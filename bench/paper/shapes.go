package paper

import (
	"fmt"
	"math"
	"strings"

	"rtcluster/join/synth"
)

// shape is a data set of the paper: what it is like, and what is known of it.
type shape struct {
	name      string
	rows, dim int
	synth     string // what stands in for it, see package synth
	published []published
}

// published is what the public logs of MiSTIC have for a real set in min-max scaling.
// They are of the same sets and ε as the paper's.
type published struct {
	eps   float64
	pairs int64 // |R|
}

// shapes returns the data sets of the paper. Its 3-d sets are of other sizes.
func shapes() []shape {
	const latent = "latent"
	return []shape{
		{"wec", 287_999, 49, latent, []published{{.0054, 74_145_223}, {.00702, 296_550_643}, {.008358, 1_175_790_333}}},
		{"msd", 515_345, 90, latent, []published{{.0076, 131_620_689}, {.00913, 526_971_289}, {.011334, 2_119_984_377}}},
		{"susy", 5_000_000, 18, latent, []published{{.01703, 1_276_531_250}, {.02078, 5_078_904_052}, {.025555, 20_296_655_478}}},
		{"higgs", 11_000_000, 28, latent, []published{{.049186, 2_829_176_458}, {.05558, 11_290_229_514}, {.063117, 45_284_147_570}}},
		{"bigcross", 11_620_300, 57, latent, []published{{.0131, 2_989_546_486}, {.01994, 12_015_645_920}, {.0281, 47_684_544_042}}},
		{"sift", 11_164_866, 128, latent, nil},
		{"uniform3", 10_000_000, 3, "uniform", nil},
		{"expo3", 10_000_000, 3, "exponential", nil},
	}
}

// SetNames returns the names of the sets.
func SetNames() []string {
	var names []string
	for _, s := range shapes() {
		names = append(names, s.name)
	}
	return names
}

// paperSets returns the names of the six sets of the paper's main experiments.
func paperSets() []string { return SetNames()[:6] }

// findShape returns the shape of a name; one that is not known has a name alone.
func findShape(name string) (shape, bool) {
	for _, s := range shapes() {
		if s.name == name {
			return s, true
		}
	}
	return shape{name: name}, false
}

// leastRows is how many rows a fraction of a set has at least.
const leastRows = 100

// fractionOf returns how many rows a fraction of so many is.
func fractionOf(rows int, fraction float64) int {
	return min(rows, max(leastRows, int(math.Round(fraction*float64(rows)))))
}

// make returns n rows of dim coordinates like those of the set, as float32 values, which
// all programs see as they are.
func (s *shape) make(n, dim int, seed uint64) ([]float64, error) {
	if s.synth == "" {
		return nil, &SettingError{fmt.Sprintf("there is no set %q to make: want one of %s, or the folder of its file by --data", s.name, strings.Join(SetNames(), ", "))}
	}
	set, err := synth.Make(s.synth, n, dim, seed)
	if err != nil {
		return nil, err
	}
	for i, x := range set.Data {
		set.Data[i] = float64(float32(x))
	}
	return set.Data, nil
}
