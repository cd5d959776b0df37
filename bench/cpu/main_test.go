package main

import (
	"context"
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestMain lets the test binary stand in for the command where that starts
// itself to do a job.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "-job" {
		main()
		return
	}
	os.Exit(m.Run())
}

func silent() *log.Logger { return log.New(io.Discard, "", 0) }

func TestOptions(t *testing.T) {
	for _, tc := range []struct {
		name, args, fault string
	}{
		{"none", "", ""},
		{"all", "-rows dbscan-*,knn-A3 -scale 0.1 -turns 1 -runs 1 -threads 2 -plots -add", ""},
		{"turns", "-turns 0", "-turns 0"},
		{"scale", "-scale NaN", "-scale NaN"},
		{"pattern", "-rows a,[", "syntax error"},
		{"another pattern", "-only [", "-only"},
		{"argument", "A2", `argument "A2"`},
		{"unknown", "-nope", "not defined"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := parseOptions(strings.Fields(tc.args), io.Discard)
			if tc.fault == "" && err != nil || tc.fault != "" && (err == nil || !strings.Contains(err.Error(), tc.fault)) {
				t.Errorf("error %v, want one with %q", err, tc.fault)
			}
		})
	}
}

func TestRowsHaveRecipes(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range allRows() {
		if seen[r.name()] {
			t.Errorf("%s stands twice", r.name())
		}
		seen[r.name()] = true
		rec, err := findRecipe(r.Set)
		if err != nil {
			t.Errorf("%s: %v", r.name(), err)
		}
		if r.Neighbors > 0 && !slices.Contains(rec.Neighbors, r.Neighbors) {
			t.Errorf("%s: its set has no ε for %d neighbours", r.name(), r.Neighbors)
		}
	}
	for _, name := range []string{"dbscan-E2-5000", "count-G128-16", "knn-D90", "lof-A2"} {
		if !seen[name] {
			t.Errorf("there is no row %s", name)
		}
	}
}

// The whole way, with this test binary as a peer that does the same, one that
// fails and one that cannot do the row.
func TestMeasureAll(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	peers := `{"peers": [
		{"name": "twin", "exact": true, "commands": {"dbscan": ["` + self + `", "-job",
			"{\"Work\": \"dbscan\", \"File\": \"{file}\", \"Rows\": {n}, \"Dim\": {d}, \"Eps\": {eps}, \"MinSamples\": {minpts}, \"Threads\": {threads}, \"Runs\": {runs}}"]}},
		{"name": "broken", "commands": {"dbscan": ["` + self + `", "-job", "{}"]}},
		{"name": "flat", "max_dim": 2, "commands": {"dbscan": ["/does/not/exist"]}}]}`
	file := filepath.Join(dir, "peers.json")
	if err := os.WriteFile(file, []byte(peers), 0o644); err != nil {
		t.Fatal(err)
	}
	opt := &options{
		Work: filepath.Join(dir, "work"), Out: filepath.Join(dir, "cpu.md"), Peers: file,
		Rows: "dbscan-B3-16", Scale: 0.01, Turns: 2, Runs: 2, Threads: 2, Budget: 1e-9, Only: "*",
	}
	if err := measureAll(t.Context(), opt, silent()); err != nil {
		t.Fatal(err)
	}
	// A second call keeps the first one's row.
	opt.Rows, opt.Add = "knn-A3,dbscan-E2-5000", true
	if err := measureAll(t.Context(), opt, silent()); err != nil {
		t.Fatal(err)
	}
	all, err := openResults(opt)
	if err != nil {
		t.Fatal(err)
	}
	r := all.find("dbscan-B3-16")
	if r == nil || all.find("knn-A3") == nil {
		t.Fatalf("%d rows: one is missing", len(all.Rows))
	}
	ours, twin := r.By[oursName], r.By["twin"]
	if len(ours.Warm) != 2 || len(ours.First) != 2 || ours.Last.Clusters == nil {
		t.Errorf("ours has %d warm and %d first runs, want 2 and 2", len(ours.Warm), len(ours.First))
	}
	if len(twin.Warm) != 1 || differences(ours.Last, twin.Last) != "" {
		t.Errorf("the twin has %d warm runs, want the 1 of its budget; it differs in %q", len(twin.Warm), differences(ours.Last, twin.Last))
	}
	if runtime.GOOS == "linux" && (ours.PeakMiB <= 0 || twin.PeakMiB <= 0) {
		t.Error("no memory was measured")
	}
	if r.By["broken"].Failed == "" || r.By["flat"] != nil {
		t.Errorf("broken: %+v, flat: %+v", r.By["broken"], r.By["flat"])
	}
	report, err := os.ReadFile(opt.Out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| B3-16 |", "(twin)", "B3-16, broken: exit status 1", "## kNN", "| dbscan-B3-16 | 0 |"} {
		if !strings.Contains(string(report), want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
	remeasured(t, opt, twin)
	opt.Scale = 0.02
	if err := measureAll(t.Context(), opt, silent()); err == nil || !strings.Contains(err.Error(), "-scale 0.01") {
		t.Errorf("error %v, want one that says that the scales differ", err)
	}
}

// remeasured measures ours alone again: the peer keeps its time, and the report says so.
func remeasured(t *testing.T, opt *options, twin *measured) {
	t.Helper()
	opt.Rows, opt.Only, opt.Turns, opt.Runs = "dbscan-B3-16", "ours*", 1, opt.Runs+1
	all, err := openResults(opt)
	if err != nil {
		t.Fatal(err)
	}
	all.Host.Commit = "another"
	r, err := measureRow(t.Context(), opt, allRows()[slices.IndexFunc(allRows(), func(r row) bool { return r.name() == opt.Rows })], nil, all, silent())
	if err != nil {
		t.Fatal(err)
	}
	if got := r.By[oursName]; len(got.First) != 1 || got.Commit != "another" || !slices.Equal(r.By["twin"].Warm, twin.Warm) {
		t.Errorf("ours has %d first runs at commit %q, want 1 at another; the twin has %v, want %v", len(got.First), got.Commit, r.By["twin"].Warm, twin.Warm)
	}
	all.put(r)
	if report := all.report(); !strings.Contains(report, "| B3-16° |") || !strings.Contains(report, "In rows with °") {
		t.Errorf("the report does not say that the peers were measured before:\n%s", report)
	}
}

func TestMeasureAllStops(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	opt := &options{Work: t.TempDir(), Rows: "dbscan-B3-16", Scale: 0.01, Turns: 1, Runs: 1, Threads: 1, Only: "*"}
	if err := measureAll(ctx, opt, silent()); err == nil {
		t.Error("no error though the context is done")
	}
}
