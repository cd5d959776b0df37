package paper

import (
	"context"
	"slices"
)

// GridPairs counts the pairs of rows that are in the same cell or in adjacent ones.
var GridPairs = gridPairs

// PaperLeaves is the number of leaves that the paper takes.
func PaperLeaves(n int) int { return paperLeaves(n) }

// Column returns the cells of a column.
func (t *Table) Column(name string) (cells []any) {
	for _, row := range t.Rows {
		cells = append(cells, row[slices.Index(t.Columns, name)])
	}
	return cells
}

// Cells returns a column as it is written for programs.
func (t *Table) Cells(column string) (texts []string) {
	for _, cell := range t.Column(column) {
		texts = append(texts, exact(cell))
	}
	return texts
}

// Publish makes a set one of which |R| is published for an ε.
func (d *Set) Publish(eps float64, pairs int64) {
	d.whole, d.published = true, []published{{eps, pairs}}
}

// Contest measures a case as experiment compare does.
func (s *Setting) Contest(ctx context.Context, c *Case) (*Table, error) {
	t := &Table{Columns: compareColumns()}
	list, err := s.contenders(t)
	if err != nil {
		return nil, err
	}
	drawn := newPerCase(true)
	drawn.begin(c)
	return t, s.contest(ctx, t, drawn, c, list)
}
