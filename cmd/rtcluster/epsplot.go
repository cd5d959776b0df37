package main

import (
	"fmt"
	"strings"

	"rtcluster/epsilon"
	"rtcluster/io/chart"
)

// kCurve is what a picture of k-distances shows.
type kCurve struct {
	of    string // rows
	k     int
	unit  string         // deg, or none of a name
	curve *epsilon.Curve // nil without rows
	lines []chart.Line
}

// picture draws the curve, and a line for each eps.
func (c *kCurve) picture() (*chart.Picture, error) {
	title, drawn := "no rows", &chart.Curve{Lines: c.lines}
	if c.curve != nil {
		title = fmt.Sprintf("k-distances of %s, k = %d", c.of, c.k)
		drawn.Distances = c.curve.Distances
	}
	return drawn.Picture(title, "rows by k-distance", fmt.Sprintf("distance to the %s nearest other row%s", ordinal(c.k), inUnit(c.unit)))
}

// picture draws the curve, with a line for each eps.
func (a *epsAccount) picture() (*chart.Picture, error) {
	c := &kCurve{of: a.rowsText, k: a.K, unit: a.Unit, curve: a.curve}
	for _, s := range a.Suggestions {
		if s.Eps != nil {
			name := fmt.Sprintf("%s: eps %.6g%s", s.rule(), *s.Eps, strings.TrimSuffix(s.EpsUnit, cosineUnit))
			c.lines = append(c.lines, chart.Line{Name: name, At: *s.Eps})
		}
	}
	return c.picture()
}
