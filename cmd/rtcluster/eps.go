package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/epsilon"
)

// nullFieldAtMost is for how many rows the null-field rule is applied unasked: it
// measures as many rows as there are once for each repeat.
const nullFieldAtMost = 100_000

// epsOptions are what the command line of `rtcluster eps` says.
type epsOptions struct {
	Paths       []string
	K           int // 0: min-samples − 1
	MinSamples  int // 0: k + 1, and without that by the number of coordinates
	Rules       []epsRule
	Selectivity float64
	Sample      int
	JSON        bool
	Input       inputOptions
	Metric      metricOptions
	Output      outputOptions // Plot and Force
	Run         runOptions

	rules []string
}

func newEpsCmd(a *app, run func(context.Context, *app, *epsOptions) error) *cobra.Command {
	opt := &epsOptions{}
	cmd := &cobra.Command{
		Use:   "eps INPUT... [-m M | -k K] [--selectivity S] [--plot FILE]",
		Short: "Suggest an eps for dbscan, with reasons",
		Long: `Suggest an eps for dbscan, with reasons: show how far rows are from their k-th nearest
other row, what rules make of it, and what clusters each of their eps gives.

  knee         where the sorted k-distances bend: the place farthest below the chord from
               first to last; outliers that hide it are set aside
  quantile     so large that this share of the rows is core
  selectivity  so large that rows have that many others within eps on average
  null-field   half way between the smallest k-distance and that of fields drawn at
               random without clusters: for a few clusters in a field of many rows,
               such as open clusters among stars

Red flags say where an eps can hardly be meant: no row is core, all are, or one cluster
holds nearly all rows. dbscan --eps auto --eps-rule RULE takes the eps of a rule as it is.

` + inputsHelp,
		Example: `  rtcluster eps stars.csv -c x_pc,y_pc,z_pc --min-samples 8
  rtcluster eps catalog.parquet --ra ra --dec dec -m 8 --rule knee,quantile=0.95 --plot kdist.svg`,
		Args: inputArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			opt.Paths = args
			if err := opt.check(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), a, opt)
		},
	}
	opt.define(cmd)
	opt.Input.define(cmd, false)
	cmd.Flags().Lookup("nan").Usage = "what a missing, NaN or infinite coordinate means: an error, or leave the row out"
	opt.Metric.define(cmd)
	addFlags(cmd, "Output", func(fs *pflag.FlagSet) {
		fs.BoolVar(&opt.JSON, "json", false, "write one JSON object instead of text")
		fs.StringVar(&opt.Output.Plot, "plot", "", "`FILE` to draw the curve and the suggestions into: .svg or .png")
		fs.BoolVar(&opt.Output.Force, "force", false, "overwrite the files of --plot and --report if they are there")
	})
	addFlags(cmd, "Engine", func(fs *pflag.FlagSet) {
		opt.Run.defineEngine(fs)
		fs.Uint64Var(&opt.Run.Seed, "seed", 1, "`NUMBER` that picks the rows of a sample and the fields of null-field")
	})
	opt.Run.defineGeneral(cmd, true)
	normalizeMinSamples(cmd)
	opt.Input.completeColumns(cmd)
	return cmd
}

func (o *epsOptions) define(cmd *cobra.Command) {
	addFlags(cmd, "Suggestions", func(fs *pflag.FlagSet) {
		fs.VarP(newWhole(&o.MinSamples, 0, 2), "min-samples", "m",
			"of the dbscan that eps is for (also --min-pts; default: k + 1, or 2 for each coordinate and at least 4)")
		fs.VarP(newWhole(&o.K, 0, 1), "neighbors", "k", "measure the distance to the k-th nearest other row (default min-samples - 1)")
		fs.Var(&columnsValue{target: &o.rules, words: "RULES"}, "rule",
			"rules to apply, NAME or NAME=VALUE: "+rulesHelp+fmt.Sprintf("; default: all, null-field up to %s rows", grouped(nullFieldAtMost)))
		fs.Float64Var(&o.Selectivity, "selectivity", 0, "short for the rule selectivity=`MEAN`")
		fs.Var(newWhole(&o.Sample, measureAtMost, 0), "sample", "measure `N` random rows among all if there are more, 0 for all rows")
	})
}

func (o *epsOptions) check(cmd *cobra.Command) error {
	if err := checkShared(cmd, &o.Input, &o.Metric, &o.Output, &o.Run); err != nil {
		return err
	}
	for _, text := range o.rules {
		rule, err := parseRule(text)
		if err != nil {
			return usagef("--rule: %w", err)
		}
		o.Rules = append(o.Rules, rule)
	}
	if cmd.Flags().Changed("selectivity") {
		rule, err := parseRule(ruleSelectivity + "=" + exact(o.Selectivity))
		if err != nil {
			return usagef("--selectivity: %w", err)
		}
		o.Rules = append(o.Rules, rule)
	}
	return nil
}

// settle fills what depends on the table: k, min-samples and the rules.
func (o *epsOptions) settle(s *source) {
	if o.MinSamples == 0 {
		o.MinSamples = o.K + 1
	}
	if o.MinSamples == 1 {
		o.MinSamples = epsilon.MinSamples(len(s.columns))
	}
	if o.K == 0 {
		o.K = o.MinSamples - 1
	}
	if len(o.rules) > 0 {
		return
	}
	asked := o.Rules // by --selectivity
	o.Rules = nil
	for _, name := range ruleNames() {
		switch {
		case name == ruleSelectivity && len(asked) > 0:
			o.Rules = append(o.Rules, asked...)
		case name != ruleNullField || s.rowCounts().Used <= nullFieldAtMost:
			o.Rules = append(o.Rules, epsRule{Name: name})
		}
	}
}
