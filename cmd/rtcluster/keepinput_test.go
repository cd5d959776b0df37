package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestKeepInput has outputs that would replace an input: one whose rows the output
// has may be replaced, any other is not, even by --force.
func TestKeepInput(t *testing.T) {
	const text = "x,y\n0,0\n0,1\n5,5\n"
	dir := t.TempDir()
	report, model := filepath.Join(dir, "run.json"), newTestApp()
	model.mustRun(t, exitOK, "dbscan", writeFile(t, "in.csv", text), "-e", "1", "-m", "2", "--report", report)
	clustered := model.stdout.String()
	for _, path := range []string{"--output", "--html", "--report"} {
		a, in := newTestApp(), writeFile(t, "in.csv", text)
		config, list := writeFile(t, "set.csv", "min-samples = 2\n"), writeFile(t, "list.csv", in+"\n")
		for _, spared := range []string{config, list} {
			was := readText(t, spared)
			a.mustRun(t, exitUsage, "dbscan", "@"+list, "-e", "1", "--config", config, path, spared, "--force")
			if readText(t, spared) != was || !strings.Contains(a.stderr.String(), "both name "+spared) {
				t.Errorf("%s %s: got %q", path, spared, a.stderr.String())
			}
		}
	}
	folder := t.TempDir()
	one, many := filepath.Join(folder, "in.csv"), newTestApp()
	if err := os.WriteFile(one, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	many.mustRun(t, exitUsage, "dbscan", one, "-e", "1", "-m", "2", "--keep", "none", "-o", folder+"/", "--force")
	if readText(t, one) != text || !strings.Contains(many.stderr.String(), "would be lost: x, y;") {
		t.Errorf("an output of its own for each input: got %q", many.stderr.String())
	}
	tests := []struct {
		name, content, other string
		args                 []string // IN is replaced, OTHER is not
		code                 int
	}{
		{"pairs over the table", text, text, []string{"join", "IN", "-e", "1"}, exitUsage},
		{"pairs over A", text, text, []string{"join", "IN", "OTHER", "-e", "1"}, exitUsage},
		{"pairs over B", text, text, []string{"join", "OTHER", "IN", "-e", "1"}, exitUsage},
		{"counts over B", text, text, []string{"join", "OTHER", "IN", "-e", "1", "--counts"}, exitUsage},
		{"counts over A", text, text, []string{"join", "IN", "OTHER", "-e", "1", "--counts"}, exitOK},
		{"new rows over the clustering", clustered, text, []string{"predict", "IN", "OTHER", "--params", report}, exitUsage},
		{"new rows over themselves", text, clustered, []string{"predict", "OTHER", "IN", "--params", report}, exitOK},
		{"scores over the reference", text, text, []string{"outliers", "OTHER", "--reference", "IN", "--method", "knn", "-k", "1"}, exitUsage},
		{"scores over the rows", text, text, []string{"outliers", "IN", "--reference", "OTHER", "--method", "knn", "-k", "1"}, exitOK},
		{"scores over both", text, text, []string{"outliers", "OTHER", "IN", "--reference", "IN", "--method", "knn", "-k", "1"}, exitOK},
		{"labels over the rows", text, text, []string{"dbscan", "IN", "-e", "1", "-m", "2"}, exitOK},
		{"all columns kept by name", text, text, []string{"dbscan", "IN", "-e", "1", "-m", "2", "--keep", "y,x"}, exitOK},
		{"labels alone", text, text, []string{"dbscan", "IN", "-e", "1", "-m", "2", "--keep", "none"}, exitUsage},
		{"some columns", text, text, []string{"outliers", "IN", "--method", "knn", "-k", "1", "--keep", "x"}, exitUsage},
		{"some columns of A", text, text, []string{"join", "IN", "OTHER", "-e", "1", "--counts", "--keep", "x"}, exitUsage},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			a, in, other := newTestApp(), writeFile(t, "in.csv", tc.content), writeFile(t, "other.csv", tc.other)
			args := append([]string{}, tc.args...)
			for i, arg := range args {
				switch arg {
				case "IN":
					args[i] = in
				case "OTHER":
					args[i] = other
				}
			}
			a.mustRun(t, tc.code, append(args, "-o", in, "--force")...)
			if kept := readText(t, in) == tc.content; kept != (tc.code != exitOK) {
				t.Errorf("the input is as it was: %v; exit code %d\n%s", kept, tc.code, a.stderr.String())
			}
			told := strings.Contains(a.stderr.String(), "\noutput      "+in+" (replaces the input)\n")
			if told != (tc.code == exitOK) {
				t.Errorf("the summary says that the input is replaced: %v; exit code %d\n%s", told, tc.code, a.stderr.String())
			}
		})
	}
}
