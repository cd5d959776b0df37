package main

import (
	"fmt"
	"slices"
	"strings"

	"rtcluster/io/table"
	"rtcluster/outlier"
)

// This file has the scores of a run of `rtcluster outliers`: one, or several of
// methods and k.

// scored is a score and, once it is computed, its values for the rows used.
type scored struct {
	column   string // before --prefix
	settings outlier.Options
	*outlier.Result
	reference *outlier.Result // of the reference's own rows; nil without one

	limit outlier.Limit  // where the rule that flags rows cuts
	flags *outlier.Flags // of the rows used; nil if there is no rule
}

// scores are the scores that the flags ask for, in the order given, the methods
// first. A single one is called score.
func (o *outliersOptions) scores() []*scored {
	var all []*scored
	add := func(method string, k int, column string) {
		all = append(all, &scored{column: column, settings: outlier.Options{
			Method: outlier.Method(method), K: k, Eps: o.Eps.join(), Aggregate: outlier.Aggregate(o.Aggregate),
			Ties: outlier.Ties(o.Ties), Lambda: o.Lambda, AllPLOF: o.AllPLOF, MinSamples: o.Within.MinSamples,
			Distance: o.Metric.distance(), Threads: threadCount(o.Run.Threads),
		}})
		if method == string(outlier.DB) {
			all[len(all)-1].settings.Fraction = o.Within.Fraction
		}
	}
	for _, method := range o.Methods {
		if !outlier.Method(method).Nearest() {
			add(method, 0, "score_"+method)
			continue
		}
		for _, k := range o.K {
			add(method, k, fmt.Sprintf("score_%s_%d", method, k))
		}
	}
	if len(all) == 1 {
		all[0].column = "score"
	}
	return all
}

// addedColumns are the columns that the scores add.
func (o *outliersOptions) addedColumns(scores []*scored) []string {
	var names []string
	for _, s := range scores {
		names = append(names, s.column)
	}
	return append(names, o.Cut.columns(scores)...)
}

func allSettings(scores []*scored) []outlier.Options {
	var all []outlier.Options
	for _, s := range scores {
		all = append(all, s.settings)
	}
	return all
}

// named says which of several scores an error is about.
func (s *scored) named(err error, scores int) error {
	if err == nil || scores < 2 {
		return err
	}
	return fmt.Errorf("%s: %w", s.column, err)
}

// addedScores are the columns of the scores of a source. They take over the scores.
func addedScores(s *source, nan string, scores []*scored) []table.Added {
	var added []table.Added
	valid := s.valid(nan)
	for _, score := range scores {
		added = append(added, table.Added{Name: score.column, Values: inPlaces(score.Scores, s.rows, s.table.Rows()), Valid: valid})
	}
	return added
}

// inPlaces is scatter with 0 for what is absent, in the place of the values if there is
// room behind them.
func inPlaces(values []float64, rows []int32, total int64) []float64 {
	if rows == nil || int64(cap(values)) < total {
		return scatter(values, rows, total, 0)
	}
	all, end := values[:total], int(total)
	for i, row := range slices.Backward(rows) { // row is i or more
		x := values[i]
		clear(all[row:end])
		all[row], end = x, int(row)
	}
	clear(all[:end])
	return all
}

// scoreParameters are the settings of one score.
type scoreParameters struct {
	Column string `json:"column"` // without the prefix
	Method string `json:"method"`
	K      int    `json:"k,omitempty"`
}

// record takes note of the settings that decide the scores, and says them.
func (o *outliersOptions) record(j *job, params *parameters, scores []*scored) {
	params.Prefix = o.Output.Prefix
	params.Cut = o.Cut.parameters()
	for _, s := range scores {
		params.Scores = append(params.Scores, scoreParameters{s.column, string(s.settings.Method), s.settings.K})
	}
	words := []string{"method " + strings.Join(o.Methods, ",")}
	if o.has(takesK) {
		words = append(words, "k "+(&wholesValue{target: &o.K}).String())
	}
	if o.has(takesK) && o.Ties != "k" {
		params.Ties = o.Ties
		words = append(words, "ties "+o.Ties)
	}
	if o.has(named(outlier.LoOP)) {
		params.Lambda, params.AllPLOF = o.Lambda, o.AllPLOF
		words = append(words, "lambda "+exact(o.Lambda))
		if o.AllPLOF {
			words = append(words, "all PLOF")
		}
	}
	if o.has(named(outlier.KNN)) {
		params.Aggregate = o.Aggregate
		words = append(words, "aggregate "+o.Aggregate)
	}
	if o.has(takesEps) {
		params.setEps(o.Eps)
		words = append(words, "eps "+o.Eps.String())
	}
	params.Fraction, params.MinSamples = o.Within.Fraction, o.Within.MinSamples
	words = append(words, o.withinWords()...)
	j.line("parameters", "%s", strings.Join(words, ", "))
}
