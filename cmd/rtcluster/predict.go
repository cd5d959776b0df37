package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/dbscan"
	"rtcluster/io/table"
	"rtcluster/join"
)

// predictOptions are what the command line of `rtcluster predict` says.
type predictOptions struct {
	Clustered string
	New       []string
	Params    string // a run report
	Choice    levelChoice
	Input     inputOptions
	Output    outputOptions
	Run       runOptions
}

func newPredictCmd(a *app, run func(context.Context, *app, *predictOptions) error) *cobra.Command {
	opt := &predictOptions{}
	cmd := &cobra.Command{
		Use:   "predict CLUSTERED NEW... [-o OUT]",
		Short: "Find the clusters of new rows, by the core rows of a clustering",
		Long: `Find the clusters of new rows, by the core rows of a clustering that rtcluster dbscan wrote.

A new row goes where the recorded --border rule sends a row that is not core: to the first
cluster that has core rows within eps, or to that of the nearest core row within eps; or,
under --border noise, to none, unless it equals a core row. Without a core row within eps
it is noise (-1), and where --min-cluster-size dropped the cluster.
The clusters stay as they are, and new rows do not see each other. The rows that were
clustered get their own clusters again.

Columns, eps, metric, --scale with its statistics, --column-weights, --box and --nan are those
of the clustering: they stand in the metadata of CLUSTERED, if that is Parquet, or in the
report that dbscan --report wrote, which --params names. CLUSTERED must have the
columns cluster and is_core, and the coordinates. Rows that are not core may be missing;
core rows whose order or coordinates were changed, and parameters that were edited, are
an error.
Of a clustering with several eps, --level or --eps says which one new rows go by.

NEW are inputs as in rtcluster dbscan, taken as one table, with columns of the same names.
They are read piece by piece: memory is that of the core rows, a piece, and 8 bytes a row.
The output is the new table, row for row, with the column cluster added.`,
		Example: `  rtcluster predict clusters.parquet tonight.csv -o labelled.csv
  rtcluster predict clusters.csv --params run.json 'nights/*.parquet' -o labelled/`,
		Args: predictArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			opt.Clustered, opt.New = args[0], args[1:]
			if err := opt.check(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), a, opt)
		},
	}
	addFlags(cmd, "Clustering", func(fs *pflag.FlagSet) {
		fs.StringVar(&opt.Params, "params", "", "`FILE` with the run report of the clustering (default: the metadata of CLUSTERED)")
		fs.Var(newWhole(&opt.Choice.Level, 0, 1), "level", "which clustering to go by, of several eps: 1 for cluster_1 and is_core_1")
		fs.StringVarP(&opt.Choice.Eps, "eps", "e", "", "the same, by its `DISTANCE` as dbscan was given it")
	})
	addFlags(cmd, "Input", func(fs *pflag.FlagSet) {
		fs.Var(newEnum(&opt.Input.NaN, "", "error", "drop"), "nan",
			"what a missing, NaN or infinite coordinate of a new row means: an error, or write null for the row (default: as recorded)")
	})
	opt.Input.defineFormat(cmd)
	opt.Output.define(cmd, true)
	opt.Run.define(cmd)
	opt.Input.completeColumns(cmd)
	return cmd
}

func predictArgs(_ *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return usagef("no input: name a table that rtcluster dbscan wrote, and then the new ones")
	case 1:
		return usagef("no new rows: name a table behind %s, whose rows get clusters", args[0])
	}
	return checkInputs(args...)
}

func (o *predictOptions) check(cmd *cobra.Command) error {
	switch {
	case cmd.Flags().Changed("params") && o.Params == "", o.Params == "-":
		return usagef("--params wants the name of a run report, such as run.json")
	case o.Params != "" && o.Run.Report != "" && sameFile(o.Params, o.Run.Report):
		return usagef("--params and --report both name %s", o.Params)
	}
	if cmd.Flags().Changed("eps") && o.Choice.Eps == "" {
		return usagef("--eps is empty: give that of the clustering, or leave it out")
	}
	for _, err := range []error{o.Choice.check(), o.Input.check(), o.Output.check(cmd), o.Run.check(cmd)} {
		if err != nil {
			return err
		}
	}
	return nil
}

// predictCounts is what a report counts.
type predictCounts struct {
	rowCounts
	CoreRows  int           `json:"core_rows"` // of the clustering
	Clustered int64         `json:"clustered"`
	Noise     int64         `json:"noise"`
	Largest   []clusterSize `json:"largest_clusters"` // by new rows, at most ten
}

func runPredict(ctx context.Context, a *app, opt *predictOptions) (err error) {
	j, err := a.start("predict", &opt.Run, &opt.Output)
	if err != nil {
		return err
	}
	j.pieces = true
	cores, rec, err := j.openClustered(ctx, opt)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cores.close()) }()
	params := rec.params
	params.Command, params.Counts, params.Prefix = "predict", false, ""
	if opt.Input.NaN != "" {
		params.NaN = opt.Input.NaN
	}
	j.report.Columns, j.report.Parameters = params.Columns, &params

	s, keep, err := j.openNew(ctx, opt.New, opt.Input, params.Columns, []string{"cluster"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := j.checkNewNeed(s); err != nil {
		return err
	}
	j.describeModel(cores, rec)
	p, err := newPredictor(j, s, cores, &params)
	if err != nil {
		return err
	}
	j.work = params.workload(s.table.Rows())
	err = j.withIndex(ctx, cores.points, func(ctx context.Context, idx join.Index) error { return p.run(ctx, idx) })
	if err != nil {
		return err
	}
	j.describePredicted(p)
	if err := j.writeTable(ctx, s, keep, []table.Added{{Name: "cluster", Values: p.labels, Valid: p.valid}}); err != nil {
		return err
	}
	return j.finish()
}

// describeModel says what rows are predicted by.
func (j *job) describeModel(cores *coreRows, rec *recorded) {
	p := &rec.params
	j.line("columns", "%s", columnsText(p.Columns, &inputOptions{Scale: p.Scale}, p.metric()))
	j.line("parameters", "eps %s, border %s", rec.epsText(), p.Border)
	sorted := slices.Sorted(slices.Values(cores.labels))
	dropped, _ := slices.BinarySearch(sorted, 0)
	kept := sorted[dropped:]
	text, clusters := grouped(len(kept)), len(slices.Compact(kept))
	text += " in " + plural(clusters, "cluster", "clusters")
	if dropped > 0 {
		text += fmt.Sprintf(", and %s in clusters of fewer than %s rows, which are noise", grouped(dropped), grouped(p.MinClusterSize))
	}
	j.line("core rows", "%s", text)
	switch {
	case len(cores.labels) == 0:
		j.warn("the clustering has no core row, so all rows are noise")
	case clusters == 0:
		j.warn("the clustering has no cluster of --min-cluster-size %s rows, so all rows are noise", grouped(p.MinClusterSize))
	}
}

// radius is the recorded eps.
func (p *parameters) radius() radius { return radius{Value: *p.Eps, Unit: p.EpsUnit} }

// options are the recorded settings, as far as new rows depend on them.
func (p *parameters) options() dbscan.Options {
	return dbscan.Options{Eps: p.radius().join(), Border: dbscan.Border(p.Border)}
}

// workload is what the index of the core rows is asked for.
func (p *parameters) workload(rows int64) workload {
	if p.Border != string(dbscan.BorderFirst) {
		return workload{cpu: "cards are no faster at --border " + p.Border}
	}
	return workload{eps: []float64{p.radius().join()}, rows: rows}
}

// describePredicted fills the summary and the report's counts.
func (j *job) describePredicted(p *predictor) {
	counts := &predictCounts{rowCounts: p.rowCounts(), CoreRows: len(p.cores.labels)}
	largest := []clusterSize{}
	for label, rows := range p.sizes {
		if rows > 0 {
			largest = append(largest, clusterSize{Cluster: label, Rows: rows})
			counts.Clustered += int64(rows)
		}
	}
	slices.SortStableFunc(largest, func(a, b clusterSize) int { return b.Rows - a.Rows })
	counts.Noise = counts.Used - counts.Clustered
	counts.Largest = largest[:min(10, len(largest))]
	j.report.Counts = counts
	j.lineDropped(p.new.source, counts.Dropped)
	j.line("clusters", "%s", clustersText(largest, len(largest)))
	j.line("rows", "%s clustered, %s noise", grouped(counts.Clustered), grouped(counts.Noise))
}
