package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rtcluster/gpu"
)

// withLevels returns flags of dbscan with several eps in place of their one, which
// stands second, and the eps.
func withLevels(t *testing.T, args string) (list []string, levels []string) {
	t.Helper()
	list = strings.Fields(args)
	at := slices.Index(list, "-e") + 1
	number := strings.TrimRight(list[at], "abcdefghijklmnopqrstuvwxyz")
	unit := strings.TrimPrefix(list[at], number)
	eps, err := strconv.ParseFloat(number, 64)
	if err != nil {
		t.Fatal(err)
	}
	if levels = []string{exact(1.5*eps) + unit, list[at], exact(0.6*eps) + unit}; eps == 0 {
		levels[0], levels[2] = "0.15", "0.11"
	}
	list[at] = strings.Join(levels, ",")
	return list, levels
}

// TestLevels clusters with several eps, for each metric and scale, in half of them with
// clusters dropped and sorted: the columns and the counts are those of a run with that
// eps alone, from which predict gives all rows their own clusters again, whichever way
// the level is named.
func TestLevels(t *testing.T) {
	const rows = 240
	in := writeFile(t, "in.csv", latticeCSV(rows, 1))
	for i, tc := range metricCases {
		border := []string{"first", "nearest", "noise"}[i%3]
		t.Run(tc.name+"/"+border, func(t *testing.T) {
			dir, a := t.TempDir(), newTestApp()
			pq, text, report := filepath.Join(dir, "c.parquet"), filepath.Join(dir, "c.csv"), filepath.Join(dir, "run.json")
			list, levels := withLevels(t, tc.args)
			if i%2 == 1 {
				list = append(list, "--order", "size", "--min-cluster-size", "12")
			}
			run := func(args ...string) {
				t.Helper()
				a.mustRun(t, exitOK, append([]string{"dbscan", in, "--border", border, "--counts"}, args...)...)
			}
			run(append(slices.Clone(list), "-o", pq)...)
			run(append(slices.Clone(list), "-o", text, "--report", report, "--verify", fmt.Sprint(rows))...)
			all := readText(t, text)
			var told struct{ Counts levelsCounts }
			decodeJSON(t, report, &told)
			for i, eps := range levels {
				alone := slices.Clone(list)
				alone[slices.Index(alone, "-e")+1] = eps
				own := filepath.Join(dir, fmt.Sprint("own", i, ".json"))
				run(append(alone, "--report", own)...)
				for _, name := range []string{"cluster", "is_core", "n_neighbors"} {
					got, want := column(t, all, fmt.Sprint(name, "_", i+1)), column(t, a.stdout.String(), name)
					if !slices.Equal(got, want) {
						t.Errorf("eps %s: %s differs:\n%v\n%v", eps, name, got, want)
					}
				}
				var want struct{ Counts dbscanCounts }
				decodeJSON(t, own, &want)
				if got := told.Counts.Levels[i]; !reflect.DeepEqual(got.clusterCounts, want.Counts.clusterCounts) || got.Level != i+1 {
					t.Errorf("eps %s: counts differ:\n%+v\n%+v", eps, got, want.Counts)
				}
				labels := column(t, all, fmt.Sprint("cluster_", i+1))
				for _, args := range [][]string{
					{pq, "--level", fmt.Sprint(i + 1)}, {text, "--eps", eps, "--params", report},
				} {
					a.mustRun(t, exitOK, append([]string{"predict", args[0], in}, args[1:]...)...)
					if got := column(t, a.stdout.String(), "cluster"); !slices.Equal(got, labels) {
						t.Errorf("%v: labels differ:\n%v\n%v", args, got, labels)
					}
				}
			}
			if same := column(t, all, "cluster_1"); slices.Equal(same, column(t, all, "cluster_3")) {
				t.Error("the levels are all the same")
			}
		})
	}
}

func decodeJSON(t *testing.T, path string, to any) {
	t.Helper()
	if err := json.Unmarshal([]byte(readText(t, path)), to); err != nil {
		t.Fatal(err)
	}
}

// TestLevelsVerified plants an engine that misses a pair, which only the larger eps
// has: --verify says which eps it is.
func TestLevelsVerified(t *testing.T) {
	in := writeFile(t, "in.csv", "x\n0\n1\n5\n5\n")
	args := []string{"dbscan", in, "-e", "1,0.5", "-m", "2"}
	a := newTestApp(wrongEngine{newTestApp().engine("cpu", gpu.Options{}).join, 0, 1})
	a.mustRun(t, exitOK, args...)
	a.mustRun(t, exitInternal, append(args, "--verify", "4")...)
	if text := a.stderr.String(); !strings.Contains(text, "rtcluster: eps 1: dbscan: verification failed: row 0 ") {
		t.Errorf("got %q", text)
	}
}

func TestMerges(t *testing.T) {
	many := slices.Repeat([]int32{3}, 1200)
	tests := []struct {
		name     string
		parents  []int32
		clusters int
		want     merges
		text     string
	}{
		{"nothing", nil, 0, merges{}, ""},
		{"all new", nil, 2, merges{New: 2}, "2 new"},
		{"all apart", []int32{0, 2, 1}, 3, merges{Single: 3}, "3 stay apart"},
		{"all in one", []int32{0, 0, 0}, 1, merges{Merged: 3, Into: 1, Most: []holds{{0, 3}}}, "3 of 3 merge into 1"},
		{
			"of each",
			[]int32{4, 1, 1, 4, 4, 0, -1},
			6,
			merges{Merged: 5, Into: 2, Single: 1, New: 3, Lost: 1, Most: []holds{{4, 3}, {1, 2}}},
			"5 of 7 merge into 2 (3 into 4), 1 stays apart, 3 new, 1 falls apart",
		},
		{
			"equally many: the first cluster first",
			[]int32{1, 0, 0, 1},
			2,
			merges{Merged: 4, Into: 2, Most: []holds{{0, 2}, {1, 2}}},
			"4 of 4 merge into 2 (2 into 0)",
		},
		{"thousands", many, 4, merges{Merged: 1200, Into: 1, New: 3, Most: []holds{{3, 1200}}}, "1,200 of 1,200 merge into 1, 3 new"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if tc.want.Level = 7; tc.want.Most == nil {
				tc.want.Most = []holds{}
			}
			got := newMerges(7, tc.parents, tc.clusters)
			if !reflect.DeepEqual(*got, tc.want) {
				t.Errorf("got %+v, want %+v", *got, tc.want)
			}
			if got.String() != tc.text {
				t.Errorf("got %q, want %q", got, tc.text)
			}
		})
	}
	var each []int32
	for c := range int32(12) {
		each = append(each, c, c)
	}
	if got := newMerges(1, each, 12); len(got.Most) != 10 || got.Into != 12 {
		t.Errorf("got %+v", got)
	}
}
