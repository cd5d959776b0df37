package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"rtcluster/io/chart"
)

// This file draws the kinds of pictures of `rtcluster plot`.

// draw reads the table and draws it.
func (p *plotting) draw(ctx context.Context) (*chart.Picture, error) {
	switch p.opt.Kind {
	case kindDistances:
		return p.drawDistances(ctx)
	case kindScores:
		return p.drawScores(ctx)
	case kindSizes:
		if p.summaryTable() {
			return p.drawSummary(ctx)
		}
	}
	var err error
	if p.label, err = p.column("cluster", p.opt.Cluster); err != nil {
		return nil, err
	}
	p.chooseLevel()
	switch p.opt.Kind {
	case kindSky:
		return p.drawPositions(ctx)
	case kindSizes:
		return p.drawSizes(ctx)
	}
	return p.drawClusters(ctx)
}

// chooseLevel takes the parameters of the clustering that is drawn, of several.
func (p *plotting) chooseLevel() {
	if p.params == nil {
		return
	}
	for at := range p.params.Levels {
		if p.params.Prefix+levelName("cluster", at, len(p.params.Levels)) == p.label {
			p.params = p.params.atLevel(at)
			return
		}
	}
}

// drawClusters draws rows over two columns or principal axes.
func (p *plotting) drawClusters(ctx context.Context) (*chart.Picture, error) {
	columns := []string{p.opt.X, p.opt.Y}
	if p.opt.X == "" {
		var err error
		if columns, err = p.coordinates(); err != nil {
			return nil, err
		}
	}
	d, err := p.overColumns(ctx, columns, p.params, p.opt.Axes)
	if err != nil {
		return nil, err
	}
	return p.drawn(d), nil
}

// drawPositions draws rows on the sky.
func (p *plotting) drawPositions(ctx context.Context) (*chart.Picture, error) {
	ra, dec, err := p.position()
	if err != nil {
		return nil, err
	}
	d, err := p.onSky(ctx, ra, dec, p.params, p.opt.Sky)
	if err != nil {
		return nil, err
	}
	return p.drawn(d), nil
}

// drawn tells what was drawn of clusters.
func (p *plotting) drawn(d *drawing) *chart.Picture {
	p.what = d.text()
	if p.unplaced > 0 {
		why := "a coordinate is missing or not finite"
		if p.opt.Axes.LogX || p.opt.Axes.LogY {
			why += ", or not above 0 on a logarithmic axis"
		}
		p.warn("%s not drawn, since %s", plural(p.unplaced, "row is", "rows are"), why)
	}
	if missing := d.tally.Missing() - p.unplaced; missing > 0 {
		p.warn("%s not drawn, since the cluster is missing", plural(missing, "row is", "rows are"))
	}
	return d.picture
}

// drawSizes draws the sizes of the clusters of rows.
func (p *plotting) drawSizes(ctx context.Context) (*chart.Picture, error) {
	tally := &chart.Tally{}
	err := p.each(ctx, nil, func(row int64, _ []float64, label float64) error { return p.countLabel(tally, row, label) })
	if err != nil {
		return nil, err
	}
	return p.drawnSizes(tally), nil
}

// drawnSizes draws the sizes of counted clusters, and tells what was drawn.
func (p *plotting) drawnSizes(t *chart.Tally) *chart.Picture {
	p.what = "sizes of " + plural(t.Clusters(), "cluster", "clusters")
	return chart.SizesPicture(clustersTitle(p.path, t, p.params), t)
}

// drawSummary draws the sizes that a table of clusters has.
func (p *plotting) drawSummary(ctx context.Context) (*chart.Picture, error) {
	tally := &chart.Tally{}
	if slices.Contains(columnNames(p.table.Columns()), "level") {
		return nil, inputf(p.path, "it has the clusters of several levels: draw the table of the rows, and choose one of them by --cluster")
	}
	p.label = "cluster"
	err := p.each(ctx, []string{"size"}, func(row int64, values []float64, label float64) error {
		if err := tally.AddRows(label, values[0]); err != nil {
			return inputf(p.path, "%s: %w", p.place(row), err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p.drawnSizes(tally), nil
}

// drawScores draws a histogram of scores, and the limit if rows are flagged.
func (p *plotting) drawScores(ctx context.Context) (*chart.Picture, error) {
	score, err := p.column("score", p.opt.Score)
	if err != nil {
		return nil, err
	}
	columns := []string{score}
	if flag := flagColumn(score, columnNames(p.table.Columns())); flag != "" {
		columns = append(columns, cast(flag, p.table.Columns()))
	}
	flagged := func(values []float64) bool { return len(values) > 1 && values[1] == 1 }
	each := func(do func(score float64, flagged bool)) error {
		return p.each(ctx, columns, func(_ int64, values []float64, _ float64) error {
			do(values[0], flagged(values))
			return nil
		})
	}
	picture, err := scoresPicture(p.path, score, p.recordedLimit(score), each)
	if err != nil {
		return nil, err
	}
	p.what = "scores of column " + score
	return picture, nil
}

// scoresPicture draws a histogram of the scores that each hands over. Where the limit is
// not known, the least score that is flagged is drawn, if there is one.
func scoresPicture(path, name string, limit chart.Line, each func(do func(score float64, flagged bool)) error) (*chart.Picture, error) {
	var all, above chart.Range
	err := each(func(score float64, flagged bool) {
		all.Add(score)
		if flagged {
			above.Add(score)
		}
	})
	if err != nil {
		return nil, err
	}
	if err := all.Check(); err != nil {
		return nil, inputf(path, "column %s: %w", name, err)
	}
	if above.Count > 0 && math.IsNaN(limit.At) {
		limit = chart.Line{Name: fmt.Sprintf("least flagged score %.6g", above.Min), At: above.Min}
	}
	h := chart.NewHistogram(all, limit)
	if err := each(h.Add); err != nil {
		return nil, err
	}
	title := fmt.Sprintf("%s: scores of %s", baseName(path), plural(all.Count+all.Infinite, "row", "rows"))
	return h.Picture(title, name), nil
}

// flagColumn is the column of the flags of a score; "" if there is none.
func flagColumn(score string, names []string) string {
	for prefix := range len(score) + 1 {
		s := scored{column: score[prefix:]}
		if strings.HasPrefix(s.column, "score") {
			if name := score[:prefix] + s.flagColumn(); slices.Contains(names, name) {
				return name
			}
		}
	}
	return ""
}
