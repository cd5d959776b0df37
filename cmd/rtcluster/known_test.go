package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const catalogs = "../../../shared/data/catalog/"

func needCatalog(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(catalogs, name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the catalog %s is not beside this checkout", name)
	}
	return path
}

// sizes returns the number of rows of each label in a column of a CSV table,
// noise first.
func sizes(t *testing.T, text, column string) map[string]int {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(records[0], column)
	sizes := map[string]int{}
	for _, record := range records[1:] {
		sizes[record[at]]++
	}
	return sizes
}

// TestHyades finds the Hyades (117 stars), Coma Berenices (18) and a chance
// clump (14) among the Hipparcos stars within 100 pc.
func TestHyades(t *testing.T) {
	path := needCatalog(t, "hipparcos_100pc.csv")
	args := []string{"dbscan", path, "-c", "x_pc,y_pc,z_pc", "-e", "2.5", "-m", "10", "--verify", "50"}
	want := []int{117, 18, 14}

	a := newTestApp()
	a.mustRun(t, exitOK, args...)
	got := sizes(t, a.stdout.String(), "cluster")
	if noise := got["-1"]; noise != 22055 {
		t.Errorf("got %d noise rows, want 22055", noise)
	}
	delete(got, "-1")
	var found []int
	for _, n := range got {
		found = append(found, n)
	}
	slices.SortFunc(found, func(a, b int) int { return b - a })
	if !reflect.DeepEqual(found, want) {
		t.Errorf("got clusters of %v, want %v", found, want)
	}
	if !strings.Contains(a.stderr.String(), "clusters    3; cluster (rows): 0 (117), 1 (18), 2 (14)\n") {
		t.Errorf("the summary does not say so: %s", a.stderr.String())
	}
}

// TestHole blanks x_pc in a row that is in no cluster's reach: an error that
// names it, or with --nan drop a null label there and the rest as before.
func TestHole(t *testing.T) {
	path := needCatalog(t, "hipparcos_100pc.csv")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(content), "\n")
	const row = 5000
	fields := strings.Split(lines[row+1], ",") // the header is line 0 here
	fields[9] = ""
	lines[row+1] = strings.Join(fields, ",")
	holed := writeFile(t, "holed.csv", strings.Join(lines, "\n"))

	args := []string{"-c", "x_pc,y_pc,z_pc", "-e", "2.5", "-m", "10", "--keep", "none"}
	a := newTestApp()
	a.mustRun(t, exitOK, append([]string{"dbscan", path}, args...)...)
	before := strings.Split(a.stdout.String(), "\n")
	a.mustRun(t, exitData, append([]string{"dbscan", holed}, args...)...)
	want := "rtcluster: " + holed + ": column x_pc has 1 missing of 22,204 values, first in row 5000 (counted from 0), line 5002; --nan drop leaves such rows out\n"
	if got := a.stderr.String(); got != want {
		t.Errorf("got the message %q, want %q", got, want)
	}
	a.mustRun(t, exitOK, append([]string{"dbscan", holed, "--nan", "drop"}, args...)...)
	after := strings.Split(a.stdout.String(), "\n")
	if before[row+1] != "-1,false" || after[row+1] != "," {
		t.Errorf("row %d was %q and is %q, want \"-1,false\" and null", row, before[row+1], after[row+1])
	}
	after[row+1] = before[row+1]
	if !reflect.DeepEqual(before, after) {
		t.Error("other rows changed")
	}
}

// TestPleiades finds the Pleiades as the largest group of bright stars on the
// sky, with all nine stars that have names.
func TestPleiades(t *testing.T) {
	path := needCatalog(t, "hipparcos_bright_sky.csv")
	a := newTestApp()
	a.mustRun(t, exitOK, "dbscan", path, "--ra", "ra_deg", "--dec", "dec_deg", "-e", "0.75deg", "-m", "8", "--keep", "hip", "--verify", "50")
	got := sizes(t, a.stdout.String(), "cluster")
	if noise := got["-1"]; noise != 15328 || len(got) != 19 {
		t.Errorf("got %d clusters and %d noise rows, want 18 and 15328", len(got)-1, noise)
	}
	delete(got, "-1")
	largest := ""
	for label, n := range got {
		if n > got[largest] {
			largest = label
		}
	}
	if got[largest] != 24 {
		t.Errorf("the largest cluster has %d stars, want 24", got[largest])
	}
	for _, hip := range []string{"17489", "17499", "17531", "17573", "17579", "17608", "17702", "17847", "17851"} {
		if !strings.Contains(a.stdout.String(), "\n"+hip+","+largest+",") {
			t.Errorf("HIP %s is not in the largest cluster", hip)
		}
	}
}
