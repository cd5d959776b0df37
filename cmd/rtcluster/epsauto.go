package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rtcluster/epsilon"
	"rtcluster/join"
)

// epsAuto is the word for an eps that a rule finds.
const epsAuto = "auto"

// checkAuto finds what is wrong with the flags of --eps auto.
func (o *dbscanOptions) checkAuto(cmd *cobra.Command) error {
	switch {
	case !o.Auto && cmd.Flags().Changed("eps-rule"):
		return usagef("--eps-rule %s is how --eps auto finds eps: give --eps auto, or leave the rule out", o.Rule)
	case o.Auto && o.MinSamples < 2:
		return usagef("--eps auto needs --min-samples 2 or more: with 1 every row is core, whatever eps is")
	}
	return nil
}

// checkRows wants as many rows as --min-samples, where --eps auto measures how far
// they are.
func (o *dbscanOptions) checkRows(s *source) error {
	if !o.Auto {
		return nil
	}
	return s.enoughRows(o.MinSamples-1, fmt.Sprintf("--eps auto --min-samples %d", o.MinSamples))
}

// settleEps returns the eps to cluster with, given or found, and takes note of them.
func (j *job) settleEps(ctx context.Context, idx join.Index, opt *dbscanOptions, in *prepared) ([]radius, error) {
	if len(opt.Eps) > 1 {
		texts := make([]string, len(opt.Eps))
		for i, r := range opt.Eps {
			texts[i] = r.String()
			in.params.Levels = append(in.params.Levels, levelEps{Eps: r.Value, EpsUnit: r.Unit})
		}
		j.line("parameters", "eps %s; min-samples %d, border %s%s", strings.Join(texts, ", "), opt.MinSamples, opt.Border, opt.Arrange.text())
		return opt.Eps, nil
	}
	list, how := opt.Eps, ""
	if opt.Auto {
		found, err := j.findEps(ctx, idx, opt, in)
		if err != nil {
			return nil, err
		}
		list, how = []radius{found.Radius}, " ("+found.Rule.String()+")"
		j.line("eps", "%s: %s", found.Rule, found.Reason)
	}
	if idx.Points().Rows() > 0 || !opt.Auto {
		in.params.setEps(list[0])
	}
	j.line("parameters", "eps %s%s, min-samples %d, border %s%s", list[0], how, opt.MinSamples, opt.Border, opt.Arrange.text())
	return list, nil
}

// findEps applies the rule of --eps auto.
func (j *job) findEps(ctx context.Context, idx join.Index, opt *dbscanOptions, in *prepared) (suggestion, error) {
	search := &epsSearch{
		engine: j.engine.join, metric: &opt.Metric,
		k: opt.MinSamples - 1, sample: measureAtMost, seed: opt.Run.Seed,
	}
	rule := opt.Rule.filled(search.k)
	used := &ruleUsed{Rule: rule.Name, Value: rule.Value, K: search.k, Seed: search.seed}
	in.params.EpsRule = used
	if idx.Points().Rows() == 0 {
		return suggestion{Rule: rule, Radius: opt.Metric.radius(0), Reason: "there are no rows"}, nil
	}
	if in.weights != nil {
		j.warn("--eps auto counts rows where --min-samples is a sum of weights")
	}
	if err := search.measure(ctx, idx); err != nil {
		return suggestion{}, err
	}
	if search.curve.Sampled() {
		used.Measured = len(search.curve.Distances)
		j.line("sample", "k-distances of %s", search.measured())
	}
	found, err := search.suggest(ctx, idx, rule)
	var none *epsilon.NoneError
	if errors.As(err, &none) {
		return found, inputf(in.path, "--eps-rule %s finds no eps: %s; name another rule, or give --eps (`rtcluster eps` shows the curve)", rule, none.Reason)
	}
	used.Reason = found.Reason
	return found, err
}
