package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sample has two rows: one that meets its floors, beside a peer that fails, and
// one that misses them, beside a peer that counts otherwise.
func sample() *results {
	by := func(seconds, peak, clusters float64) *measured {
		return &measured{First: []float64{2 * seconds}, Warm: []float64{seconds, 3 * seconds, seconds}, PeakMiB: peak, Last: &outcome{Clusters: &clusters}}
	}
	return &results{
		Scale: 1, Turns: 5, Runs: 3,
		Peers: []peer{{Name: "ArborX", Exact: true}, {Name: "Quick"}, {Name: sklearn, Exact: true}},
		Rows: []*result{
			{Row: "dbscan-A2-16", Job: job{Work: dbscanWork, Rows: 1e6, Dim: 2, Eps: 0.05, MinSamples: 5, Threads: 2}, By: map[string]*measured{
				oursName: by(0.1, 60, 7), "ArborX": by(0.5, 80, 7), "Quick": {Failed: "exit status 3"}, sklearn: by(5, 900, 7),
			}},
			{Row: "dbscan-C8-16", Job: job{Work: dbscanWork, Rows: 5e5, Dim: 8, Eps: 0.3, MinSamples: 16, Threads: 2}, By: map[string]*measured{
				oursName: by(0.1, 999, 7), oneThreadName: by(0.15, 999, 7), "Quick": by(0.01, 1, 8), "ArborX": by(1.4, 90, 7),
			}},
			{Row: "count-G18-16", Job: job{Work: countWork, Rows: 1e5, Dim: 18, Eps: 1, Threads: 2}, By: map[string]*measured{
				oursName: by(1.2, 50, 0),
			}},
		},
	}
}

func TestReport(t *testing.T) {
	text := sample().report()
	for _, line := range []string{
		"| A2-16 | 0.05, 5 | 0.1 | 0.1 | 0.2 | 0.5 | failed | 5.00 |",
		"| A2-16 | 5.00 (ArborX) | 50.0 | – | exact 4×: met; scikit-learn 25×: met |",
		"* A2-16, Quick: exit status 3",
		"| C8-16 | 0.3, 16 | 0.1 | 0.1 | 0.2 | 1.40 | 0.01 ≠ | – |",
		"| C8-16 | 14.0 (ArborX) | – | – | exact 15×: **missed**; scikit-learn 60×: not measured |",
		"* C8-16, Quick ≠: clusters 8, ours 7",
		"| G18-16 | 4.17e+09 | 4.98e+09 | 1.20 | met |",
		"| dbscan-C8-16 | 0.15 | 0.1 | 1.50 | **missed** |",
		"| dbscan-A2-16 | 15 | 60 | 163 | met | 80 | – | 900 |",
		"| dbscan-C8-16 | 31 | 999 | 171 | **missed** | 90 | 1 | – |",
		"* **Quick**: not exact.",
	} {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("the report lacks the line %q", line)
		}
	}
	if strings.Contains(text, "A trial") || strings.Contains(text, "## A large ε") {
		t.Error("the report says what it should not")
	}
	if t.Failed() {
		t.Log(text)
	}
}

func TestReportLargeEps(t *testing.T) {
	all := sample()
	for i, name := range []string{"dbscan-E2-16", "dbscan-E2-5000"} {
		seconds := 0.2 - 0.05*float64(i)
		all.put(&result{Row: name, Job: job{Work: dbscanWork}, By: map[string]*measured{
			oursName: {Warm: []float64{seconds}, First: []float64{seconds}, PeakMiB: 100 + 10*float64(i), Last: &outcome{}},
		}})
	}
	text := all.report()
	for _, line := range []string{"| seconds | 0.2 | 0.15 | met |", "| peak, MiB | 100 | 110 | **missed** |"} {
		if !strings.Contains(text, line) {
			t.Errorf("the report lacks %q", line)
		}
	}
}

func TestBound(t *testing.T) {
	if got := boundMiB(1<<20, 4); got != 2.5*32+64+64 {
		t.Errorf("bound %v MiB", got)
	}
}

func TestDraw(t *testing.T) {
	all := &results{Curves: []*curve{
		{Plot: rowsPlot, Name: "some work", Points: []point{{1e4, 0}, {1e6, 0.5}}},
		{Plot: epsPlot, Name: "other work", Points: []point{{0.5, 1}, {8, 2}}},
	}}
	for i, want := range [][]string{{"some work", ">10000</text>"}, {"other work", ">0.5</text>"}} {
		path := filepath.Join(t.TempDir(), "a.svg")
		if err := all.draw(plotSpecs()[i], path); err != nil {
			t.Fatal(err)
		}
		svg, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(svg), w) {
				t.Errorf("drawing %d lacks %q", i, w)
			}
		}
		if strings.Contains(string(svg), "some work") != (i == 0) {
			t.Errorf("drawing %d has the other's curve", i)
		}
	}
	text := &strings.Builder{}
	all.curves(text)
	if !strings.Contains(text.String(), "| seconds | 1e+04 | 1e+06 |") || !strings.Contains(text.String(), "(cpu-n.svg)") {
		t.Errorf("the text is\n%s", text)
	}
}
