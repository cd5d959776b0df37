package main

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
	"rtcluster/join/jointest"
)

// numbers are the values of a column of CSV.
func numbers(t *testing.T, text, name string) []float64 {
	t.Helper()
	words := column(t, text, name)
	list := make([]float64, len(words))
	for i, word := range words {
		var err error
		if list[i], err = strconv.ParseFloat(word, 64); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// wantColumn compares a column of the table of clusters with what a formula gives
// for the rows of each cluster.
func wantColumn(t *testing.T, told, name string, tolerance float64, members [][]int, formula func(rows []int) float64) {
	t.Helper()
	for c, got := range numbers(t, told, name) {
		if want := formula(members[c]); math.Abs(got-want) > tolerance {
			t.Errorf("%s of cluster %d is %v, want %v", name, c, got, want)
		}
	}
}

// at takes the values of some rows.
func at(x []float64, rows []int) []float64 {
	values := make([]float64, len(rows))
	for i, row := range rows {
		values[i] = x[row]
	}
	return values
}

func mean(x []float64) float64 {
	sum := 0.
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// deviation is the root of the mean square of the distances from the mean.
func deviation(x []float64) float64 {
	squares, center := make([]float64, len(x)), mean(x)
	for i, v := range x {
		squares[i] = (v - center) * (v - center)
	}
	return math.Sqrt(mean(squares))
}

// TestClustersByFormula computes the table of clusters again from the labels, for each
// metric and scale: it is in the unit of the columns whatever was done to them.
func TestClustersByFormula(t *testing.T) {
	in := writeFile(t, "in.csv", latticeCSV(240, 1))
	for _, tc := range metricCases {
		if strings.Contains(tc.args, "--box") {
			continue // by hand in testdata/script/clusters.txtar
		}
		t.Run(tc.name, func(t *testing.T) {
			a, path := newTestApp(), filepath.Join(t.TempDir(), "clusters.csv")
			a.mustRun(t, exitOK, append([]string{"dbscan", in, "--clusters", path, "--border", "nearest"}, strings.Fields(tc.args)...)...)
			labelled, told := a.stdout.String(), readText(t, path)
			members := make([][]int, len(column(t, told, "cluster")))
			for row, label := range numbers(t, labelled, "cluster") {
				if label >= 0 {
					members[int(label)] = append(members[int(label)], row)
				}
			}
			core := make([]float64, 240)
			for row, word := range column(t, labelled, "is_core") {
				if word == "true" {
					core[row] = 1
				}
			}
			x, y, z := numbers(t, labelled, "x"), numbers(t, labelled, "y"), numbers(t, labelled, "z")
			size := func(rows []int) float64 { return float64(len(rows)) }
			cores := func(rows []int) float64 { return math.Round(mean(at(core, rows)) * size(rows)) }
			wantColumn(t, told, "size", 0, members, size)
			wantColumn(t, told, "core", 0, members, cores)
			wantColumn(t, told, "border", 0, members, func(rows []int) float64 { return size(rows) - cores(rows) })
			if strings.Contains(tc.args, "--weight ") {
				wantColumn(t, told, "weight", 1e-9, members, func(rows []int) float64 { return mean(at(z, rows)) * size(rows) })
			}
			if strings.Contains(tc.args, "--ra") {
				ra, dec := numbers(t, told, "x_center"), numbers(t, told, "y_center")
				wantColumn(t, told, "radius_deg", 1e-12, members, func(rows []int) float64 {
					c, radius := slices.IndexFunc(members, func(m []int) bool { return &m[0] == &rows[0] }), 0.
					for _, row := range rows {
						radius = max(radius, join.GreatCircle(ra[c], dec[c], x[row], y[row]))
					}
					return radius
				})
				return
			}
			for name, values := range map[string][]float64{"x": x, "y": y, "z": z} {
				if strings.Contains(told, ","+name+"_mean") {
					of := func(formula func([]float64) float64) func([]int) float64 {
						return func(rows []int) float64 { return formula(at(values, rows)) }
					}
					wantColumn(t, told, name+"_mean", 1e-12, members, of(mean))
					wantColumn(t, told, name+"_std", 1e-7, members, of(deviation))
					wantColumn(t, told, name+"_min", 0, members, of(slices.Min))
					wantColumn(t, told, name+"_max", 0, members, of(slices.Max))
				}
			}
		})
	}
}

// TestClustersAreTheSame wants the same table of clusters for any engine and number
// of threads.
func TestClustersAreTheSame(t *testing.T) {
	in := writeFile(t, "in.csv", latticeCSV(240, 1))
	for _, tc := range metricCases {
		t.Run(tc.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "clusters.csv")
			run := func(e join.Engine) string {
				args := append([]string{"dbscan", in, "--clusters", path, "--force", "--min-cluster-size", "3", "--order", "size"}, strings.Fields(tc.args)...)
				newTestApp(e).mustRun(t, exitOK, args...)
				return readText(t, path)
			}
			want := run(cpu.New(cpu.Options{Threads: 1}))
			for _, e := range []join.Engine{cpu.New(cpu.Options{Threads: 4}), renamed{jointest.Brute()}} {
				if got := run(e); got != want {
					t.Errorf("engine %T writes another table", e)
				}
			}
		})
	}
}

// failing is an output that takes nothing.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("it is full") }

// TestClustersFail has runs that fail when the labels or the table of clusters are
// written: neither file is left, nor a part of one.
func TestClustersFail(t *testing.T) {
	in, dir := writeFile(t, "in.csv", "x\n0\n0\n1\n"), t.TempDir()
	path := filepath.Join(dir, "clusters.csv")
	a := newTestApp()
	a.out = failing{}
	a.mustRun(t, exitInternal, "dbscan", in, "-e", "0", "-m", "2", "--clusters", path)
	if !strings.Contains(a.stderr.String(), "cannot write to standard output: ") {
		t.Errorf("got %s", a.stderr.String())
	}
	a = newTestApp()
	a.mustRun(t, exitData, "dbscan", in, "-e", "0", "-m", "2", "--weight", "y", "--clusters", path, "-o", filepath.Join(dir, "out.csv"))
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// TestClustersText lists all clusters where one alone would be left out.
func TestClustersText(t *testing.T) {
	for clusters, want := range map[int]string{
		0: "none",
		1: "1; cluster (rows): 0 (9)",
		5: "5; cluster (rows): 0 (9), 1 (9), 2 (9), 3 (9), 4 (9)",
		6: "6; cluster (rows): 0 (9), 1 (9), 2 (9), 3 (9), 4 (9), 5 (9)",
		7: "7; the largest (rows): 0 (9), 1 (9), 2 (9), 3 (9), 4 (9)",
	} {
		var sizes []clusterSize
		for i := range clusters {
			sizes = append(sizes, clusterSize{Cluster: i, Rows: 9})
		}
		if got := clustersText(sizes, clusters); got != want {
			t.Errorf("%d: got %q, want %q", clusters, got, want)
		}
	}
}
