package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain lets this binary be the process that is measured, and a peer.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "-job":
			main()
			return
		case "peer":
			fmt.Printf("a warning\n{\"seconds\": %s, \"mean\": %s, \"peak_mib\": 77}\n", os.Args[2], os.Args[3])
			return
		}
	}
	os.Exit(m.Run())
}

// measureIn measures rows of small sets with peers, and returns the report.
func measureIn(t *testing.T, folder, rows string, peers []peer) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"peers": peers})
	if err != nil {
		t.Fatal(err)
	}
	list, out := filepath.Join(folder, "peers.json"), filepath.Join(folder, "out.md")
	if err := os.WriteFile(list, text, 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"-work", folder, "-out", out, "-peers", list, "-rows", rows, "-scale", "0.001", "-turns", "1", "-threads", "1"}
	if err := run(t.Context(), args); err != nil {
		t.Fatal(err)
	}
	report, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(report)
}

// TestReport measures something of each section, in two calls.
func TestReport(t *testing.T) {
	folder := t.TempDir()
	peers := []peer{
		{Name: "slow", Note: "takes its time", Commands: map[string][]string{"knn": {os.Args[0], "peer", "1000", "1"}}},
		{Name: "fast", Commands: map[string][]string{"lof": {os.Args[0], "peer", "1e-9", "1"}}, MaxDim: 3},
		{Name: "broken", Commands: map[string][]string{"count": {os.Args[0], "-no-such-flag"}}},
	}
	measureIn(t, folder, "methods * *x3", peers)
	measureIn(t, folder, "together *x3", nil)
	measureIn(t, folder, "growth lof*", nil)
	report := measureIn(t, folder, "pieces *", peers)
	for _, want := range []string{
		"A trial: every set has 0.001 times",
		"* **slow**: takes its time",
		"| 1000 × 3 | knn |",
		"| slow | 1000 | 77 |",
		", mean 1, not ",
		"**missed**",
		"| broken | exit status 2: ",
		"| 1000 × 3 | odin |",
		"| 1000 × 3 | all methods of nearest rows |",
		"| 1000 × 3 | lof, all k |",
		"| heaps | 1000 rows |",
		"| lof, ties all |",
		"| densities |",
		"| 1000 × 3 | 1000 | 1000 |",
	} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
}

// TestErrors has calls that cannot work.
func TestErrors(t *testing.T) {
	wrong := filepath.Join(t.TempDir(), "peers.json")
	if err := os.WriteFile(wrong, []byte(`{"peers": [{"name": "ours"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		args []string
		want string
	}{
		{"no turns", []string{"-turns", "0"}, "-turns 0"},
		{"an argument", []string{"knn"}, `argument "knn" is not used`},
		{"a scale of 0", []string{"-scale", "0"}, "-scale 0"},
		{"a broken pattern", []string{"-rows", "["}, `-rows "["`},
		{"a broken job", []string{"-job", "{"}, "-job: "},
		{"a peer named ours", []string{"-peers", wrong}, "peer 1 needs a name of its own"},
	} {
		if err := run(t.Context(), tc.args); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: error %v, want %q", tc.name, err, tc.want)
		}
	}
}

// TestSets has what the sets are for.
func TestSets(t *testing.T) {
	const rows, dim = 4000, 3
	places := map[[dim]float64]int{}
	data, err := makeRows("heaps", rows, dim)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(data); i += dim {
		places[[dim]float64(data[i:i+dim])]++
	}
	if len(places) < rows/2 || len(places) > rows/2+heaps {
		t.Errorf("heaps: %d places for %d rows", len(places), rows)
	}
	s, err := openSet(t.Context(), t.TempDir(), "densities", rows, dim)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := openSet(t.Context(), filepath.Dir(s.File), "densities", rows, dim); err != nil || *again != *s {
		t.Errorf("opened again: %+v, %v, want %+v", again, err, s)
	}
	if pts, err := readRows(s.File, dim, rows-10, 10); err != nil || pts.Rows() != 10 {
		t.Errorf("the last rows: %v", err)
	}
	if _, err := readRows(s.File, dim, rows-10, 11); err == nil {
		t.Error("more rows than there are: no error")
	}
}
