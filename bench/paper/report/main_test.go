package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rtcluster/bench/paper"
)

const header = `# experiment: compare (Tables IV, V: x)
# host: A processor, 2 cores, 24 GiB
# card: none
# program: commit 0123456789, go1.26
# sets: wec; synthetic, 0.1 of the rows
# eps: for a selectivity of 64
# runs: median of 1
# a note
`

// write writes a result of compare in a folder.
func write(t *testing.T, folder, name, csv string) {
	t.Helper()
	for file, text := range map[string]string{name + ".csv": csv, name + ".txt": "the table of " + name + "\n", name + ".svg": "<svg/>"} {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReport wants each experiment to have a section, with what is measured, and without
// what is not; and numbers that are computed from the results.
func TestReport(t *testing.T) {
	folder := t.TempDir()
	rows := "set,program,seconds,of ours\nwec,cpu,1,1\nwec,cuda,not measured,\nwec,brute force,4,4\nmsd,cpu,1,1\nmsd,brute force,>9,>9\n"
	write(t, folder, "compare", header+rows)
	write(t, folder, "compare-card", strings.Replace(header, "card: none", "card: 0: a card", 1)+rows)
	got, err := report(folder, "paper/results")
	if err != nil {
		t.Fatal(err)
	}
	text := string(got)
	for _, e := range paper.Experiments() {
		if !strings.Contains(text, "\n## "+e.Name) {
			t.Errorf("experiment %s has no section", e.Name)
		}
		if c, ok := claims()[e.Name]; !ok || c.ours == "" || c.paper == "" && e.Paper != "" {
			t.Errorf("nothing is said of experiment %s", e.Name)
		}
	}
	for _, want := range []string{
		"| brute force | 6 (with bounds) | 4 | 9 |", "| cpu | 1 | 1 | 1 |", "A processor, 2 cores, 24 GiB; commit 0123456789",
		"(paper/results/compare.svg)", "card 0: a card", "the table of compare\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report has not %q", want)
		}
	}
	if n := strings.Count(text, "Not measured yet."); n != len(paper.Experiments())-1 {
		t.Errorf("%d experiments are not measured, want all but one", n)
	}
	if strings.Contains(text, "cuda | ") {
		t.Error("a time that was not measured is in a mean")
	}
}

// TestReportRefuses wants results that are none to be told.
func TestReportRefuses(t *testing.T) {
	for name, csv := range map[string]string{
		"no rows":   header + "set,program,of ours\n",
		"no host":   "set,program,of ours\nwec,cpu,1\n",
		"no column": header + "set,program\nwec,cpu\n",
		"no number": header + "set,program,of ours\nwec,cpu,fast\n",
	} {
		folder := t.TempDir()
		write(t, folder, "compare", csv)
		if _, err := report(folder, ""); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
