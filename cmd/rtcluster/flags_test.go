package main

import (
	"context"
	"reflect"
	"testing"

	"github.com/spf13/cobra"

	"rtcluster/outlier"
)

// The options that a command has when nothing is said.
func plainInput() inputOptions {
	return inputOptions{NaN: "error", Scale: "none", Format: "auto", Header: "auto"}
}

func plainOutput() outputOptions { return outputOptions{Keep: []string{"all"}} }

func plainRun() runOptions {
	return runOptions{Engine: "auto", Seed: 1, Progress: "auto", LogFormat: "text"}
}

// parse runs a command's flags without its work.
func parse(t *testing.T, cmd *cobra.Command, args []string) {
	t.Helper()
	cmd.SetArgs(args)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	if err := cmd.ExecuteContext(t.Context()); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
}

func TestDBSCANFlags(t *testing.T) {
	plain := func(change func(o *dbscanOptions)) dbscanOptions {
		o := dbscanOptions{
			Paths: []string{"in.csv"}, Eps: []radius{{Value: 0.5}}, Rule: epsRule{Name: ruleKnee}, MinSamples: 4, Border: "first",
			Arrange: arrangeOptions{Order: "row", MinSize: 1},
			Input:   plainInput(), Metric: metricOptions{Metric: "euclidean"}, Output: plainOutput(), Run: plainRun(), eps: "0.5",
		}
		change(&o)
		return o
	}
	tests := []struct {
		name string
		args []string
		want dbscanOptions
	}{
		{"least", []string{"in.csv", "-e", "0.5", "-m", "4"}, plain(func(*dbscanOptions) {})},
		{"long names", []string{"--eps=0.5", "--min-samples=4", "in.csv"}, plain(func(*dbscanOptions) {})},
		{"aliases", []string{"in.csv", "-e0.5", "--min-pts", "9", "--minPts", "4"}, plain(func(*dbscanOptions) {})},
		{"standard input", []string{"-", "-e", "0.5", "-m", "4"}, plain(func(o *dbscanOptions) { o.Paths = []string{"-"} })},
		{
			"clustering",
			[]string{"in.csv", "-e", "0", "-m", "1", "--border", "nearest", "--counts", "--order=size", "--min-cluster-size", "9"},
			plain(func(o *dbscanOptions) {
				o.Eps, o.eps, o.MinSamples, o.Border, o.Counts = []radius{{}}, "0", 1, "nearest", true
				o.Arrange = arrangeOptions{Order: "size", MinSize: 9}
			}),
		},
		{
			"several eps",
			[]string{"in.csv", "-e", "0.5, 0.25,2", "-m", "4"},
			plain(func(o *dbscanOptions) {
				o.Eps, o.eps = []radius{{Value: 0.5}, {Value: 0.25}, {Value: 2}}, "0.5, 0.25,2"
			}),
		},
		{
			"several angles",
			[]string{"in.csv", "--ra", "a", "--dec", "d", "-e", "2arcsec,1 deg", "-m", "4"},
			plain(func(o *dbscanOptions) {
				o.Eps, o.eps = []radius{{2, "arcsec"}, {1, "deg"}}, "2arcsec,1 deg"
				o.Metric = metricOptions{Metric: "haversine", RA: "a", Dec: "d"}
				o.Input.sky = true
				o.Input.Columns = []string{"a", "d"}
			}),
		},
		{
			"input",
			[]string{
				"in.csv", "-e", "0.5", "-m", "4", "-c", `x, "a,b",f*`, "-c", "z", "--id", "i", "--weight", "w", "--nan", "drop",
				"--scale", "robust", "--format", "csv", "--delimiter", `\t`, "--header", "no",
			},
			plain(func(o *dbscanOptions) {
				o.Input = inputOptions{
					Columns: []string{"x", "a,b", "f*", "z"}, ID: "i", Weight: "w", NaN: "drop", Scale: "robust",
					Format: "csv", Delimiter: '\t', Header: "no", columnsGiven: true,
				}
			}),
		},
		{
			"sky",
			[]string{"in.csv", "--ra", "a", "--dec", "d", "-e", "2arcsec", "-m", "4"},
			plain(func(o *dbscanOptions) {
				o.Eps, o.eps = []radius{{2, "arcsec"}}, "2arcsec"
				o.Metric = metricOptions{Metric: "haversine", RA: "a", Dec: "d"}
				o.Input.sky = true
				o.Input.Columns = []string{"a", "d"}
			}),
		},
		{
			"output",
			[]string{
				"in.csv", "-e", "0.5", "-m", "4", "-o", "out.parquet", "--keep", "i,x*", "--prefix", "p_",
				"--compression", "none", "--force", "--clusters", "c.csv.gz",
			},
			plain(func(o *dbscanOptions) {
				o.Output = outputOptions{Path: "out.parquet", Keep: []string{"i", "x*"}, Prefix: "p_", Compression: "none", Force: true, Clusters: "c.csv.gz"}
			}),
		},
		{
			"run",
			[]string{
				"in.csv", "-e", "0.5", "-m", "4", "--engine", "cpu", "--threads", "3", "--verify", "7", "--seed", "18446744073709551615",
				"--report", "run.json", "--progress", "log", "-v", "--log-format", "json",
			},
			plain(func(o *dbscanOptions) {
				o.Run = runOptions{
					Engine: "cpu", Threads: 3, Verify: 7, Seed: 18446744073709551615,
					Report: "run.json", Progress: "log", Verbose: true, LogFormat: "json",
				}
			}),
		},
		{"quiet", []string{"in.csv", "-qe", "0.5", "-m", "4"}, plain(func(o *dbscanOptions) { o.Run.Quiet = true })},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got *dbscanOptions
			parse(t, newDBSCANCmd(newTestApp().app, func(_ context.Context, _ *app, o *dbscanOptions) error {
				got = o
				return nil
			}), test.args)
			if !reflect.DeepEqual(*got, test.want) {
				t.Errorf("got  %+v\nwant %+v", *got, test.want)
			}
		})
	}
}

func TestOutliersFlags(t *testing.T) {
	plain := outliersOptions{
		Paths: []string{"in.csv"}, Methods: []string{"knn"}, K: []int{3}, Aggregate: "max", Ties: "k", Lambda: 2,
		Input: plainInput(), Metric: metricOptions{Metric: "euclidean"}, Output: plainOutput(), Run: plainRun(),
	}
	lof, median, count, several, flags, loop := plain, plain, plain, plain, plain, plain
	loop.Methods, loop.Ties, loop.Lambda, loop.AllPLOF, loop.Reference = []string{"loop"}, "all", 2.5, true, "r.csv"
	flags.Cut = cutOptions{outlier.Cut{Rule: outlier.ByMAD, Value: 3.5}}
	lof.Methods = []string{"lof"}
	median.Aggregate = "median"
	count.Methods, count.K, count.Eps, count.eps = []string{"count"}, nil, radius{Value: 2}, "2"
	within := count
	within.Methods, within.Within = []string{"db", "dbscan"}, withinOptions{Fraction: 0.9, MinSamples: 4}
	several.Methods, several.K, several.Eps, several.eps = []string{"lof", "count", "knn"}, []int{20, 5, 10}, radius{Value: 2}, "2"
	tests := []struct {
		name string
		args []string
		want outliersOptions
	}{
		{"knn", []string{"in.csv", "--method", "knn", "-k", "3"}, plain},
		{"long name", []string{"in.csv", "--method", "lof", "--neighbors", "3"}, lof},
		{"aggregate", []string{"in.csv", "--method", "knn", "-k", "3", "--aggregate", "median"}, median},
		{"db, dbscan", []string{"in.csv", "--method", "db,dbscan", "-e", "2", "--minPts", "4", "--fraction", "0.9"}, within},
		{"count", []string{"in.csv", "--method", "count", "-e", "2"}, count},
		{"several", []string{"in.csv", "--method", "lof, count,knn", "-k", "20,5, 10", "-e", "2"}, several},
		{"flags", []string{"in.csv", "--method", "knn", "-k", "3", "--mad", "3.5"}, flags},
		{"ties", []string{"in.csv", "--method", "loop", "-k", "3", "--ties", "all", "--lambda", "2.5", "--all-plof", "--reference", "r.csv"}, loop},
		{"given again", []string{"in.csv", "--method", "lof", "-k20", "--method=count,knn", "-k", "5,10", "-e", "2"}, several},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got *outliersOptions
			parse(t, newOutliersCmd(newTestApp().app, func(_ context.Context, _ *app, o *outliersOptions) error {
				got = o
				return nil
			}), test.args)
			if !reflect.DeepEqual(*got, test.want) {
				t.Errorf("got  %+v\nwant %+v", *got, test.want)
			}
		})
	}
}

func TestJoinFlags(t *testing.T) {
	plain := joinOptions{
		A: "a.csv", Eps: radius{Value: 1}, eps: "1",
		Input: plainInput(), Metric: metricOptions{Metric: "euclidean"}, Output: plainOutput(), Run: plainRun(),
	}
	two, counts, sorted := plain, plain, plain
	two.B = "-"
	counts.Counts, counts.Output.Keep = true, []string{"none"}
	sorted.Sort = true
	tests := []struct {
		name string
		args []string
		want joinOptions
	}{
		{"self", []string{"a.csv", "-e", "1"}, plain},
		{"two", []string{"a.csv", "-", "-e", "1"}, two},
		{"counts", []string{"a.csv", "-e", "1", "--counts", "--keep", "none"}, counts},
		{"sorted", []string{"a.csv", "-e", "1", "--sort"}, sorted},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got *joinOptions
			parse(t, newJoinCmd(newTestApp().app, func(_ context.Context, _ *app, o *joinOptions) error {
				got = o
				return nil
			}), test.args)
			if !reflect.DeepEqual(*got, test.want) {
				t.Errorf("got  %+v\nwant %+v", *got, test.want)
			}
		})
	}
}

func TestGenerateFlags(t *testing.T) {
	var got *generateOptions
	parse(t, newGenerateCmd(newTestApp().app, func(_ context.Context, _ *app, o *generateOptions) error {
		got = o
		return nil
	}), []string{"moons", "-n", "7", "-d", "4", "--seed", "9", "-o", "m.csv", "--force"})
	want := generateOptions{
		Shape: "moons", Rows: 7, Dim: 4, Seed: 9, Output: outputOptions{Path: "m.csv", Force: true},
		Run: runOptions{LogFormat: "text"},
	}
	if !reflect.DeepEqual(*got, want) {
		t.Errorf("got  %+v\nwant %+v", *got, want)
	}
}
