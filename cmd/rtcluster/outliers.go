package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/join"
	"rtcluster/outlier"
)

// outliersOptions are what the command line of `rtcluster outliers` says.
type outliersOptions struct {
	Paths     []string
	Methods   []string // one or more
	K         []int    // of the methods that take it
	Eps       radius
	Aggregate string
	Ties      string // k, all
	Lambda    float64
	AllPLOF   bool
	Within    withinOptions
	Reference string // "" for the inputs themselves
	Cut       cutOptions
	Evaluate  evaluateOptions
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
		Use:   "outliers INPUT... --method METHODS [-k K | --eps E] [-o OUT]",
		Short: "Score how outlying each row is",
		Long: `Score how outlying each row is; a higher score is always more outlying.

` + methodsHelp() + `
` + inputsHelp + `

The output is the same table, row for row, with the column score added. Several methods,
such as knn,lof, or several k, such as 5,10,20, give a column each, over one search for the
nearest rows: score_knn_5, score_knn_10, ..., and score_count of a method without k. They
are the same as with that method and k alone.

A rule such as --contamination flags rows by their score, and adds is_outlier; of several
scores is_outlier_knn_5, is_outlier_knn_10, ... Rows that tie at the limit are flagged all or
not at all, and the summary says how many there are.

--evaluate LABELS says how well the scores part rows that are known to be outliers from
others: the area under the ROC curve, average precision as in scikit-learn, precision among
the first n of n outliers, and the greatest F1, ties counted by their mean; adjusted figures
are 0 for rows in random order and 1 for a perfect one.

With --reference, rows are scored by the rows of that table alone (novelty), which is in
memory; the new ones are read piece by piece. The limits of --contamination, --mad and
--quantile are then those of the reference's own scores, so that the share of new rows above
them may be any; --top flags the highest of the new rows.`,
		Example: `  rtcluster outliers events.parquet --method knn -k 10 -o scored.parquet
  rtcluster outliers spectra.csv -c 'f*' --scale standard --method lof -k 20 -o scored.csv
  rtcluster outliers spectra.csv -c 'f*' --method lof -k 20 --contamination 0.01 -o flagged.csv
  rtcluster outliers events.parquet --method knn,lof -k 5,10,20 -o scored.parquet
  rtcluster outliers labelled.csv --method knn,lof -k 5,10,20 --evaluate outlier --keep none
  rtcluster outliers tonight.csv --reference 'nights/*.parquet' -c magnitude,colour --method lof -k 20 -o scored.csv`,
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
		fs.Var(&wordsValue{target: &opt.Methods, allowed: methodNames(anyMethod), words: "METHODS"}, "method",
			"what the score is: one of "+methodList(anyMethod)+", or several separated by commas")
		fs.VarP(&wholesValue{target: &opt.K, least: 1}, "neighbors", "k",
			"nearest rows to look at, not counting the row itself ("+methodList(takesK)+"); several separated by commas")
		fs.StringVarP(&opt.eps, "eps", "e", "",
			"greatest `DISTANCE` of neighbours ("+methodList(takesEps)+"), in the unit of the coordinates; on the sky "+unitsHelp)
		opt.Within.define(fs)
		fs.Var(newEnum(&opt.Aggregate, "max", "max", "mean", "median", "sum"), "aggregate",
			"of the k distances (knn); max is the distance to the k-th")
		fs.Var(newEnum(&opt.Ties, "k", "k", "all"), "ties",
			"which rows are the k nearest where several are as far as the k-th: k of them, those of smaller row numbers, or all (as papers and ELKI have it)")
		fs.Float64Var(&opt.Lambda, "lambda", outlier.DefaultLambda, "`NUMBER` of deviations that count as far (loop)")
		fs.BoolVar(&opt.AllPLOF, "all-plof", false, "let rows that are denser than their surroundings add to the deviation (loop), as the paper and PyNomaly do; by default they count as 0, as in ELKI")
		fs.Var(&onceValue{&opt.Reference, "a pattern in quotes, a folder or @LIST names several files"}, "reference",
			"score rows by those of this `TABLE`, named as INPUT is, in the place of each other: it chooses the columns, fits --scale "+
				"and has the neighbours; a file of it that is also an input has its own scores, each row left out of its neighbours")
	})
	opt.Cut.define(cmd)
	opt.Evaluate.define(cmd)
	opt.Input.define(cmd, false)
	opt.Metric.define(cmd)
	opt.Output.define(cmd, true)
	opt.Output.definePlot(cmd, "a histogram of the score")
	opt.Run.define(cmd)
	opt.Dry.define(cmd)
	normalizeMinSamples(cmd)
	opt.Input.completeColumns(cmd)
	return cmd
}

func (o *outliersOptions) check(cmd *cobra.Command) (err error) {
	if err := checkShared(cmd, &o.Input, &o.Metric, &o.Output, &o.Run); err != nil {
		return err
	}
	if err := o.Dry.check(); err != nil {
		return err
	}
	if err := o.checkMethods(cmd.Flags().Changed); err != nil {
		return err
	}
	if err := o.Cut.check(cmd); err != nil {
		return err
	}
	if err := o.checkPlot(); err != nil {
		return err
	}
	if err := o.Evaluate.check(cmd, &o.Input); err != nil {
		return err
	}
	if cmd.Flags().Changed("reference") {
		if err := o.checkReference(); err != nil {
			return err
		}
	}
	if o.has(takesEps) {
		o.Eps, err = eps(cmd, o.eps, &o.Metric)
	}
	return err
}

func runOutliers(ctx context.Context, a *app, opt *outliersOptions) (err error) {
	j, err := a.start("outliers", &opt.Run, &opt.Output)
	if err != nil {
		return err
	}
	scores := opt.scores()
	for _, s := range scores {
		s.settings.Engine = j.engine.join
	}
	if j.work.cpu = "cards are no faster at nearest rows"; !opt.has(takesK) && opt.Reference == "" {
		j.work = workload{eps: []float64{opt.Eps.join()}}
	}
	if opt.Reference != "" {
		return j.scoreNew(ctx, opt, scores)
	}
	j.plan, j.dry = j.planOutliers(opt), opt.Dry.Run
	in, err := j.read(ctx, opt.Paths, &opt.Input, &opt.Metric, opt.addedColumns(scores))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.close()) }()
	if err := opt.checkRows(in.source); err != nil {
		return err
	}
	labels, err := opt.Evaluate.read(ctx, in.source)
	if err != nil {
		return err
	}
	if err := labels.use(in.source, in.points.Rows()); err != nil {
		return err
	}
	opt.record(j, in.params, scores)
	if opt.has(takesEps) {
		j.warnEps(opt.Eps, &opt.Input, &opt.Metric, in.source)
	}
	if err := opt.checkLists(in.source); err != nil {
		return err
	}
	if opt.Dry.Run {
		return j.dryOutliers(ctx, opt, in)
	}
	err = j.withIndex(ctx, in.points, func(ctx context.Context, idx join.Index) error { return scoreEach(ctx, idx, scores) })
	if err != nil {
		return err
	}
	err = j.verify(in.points.Rows(), func(sample []int) error { return verifyScores(ctx, in.points, scores, sample) })
	if err != nil {
		return err
	}
	return j.writeScores(ctx, opt, &scoredTable{source: in.source, keep: in.keep, scores: scores, labels: labels})
}

// scoredTable is a table whose rows have scores.
type scoredTable struct {
	*source
	keep      []string // columns of the input to write, nil for all
	scores    []*scored
	labels    *truth           // nil without --evaluate
	reference *referenceCounts // nil without --reference
}

// writeScores tells of the scores of a table, and writes it with them.
func (j *job) writeScores(ctx context.Context, opt *outliersOptions, t *scoredTable) error {
	if err := opt.Cut.flag(t.scores); err != nil {
		return err
	}
	if err := j.describeScores(ctx, opt, t); err != nil {
		return err
	}
	picture, err := j.plotScores(&opt.Cut, t)
	if err != nil {
		return err
	}
	added := append(addedScores(t.source, opt.Input.NaN, t.scores), addedFlags(t.source, opt.Input.NaN, t.scores)...)
	if err := j.writeTable(ctx, t.source, t.keep, added); err != nil {
		return err
	}
	j.savePlot(picture)
	return j.finish()
}

// checkReference finds what is wrong with the reference by its name.
func (o *outliersOptions) checkReference() error {
	if o.Reference == "" {
		return usagef("--reference is empty: name a table, or leave it out")
	}
	return checkInputs(append([]string{o.Reference}, o.Paths...)...)
}

// checkRows wants more rows than the greatest k, in a table that has rows.
func (o *outliersOptions) checkRows(s *source) error {
	if !o.has(takesK) {
		return nil
	}
	return s.enoughRows(o.mostK(), fmt.Sprintf("-k %d", o.mostK()))
}

// checkLists refuses lists of nearest rows that there is no memory for.
func (o *outliersOptions) checkLists(s *source) error {
	if !o.has(keepsLists) {
		return nil
	}
	const neighborBytes = 12
	return needMemory("the nearest rows with this k", float64(s.points.Rows()), float64(o.mostK()), neighborBytes)
}

// scoreEach fills in the results of all scores.
func scoreEach(ctx context.Context, idx join.Index, scores []*scored) error {
	results, err := outlier.ScoreEach(ctx, idx, allSettings(scores))
	if err != nil {
		return err
	}
	for i, res := range results {
		scores[i].Result = res
	}
	return nil
}

// verifyScores recomputes sampled rows by brute force.
func verifyScores(ctx context.Context, points *join.Points, scores []*scored, sample []int) error {
	for _, s := range scores {
		if err := outlier.Verify(ctx, points, s.settings, s.Result, sample); err != nil {
			return s.named(err, len(scores))
		}
	}
	return nil
}
