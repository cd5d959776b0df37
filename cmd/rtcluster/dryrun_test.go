package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"rtcluster/join"
	"rtcluster/join/synth"
)

// TestDryPairs compares estimates with the truth: the error is about what it is
// said to be, and none where all rows are counted.
func TestDryPairs(t *testing.T) {
	folder := t.TempDir()
	in, run := filepath.Join(folder, "in.parquet"), filepath.Join(folder, "run.json")
	a := newTestApp()
	a.mustRun(t, exitOK, "generate", "blobs", "-n", "10000", "-d", "2", "-o", in)
	args := []string{"dbscan", in, "-c", "x*", "-e", "0.5", "-m", "40"}
	a.mustRun(t, exitOK, append(args, "--counts", "--report", run, "-o", filepath.Join(folder, "o.csv"))...)
	rec, err := readReport(run)
	if err != nil {
		t.Fatal(err)
	}
	pairs, share := float64(rec.counts.Pairs), float64(rec.counts.Core)/10_000
	const seeds = 40
	far, squares := 0, 0.0
	for seed := range seeds {
		a.mustRun(t, exitOK, append(args, "--dry-run", "--json", "--seed", strconv.Itoa(seed))...)
		var d dryAccount
		if err := json.Unmarshal(a.stdout.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		p := d.Pairs[0]
		z := (p.Pairs - pairs) / p.PairsError
		squares += z * z
		if math.Abs(z) > 3.5 || math.Abs(*p.CoreShare-share) > 3.5**p.CoreError {
			far++
		}
	}
	if mean := squares / seeds; far > 1 || mean < 0.5 || mean > 1.7 {
		t.Errorf("of %d estimates, %d are far off, and the mean squared error is %.2f of what it is said to be, want about 1", seeds, far, mean)
	}
}

func TestNewDryPairs(t *testing.T) {
	p := newDryPairs([]int32{1, 3, 5}, 3, true, radius{Value: 1}, 3)
	if p.Pairs != 3 || p.PairsError != 0 || p.Neighbors != 2 || *p.CoreShare != 2./3 || *p.CoreError != 0 {
		t.Errorf("all rows: got %+v, core %v ± %v", p, *p.CoreShare, *p.CoreError)
	}
	// The counts 0, 2, 4 of others have the variance 4; of 12 rows, 9 are unseen.
	p = newDryPairs([]int32{1, 3, 5}, 12, true, radius{Value: 1}, 0)
	if want := 6 * math.Sqrt(4./3*9/12); p.Pairs != 12 || math.Abs(p.PairsError-want) > 1e-12 || p.CoreShare != nil {
		t.Errorf("a quarter of the rows: got %v ± %v, want 12 ± %v", p.Pairs, p.PairsError, want)
	}
	p = newDryPairs([]int32{0, 2, 4}, 12, false, radius{Value: 1}, 0)
	if want := 12 * math.Sqrt(4./3*9/12); p.Pairs != 24 || math.Abs(p.PairsError-want) > 1e-12 {
		t.Errorf("two tables: got %v ± %v, want 24 ± %v", p.Pairs, p.PairsError, want)
	}
}

// TestPatches sees that patches are different rows near each other, from all over.
func TestPatches(t *testing.T) {
	const n = 100_000
	set, err := synth.Make("uniform", n, 2, 7)
	if err != nil {
		t.Fatal(err)
	}
	pts, err := join.NewPoints(set.Data, 2)
	if err != nil {
		t.Fatal(err)
	}
	found := patches(pts, 1)
	if len(found) != patchParts {
		t.Fatalf("got %d patches, want %d", len(found), patchParts)
	}
	seen := make([]bool, n)
	centers := map[[2]int]bool{}
	for _, patch := range found {
		low, high := [2]float64{1, 1}, [2]float64{0, 0}
		for _, row := range patch {
			if seen[row] {
				t.Fatalf("row %d is in two patches", row)
			}
			seen[row] = true
			for k, x := range pts.Row(int(row)) {
				low[k], high[k] = min(low[k], x), max(high[k], x)
			}
		}
		area := (high[0] - low[0]) * (high[1] - low[1])
		if rows := len(patch); rows > patchRows || rows < patchRows/4 || area > 1.5*float64(rows)/n {
			t.Errorf("a patch of %d rows covers %.3g of all, want about %.3g", rows, area, float64(rows)/n)
		}
		centers[[2]int{int(2 * (low[0] + high[0])), int(2 * (low[1] + high[1]))}] = true
	}
	if len(centers) < patchParts*3/4 {
		t.Errorf("patches lie in %d parts of 16, want nearly all", len(centers))
	}
	if again := patches(pts, 1); !slices.EqualFunc(found, again, slices.Equal) {
		t.Error("patches of the same seed differ")
	}
	equal, _ := join.NewPoints(make([]float64, 2*n), 2)
	for _, patch := range patches(equal, 1) {
		if len(patch) != patchRows {
			t.Errorf("got %d equal rows, want %d", len(patch), patchRows)
		}
	}
}
