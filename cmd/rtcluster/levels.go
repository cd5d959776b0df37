package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"rtcluster/dbscan"
	"rtcluster/io/table"
	"rtcluster/join"
)

// This file clusters with each eps of --eps, over one index. Where there are several,
// each is a level, numbered from 1 in the order given.

// clustering is the work of a run of dbscan. It keeps the columns of each level, 5
// bytes a row (9 with --counts), and one result.
type clustering struct {
	*job
	opt      *dbscanOptions
	in       *prepared
	settings dbscan.Options // but for Eps
	radii    []radius
	order    []int           // of the radii, the smallest first
	columns  [][]table.Added // of each radius
	levels   []levelCounts   // of each radius, if there are several
	inner    *dbscan.Result  // of the next smaller eps, while there is a larger one
	warnings []levelWarning  // of single levels, the smallest eps first
}

// levelWarning is a warning that holds for some levels.
type levelWarning struct {
	text string
	eps  []string
}

// levelName is the name of a column of level at, counted from 0, of so many.
func levelName(name string, at, levels int) string {
	if levels < 2 {
		return name
	}
	return fmt.Sprintf("%s_%d", name, at+1)
}

// addedColumns are the names of the columns that dbscan adds.
func (o *dbscanOptions) addedColumns() []string {
	var names []string
	levels := max(1, len(o.Eps)) // one, if a rule finds it
	for at := range levels {
		names = append(names, levelName("cluster", at, levels), levelName("is_core", at, levels))
		if o.Counts {
			names = append(names, levelName("n_neighbors", at, levels))
		}
	}
	return names
}

// levelBytes is what the columns of a level take, for each row: a label, whether it
// is core, and with --counts its neighbours.
func (o *dbscanOptions) levelBytes() float64 {
	if o.Counts {
		return 4 + 1 + 4
	}
	return 4 + 1
}

// checkLevels refuses more levels than there is memory for.
func (c *clustering) checkLevels() error {
	levels := len(c.opt.Eps)
	if levels < 2 {
		return nil
	}
	return needMemory(fmt.Sprintf("%s: the clusters of %d eps", shown(c.in.path), levels), c.opt.levelBytes(), float64(c.in.table.Rows()), float64(levels))
}

// run clusters with every eps, the smallest first, so that each level can be
// compared with the one before.
func (c *clustering) run(ctx context.Context, idx join.Index) (err error) {
	if c.radii, err = c.settleEps(ctx, idx, c.opt, c.in); err != nil {
		return err
	}
	c.columns, c.levels = make([][]table.Added, len(c.radii)), make([]levelCounts, len(c.radii))
	for at := range c.radii {
		c.order = append(c.order, at)
	}
	slices.SortFunc(c.order, func(a, b int) int { return cmp.Compare(c.radii[a].join(), c.radii[b].join()) })
	eps := make([]float64, len(c.order))
	for i, at := range c.order {
		eps[i] = c.radii[at].join()
	}
	return dbscan.ClusterEach(ctx, idx, c.settings, eps, func(i int, res *dbscan.Result) error { return c.take(ctx, i, res) })
}

// take verifies the result of the i-th smallest eps, and keeps what is told and
// written of it.
func (c *clustering) take(ctx context.Context, i int, res *dbscan.Result) error {
	at, several := c.order[i], len(c.radii) > 1
	settings := c.settings
	settings.Eps = c.radii[at].join()
	err := c.verify(c.in.points.Rows(), func(sample []int) error {
		return dbscan.Verify(ctx, c.in.points, settings, res, sample)
	})
	if err != nil && several {
		err = fmt.Errorf("eps %s: %w", c.radii[at], err)
	}
	if err != nil {
		return err
	}
	c.opt.Arrange.arrange(res)
	c.columns[at] = c.columnsOf(res, at)
	counts := c.opt.Arrange.countClusters(c.in.points, res)
	c.warnEps(c.radii[at], &c.opt.Input, &c.opt.Metric, c.in.source)
	if !several {
		c.describeClusters(c.in.rowCounts(), counts, res)
		return nil
	}
	c.levels[at] = levelCounts{
		Level: at + 1, Eps: c.radii[at].Value, EpsUnit: c.radii[at].Unit,
		clusterCounts: counts, RedFlag: redFlag(res),
	}
	if i > 0 {
		c.levels[at].Merges = newMerges(c.order[i-1]+1, dbscan.Parents(c.inner, res), res.Clusters)
	}
	c.inner = res
	c.warnLevel(c.radii[at], res)
	return nil
}

// columnsOf are the columns of a level.
func (c *clustering) columnsOf(res *dbscan.Result, at int) []table.Added {
	s, levels := c.in.source, len(c.radii)
	total, valid := s.table.Rows(), s.valid(c.opt.Input.NaN)
	added := []table.Added{
		{Name: levelName("cluster", at, levels), Values: scatter(res.Labels, s.rows, total, -1), Valid: valid},
		{Name: levelName("is_core", at, levels), Values: scatter(res.Core, s.rows, total, false), Valid: valid},
	}
	if c.opt.Counts {
		added = append(added, table.Added{Name: levelName("n_neighbors", at, levels), Values: scatter(res.Counts, s.rows, total, 0), Valid: valid})
	}
	return added
}

// warnLevel takes the warnings that a run with that eps alone would give of its
// clusters, so that what holds for several levels is said once.
func (c *clustering) warnLevel(eps radius, res *dbscan.Result) {
	before := len(c.report.Warnings)
	c.warnClusters(c.in.rowCounts().Used, res)
	for _, text := range c.report.Warnings[before:] {
		at := slices.IndexFunc(c.warnings, func(w levelWarning) bool { return w.text == text })
		if at < 0 {
			at = len(c.warnings)
			c.warnings = append(c.warnings, levelWarning{text: text})
		}
		c.warnings[at].eps = append(c.warnings[at].eps, eps.String())
	}
	c.report.Warnings = c.report.Warnings[:before]
}
