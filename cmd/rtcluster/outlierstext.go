package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"rtcluster/io/table"
	"rtcluster/outlier"
)

// This file tells of scores, in the report and in the summary.

// outlierCounts is what a report counts.
type outlierCounts struct {
	rowCounts
	Reference *referenceCounts `json:"reference,omitempty"`
	Scores    []scoreCounts    `json:"scores"` // in the order of their columns

	Evaluation *evaluationCounts `json:"evaluation,omitempty"` // with labels
}

// referenceCounts is what it counts of --reference.
type referenceCounts struct {
	rowCounts
	Shared int64 `json:"rows_shared"` // rows of its files that are inputs, too
}

// scoreCounts is what it tells of one score.
type scoreCounts struct {
	Column     string     `json:"column"` // as it is written
	Method     string     `json:"method"`
	K          int        `json:"k,omitempty"`
	Least      *jsonFloat `json:"least_score,omitempty"` // absent if no row is used
	Greatest   *jsonFloat `json:"greatest_score,omitempty"`
	Duplicates int        `json:"duplicates,omitempty"` // rows whose score a rule for duplicates decided
	Pairs      *int64     `json:"pairs,omitempty"`      // for count: unordered, or with a reference of a row of each
	Top        []topRow   `json:"top"`                  // the highest scores: ten, or those of --top if it is more

	Kinds *kindCounts `json:"kinds,omitempty"` // of dbscan

	Flags      *flagCounts `json:"flags,omitempty"`      // with a rule that flags rows
	Evaluation *evaluation `json:"evaluation,omitempty"` // with labels
}

// topRow is a row of the table with its score.
type topRow struct {
	Row   int64     `json:"row"`
	ID    string    `json:"id,omitempty"` // of the column --id
	Score jsonFloat `json:"score"`
}

// describeScores fills the summary, the report's counts and the warnings.
func (j *job) describeScores(ctx context.Context, opt *outliersOptions, t *scoredTable) error {
	counts := &outlierCounts{rowCounts: t.rowCounts(), Reference: t.reference}
	j.report.Counts = counts
	for _, score := range t.scores {
		c := countScore(t.source, score, opt.Cut.shown())
		c.Column = j.outOpt.Prefix + score.column
		c.Flags = score.flagCounts(&opt.Cut, j.outOpt.Prefix)
		counts.Scores = append(counts.Scores, c)
		switch {
		case c.Kinds != nil:
			j.line("rows", "%s core, %s border, %s noise", grouped(c.Kinds.Core), grouped(c.Kinds.Border), grouped(c.Kinds.Noise))
		case c.Pairs != nil && t.reference != nil:
			j.line("pairs", "%s", grouped(*c.Pairs))
		case c.Pairs != nil:
			j.line("pairs", "%s (%s ordered)", grouped(*c.Pairs), grouped(2**c.Pairs))
		}
	}
	if err := j.nameTop(ctx, opt.Input.ID, t.table, counts.Scores); err != nil {
		return err
	}
	j.warnDuplicates(t.scores, counts)
	switch {
	case counts.Used == 0:
	case len(t.scores) > 1:
		j.lineScores(counts.Scores, opt.Input.ID)
	default:
		c := &counts.Scores[0]
		j.line("scores", "%.6g to %.6g", float64(*c.Least), float64(*c.Greatest))
		j.line("top rows", "%s; rows counted from 0", topText(c.Top, 5, opt.Input.ID))
	}
	j.describeFlags(&opt.Cut, t.scores)
	return j.evaluate(t.labels, t.scores, counts)
}

// nameTop looks up what the column of --id has for the top rows.
func (j *job) nameTop(ctx context.Context, id string, t *table.Table, scores []scoreCounts) error {
	all := columnNames(t.Columns())
	id = bareName(all, id)
	if id == "" || !slices.Contains(all, id) { // of the reference alone
		return nil
	}
	var rows []int64
	for i := range scores {
		for _, top := range scores[i].Top {
			rows = append(rows, top.Row)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	j.clock.start("read")
	defer j.clock.stop("read")
	ctx, done := j.watch(ctx, stageRead)
	defer done()
	names, err := t.Texts(ctx, id, rows)
	if err != nil {
		return err
	}
	for i := range scores {
		for k := range scores[i].Top {
			scores[i].Top[k].ID, names = names[0], names[1:]
		}
	}
	return nil
}

func countScore(s *source, score *scored, shown int) scoreCounts {
	c := scoreCounts{
		Method: string(score.settings.Method), K: score.settings.K,
		Duplicates: score.Duplicates, Top: topRows(s, score.Scores, shown), Kinds: score.kindCounts(),
	}
	if score.settings.Method == outlier.Count {
		c.Pairs = &score.Pairs
	}
	if len(score.Scores) > 0 {
		least, greatest := jsonFloat(slices.Min(score.Scores)), jsonFloat(slices.Max(score.Scores))
		c.Least, c.Greatest = &least, &greatest
	}
	return c
}

// warnDuplicates says how many rows a rule for duplicates decided, once for all
// scores of which it says the same.
func (j *job) warnDuplicates(scores []*scored, counts *outlierCounts) {
	var texts []string
	columns := map[string][]string{}
	for i, score := range scores {
		if score.Duplicates == 0 {
			continue
		}
		text := fmt.Sprintf("%s of %s rows %s", grouped(score.Duplicates), grouped(counts.Used), heapsText(score.settings.Method))
		if columns[text] == nil {
			texts = append(texts, text)
		}
		columns[text] = append(columns[text], counts.Scores[i].Column)
	}
	for _, text := range texts {
		if len(scores) > 1 {
			text = strings.Join(columns[text], ", ") + ": " + text
		}
		j.warn("%s", text)
	}
}

// heapsText says what a rule for duplicates decides of a method.
func heapsText(method outlier.Method) string {
	for _, m := range scoreMethods() {
		if m.name == method && m.heaps != "" {
			return m.heaps
		}
	}
	return "have scores that a rule for duplicates decided"
}

// lineScores adds a table of several scores to the summary.
func (j *job) lineScores(scores []scoreCounts, id string) {
	cells := [][]string{{"column", "least", "greatest"}}
	for i := range scores {
		c := &scores[i]
		cells = append(cells, []string{c.Column, fmt.Sprintf("%.6g", float64(*c.Least)), fmt.Sprintf("%.6g", float64(*c.Greatest))})
	}
	var text strings.Builder
	writeCells(&text, cells, 1)
	for i, line := range strings.Split(strings.TrimRight(text.String(), "\n"), "\n") {
		if i == 0 {
			j.line("scores", "%s  top rows (counted from 0)", line)
			continue
		}
		j.line("", "%s  %s", line, topText(scores[i-1].Top, 3, id))
	}
}

// topText lists so many of the highest scores, with what the column id has, if it is
// known.
func topText(top []topRow, most int, id string) string {
	var texts []string
	for _, t := range top[:min(most, len(top))] {
		name := ""
		if t.ID != "" {
			name = fmt.Sprintf("%s %s, ", id, printable(t.ID))
		}
		texts = append(texts, fmt.Sprintf("%d (%s%.6g)", t.Row, name, float64(t.Score)))
	}
	return strings.Join(texts, ", ")
}

// topRows returns so many of the highest scores, ties by row.
func topRows(s *source, scores []float64, most int) []topRow {
	top := make([]topRow, 0, min(most, len(scores))+1)
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
		top = slices.Insert(top, at, topRow{Row: s.tableRow(i), Score: jsonFloat(score)})
		top = top[:min(most, len(top))]
	}
	return top
}
