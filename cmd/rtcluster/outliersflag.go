package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/io/table"
	"rtcluster/outlier"
)

// This file turns scores into flags.

// cutOptions say which rows are flagged; without a rule none are.
type cutOptions struct{ outlier.Cut }

func (o *cutOptions) define(cmd *cobra.Command) {
	addFlags(cmd, "Flag", func(fs *pflag.FlagSet) {
		for _, f := range []struct {
			rule       outlier.Rule
			word, help string
		}{
			{outlier.ByContamination, "SHARE", "add is_outlier: true for about this share of the rows, at most 0.5; those above the (1 - SHARE)-quantile, as in PyOD, and none of those equal to it"},
			{outlier.ByTop, "N", "add is_outlier: true for the N highest scores, and for all that equal the last of them"},
			{outlier.ByThreshold, "SCORE", "add is_outlier: true for scores above SCORE"},
			{outlier.ByMAD, "K", "add is_outlier: true for scores above median + K * 1.4826 * MAD, the median absolute deviation; 3.5 is usual"},
			{outlier.ByQuantile, "Q", "add is_outlier: true for scores above the Q-quantile, 0 to 1, and none of those equal to it"},
		} {
			fs.Var(&cutValue{&o.Cut, f.rule, f.word}, string(f.rule), f.help)
		}
	})
}

// cutValue sets the rule that the flag is for.
type cutValue struct {
	cut  *outlier.Cut
	rule outlier.Rule
	word string
}

func (v *cutValue) String() string {
	if v.cut == nil || v.cut.Rule != v.rule {
		return ""
	}
	return exact(v.cut.Value)
}

func (v *cutValue) Type() string { return v.word }

func (v *cutValue) Set(text string) error {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || notFinite(x) {
		return fmt.Errorf("want a number")
	}
	*v.cut = outlier.Cut{Rule: v.rule, Value: x}
	return nil
}

func (o *cutOptions) check(cmd *cobra.Command) error {
	first := ""
	for _, rule := range outlier.Rules() {
		switch {
		case !cmd.Flags().Changed(string(rule)):
		case first != "":
			return usagef("--%s and --%s exclude each other: give one rule that flags rows", first, rule)
		default:
			first = string(rule)
		}
	}
	if first == "" {
		return nil
	}
	if err := o.Check(); err != nil {
		return usagef("--%s", strings.TrimPrefix(err.Error(), "outlier: "))
	}
	return nil
}

// given reports whether rows are to be flagged.
func (o *cutOptions) given() bool { return o.Rule != "" }

// shown is how many of the highest scores the report lists: as many as --top flags, but
// a few at least, and no more than a page has room for.
func (o *cutOptions) shown() int {
	const few = 10
	if o.Rule != outlier.ByTop {
		return few
	}
	return int(max(few, min(o.Value, mostTabled)))
}

// text is the rule as the summary has it.
func (o *cutOptions) text() string { return string(o.Rule) + " " + exact(o.Value) }

// flag flags the rows of each score, if a rule was given, or the method has one. New
// rows are judged by the scores of the reference's own rows where the rule looks at
// scores at all.
func (o *cutOptions) flag(scores []*scored) error {
	for _, s := range scores {
		if !o.given() {
			if s.defined() {
				s.flagDefined()
			}
			continue
		}
		fitted := s.Scores
		if s.byReference(o) {
			fitted = s.reference.Scores
		}
		limit, err := o.Fit(fitted)
		if err != nil {
			return s.named(err, len(scores))
		}
		s.limit, s.flags = limit, limit.Flag(s.Scores)
	}
	return nil
}

// byReference reports whether a rule goes by the scores of the reference.
func (s *scored) byReference(cut *cutOptions) bool {
	return s.reference != nil && cut.Rule != outlier.ByTop
}

// flagColumn is the column of the flags of a score.
func (s *scored) flagColumn() string { return "is_outlier" + strings.TrimPrefix(s.column, "score") }

// columns are the columns that the flags add.
func (o *cutOptions) columns(scores []*scored) []string {
	var names []string
	for _, s := range scores {
		if o.given() || s.defined() {
			names = append(names, s.flagColumn())
		}
	}
	return names
}

// addedFlags are the columns of the flags of a source.
func addedFlags(s *source, nan string, scores []*scored) []table.Added {
	var added []table.Added
	valid := s.valid(nan)
	for _, score := range scores {
		if score.flags != nil {
			added = append(added, table.Added{Name: score.flagColumn(), Values: scatter(score.flags.Outlier, s.rows, s.table.Rows(), false), Valid: valid})
		}
	}
	return added
}

// cutParameters are the rule that flags rows.
type cutParameters struct {
	Rule  string  `json:"rule"`
	Value float64 `json:"value"`
}

func (o *cutOptions) parameters() *cutParameters {
	if !o.given() {
		return nil
	}
	return &cutParameters{string(o.Rule), o.Value}
}

// flagCounts is what a report tells of the flags of a score.
type flagCounts struct {
	Column    string     `json:"column"` // as it is written
	Flagged   int        `json:"flagged"`
	Limit     *jsonFloat `json:"limit,omitempty"` // scores above it are flagged; absent: by the method's definition
	Inclusive bool       `json:"inclusive"`       // those that equal it, too
	Ties      int        `json:"ties"`            // rows that equal it
	Median    *jsonFloat `json:"median,omitempty"`
	MAD       *jsonFloat `json:"mad,omitempty"`
}

func (s *scored) flagCounts(cut *cutOptions, prefix string) *flagCounts {
	if s.flags == nil {
		return nil
	}
	c := &flagCounts{Column: prefix + s.flagColumn(), Flagged: s.flags.Flagged, Inclusive: s.limit.Inclusive, Ties: s.flags.Ties}
	if cut.given() {
		limit := jsonFloat(s.limit.Score)
		c.Limit = &limit
	}
	if cut.Rule == outlier.ByMAD {
		median, mad := jsonFloat(s.limit.Median), jsonFloat(s.limit.MAD)
		c.Median, c.MAD = &median, &mad
	}
	return c
}

// describeFlags adds to the summary how many rows are flagged, and by what.
func (j *job) describeFlags(cut *cutOptions, scores []*scored) {
	label := "flagged"
	for _, s := range scores {
		if s.flags == nil {
			continue
		}
		of, rows := "", len(s.Scores)
		if len(scores) > 1 {
			of = j.outOpt.Prefix + s.flagColumn() + ": "
		}
		j.line(label, "%s%s of %s rows: %s", of, grouped(s.flags.Flagged), grouped(rows), s.limitText(cut))
		label = ""
		switch {
		case rows == 0:
		case cut.Rule == outlier.ByMAD && s.limit.MAD == 0:
			j.warn("%smore than half of the scores equal the median, %.6g, so that the MAD is 0: all scores above it are flagged", of, s.limit.Median)
		case s.flags.Flagged == 0 && s.flags.Ties > 1 && cut.Rule != outlier.ByThreshold:
			j.warn("%sno row is flagged: %s rows share the highest score, %.6g, which is the limit, and ties with it are not flagged (with --top they are)",
				of, grouped(s.flags.Ties), s.limit.Score)
		case cut.given() && !s.limit.Outlier(highest(s.settings.Method)):
			j.warn("%sno row can be flagged: the limit is %.6g, and no score of %s is above %g", of, s.limit.Score, s.settings.Method, highest(s.settings.Method))
		case cut.Rule == outlier.ByTop && cut.Value > float64(rows):
			j.warn("%s--top %s asks for more rows than the %s there are: all are flagged", of, exact(cut.Value), grouped(rows))
		}
	}
}

// highest is what no score of a method is above.
func highest(m outlier.Method) float64 {
	switch m {
	case outlier.ODIN, outlier.Count:
		return 0
	case outlier.LoOP, outlier.DB, outlier.DBSCAN:
		return 1
	default:
		return math.Inf(1)
	}
}

// limitText says where the cut falls.
func (s *scored) limitText(cut *cutOptions) string {
	if !cut.given() {
		return "at least " + exact(s.settings.Fraction) + " of all rows are farther than eps"
	}
	text := fmt.Sprintf("score above %.6g", s.limit.Score)
	if s.limit.Inclusive {
		text = fmt.Sprintf("score %.6g or higher", s.limit.Score)
	}
	if cut.Rule != outlier.ByThreshold {
		text += " (" + cut.text()
		if s.byReference(cut) {
			text += " of the reference"
		}
		if cut.Rule == outlier.ByMAD {
			text += fmt.Sprintf(": median %.6g, MAD %.6g", s.limit.Median, s.limit.MAD)
		}
		text += ")"
	}
	return text + s.tiesText()
}

func (s *scored) tiesText() string {
	switch n := s.flags.Ties; {
	case s.limit.Inclusive && n > 1:
		return "; " + grouped(n) + " rows equal it, and all are flagged"
	case s.limit.Inclusive, n == 0:
		return ""
	case n == 1:
		return "; 1 row equals it and is not flagged"
	default:
		return "; " + grouped(n) + " rows equal it and are not flagged"
	}
}
