package paper_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"rtcluster/bench/paper"
	"rtcluster/join"
	"rtcluster/join/jointest"
)

// variantSets are small sets: of many coordinates, of few, one with equal rows, and one of
// a single leaf, whose box leaves all pairs to be measured.
func variantSets() map[string]struct {
	data []float64
	dim  int
	eps  float64
} {
	return map[string]struct {
		data []float64
		dim  int
		eps  float64
	}{
		"uniform": {jointest.Uniform(700, 7, 1), 7, 0.6},
		"space":   {jointest.Uniform(600, 3, 2), 3, 0.2},
		"leaf":    {jointest.Uniform(20, 5, 4), 5, 0.5},
		"lattice": {jointest.Lattice(500, 5, 3, 3), 5, 1.0 / 2},
	}
}

// run runs an experiment on one of the small sets, and returns its table.
func run(t *testing.T, experiment, set string, values map[string]string) *paper.Table {
	t.Helper()
	e, found := paper.Find(experiment)
	if !found {
		t.Fatalf("no experiment %s", experiment)
	}
	of := variantSets()[set]
	s := &paper.Setting{
		Threads: 2, Fraction: 1, Sets: []string{set}, Eps: []float64{of.eps}, Runs: 1, Values: values,
		Read: func(context.Context, string) ([]float64, int, error) { return slices.Clone(of.data), of.dim, nil },
	}
	table, picture, err := e.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if picture == nil || len(table.Rows) == 0 {
		t.Fatalf("%d rows, picture %v", len(table.Rows), picture)
	}
	return table
}

// cell is that of a column, in a row of a table.
func cell(t *testing.T, table *paper.Table, row []any, column string) any {
	t.Helper()
	k := slices.Index(table.Columns, column)
	if k < 0 {
		t.Fatalf("no column %s in %q", column, table.Columns)
	}
	return row[k]
}

// scaledRows are the rows of a set as experiments see them: each column from 0 to 1.
func scaledRows(t *testing.T, set string) ([]float64, int, float64) {
	t.Helper()
	of := variantSets()[set]
	data := slices.Clone(of.data)
	scaling, err := join.FitScaling("minmax", data, of.dim)
	if err != nil {
		t.Fatal(err)
	}
	scaling.Apply(data)
	return data, of.dim, of.eps
}

// plainPairs counts |R| by the predicate.
func plainPairs(data []float64, dim int, eps float64) (n int64) {
	for x := range slices.Chunk(data, dim) {
		for z := range slices.Chunk(data, dim) {
			if join.Within(x, z, join.Squared(eps)) {
				n++
			}
		}
	}
	return n
}

// TestVariantExperiments wants all variants to find the pairs that there are, and what
// they tell of their work to hold together.
func TestVariantExperiments(t *testing.T) {
	for set := range variantSets() {
		data, dim, eps := scaledRows(t, set)
		rows, pairs := int64(len(data)/dim), plainPairs(data, dim, eps)
		others := (pairs - rows) / 2 // each once
		for experiment, kinds := range map[string]int{"grouping": 2, "refine": 4, "result": 5} {
			t.Run(experiment+"/"+set, func(t *testing.T) {
				table := run(t, experiment, set, map[string]string{"batch": "256"})
				if len(table.Rows) != kinds {
					t.Fatalf("%d rows, want %d", len(table.Rows), kinds)
				}
				for _, row := range table.Rows {
					if got := cell(t, table, row, "pairs"); got != pairs {
						t.Errorf("%v: %v pairs, want %d", row, got, pairs)
					}
					if experiment == "result" {
						continue
					}
					if got := cell(t, table, row, "distances").(int64); got > rows*(rows+32)/2 {
						t.Errorf("%v: %d distances for %d rows, each pair of leaves once", row, got, rows)
					}
				}
				if experiment == "result" {
					checkResults(t, table, others)
				}
			})
		}
	}
}

// checkResults checks batches, and what they handed over, for pairs of which boxes decided
// none or some.
func checkResults(t *testing.T, table *paper.Table, pairs int64) {
	t.Helper()
	bytes, batches := map[string]float64{}, map[string]int64{}
	for _, row := range table.Rows {
		name := cell(t, table, row, "result").(string)
		bytes[name] = cell(t, table, row, "MiB").(float64) * (1 << 20)
		batches[name] = cell(t, table, row, "batches").(int64)
	}
	if got := bytes["streamed pairs"]; got != float64(8*pairs) {
		t.Errorf("%v bytes of streamed pairs, want %d", got, 8*pairs)
	}
	if got := bytes["key–value pairs"]; got != 2*bytes["compressed mask"] || got > float64(8*pairs) {
		t.Errorf("%v bytes of key–value pairs, %v of the compressed mask, for %d pairs", got, bytes["compressed mask"], pairs)
	}
	if got := bytes["mask of bytes"]; got != 8*bytes["mask of bits"] {
		t.Errorf("%v bytes, and %v of bits", got, bytes["mask of bits"])
	}
	// In 256 KiB there is room for 262,144 comparisons of a byte, or 32,768 pairs.
	if got, least := float64(batches["mask of bytes"]), bytes["mask of bytes"]/(256<<10); got < least || got > 2*least+1 {
		t.Errorf("%v batches of bytes, want from %v on", got, least)
	}
	if got, least := float64(batches["key–value pairs"]), 8*bytes["mask of bytes"]/(256<<10); got < least || got > 2*least+1 {
		t.Errorf("%v batches of pairs, want from %v on", got, least)
	}
	if batches["compressed mask"] != batches["mask of bits"] || batches["mask of bits"] > batches["mask of bytes"] {
		t.Errorf("batches are %v", batches)
	}
}

// TestPrune compares the table with plain counts: pairs, those of the grid, and what must
// hold of those of trees.
func TestPrune(t *testing.T) {
	for set := range variantSets() {
		t.Run(set, func(t *testing.T) {
			data, dim, eps := scaledRows(t, set)
			n, pairs := int64(len(data)/dim), plainPairs(data, dim, eps)
			table := run(t, "prune", set, nil)
			if want := 4*min(2, (dim+2)/3) + 1; len(table.Rows) != want {
				t.Fatalf("%d rows, want %d", len(table.Rows), want)
			}
			for _, row := range table.Rows {
				index, axes := cell(t, table, row, "index"), cell(t, table, row, "axes").(int)
				distances, saved := cell(t, table, row, "distances").(int64), cell(t, table, row, "saved %").(float64)
				if want := 100 - 100*float64(distances)/float64(n*n); math.Abs(saved-want) > 1e-9 {
					t.Errorf("%v of %d axes: saved %v %%, want %v", index, axes, saved, want)
				}
				if index == "grid" {
					if want := plainGrid(data, dim, min(6, dim), eps); distances != want {
						t.Errorf("grid: %d distances, want %d", distances, want)
					}
					continue
				}
				if set == "leaf" && distances != n*n {
					t.Errorf("%v of %d axes: %d distances in a leaf of %d rows", index, axes, distances, n)
				}
				within := cell(t, table, row, "within %").(float64) * float64(n*n) / 100
				if got := cell(t, table, row, "pairs"); got != pairs || float64(distances)+within < float64(pairs)-0.5 || distances > n*n {
					t.Errorf("%v of %d axes: %v pairs of %d distances and %v within, want %d", index, axes, got, distances, within, pairs)
				}
			}
		})
	}
}

// TestVariantsCutOff wants rows without numbers where runs are cut off.
func TestVariantsCutOff(t *testing.T) {
	for _, experiment := range []string{"grouping", "refine", "result", "prune"} {
		e, _ := paper.Find(experiment)
		s := &paper.Setting{Threads: 1, Fraction: 1e-4, Sets: []string{"susy"}, Eps: []float64{0.1}, Runs: 1, Timeout: 1}
		table, _, err := e.Run(t.Context(), s)
		if err != nil || len(table.Rows) == 0 {
			t.Fatalf("%s: error %v, or no rows", experiment, err)
		}
		for _, row := range table.Rows {
			if row[len(row)-1] != nil {
				t.Errorf("%s: %v pairs in no time", experiment, row[len(row)-1])
			}
		}
	}
	for _, experiment := range []string{"grouping", "refine", "result", "prune"} {
		e, _ := paper.Find(experiment)
		_, _, err := e.Run(t.Context(), &paper.Setting{Asked: true, Engines: []paper.Engine{{Name: "cuda"}}})
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s with another engine: %v", experiment, err)
		}
	}
}
