package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/dbscan"
)

// dbscanOptions are what the command line of `rtcluster dbscan` says.
type dbscanOptions struct {
	Paths      []string
	Eps        []radius // one or more, unless Auto
	Auto       bool     // find eps by Rule
	Rule       epsRule
	MinSamples int
	Border     string
	Counts     bool
	Arrange    arrangeOptions
	Input      inputOptions
	Metric     metricOptions
	Output     outputOptions
	Run        runOptions
	Dry        dryOptions

	eps string // as typed, until the metric is known
}

func newDBSCANCmd(a *app, run func(context.Context, *app, *dbscanOptions) error) *cobra.Command {
	opt := &dbscanOptions{}
	cmd := &cobra.Command{
		Use:   "dbscan INPUT... --eps E --min-samples M [-o OUT]",
		Short: "Find clusters with DBSCAN",
		Long: `Find clusters with DBSCAN: rows with enough neighbours within eps are core, core rows
within eps of each other share a cluster, and other rows near a core row are its border.

` + inputsHelp + `

The output is the same table, row for row, with two columns added: cluster (0, 1, ... in
--order; -1 is noise) and is_core; with --counts also n_neighbors, the other rows within
eps.

Several eps, such as 0.1,0.2,0.5 or 10arcmin,0.5deg, make a clustering each, over one
index: the columns are cluster_1, is_core_1, cluster_2, ... in the order given, and the
same as with that eps alone. The summary tells how many clusters merge from one eps to
the next larger. Each eps takes 5 bytes a row of memory, 9 with --counts.

` + clustersHelp,
		Example: `  rtcluster dbscan stars.csv -c x_pc,y_pc,z_pc --eps 2.5 --min-samples 10 -o clusters.csv
  rtcluster dbscan catalog.parquet --ra ra --dec dec --eps 0.75deg -m 8 -o groups.parquet
  rtcluster dbscan catalog.parquet --ra ra --dec dec --eps 10arcmin,20arcmin,0.75deg -m 8 -o nested.parquet
  rtcluster dbscan stars.csv -c x_pc,y_pc,z_pc -e 2.5 -m 10 --order size --min-cluster-size 20 -o c.csv --clusters summary.csv
  rtcluster dbscan stars.csv -c x_pc,y_pc,z_pc --eps auto --eps-rule null-field -m 8 -o found.csv`,
		Args: inputArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			opt.Paths = args
			if err := opt.check(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), a, opt)
		},
	}
	addFlags(cmd, "Clustering", func(fs *pflag.FlagSet) {
		fs.StringVarP(&opt.eps, "eps", "e", "",
			"greatest `DISTANCE` of neighbours, in the unit of the coordinates; on the sky "+unitsHelp+"; several separated by commas; auto finds it by --eps-rule")
		opt.Rule.Name = ruleKnee
		fs.Var(ruleValue{&opt.Rule}, "eps-rule", "how --eps auto finds it: "+rulesHelp+"; rtcluster eps shows what each gives")
		fs.VarP(newWhole(&opt.MinSamples, 0, 1), "min-samples", "m",
			"least number of neighbours of a core row, counting the row itself (also --min-pts)")
		fs.Var(newEnum(&opt.Border, "first", "first", "nearest", "noise"), "border",
			"where a border row goes: the first cluster of its core neighbours, the nearest one's, or none (DBSCAN*)")
		opt.Arrange.define(fs)
		fs.BoolVar(&opt.Counts, "counts", false, "add n_neighbors, and count all pairs")
	})
	opt.Input.define(cmd, true)
	opt.Metric.define(cmd)
	opt.Output.define(cmd, true)
	opt.Output.defineClusters(cmd)
	opt.Output.definePlot(cmd, "the clusters")
	opt.Run.define(cmd)
	opt.Dry.define(cmd)
	normalizeMinSamples(cmd)
	opt.Input.completeColumns(cmd)
	return cmd
}

// normalizeMinSamples lets --min-samples be called --min-pts and --minPts.
func normalizeMinSamples(cmd *cobra.Command) {
	cmd.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "min-pts" || name == "minPts" {
			name = "min-samples"
		}
		return pflag.NormalizedName(name)
	})
}

func (o *dbscanOptions) check(cmd *cobra.Command) (err error) {
	if err := checkShared(cmd, &o.Input, &o.Metric, &o.Output, &o.Run); err != nil {
		return err
	}
	if o.Auto = strings.TrimSpace(o.eps) == epsAuto; !o.Auto {
		if o.Eps, err = epsList(cmd, o.eps, &o.Metric); err != nil {
			return err
		}
	}
	if o.MinSamples == 0 {
		return usagef("--min-samples is missing: how many rows within eps, itself counted, make a row core, such as --min-samples 5")
	}
	if err := o.Dry.check(); err != nil {
		return err
	}
	if err := o.checkPlot(); err != nil {
		return err
	}
	return o.checkAuto(cmd)
}

// record takes note of the settings that decide the result, but for eps.
func (o *dbscanOptions) record(p *parameters) {
	p.MinSamples, p.Border, p.Counts, p.Prefix = o.MinSamples, o.Border, o.Counts, o.Output.Prefix
	p.Order, p.MinClusterSize = o.Arrange.Order, o.Arrange.MinSize
}

// workload is what the index is asked for.
func (o *dbscanOptions) workload() workload {
	switch {
	case o.Input.Weight != "":
		return workload{cpu: "cards add up no weights"}
	case o.Auto:
		return workload{cpu: "--eps auto looks for nearest rows, which cards do no faster"}
	}
	w := workload{limit: o.MinSamples}
	if o.Counts {
		w.limit = 0
	}
	for _, r := range o.Eps {
		w.eps = append(w.eps, r.join())
	}
	return w
}

func runDBSCAN(ctx context.Context, a *app, opt *dbscanOptions) (err error) {
	j, err := a.start("dbscan", &opt.Run, &opt.Output)
	if err != nil {
		return err
	}
	j.plan, j.dry = j.planDBSCAN(opt), opt.Dry.Run
	in, err := j.read(ctx, opt.Paths, &opt.Input, &opt.Metric, opt.addedColumns())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.close()) }()
	if err := opt.checkRows(in.source); err != nil {
		return err
	}
	opt.record(in.params)
	work := &clustering{job: j, opt: opt, in: in, settings: dbscan.Options{
		MinSamples: opt.MinSamples, Weights: in.weights, Border: dbscan.Border(opt.Border), Counts: opt.Counts,
	}}
	if err := work.checkLevels(); err != nil {
		return err
	}
	j.work = opt.workload()
	if opt.Dry.Run {
		return work.dryRun(ctx)
	}
	if err := j.withIndex(ctx, in.points, work.run); err != nil {
		return err
	}
	if len(work.radii) > 1 {
		work.describeLevels()
	}
	summary, err := work.summarize(ctx)
	if isResource(err) { // the labels may have room
		j.missed("--clusters", err)
	} else if err != nil {
		return err
	}
	defer summary.abort()
	if err := j.writeTable(ctx, in.source, in.keep, slices.Concat(work.columns...)); err != nil {
		return err
	}
	if err := summary.commit(j); err != nil {
		return err
	}
	if err := work.plot(ctx); err != nil {
		return err
	}
	work.tabulate()
	return j.finish()
}
