package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rtcluster/outlier"
)

// TestScoreMethods wants the methods of package outlier, all of them, with what they are.
func TestScoreMethods(t *testing.T) {
	var names []outlier.Method
	for _, m := range scoreMethods() {
		names = append(names, m.name)
		if m.help == "" || takesEps(m) && (m.lists || m.heaps != "") {
			t.Errorf("%s: has a line of help, and lists and heaps only if it takes k: got %+v", m.name, m)
		}
	}
	if !slices.Equal(names, outlier.Methods()) {
		t.Errorf("got the methods %q, want %q", names, outlier.Methods())
	}
}

// TestSeveralScores compares the columns of several methods and k with those of runs
// of their own, to the byte, and the table of the summary with what is known of it.
func TestSeveralScores(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in.parquet")
	a := newTestApp()
	a.mustRun(t, exitOK, "generate", "blobs", "-n", "400", "-d", "3", "-o", in)
	args := []string{"outliers", in, "-c", "x*", "--scale", "robust", "--keep", "none"}
	a.mustRun(t, exitOK, append(args, "--method", "lof,count,knn", "-k", "7,2,19", "-e", "0.5", "--aggregate", "median")...)
	all, summary := a.stdout.String(), a.stderr.String()
	header, _, _ := strings.Cut(all, "\n")
	if want := "score_lof_7,score_lof_2,score_lof_19,score_count,score_knn_7,score_knn_2,score_knn_19"; header != want {
		t.Fatalf("got the columns %s, want %s", header, want)
	}
	for _, name := range strings.Split(header, ",") {
		var alone []string
		switch parts := strings.Split(name, "_"); parts[1] {
		case "count":
			alone = []string{"--method", "count", "-e", "0.5"}
		case "knn":
			alone = []string{"--method", "knn", "-k", parts[2], "--aggregate", "median"}
		default:
			alone = []string{"--method", parts[1], "-k", parts[2]}
		}
		a.mustRun(t, exitOK, append(args, alone...)...)
		want, got := column(t, a.stdout.String(), "score"), column(t, all, name)
		if len(got) != 400 || !slices.Equal(got, want) {
			t.Errorf("%s is not what a run of its own gives", name)
		}
		if line := "            " + name + " "; !strings.Contains(summary, line) {
			t.Errorf("the summary has no line of %s:\n%s", name, summary)
		}
	}
}

// TestOutliersSummary is all that a run by a reference says, but for times.
func TestOutliersSummary(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{
		"clean.csv": "x\n0\n0\n0\n2\n3\n5\n", "night.csv": "name,x\na,0\nb,\nc,9\n",
	} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a := newTestApp()
	a.mustRun(t, exitOK, "outliers", "night.csv", "clean.csv", "--union-by-name", "--nan", "drop", "--reference", "clean.csv", "-c", "x",
		"--method", "lof,knn,count", "-k", "2", "-e", "2", "--top", "2", "--prefix", "p_", "--verify", "9", "-o", "out.csv")
	lines := slices.DeleteFunc(strings.SplitAfter(a.stderr.String(), "\n"), func(line string) bool { return strings.HasPrefix(line, "time ") })
	const want = `rtcluster: warning: p_score_lof_2: 5 of 8 rows have k or more equal rows, or lie beside such: their density or score is infinite (equal rows score 1, rows beside them +Inf)
reference   clean.csv, 6 rows
input       night.csv and 1 more input: 2 files, 9 rows
columns     x
parameters  method lof,knn,count, k 2, aggregate max, eps 2
dropped     1 row of night.csv and 1 more input: x has 1 missing
shared      6 rows are of the reference itself: each is left out of its own neighbours
pairs       20
scores      column         least  greatest  top rows (counted from 0)
            p_score_lof_2      1      +Inf  6 (+Inf), 2 (2), 7 (1.125)
            p_score_knn_2      0         6  2 (6), 8 (3), 6 (2)
            p_score_count     -4         0  2 (0), 8 (-1), 7 (-2)
flagged     p_is_outlier_lof_2: 2 of 8 rows: score 2 or higher (top 2)
            p_is_outlier_knn_2: 2 of 8 rows: score 3 or higher (top 2)
            p_is_outlier_count: 2 of 8 rows: score -1 or higher (top 2)
verified    8 rows by brute force
output      out.csv
`
	if got := strings.Join(lines, ""); got != want {
		t.Errorf("got the summary\n%s\nwant\n%s", got, want)
	}
}
