package main

import (
	"fmt"
	"strings"

	"rtcluster/outlier"
)

// This file evaluates scores by labels.

// evaluationCounts is what a report tells of the labels.
type evaluationCounts struct {
	Column     string   `json:"column"`
	Outlier    []string `json:"outlier_labels"`
	Inlier     []string `json:"inlier_labels"`
	Outliers   int      `json:"outliers"` // rows used that are
	Inliers    int      `json:"inliers"`
	Unlabelled int      `json:"unlabelled"` // rows used that are left out
}

// evaluation is what it tells of a score. Adjusted figures are 0 for random order and
// 1 for a perfect one, see outlier.Evaluation.
type evaluation struct {
	AUROC                float64   `json:"auroc"`
	AveragePrecision     float64   `json:"average_precision"`
	AdjustedAverage      float64   `json:"average_precision_adjusted"`
	PrecisionAtN         float64   `json:"precision_at_n"` // of as many rows as there are outliers
	AdjustedPrecisionAtN float64   `json:"precision_at_n_adjusted"`
	MaxF1                float64   `json:"max_f1"`
	AdjustedMaxF1        float64   `json:"max_f1_adjusted"`
	MaxF1Score           jsonFloat `json:"max_f1_score"` // the rows of that score or higher have it
}

// evaluate compares the scores of the rows used with their labels, if there are any,
// and tells of it in counts and in the summary.
func (j *job) evaluate(t *truth, scores []*scored, counts *outlierCounts) error {
	if t == nil || len(t.is) == 0 {
		return nil
	}
	c := &evaluationCounts{Column: t.column, Outlier: t.meant, Inlier: t.others, Unlabelled: len(scores[0].Scores) - len(t.is)}
	counts.Evaluation = c
	for i, score := range scores {
		e, err := outlier.Evaluate(gathered(score.Scores, t.rows), t.is)
		if err != nil {
			return inputf(t.path, "--evaluate %s: %w", t.column, err)
		}
		c.Outliers, c.Inliers = e.Outliers, e.Inliers
		counts.Scores[i].Evaluation = &evaluation{
			AUROC: e.AUROC, AveragePrecision: e.AveragePrecision, AdjustedAverage: e.AdjustedAveragePrecision,
			PrecisionAtN: e.PrecisionAtN, AdjustedPrecisionAtN: e.AdjustedPrecisionAtN,
			MaxF1: e.MaxF1, AdjustedMaxF1: e.AdjustedMaxF1, MaxF1Score: jsonFloat(e.MaxF1Score),
		}
	}
	j.lineEvaluation(c, counts.Scores)
	return nil
}

// gathered returns the values of some rows, or all.
func gathered(values []float64, rows []int32) []float64 {
	if len(rows) == len(values) {
		return values
	}
	some := make([]float64, len(rows))
	for i, row := range rows {
		some[i] = values[row]
	}
	return some
}

// lineEvaluation adds the figures to the summary.
func (j *job) lineEvaluation(c *evaluationCounts, scores []scoreCounts) {
	left := ""
	if c.Unlabelled > 0 {
		left = fmt.Sprintf("; %s without a label left out", plural(c.Unlabelled, "row", "rows"))
	}
	j.line("labels", "%s: %s (%s), %s (%s)%s", c.Column, plural(c.Outliers, "outlier", "outliers"), listed(c.Outlier),
		plural(c.Inliers, "inlier", "inliers"), listed(c.Inlier), left)
	cells := [][]string{{"column", "AUROC", "average precision", "adjusted", "precision at " + grouped(c.Outliers), "adjusted", "greatest F1", "adjusted"}}
	for i := range scores {
		e := scores[i].Evaluation
		line := []string{scores[i].Column}
		for _, x := range []float64{e.AUROC, e.AveragePrecision, e.AdjustedAverage, e.PrecisionAtN, e.AdjustedPrecisionAtN, e.MaxF1, e.AdjustedMaxF1} {
			line = append(line, fmt.Sprintf("%.6f", x))
		}
		cells = append(cells, line)
	}
	var text strings.Builder
	writeCells(&text, cells, 1)
	label := "evaluation"
	for line := range strings.Lines(text.String()) {
		j.line(label, "%s", strings.TrimRight(line, "\n"))
		label = ""
	}
}
