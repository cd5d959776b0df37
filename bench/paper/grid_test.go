package paper_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"rtcluster/bench/paper"
	"rtcluster/join/jointest"
)

// plainGrid looks at all pairs of rows.
func plainGrid(data []float64, dim, axes int, eps float64) (pairs int64) {
	n := len(data) / dim
	variance, least := make([]float64, dim), make([]float64, dim)
	for k := range dim {
		mean := 0.0
		least[k] = math.Inf(1)
		for i := range n {
			mean += data[i*dim+k] / float64(n)
			least[k] = min(least[k], data[i*dim+k])
		}
		for i := range n {
			variance[k] += (data[i*dim+k] - mean) * (data[i*dim+k] - mean)
		}
	}
	coords := make([]int, dim)
	for k := range coords {
		coords[k] = k
	}
	slices.SortStableFunc(coords, func(a, b int) int {
		switch {
		case variance[a] > variance[b]:
			return -1
		case variance[a] < variance[b]:
			return 1
		}
		return 0
	})
	for i := range n {
		for j := range n {
			adjacent := true
			for _, k := range coords[:axes] {
				a, b := math.Floor((data[i*dim+k]-least[k])/eps), math.Floor((data[j*dim+k]-least[k])/eps)
				adjacent = adjacent && math.Abs(a-b) <= 1
			}
			if adjacent {
				pairs++
			}
		}
	}
	return pairs
}

// TestGridPairs compares with all pairs of rows, from one cell in all to a cell for each row.
func TestGridPairs(t *testing.T) {
	for _, dim := range []int{1, 2, 3, 6, 8} {
		for name, data := range map[string][]float64{"uniform": jointest.Uniform(300, dim, uint64(dim)), "lattice": jointest.Lattice(300, dim, 7, uint64(dim))} {
			for _, eps := range []float64{1e-9, 0.07, 0.3, 0.8, 1, 2, 20} {
				t.Run(fmt.Sprintf("data=%s/dim=%d/eps=%g", name, dim, eps), func(t *testing.T) {
					axes := min(6, dim)
					got, err := paper.GridPairs(t.Context(), data, dim, axes, eps)
					if err != nil {
						t.Fatal(err)
					}
					if want := plainGrid(data, dim, axes, eps); got != want {
						t.Errorf("%d pairs, want %d", got, want)
					}
				})
			}
		}
	}
	var fault *paper.SettingError
	if _, err := paper.GridPairs(t.Context(), []float64{0, 1, 2}, 1, 1, 1e-20); !errors.As(err, &fault) {
		t.Errorf("cells without number: error %v", err)
	}
}
