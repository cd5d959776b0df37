package main

import (
	"context"
	"slices"

	"rtcluster/groups"
	"rtcluster/io/table"
)

// This file computes the columns of the table of --clusters.

// members says which of the rows used are in which cluster, of one level.
type members struct {
	labels   []int32 // -1: in none
	core     []bool
	clusters int
}

// gather takes the values of the rows used, the inverse of scatter.
func gather[T any](all []T, rows []int32) []T {
	if rows == nil {
		return all
	}
	values := make([]T, len(rows))
	for i, row := range rows {
		values[i] = all[row]
	}
	return values
}

// membersOf are the rows of the clusters of a level, by the columns that are
// written.
func (c *clustering) membersOf(at int) members {
	m := members{
		labels: gather(c.columns[at][0].Values.([]int32), c.in.rows),
		core:   gather(c.columns[at][1].Values.([]bool), c.in.rows),
	}
	for _, label := range m.labels {
		m.clusters = max(m.clusters, int(label)+1)
	}
	return m
}

// clusterColumns are columns of a table with a row for each cluster.
type clusterColumns struct {
	fields []table.Field
	values []any
}

func (t *clusterColumns) add(name string, values any) {
	field := table.Field{Name: name, Type: table.Int64}
	if _, ok := values.([]float64); ok {
		field.Type = table.Float64
	}
	t.fields, t.values = append(t.fields, field), append(t.values, values)
}

// clusterColumns computes the columns for a level. The coordinates are read again,
// since they became points.
func (c *clustering) clusterColumns(ctx context.Context, at int) (*clusterColumns, error) {
	m, t := c.membersOf(at), &clusterColumns{}
	err := c.checkClustersNeed(m.clusters)
	if err != nil {
		return nil, err
	}
	if len(c.radii) > 1 {
		name, eps := "eps", c.radii[at].Value
		if c.opt.Metric.sky() {
			name, eps = "eps_deg", c.radii[at].degrees()
		}
		t.add("level", slices.Repeat([]int64{int64(at + 1)}, m.clusters))
		t.add(name, slices.Repeat([]float64{eps}, m.clusters))
	}
	t.count(m, c.in.weights)
	if c.opt.Metric.sky() {
		err = t.addPlaces(ctx, c.in, m)
	} else {
		err = t.addExtents(ctx, c.in, m, c.opt.Metric.Box)
	}
	return t, err
}

// checkClustersNeed refuses a table of more clusters than there is memory for beside the
// clustering, of which nobody knows before how many it finds.
func (c *clustering) checkClustersNeed(clusters int) error {
	bytes := float64(clusters) * c.opt.clusterRowBytes(len(c.in.columns))
	if err := needMemory("--clusters "+c.outOpt.Clusters, bytes); err != nil || !c.runOpt.MemoryLimit.limited() {
		return err
	}
	c.estimate.add(partClusters, bytes)
	return c.checkMemory(c.estimate)
}

// sizes returns how many rows each cluster has, and how many of them are core.
func (m *members) sizes() (all, core []int64) {
	all, core = make([]int64, m.clusters), make([]int64, m.clusters)
	for i, label := range m.labels {
		if label < 0 {
			continue
		}
		all[label]++
		if m.core[i] {
			core[label]++
		}
	}
	return all, core
}

// count adds the number of each cluster, its rows and its weight.
func (t *clusterColumns) count(m members, weights []float64) {
	size, core := m.sizes()
	cluster, border := make([]int64, m.clusters), make([]int64, m.clusters)
	for c := range cluster {
		cluster[c], border[c] = int64(c), size[c]-core[c]
	}
	t.add("cluster", cluster)
	t.add("size", size)
	t.add("core", core)
	t.add("border", border)
	if weights == nil {
		return
	}
	totals, weight := groups.NewTotals(m.clusters), make([]float64, m.clusters)
	for i, label := range m.labels {
		if label >= 0 {
			totals.Add(int(label), weights[i])
		}
	}
	for c := range weight {
		weight[c] = totals.At(c)
	}
	t.add("weight", weight)
}

// addExtents adds what the rows of each cluster reach along each coordinate, as it
// was read.
func (t *clusterColumns) addExtents(ctx context.Context, in *prepared, m members, box []float64) error {
	if len(box) != len(in.columns) {
		box = nil // there are no rows
	}
	s, err := groups.NewSummary(m.clusters, len(in.columns), box)
	if err != nil {
		return err
	}
	if err := in.eachMember(ctx, m, s.Add); err != nil {
		return err
	}
	for k, name := range in.plainNames() {
		var values [4][]float64
		for v := range values {
			values[v] = make([]float64, m.clusters)
		}
		for c := range m.clusters {
			e := s.At(c, k)
			values[0][c], values[1][c], values[2][c], values[3][c] = e.Mean, e.Deviation, e.Low, e.High
		}
		for v, what := range []string{"_mean", "_std", "_min", "_max"} {
			t.add(name+what, values[v])
		}
	}
	return nil
}

// addPlaces adds where the rows of each cluster are on the sky.
func (t *clusterColumns) addPlaces(ctx context.Context, in *prepared, m members) error {
	s, err := groups.NewSky(m.clusters, m.labels, in.points)
	if err != nil {
		return err
	}
	err = in.eachMember(ctx, m, func(cluster int, x []float64) { s.Add(cluster, x[0], x[1]) })
	if err != nil {
		return err
	}
	ra, dec := "ra", "dec"
	if names := in.plainNames(); len(names) == 2 {
		ra, dec = names[0], names[1]
	}
	for _, column := range []struct {
		name string
		of   func(p *groups.Place) float64
	}{
		{ra + "_center", func(p *groups.Place) float64 { return p.RA }},
		{dec + "_center", func(p *groups.Place) float64 { return p.Dec }},
		{"spread_deg", func(p *groups.Place) float64 { return p.Spread }},
		{"radius_deg", func(p *groups.Place) float64 { return p.Radius }},
		{ra + "_min", func(p *groups.Place) float64 { return p.LowRA }},
		{ra + "_max", func(p *groups.Place) float64 { return p.HighRA }},
		{dec + "_min", func(p *groups.Place) float64 { return p.LowDec }},
		{dec + "_max", func(p *groups.Place) float64 { return p.HighDec }},
	} {
		values := make([]float64, m.clusters)
		for c := range values {
			p := s.At(c)
			values[c] = column.of(&p)
		}
		t.add(column.name, values)
	}
	return nil
}

// plainNames are the names of the coordinates, without casts unless that makes two
// the same.
func (s *source) plainNames() []string {
	all, names := columnNames(s.table.Columns()), make([]string, len(s.columns))
	for k, name := range s.columns {
		if names[k] = bareName(all, name); slices.Contains(names[:k], names[k]) {
			return s.columns
		}
	}
	return names
}

// eachMember reads the coordinates and calls do with those of each row in a cluster,
// which are do's until it returns.
func (p *prepared) eachMember(ctx context.Context, m members, do func(cluster int, x []float64)) error {
	if m.clusters == 0 {
		return nil
	}
	i := 0
	return p.eachPiece(ctx, p.columns, func(first int64, f *table.Floats) error {
		for ; i < len(m.labels) && p.tableRow(i) < first+int64(f.Rows); i++ {
			at := int(p.tableRow(i)-first) * f.Cols
			if label := m.labels[i]; label >= 0 {
				do(int(label), f.Data[at:at+f.Cols])
			}
		}
		return nil
	})
}
