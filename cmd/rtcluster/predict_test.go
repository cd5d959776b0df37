package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rtcluster/join"
)

// column returns the values of a column of CSV.
func column(t *testing.T, text, name string) []string {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(records[0], name)
	if at < 0 {
		t.Fatalf("no column %q in %q", name, records[0])
	}
	list := make([]string, 0, len(records)-1)
	for _, record := range records[1:] {
		list = append(list, record[at])
	}
	return list
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// latticeCSV is a table of three columns: points of a lattice whose steps are no
// binary fractions, so that many are at eps but for rounding, with duplicates; and
// random ones.
func latticeCSV(rows int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 2))
	var b strings.Builder
	b.WriteString("name,x,y,z\n")
	for i := range rows {
		x, y, z := float64(r.IntN(12))*0.1+30, float64(r.IntN(9))*0.3-1, float64(1+r.IntN(4))/3
		if i%3 == 0 {
			x, y, z = 30+1.2*r.Float64(), 2.7*r.Float64()-1, 1.3*r.Float64()
		}
		fmt.Fprintf(&b, "r%d,%s,%s,%s\n", i, exact(x), exact(y), exact(z))
	}
	return b.String()
}

// metricCases are flags of dbscan for each metric and scale, with an eps under
// which latticeCSV has core, border and noise rows.
var metricCases = []struct {
	name string
	args string
}{
	{"plain", "-c x,y,z -e 0.3 -m 6"},
	{"a tie at eps", "-c x -e 0.1 -m 40"},
	{"duplicates", "-c x,y -e 0 -m 3"},
	{"standard", "-c x,y,z --scale standard -e 0.6 -m 7"},
	{"minmax", "-c z,x --scale minmax -e 0.1 -m 12"},
	{"robust", "-c x,y,z --scale robust -e 0.4 -m 7"},
	{"column weights", "-c x,y,z --column-weights 1,0.1,0.7 -e 0.2 -m 14"},
	{"scale and column weights", "-c x,y,z --scale standard --column-weights 0.3,0,1 -e 0.2 -m 14"},
	{"sky", "--ra x --dec y -e 9arcmin -m 9"},
	{"sky in radians", "--ra x --dec y -e 0.003rad -m 9"},
	{"cosine", "--metric cosine -c y,z -e 0.0002 -m 9"},
	{"mahalanobis", "--metric mahalanobis -c x,y,z -e 0.6 -m 7"},
	{"manhattan", "--metric manhattan -c x,y,z -e 0.4 -m 7"},
	{"chebyshev", "--metric chebyshev -c x,y,z -e 0.3 -m 14"},
	{"box", "-c z,x --box 1.34,0 -e 0.1 -m 9"},
	{"manhattan in a box", "--metric manhattan -c z,x --box 1.34,40 -e 0.15 -m 9"},
	{"weights", "-c x,y --weight z -e 0.1 -m 4"},
}

// TestPredictOwn predicts the rows that were clustered, for each metric, scale and
// border rule, from Parquet and from CSV with a run report: they get their labels
// again, and brute force agrees in all rows.
func TestPredictOwn(t *testing.T) {
	const rows = 240
	in := writeFile(t, "in.csv", latticeCSV(rows, 1))
	for _, tc := range metricCases {
		for _, border := range []string{"first", "nearest", "noise"} {
			t.Run(tc.name+"/"+border, func(t *testing.T) {
				dir, a := t.TempDir(), newTestApp()
				pq, text, report := filepath.Join(dir, "c.parquet"), filepath.Join(dir, "c.csv"), filepath.Join(dir, "run.json")
				args := append([]string{"dbscan", in, "--border", border, "--prefix", "p_"}, strings.Fields(tc.args)...)
				a.mustRun(t, exitOK, append(args, "-o", pq)...)
				a.mustRun(t, exitOK, append(args, "-o", text, "--report", report)...)
				want, core := column(t, readText(t, text), "p_cluster"), column(t, readText(t, text), "p_is_core")
				if n := countOf(core, "true"); n < 10 || n > rows-10 || countOf(want, "-1") < 10 {
					t.Fatalf("the case has %d core and %d noise rows of %d", n, countOf(want, "-1"), rows)
				}
				for _, clustered := range [][]string{{pq}, {text, "--params", report}} {
					for _, again := range []string{in, pq} {
						a.mustRun(t, exitOK, append([]string{"predict", clustered[0], again, "--verify", fmt.Sprint(rows)}, clustered[1:]...)...)
						if got := column(t, a.stdout.String(), "cluster"); !slices.Equal(got, want) {
							t.Errorf("%s by %s: labels differ:\n%v\n%v", again, clustered[0], got, want)
						}
						if !strings.Contains(a.stderr.String(), fmt.Sprintf("verified    %d rows", rows)) {
							t.Errorf("not all rows were verified: %s", a.stderr.String())
						}
					}
				}
			})
		}
	}
}

func countOf(list []string, word string) int {
	n := 0
	for _, s := range list {
		if s == word {
			n++
		}
	}
	return n
}

// TestPredictArranged predicts the rows of clusterings in which clusters were dropped
// and sorted: they get their labels again, and brute force agrees in all rows.
func TestPredictArranged(t *testing.T) {
	const rows = 240
	in := writeFile(t, "in.csv", latticeCSV(rows, 1))
	for _, border := range []string{"first", "nearest", "noise"} {
		for _, least := range []string{"1", "6", "12", "100"} {
			for _, order := range []string{"row", "size"} {
				t.Run(border+"/"+least+"/"+order, func(t *testing.T) {
					dir, a := t.TempDir(), newTestApp()
					pq, report := filepath.Join(dir, "c.parquet"), filepath.Join(dir, "run.json")
					args := []string{"dbscan", in, "-c", "x,y", "-e", "0.1", "-m", "4", "--border", border, "--order", order, "--min-cluster-size", least}
					a.mustRun(t, exitOK, append(args, "-o", pq)...)
					a.mustRun(t, exitOK, append(args, "--report", report, "--verify", "50")...)
					want, dropped := column(t, a.stdout.String(), "cluster"), 0
					text := writeFile(t, "c.csv", a.stdout.String())
					for i, core := range column(t, a.stdout.String(), "is_core") {
						if core == "true" && want[i] == "-1" {
							dropped++
						}
					}
					if (dropped > 0) != (least != "1") {
						t.Errorf("%d core rows are noise", dropped)
					}
					for _, clustered := range [][]string{{pq}, {text, "--params", report}} {
						a.mustRun(t, exitOK, append([]string{"predict", clustered[0], in, "--verify", fmt.Sprint(rows)}, clustered[1:]...)...)
						if got := column(t, a.stdout.String(), "cluster"); !slices.Equal(got, want) {
							t.Errorf("labels differ:\n%v\n%v", got, want)
						}
					}
				})
			}
		}
	}
}

// TestPredictNew predicts other rows of the lattice, and compares with the rule
// written out again over the numbers in the run report.
func TestPredictNew(t *testing.T) {
	in, later := writeFile(t, "in.csv", latticeCSV(240, 1)), writeFile(t, "later.csv", latticeCSV(300, 9))
	for _, border := range []string{"first", "nearest", "noise"} {
		t.Run(border, func(t *testing.T) {
			dir, a := t.TempDir(), newTestApp()
			report := filepath.Join(dir, "run.json")
			a.mustRun(t, exitOK, "dbscan", in, "-c", "x,y,z", "--scale", "standard", "-e", "0.6", "-m", "7", "--border", border, "--report", report)
			clustered := a.stdout.String()
			a.mustRun(t, exitOK, "predict", writeFile(t, "c.csv", clustered), later, "--params", report)
			got := column(t, a.stdout.String(), "cluster")
			var told struct {
				Parameters struct {
					Center []float64 `json:"scale_center"`
					Width  []float64 `json:"scale_width"`
					Eps    float64   `json:"eps"`
				} `json:"parameters"`
			}
			if err := json.Unmarshal([]byte(readText(t, report)), &told); err != nil {
				t.Fatal(err)
			}
			p := told.Parameters
			rows := func(text string) [][]float64 {
				list := make([][]float64, 0, 300)
				for k, name := range []string{"x", "y", "z"} {
					for i, s := range column(t, text, name) {
						v, err := strconv.ParseFloat(s, 64)
						if err != nil {
							t.Fatal(err)
						}
						if k == 0 {
							list = append(list, nil)
						}
						list[i] = append(list[i], (v-p.Center[k])/p.Width[k])
					}
				}
				return list
			}
			old, labels, core := rows(clustered), column(t, clustered, "cluster"), column(t, clustered, "is_core")
			found := 0
			for i, x := range rows(readText(t, later)) {
				want, least := "-1", math.Inf(1)
				for j, y := range old {
					d2 := join.SquaredDistance(x, y)
					switch {
					case core[j] != "true" || d2 > float64(p.Eps*p.Eps):
					case border == "first" && (want == "-1" || len(labels[j]) < len(want) || len(labels[j]) == len(want) && labels[j] < want):
						want = labels[j]
					case border == "nearest" && d2 < least, border == "noise" && d2 == 0:
						want, least = labels[j], d2
					}
				}
				if got[i] != want {
					t.Fatalf("row %d is %s, want %s", i, got[i], want)
				}
				if want != "-1" {
					found++
				}
			}
			if found < 3 || found > 297 {
				t.Errorf("%d of 300 rows are in clusters", found)
			}
		})
	}
}

// TestPredictPieces predicts the rows of two files, each a piece of several chunks,
// with some that are dropped, and finds all labels in their places.
func TestPredictPieces(t *testing.T) {
	dir, a := t.TempDir(), newTestApp()
	pq := filepath.Join(dir, "c.parquet")
	a.mustRun(t, exitOK, "dbscan", writeFile(t, "in.csv", "x\n0\n0\n1\n7\n7\n"), "-e", "0.5", "-m", "2", "-o", pq, "--nan", "drop")
	const rows = 150_000
	var text, want strings.Builder
	text.WriteString("id,x\n")
	want.WriteString("id,cluster\n")
	for i := range rows {
		x, label := []string{"0.5", "7.25", "1", "", "-0.25"}[i%5], []string{"0", "1", "-1", "", "0"}[i%5]
		fmt.Fprintf(&text, "%d,%s\n", i, x)
		fmt.Fprintf(&want, "%d,%s\n", i, label)
	}
	in, more := writeFile(t, "new.csv", text.String()), writeFile(t, "more.csv", text.String())
	_, again, _ := strings.Cut(want.String(), "\n")
	a.mustRun(t, exitOK, "predict", pq, in, more, "--keep", "id", "--verify", "500")
	if a.stdout.String() != want.String()+again {
		t.Error("labels differ")
	}
	for _, line := range []string{
		"dropped     60,000 rows of " + in + " and 1 more input: x has 60,000 missing\n", "rows        180,000 clustered, 60,000 noise\n",
	} {
		if !strings.Contains(a.stderr.String(), line) {
			t.Errorf("no line %q in %s", line, a.stderr.String())
		}
	}
	a.mustRun(t, exitData, "predict", pq, in, "--nan", "error")
	if !strings.Contains(a.stderr.String(), in+": column x has 30,000 missing of 150,000 values, first in row 3 (counted from 0), line 5; --nan drop") {
		t.Errorf("got %s", a.stderr.String())
	}
}

// TestPredictHelp compares what help says of predict alone with a golden file.
func TestPredictHelp(t *testing.T) {
	a := newTestApp()
	a.mustRun(t, exitOK, "predict", "--help")
	got, _, cut := strings.Cut(a.stdout.String(), "\nInput:\n")
	if want := readText(t, "testdata/predict.help"); !cut || got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPredictFlags(t *testing.T) {
	plain := predictOptions{Clustered: "c.csv", New: []string{"a.csv", "b.csv"}, Input: plainInput(), Output: plainOutput(), Run: plainRun()}
	plain.Input.NaN, plain.Input.Scale = "", ""
	all := plain
	byEps := plain
	byEps.Choice.Eps = "2arcsec"
	all.Choice.Level = 3
	all.Params, all.Input.NaN, all.Output.Prefix = "run.json", "drop", "p_"
	for _, test := range []struct {
		name string
		args []string
		want predictOptions
	}{
		{"least", []string{"c.csv", "a.csv", "b.csv"}, plain},
		{"all", []string{"c.csv", "--params", "run.json", "a.csv", "b.csv", "--nan=drop", "--prefix", "p_", "--level=3"}, all},
		{"by eps", []string{"c.csv", "-e", "2arcsec", "a.csv", "b.csv"}, byEps},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got *predictOptions
			parse(t, newPredictCmd(newTestApp().app, func(_ context.Context, _ *app, o *predictOptions) error {
				got = o
				return nil
			}), test.args)
			if !reflect.DeepEqual(*got, test.want) {
				t.Errorf("got  %+v\nwant %+v", *got, test.want)
			}
		})
	}
}
