package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/io/table"
)

// This file reads the labels that scores are evaluated by.

// evaluateOptions say which rows are known to be outliers.
type evaluateOptions struct {
	Labels   string   // column; "": scores are not evaluated
	Outliers []string // values of it that mean outlier; nil: by their words
}

// labelsHelp says what values of labels are understood.
const labelsHelp = "true, 1, yes, y, outlier, o, anomaly and abnormal are outliers; false, 0, no, n, inlier, i and normal are not; of other words Noise alone is, whatever the case, and beside it numbers are clusters"

func (o *evaluateOptions) define(cmd *cobra.Command) {
	addFlags(cmd, "Evaluation", func(fs *pflag.FlagSet) {
		fs.StringVar(&o.Labels, "evaluate", "", "`COLUMN` of labels to evaluate the scores by, which is then no coordinate: "+labelsHelp+
			"; rows without a label are left out")
		fs.Var(&columnsValue{target: &o.Outliers, words: "VALUES"}, "evaluate-outlier", "the labels that mean outlier; all others mean none")
	})
}

func (o *evaluateOptions) check(cmd *cobra.Command, in *inputOptions) error {
	given := cmd.Flags().Changed
	switch {
	case given("evaluate") && o.Labels == "":
		return usagef("--evaluate is empty: name a column, or leave it out")
	case given("evaluate-outlier") && o.Labels == "":
		return usagef("--evaluate-outlier is for --evaluate COLUMN, which names the labels")
	case given("evaluate-outlier") && len(o.Outliers) == 0:
		return usagef("--evaluate-outlier is empty: give a value of column %s, or leave it out", o.Labels)
	case o.Labels != "" && slices.Contains(in.Columns, o.Labels):
		return usagef("%s", o.leak())
	}
	in.Labels = o.Labels
	return nil
}

// leak says that the labels are among the coordinates.
func (o *evaluateOptions) leak() string {
	return fmt.Sprintf("--columns has %q, the labels of --evaluate: scores that know them cannot be evaluated by them", o.Labels)
}

// truth is what labels say of the rows of a table.
type truth struct {
	path     string
	column   string
	meant    []string // the labels that mean outlier
	others   []string
	labels   *table.Labels
	outliers []bool // by place in labels

	rows []int32 // of the rows used, those that have a label
	is   []bool  // whether they are outliers
}

// read reads the labels, if the scores are to be evaluated.
func (o *evaluateOptions) read(ctx context.Context, s *source) (*truth, error) {
	if o.Labels == "" {
		return nil, nil
	}
	all := columnNames(s.table.Columns())
	if !slices.Contains(all, o.Labels) {
		return nil, unknownColumn(s.path, o.Labels, all)
	}
	for _, name := range s.columns {
		if bareName(all, name) == o.Labels {
			return nil, inputf(s.path, "%s", o.leak())
		}
	}
	const most = 1000
	labels, err := s.table.Labels(ctx, o.Labels, most)
	if err != nil {
		return nil, readError(s.path, err)
	}
	t := &truth{path: s.path, column: o.Labels, labels: labels}
	if o.Outliers != nil {
		err = t.named(o.Outliers)
	} else {
		err = t.known()
	}
	if err != nil {
		return nil, err
	}
	outliers, labelled := int64(0), int64(0)
	for i, is := range t.outliers {
		labelled += labels.Rows[i]
		if is {
			outliers += labels.Rows[i]
			t.meant = append(t.meant, labels.Values[i])
		} else {
			t.others = append(t.others, labels.Values[i])
		}
	}
	if s.table.Rows() == 0 {
		return t, nil
	}
	return t, t.check(outliers, labelled)
}

// check wants outliers among the rows with a label, and others.
func (t *truth) check(outliers, labelled int64) error {
	if outliers > 0 && outliers < labelled {
		return nil
	}
	return inputf(t.path, "--evaluate %s: %s of %s with a label are outliers, want one at least and not all; the labels are %s",
		t.column, grouped(outliers), plural(labelled, "row", "rows"), cmp.Or(t.values(), "all missing"))
}

// named takes the given labels for outliers. Numbers may be written otherwise.
func (t *truth) named(outliers []string) error {
	for _, want := range outliers {
		if !slices.ContainsFunc(t.labels.Values, func(v string) bool { return sameLabel(v, want) }) && len(t.labels.Values) > 0 {
			return inputf(t.path, "column %s has no label %q that --evaluate-outlier names: it has %s", t.column, want, t.values())
		}
	}
	for _, v := range t.labels.Values {
		t.outliers = append(t.outliers, slices.ContainsFunc(outliers, func(want string) bool { return sameLabel(v, want) }))
	}
	return nil
}

func sameLabel(a, b string) bool {
	if a == b {
		return true
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x == y
}

// known takes labels by their words: all must be understood, or one of them must be
// Noise, as in data sets that name the cluster of each other row, or number it.
func (t *truth) known() error {
	noise := func(v string) bool { return strings.EqualFold(v, "noise") }
	isNoise := slices.ContainsFunc(t.labels.Values, noise)
	for _, v := range t.labels.Values {
		outlier, known := labelWord(v)
		if !known && !isNoise {
			return inputf(t.path, "column %s has %s: name those that mean outlier by --evaluate-outlier%s", t.column, t.values(), t.signs())
		}
		_, err := strconv.ParseFloat(v, 64)
		cluster := isNoise && err == nil
		t.outliers = append(t.outliers, outlier && known && !cluster || noise(v))
	}
	return nil
}

// labelWord says what a label means, see labelsHelp.
func labelWord(v string) (outlier, known bool) {
	switch strings.ToLower(v) {
	case "true", "yes", "y", "outlier", "o", "anomaly", "abnormal":
		return true, true
	case "false", "no", "n", "inlier", "i", "normal":
		return false, true
	}
	x, err := strconv.ParseFloat(v, 64)
	return x == 1, err == nil && (x == 0 || x == 1)
}

// values lists the labels with their numbers of rows.
func (t *truth) values() string {
	const most = 8
	var texts []string
	for i, v := range t.labels.Values[:min(most, len(t.labels.Values))] {
		texts = append(texts, fmt.Sprintf("%q (%s)", v, plural(t.labels.Rows[i], "row", "rows")))
	}
	text := strings.Join(texts, ", ")
	if more := len(t.labels.Values) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// signs is a hint for labels 1 and -1, which scikit-learn predicts.
func (t *truth) signs() string {
	for _, v := range t.labels.Values {
		if x, err := strconv.ParseFloat(v, 64); err != nil || x != 1 && x != -1 {
			return ""
		}
	}
	return " (scikit-learn's outliers are -1: --evaluate-outlier=-1)"
}

// use settles which of the rows used have a label.
func (t *truth) use(s *source, used int) error {
	if t == nil || used == 0 {
		return nil
	}
	outliers := int64(0)
	for i := range used {
		at := t.labels.Of[s.tableRow(i)]
		if at < 0 {
			continue
		}
		t.rows, t.is = append(t.rows, int32(i)), append(t.is, t.outliers[at])
		if t.outliers[at] {
			outliers++
		}
	}
	return t.check(outliers, int64(len(t.is)))
}
