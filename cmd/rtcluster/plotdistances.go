package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"rtcluster/io/chart"
	"rtcluster/join"
)

// This file draws curves of distances.

// drawDistances draws the distances that a column has, or those of the rows of a
// clustering.
func (p *plotting) drawDistances(ctx context.Context) (*chart.Picture, error) {
	column := p.opt.Score
	if column == "" && slices.Contains(columnNames(p.table.Columns()), "distance") {
		column = "distance"
	}
	if column == "" && p.params != nil && p.params.Command == "dbscan" {
		return p.drawKDistances(ctx)
	}
	if column == "" {
		found := p.found("score")
		if len(found) != 1 {
			return nil, inputf(p.path, "it tells no distances: name a column of them by --score, or the run report of a clustering by --params; rtcluster eps --plot draws those of any table")
		}
		column = found[0]
	}
	distances, err := p.sortedColumn(ctx, column)
	if err != nil {
		return nil, err
	}
	curve := &chart.Curve{Distances: distances}
	p.what = "distances of column " + column
	title := fmt.Sprintf("%s: %s of %s", baseName(p.path), column, plural(p.table.Rows(), "row", "rows"))
	return curve.Picture(title, "rows by "+column, column)
}

// mostSorted is how many values of a column are sorted; of more, every second, third, ...
const mostSorted = 1 << 20

// sortedColumn are the values of a column, or some of many, without those missing.
func (p *pictured) sortedColumn(ctx context.Context, column string) ([]float64, error) {
	stride := 1 + (p.table.Rows()-1)/mostSorted
	var all []float64
	err := p.each(ctx, []string{column}, func(row int64, values []float64, _ float64) error {
		if row%stride == 0 && !math.IsNaN(values[0]) {
			all = append(all, values[0])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(all)
	if len(all) > 0 && all[0] < 0 {
		return nil, inputf(p.path, "column %s has values below 0, so it holds no distances: --kind scores draws them", column)
	}
	return all, nil
}

// drawKDistances measures the distances of the rows of a clustering to the k-th nearest
// other row, and marks its eps.
func (p *plotting) drawKDistances(ctx context.Context) (*chart.Picture, error) {
	params := p.params
	if err := params.check(); err != nil {
		return nil, inputf(p.path, "the recorded parameters cannot be used: %w", err)
	}
	k := max(1, params.MinSamples-1)
	in := &inputOptions{Columns: params.Columns, NaN: "drop"}
	s := p.source
	if err := s.choose(p.job, in, nil); err != nil {
		return nil, err
	}
	metric := params.metric()
	p.sparing = "draw another --kind"
	p.plan = func(m *memoryNeed, sources []*source) {
		m.add(partResults, searchBytes(shapeOf(sources[0], metric), measureAtMost))
		m.add(partDrawing, plotBytes)
	}
	if err := p.estimateMemory(in, metric, []*source{s}); err != nil {
		return nil, err
	}
	if err := s.load(ctx, in); err != nil {
		return nil, err
	}
	if err := params.transform().apply(s); err != nil {
		return nil, err
	}
	search := &epsSearch{engine: p.engine.join, metric: metric, k: k, sample: measureAtMost, seed: 1}
	if err := s.enoughRows(k, fmt.Sprintf("min-samples %d", params.MinSamples)); err != nil {
		return nil, err
	}
	c := &kCurve{k: k, unit: metric.radius(0).Unit}
	if s.points.Rows() > 0 {
		err := p.withIndex(ctx, s.points, func(ctx context.Context, idx join.Index) error { return search.measure(ctx, idx) })
		if err != nil {
			return nil, err
		}
		c.curve, c.of = search.curve, baseName(p.path)+", "+search.measured()
	}
	for i, r := range params.radii() {
		name, at := "eps "+strings.TrimSuffix(r.String(), cosineUnit), r.Value
		if len(params.Levels) > 0 {
			name = fmt.Sprintf("eps %d: %s", i+1, strings.TrimSuffix(r.String(), cosineUnit))
		}
		if metric.sky() {
			at = r.degrees()
		}
		c.lines = append(c.lines, chart.Line{Name: name, At: at})
	}
	p.what = fmt.Sprintf("distances to the %s nearest other row", ordinal(k))
	return c.picture()
}
