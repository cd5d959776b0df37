package main

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestTutorialOnHipparcos runs the commands of the tutorial on real stars, where the
// catalogs are beside this checkout, and looks for what the tutorial says they find.
func TestTutorialOnHipparcos(t *testing.T) {
	if raceEnabled {
		t.Skip("TestDocs runs without the race detector, too")
	}
	tests := []struct {
		name, table, command string // command: how it begins on the page
		summary              string
		check                func(*testing.T, *docsShell)
	}{
		{
			"space", "hipparcos_100pc.csv", "rtcluster dbscan stars.parquet -c x_pc,y_pc,z_pc --eps 2.5 --min-samples 10 -o",
			"clusters    3; cluster (rows): 0 (117), 1 (18), 2 (14)\nrows        89 core, 60 border, 22,055 noise\n", checkHyades,
		},
		{
			"sky", "hipparcos_bright_sky.csv", "rtcluster dbscan stars.parquet --ra ra --dec dec",
			"clusters    18; the largest (rows): 0 (24), ", checkPleiades,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text, err := os.ReadFile(needCatalog(t, test.table))
			if err != nil {
				t.Fatal(err)
			}
			shell := newDocsShell(t)
			table := strings.NewReplacer("ra_deg", "ra", "dec_deg", "dec").Replace(string(text))
			if err := os.WriteFile(filepath.Join(shell.dir, "stars.csv"), []byte(table), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, page := range docsPages(t) {
				if page.name != "docs/tutorial-clusters.md" {
					continue
				}
				at := slices.IndexFunc(page.blocks, func(b docsBlock) bool { return strings.HasPrefix(b.text, test.command) })
				if at < 0 {
					t.Fatalf("the tutorial has no command %q", test.command)
				}
				block := docsBlock{text: strings.ReplaceAll(page.blocks[at].text, "stars.parquet", "stars.csv")}
				shell.check(t, page.name, &block)
			}
			if !strings.Contains(shell.output.String(), test.summary) {
				t.Errorf("got the summary\n%s\nwant\n%s", shell.output.String(), test.summary)
			}
			test.check(t, shell)
		})
	}
}

// checkHyades wants the Hyades 46.4 pc and Coma Berenices 86.0 pc away, and a chance
// clump that is near the Sun; and 33 of 50 members of a list among the first.
func checkHyades(t *testing.T, s *docsShell) {
	clusters := s.read(t, "clusters.csv")
	for i, want := range []float64{46.4, 86.0, 5.2} {
		var square float64
		for _, name := range []string{"x_pc_mean", "y_pc_mean", "z_pc_mean"} {
			square += clusters.number(t, i, name) * clusters.number(t, i, name)
		}
		if got := math.Sqrt(square); math.Abs(got-want) > 0.05 {
			t.Errorf("cluster %d is %v pc away, want %v", i, got, want)
		}
	}
	s.check(t, "members", &docsBlock{text: "rtcluster dbscan stars.csv -c x_pc,y_pc,z_pc -e 2.5 -m 10 --keep hip -q -o members.csv"})
	members := s.read(t, "members.csv")
	text, err := os.ReadFile(needCatalog(t, "hyades_hip_ids.csv"))
	if err != nil {
		t.Fatal(err)
	}
	listed := newRecords(t, string(text))
	found := 0
	for i := range listed.rows {
		at := slices.IndexFunc(members.rows, func(row []string) bool { return row[0] == listed.text(i, "id_hip") })
		if at >= 0 && members.text(at, "cluster") == "0" {
			found++
		}
	}
	if found != 33 || len(listed.rows) != 50 {
		t.Errorf("%d of %d listed members are found, want 33 of 50", found, len(listed.rows))
	}
}

// checkPleiades wants them to be the largest group, and the centres of others that the
// tutorial names.
func checkPleiades(t *testing.T, s *docsShell) {
	groups := s.read(t, "groups.csv")
	for _, want := range []struct {
		name    string
		ra, dec float64
	}{{"Pleiades", 56.9, 24.1}, {"sword of Orion", 83.8, -5.4}, {"Praesepe", 130.1, 19.7}, {"IC 2602", 160.9, -64.4}, {"Hyades", 67.5, 15.9}} {
		at := -1
		for i := range groups.rows {
			if math.Abs(groups.number(t, i, "ra_center")-want.ra) < 0.25 && math.Abs(groups.number(t, i, "dec_center")-want.dec) < 0.25 {
				at = i
			}
		}
		if at < 0 || want.name == "Pleiades" && at != 0 {
			t.Errorf("%s is group %d of the largest first, want it to be there, and the Pleiades first", want.name, at)
		}
	}
}

// records are those of a CSV table with a header.
type records struct {
	header []string
	rows   [][]string
}

func newRecords(t *testing.T, text string) records {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return records{rows[0], rows[1:]}
}

func (s *docsShell) read(t *testing.T, name string) records {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return newRecords(t, string(text))
}

func (r *records) text(row int, column string) string {
	return r.rows[row][slices.Index(r.header, column)]
}

func (r *records) number(t *testing.T, row int, column string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(r.text(row, column), 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
