package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"rtcluster/epsilon"
	"rtcluster/join"
)

// This file finds eps by a rule, for `rtcluster eps` and `dbscan --eps auto`.

// The rules, in the order in which they are shown.
const (
	ruleKnee        = "knee"
	ruleQuantile    = "quantile"
	ruleSelectivity = "selectivity"
	ruleNullField   = "null-field"
)

func ruleNames() []string { return []string{ruleKnee, ruleQuantile, ruleSelectivity, ruleNullField} }

const (
	// defaultQuantile leaves a tenth of the rows for noise and border.
	defaultQuantile = 0.9
	// measureAtMost is of how many rows k-distances are measured unless --sample
	// says otherwise: the curve of so many differs from that of all by less than a
	// person sees.
	measureAtMost = 1_000_000
	// countAtMost is of how many rows neighbours are counted to find a selectivity,
	// unless --sample 0 asks for all.
	countAtMost = 100_000
	// mostRepeats bounds the null fields: more than it take days and change nothing.
	mostRepeats = 10_000
)

const rulesHelp = "knee (where the curve of k-distances bends), quantile[=SHARE] (so many rows are core; 0.9), " +
	"selectivity[=MEAN] (so many other rows within eps on average; min-samples - 1), " +
	"null-field[=REPEATS] (below what chance brings about in a field without clusters; 30)"

// epsRule is a rule, and its parameter.
type epsRule struct {
	Name  string
	Value float64 // of quantile, selectivity and null-field; 0: the default
}

// String is the rule as it is typed.
func (r epsRule) String() string {
	if r.Value == 0 {
		return r.Name
	}
	return r.Name + "=" + exact(r.Value)
}

// parseRule reads NAME or NAME=VALUE.
func parseRule(text string) (epsRule, error) {
	name, value, given := strings.Cut(strings.TrimSpace(text), "=")
	rule := epsRule{Name: name}
	if !slices.Contains(ruleNames(), name) {
		return rule, fmt.Errorf("unknown rule %q%s: want one of %s", name, didYouMean(name, ruleNames()), strings.Join(ruleNames(), ", "))
	}
	if !given {
		return rule, nil
	}
	x, err := strconv.ParseFloat(value, 64)
	switch {
	case name == ruleKnee:
		return rule, errors.New("rule knee takes no value")
	case err != nil || math.IsInf(x, 0):
		return rule, fmt.Errorf("rule %s=%s: %q is no number", name, value, value)
	case name == ruleQuantile && !(x > 0 && x <= 1):
		return rule, fmt.Errorf("rule quantile=%s: want a share of the rows, more than 0 and at most 1", value)
	case name == ruleSelectivity && !(x > 0):
		return rule, fmt.Errorf("rule selectivity=%s: want a mean number of rows, more than 0", value)
	case name == ruleNullField && (!(x >= 1 && x <= mostRepeats) || x != math.Trunc(x)):
		return rule, fmt.Errorf("rule null-field=%s: want a whole number of repeats, 1 to %d", value, mostRepeats)
	}
	rule.Value = x
	return rule, nil
}

// filled is the rule with its default as its value.
func (r epsRule) filled(k int) epsRule {
	switch {
	case r.Value != 0:
	case r.Name == ruleQuantile:
		r.Value = defaultQuantile
	case r.Name == ruleSelectivity:
		r.Value = float64(k)
	case r.Name == ruleNullField:
		r.Value = epsilon.DefaultRepeats
	}
	return r
}

// ruleValue is a pflag.Value of one rule.
type ruleValue struct{ target *epsRule }

func (v ruleValue) String() string {
	if v.target == nil {
		return ""
	}
	return v.target.String()
}

func (v ruleValue) Type() string { return "RULE" }

func (v ruleValue) Set(text string) (err error) {
	*v.target, err = parseRule(text)
	return err
}

// epsSearch measures the k-distances of an input and applies rules to them.
type epsSearch struct {
	engine join.Engine
	metric *metricOptions
	k      int
	sample int // rows to measure, 0 for all
	seed   uint64
	curve  *epsilon.Curve // by measure
}

// measure takes the k-distances of all rows, or of random ones if there are more
// than the sample.
func (s *epsSearch) measure(ctx context.Context, idx join.Index) (err error) {
	s.curve, err = epsilon.Measure(ctx, idx, epsilon.Options{
		K: s.k, Unit: s.metric.unit(), Rows: s.rows(idx, s.sample),
	})
	return err
}

// rows are so many random rows of an index; nil for all, if there are not more or
// if the number is 0.
func (s *epsSearch) rows(idx join.Index, number int) []int32 {
	n := idx.Points().Rows()
	if number == 0 || number >= n {
		return nil
	}
	rows := make([]int32, 0, number)
	for _, row := range sampleRows(n, number, s.seed) {
		rows = append(rows, int32(row))
	}
	return rows
}

// measured says of which rows the curve is.
func (s *epsSearch) measured() string {
	if s.curve.Sampled() {
		return fmt.Sprintf("%s random rows of %s, seed %d", grouped(len(s.curve.Distances)), grouped(s.curve.Rows), s.seed)
	}
	return "all " + grouped(s.curve.Rows) + " rows"
}

// suggestion is an eps and why.
type suggestion struct {
	Rule   epsRule
	Radius radius
	Reason string
}

// suggest applies a rule. An [epsilon.NoneError] says that it finds no eps.
func (s *epsSearch) suggest(ctx context.Context, idx join.Index, rule epsRule) (suggestion, error) {
	rule = rule.filled(s.k)
	found := suggestion{Rule: rule}
	var eps float64
	var err error
	switch rule.Name {
	case ruleKnee:
		var knee epsilon.Knee
		knee, err = s.curve.Knee()
		eps, found.Reason = knee.Eps, s.kneeReason(knee)
	case ruleQuantile:
		eps, err = s.curve.Quantile(rule.Value)
		found.Reason = fmt.Sprintf("%s of the rows have %d others within eps", percent(s.curve.Share(eps)), s.k)
	case ruleSelectivity:
		eps, found.Reason, err = s.selectivity(ctx, idx, rule.Value)
	default:
		var null *epsilon.Null
		if null, err = s.nullField(ctx, idx, int(rule.Value)); err == nil {
			eps, found.Reason = null.Eps, nullReason(null)
		}
	}
	if eps == 0 {
		found.Reason += "; eps 0 joins equal rows only"
	}
	found.Radius = s.metric.radius(eps)
	return found, err
}

// selectivity counts the neighbours of fewer rows than are measured, since it does
// so again and again.
func (s *epsSearch) selectivity(ctx context.Context, idx join.Index, mean float64) (float64, string, error) {
	number := 0
	if s.sample > 0 {
		number = min(s.sample, countAtMost)
	}
	rows := s.rows(idx, number)
	selected, err := s.curve.Selectivity(ctx, idx, rows, mean)
	reason := fmt.Sprintf("rows have %.6g others within eps on average", selected.Mean)
	if rows != nil {
		reason += fmt.Sprintf(", over %s random rows", grouped(len(rows)))
	}
	return selected.Eps, reason, err
}

// stageNullField is the stage of the null-field rule; it counts fields.
const stageNullField join.Stage = ruleNullField

// nullField runs the rule, whose many searches are shown as one stage.
func (s *epsSearch) nullField(ctx context.Context, idx join.Index, repeats int) (*epsilon.Null, error) {
	points := idx.Points()
	if err := needMemory("the null field", 3.5, 8, float64(points.Rows()), float64(points.Dim())); err != nil {
		return nil, err
	}
	report := join.ReportTo(ctx)
	report(stageNullField, 0, int64(repeats))
	defer report(stageNullField, int64(repeats), int64(repeats))
	var begun atomic.Int64
	quiet := join.WithProgress(join.WithEffort(ctx, nil), func(stage join.Stage, done, _ int64) {
		if stage == join.StageIndex && done == 0 { // of the next field; those before it are done
			if n := begun.Add(1) - 1; n > 0 && n < int64(repeats) {
				report(stageNullField, n, int64(repeats))
			}
		}
	})
	return epsilon.NullField(quiet, s.engine, idx, epsilon.NullOptions{
		K: s.k, Unit: s.metric.unit(), Repeats: repeats, Seed: s.seed,
	})
}

func (s *epsSearch) kneeReason(knee epsilon.Knee) string {
	text := fmt.Sprintf("the curve bends at %s of the rows, %.2f below its chord", percent(s.curve.Share(knee.Eps)), knee.Height)
	if knee.Beyond > 0 {
		text += fmt.Sprintf("; the %s farthest set aside", plural(knee.Beyond, "row", "rows"))
	}
	return text
}

func nullReason(null *epsilon.Null) string {
	text := fmt.Sprintf("half way between the smallest k-distance, %.6g, and that of %s without clusters, %.6g (sd %.2g)",
		null.Field, plural(null.Repeats, "field", "fields"), null.Mean, null.SD)
	if null.Field >= null.Mean {
		text += ": nothing here is denser than chance"
	}
	return text
}
