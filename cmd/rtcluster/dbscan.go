package main

import (
	"context"
	"errors"
	"fmt"
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
			"greatest `DISTANCE` of neighbours, in the unit of the coordinates; on the sky "+unitsHelp+"; several parted by commas; auto finds it by --eps-rule")
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
	opt.Run.define(cmd)
	opt.Dry.define(cmd)
	normalizeMinSamples(cmd)
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
	return o.checkAuto(cmd)
}

// dbscanCounts is what a report counts.
type dbscanCounts struct {
	rowCounts
	clusterCounts
}

// clusterCounts is what it counts of the clusters of one eps.
type clusterCounts struct {
	Clusters   int           `json:"clusters"`
	Core       int           `json:"core"`
	Border     int           `json:"border"`
	Noise      int           `json:"noise"`
	Largest    []clusterSize `json:"largest_clusters"` // at most ten
	Pairs      int64         `json:"pairs"`            // unordered, of different rows
	PairsExact bool          `json:"pairs_exact"`      // else a lower bound
	CoreSum    string        `json:"core_crc32c"`      // see coreSum

	Small *smallClusters `json:"small_clusters,omitempty"` // whose rows are noise now; absent: all were kept
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
	params := in.params
	params.MinSamples, params.Border, params.Counts, params.Prefix = opt.MinSamples, opt.Border, opt.Counts, opt.Output.Prefix
	params.Order, params.MinClusterSize = opt.Arrange.Order, opt.Arrange.MinSize
	work := &clustering{job: j, opt: opt, in: in, settings: dbscan.Options{
		MinSamples: opt.MinSamples, Weights: in.weights, Border: dbscan.Border(opt.Border), Counts: opt.Counts,
	}}
	if err := work.checkLevels(); err != nil {
		return err
	}
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
	if err != nil {
		return err
	}
	defer summary.abort()
	if err := j.writeTable(ctx, in.source, in.keep, slices.Concat(work.columns...)); err != nil {
		return err
	}
	if err := summary.commit(j); err != nil {
		return err
	}
	return j.finish()
}

// describeClusters fills the summary, the report's counts and the warnings.
func (j *job) describeClusters(rows rowCounts, counts clusterCounts, res *dbscan.Result) {
	j.report.Counts = &dbscanCounts{rowCounts: rows, clusterCounts: counts}
	j.line("clusters", "%s", clustersText(counts.Largest, counts.Clusters))
	if counts.Small != nil {
		j.line("small", "%s", counts.Small.text(j.report.Parameters.MinClusterSize))
	}
	j.line("rows", "%s core, %s border, %s noise", grouped(res.Cores), grouped(res.Borders), grouped(res.Noise))
	switch {
	case res.PairsExact:
		j.line("pairs", "%s (%s ordered)", grouped(res.Pairs), grouped(2*res.Pairs))
	case res.Pairs == 0:
		j.line("pairs", "not counted (--counts counts all)")
	default:
		j.line("pairs", "at least %s (counting stops at min-samples; --counts counts all)", grouped(res.Pairs))
	}
	j.warnClusters(rows.Used, res)
}

// countClusters counts for a report.
func (o *arrangeOptions) countClusters(res *dbscan.Result) clusterCounts {
	largest := largestClusters(res)
	var sum coreSum
	_, labels := res.CoreRows()
	for _, label := range labels {
		sum.add(label)
	}
	return clusterCounts{
		Clusters: res.Clusters, Core: res.Cores, Border: res.Borders, Noise: res.Noise,
		Largest: largest[:min(10, len(largest))], Pairs: res.Pairs, PairsExact: res.PairsExact, CoreSum: sum.String(),
		Small: o.small(res.Dropped),
	}
}

// clusterSize is the number of rows of a cluster.
type clusterSize struct {
	Cluster int `json:"cluster"`
	Rows    int `json:"rows"`
}

// largestClusters returns the clusters, the largest first.
func largestClusters(res *dbscan.Result) []clusterSize {
	sizes := make([]clusterSize, res.Clusters)
	for i, rows := range res.Sizes() {
		sizes[i] = clusterSize{Cluster: i, Rows: rows}
	}
	slices.SortStableFunc(sizes, func(a, b clusterSize) int { return b.Rows - a.Rows })
	return sizes
}

// clustersText names the largest of so many clusters with their sizes.
func clustersText(largest []clusterSize, clusters int) string {
	const most = 5
	texts := make([]string, min(most, len(largest)))
	for i := range texts {
		texts[i] = fmt.Sprintf("%d (%s)", largest[i].Cluster, grouped(largest[i].Rows))
	}
	switch {
	case clusters == 0:
		return "none"
	case clusters <= most:
		return fmt.Sprintf("%d; cluster (rows): %s", clusters, strings.Join(texts, ", "))
	}
	return fmt.Sprintf("%s; the largest (rows): %s", grouped(clusters), strings.Join(texts, ", "))
}

// warnClusters says when the parameters cannot have been meant.
func (j *job) warnClusters(used int64, res *dbscan.Result) {
	flag, params := redFlag(res), j.report.Parameters
	switch {
	case used > 0 && int64(params.MinSamples) > used && params.Weight == "":
		j.warn("--min-samples %s is more than there are rows, %s, so none is core and all are noise", grouped(params.MinSamples), grouped(used))
	case res.Clusters == 0 && res.Dropped.Clusters > 0:
		j.warn("no cluster has --min-cluster-size %s rows, so all rows are noise", grouped(params.MinClusterSize))
	case used < 2 || flag == "" || j.allNear && res.Cores > 0:
	case res.Clusters > 1 && params.MinSamples > 1: // well parted clusters may have no other rows
	case j.allNear:
		j.warn("%s: the weights of all rows together are below --min-samples", flag)
	case res.Cores == 0:
		j.warn("%s: try a larger --eps%s or a smaller --min-samples", flag, scaledText(params.Scale))
	default:
		j.warn("%s: try a smaller --eps or a larger --min-samples", flag)
	}
}

// redFlag says what shows that the parameters cannot have been meant, "" for
// nothing.
func redFlag(res *dbscan.Result) string {
	switch {
	case res.Clusters == 0 && res.Dropped.Clusters > 0:
		return "no cluster is as large as --min-cluster-size"
	case res.Cores == 0:
		return "no row is core, so all rows are noise"
	case res.Clusters == 1 && res.Noise == 0:
		return "one cluster holds all rows"
	case res.Cores == len(res.Core):
		return "all rows are core"
	}
	return ""
}
