package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

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
