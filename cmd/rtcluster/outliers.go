package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/io/table"
	"rtcluster/join"
	"rtcluster/outlier"
)

// outliersOptions are what the command line of `rtcluster outliers` says.
type outliersOptions struct {
	Paths     []string
	Method    string
	K         int
	Eps       radius
	Aggregate string
	Input     inputOptions
	Metric    metricOptions
	Output    outputOptions
	Run       runOptions
	Dry       dryOptions

	eps string
}

func newOutliersCmd(a *app, run func(context.Context, *app, *outliersOptions) error) *cobra.Command {
	opt := &outliersOptions{}
	cmd := &cobra.Command{
		Use:   "outliers INPUT... --method knn|lof|count [-k K | --eps E] [-o OUT]",
		Short: "Score how outlying each row is",
		Long: `Score how outlying each row is; a higher score is always more outlying.

  knn    distance to the k-th nearest other row, or the mean, median or sum of the k
         distances; in degrees on the sky
  lof    local outlier factor: how much sparser a row's surroundings are than those of
         its k nearest; near 1 for ordinary rows
  count  minus the number of other rows within eps

` + inputsHelp + `

The output is the same table, row for row, with the column score added.`,
		Example: `  rtcluster outliers events.parquet --method knn -k 10 -o scored.parquet
  rtcluster outliers spectra.csv -c 'f*' --scale standard --method lof -k 20 -o scored.csv`,
		Args: inputArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			opt.Paths = args
			if err := opt.check(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), a, opt)
		},
	}
	addFlags(cmd, "Score", func(fs *pflag.FlagSet) {
		fs.Var(newEnum(&opt.Method, "", "knn", "lof", "count"), "method", "what the score is")
		fs.VarP(newWhole(&opt.K, 0, 1), "neighbors", "k", "nearest rows to look at, not counting the row itself (knn, lof)")
		fs.StringVarP(&opt.eps, "eps", "e", "",
			"greatest `DISTANCE` of neighbours (count), in the unit of the coordinates; on the sky "+unitsHelp)
		fs.Var(newEnum(&opt.Aggregate, "max", "max", "mean", "median", "sum"), "aggregate",
			"of the k distances (knn); max is the distance to the k-th")
	})
	opt.Input.define(cmd, false)
	opt.Metric.define(cmd)
	opt.Output.define(cmd, true)
	opt.Run.define(cmd)
	opt.Dry.define(cmd)
	return cmd
}

func (o *outliersOptions) check(cmd *cobra.Command) (err error) {
	if err := checkShared(cmd, &o.Input, &o.Metric, &o.Output, &o.Run); err != nil {
		return err
	}
	if err := o.Dry.check(); err != nil {
		return err
	}
	given := cmd.Flags().Changed
	switch {
	case o.Method == "":
		return usagef("--method is missing: want one of knn, lof, count")
	case o.Method == "count" && given("neighbors"):
		return usagef("-k is for --method knn and lof: count takes --eps")
	case o.Method != "count" && given("eps"):
		return usagef("--eps is for --method count: %s takes -k", o.Method)
	case o.Method != "count" && o.K == 0:
		return usagef("-k is missing: how many nearest rows --method %s looks at, such as -k 10", o.Method)
	case o.Method != "knn" && given("aggregate"):
		return usagef("--aggregate is for --method knn")
	}
	if o.Method == "count" {
		o.Eps, err = eps(cmd, o.eps, &o.Metric)
	}
	return err
}

// outlierCounts is what a report counts.
type outlierCounts struct {
	rowCounts
	Duplicates int       `json:"duplicates,omitempty"` // rows whose score a rule for duplicates decided
	Pairs      *int64    `json:"pairs,omitempty"`      // unordered, for count
	Top        []topRow  `json:"top"`                  // the highest scores, at most ten
	Least      jsonFloat `json:"least_score"`
}

// topRow is a row of the table with its score.
type topRow struct {
	Row   int64     `json:"row"`
	Score jsonFloat `json:"score"`
}

func runOutliers(ctx context.Context, a *app, opt *outliersOptions) (err error) {
	j, err := a.start("outliers", &opt.Run, &opt.Output)
	if err != nil {
		return err
	}
	j.plan, j.dry = j.planOutliers(opt), opt.Dry.Run
	in, err := j.read(ctx, opt.Paths, &opt.Input, &opt.Metric, []string{"score"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.close()) }()
	if err := opt.checkRows(in.source); err != nil {
		return err
	}
	settings := opt.settings(j, in.params)
	if opt.Method == "count" {
		j.warnEps(opt.Eps, &opt.Input, &opt.Metric, in.source)
	}
	if settings.Method == outlier.LOF {
		const neighborBytes = 12
		if err := needMemory("lof with this k", float64(in.points.Rows()), float64(settings.K), neighborBytes); err != nil {
			return err
		}
	}
	if opt.Dry.Run {
		return j.dryOutliers(ctx, opt, in)
	}
	var res *outlier.Result
	err = j.withIndex(ctx, in.points, func(ctx context.Context, idx join.Index) error {
		res, err = outlier.Score(ctx, idx, settings)
		return err
	})
	if err != nil {
		return err
	}
	err = j.verify(in.points.Rows(), func(sample []int) error {
		return outlier.Verify(ctx, in.points, settings, res, sample)
	})
	if err != nil {
		return err
	}
	j.describeScores(in.source, opt, res)
	err = j.writeTable(ctx, in.source, in.keep, []table.Added{{
		Name:   "score",
		Values: scatter(res.Scores, in.rows, in.table.Rows(), 0),
		Valid:  in.valid(opt.Input.NaN),
	}})
	if err != nil {
		return err
	}
	return j.finish()
}

// settings tells the method what it needs, and the report and the summary what
// they are.
func (o *outliersOptions) settings(j *job, params *parameters) outlier.Options {
	params.Method, params.K = o.Method, o.K
	s := outlier.Options{Method: outlier.Method(o.Method), K: o.K, Distance: o.Metric.distance(), Threads: j.report.Threads}
	switch o.Method {
	case "knn":
		params.Aggregate = o.Aggregate
		s.Aggregate = outlier.Aggregate(o.Aggregate)
		j.line("parameters", "method knn, k %d, aggregate %s", o.K, o.Aggregate)
	case "count":
		params.setEps(o.Eps)
		s.Eps = o.Eps.join()
		j.line("parameters", "method count, eps %s", o.Eps)
	default:
		j.line("parameters", "method %s, k %d", o.Method, o.K)
	}
	return s
}

// checkRows wants more rows than k, in a table that has rows.
func (o *outliersOptions) checkRows(s *source) error {
	if o.Method == "count" {
		return nil
	}
	return s.enoughRows(o.K, fmt.Sprintf("-k %d", o.K))
}

// describeScores fills the summary, the report's counts and the warnings.
func (j *job) describeScores(s *source, opt *outliersOptions, res *outlier.Result) {
	counts := &outlierCounts{rowCounts: s.rowCounts(), Duplicates: res.Duplicates, Top: topRows(s, res.Scores)}
	if len(res.Scores) > 0 {
		counts.Least = jsonFloat(slices.Min(res.Scores))
	}
	j.report.Counts = counts
	if opt.Method == "count" {
		counts.Pairs = &res.Pairs
		j.line("pairs", "%s (%s ordered)", grouped(res.Pairs), grouped(2*res.Pairs))
	}
	if len(counts.Top) > 0 {
		j.line("scores", "%.6g to %.6g", float64(counts.Least), float64(counts.Top[0].Score))
		var top []string
		for _, t := range counts.Top[:min(5, len(counts.Top))] {
			top = append(top, fmt.Sprintf("%d (%.6g)", t.Row, float64(t.Score)))
		}
		j.line("top rows", "%s", strings.Join(top, ", "))
	}
	if res.Duplicates > 0 {
		j.warn("%s of %s rows have k or more equal rows, or lie beside such: their density or score is infinite (equal rows score 1, rows beside them +Inf)", grouped(res.Duplicates), grouped(counts.Used))
	}
}

// topRows returns the ten highest scores, ties by row.
func topRows(s *source, scores []float64) []topRow {
	const most = 10
	top := make([]topRow, 0, most+1)
	for i, score := range scores {
		if len(top) == most && score <= float64(top[most-1].Score) || math.IsNaN(score) {
			continue
		}
		at, _ := slices.BinarySearchFunc(top, score, func(t topRow, score float64) int {
			if float64(t.Score) >= score {
				return -1
			}
			return 1
		})
		top = slices.Insert(top, at, topRow{s.tableRow(i), jsonFloat(score)})
		top = top[:min(most, len(top))]
	}
	return top
}
