package main

import (
	"fmt"
	"slices"
	"strings"
)

// This file tells of several levels, in the report and in the summary.

// levelsCounts is what a report counts where there are several eps.
type levelsCounts struct {
	rowCounts
	Levels []levelCounts `json:"levels"` // in the order given
}

// levelCounts is what it counts of one of them.
type levelCounts struct {
	Level   int     `json:"level"` // from 1
	Eps     float64 `json:"eps"`
	EpsUnit string  `json:"eps_unit,omitempty"`
	clusterCounts
	RedFlag string  `json:"red_flag,omitempty"`
	Merges  *merges `json:"merges,omitempty"` // absent for the smallest eps
}

// merges tells how the clusters of the next smaller eps lie in those of a level.
type merges struct {
	Level  int     `json:"level"`          // of the smaller eps
	Merged int     `json:"merged"`         // its clusters that are in one with others
	Into   int     `json:"into"`           // clusters that hold several of them
	Single int     `json:"single"`         // clusters that hold one
	New    int     `json:"new"`            // clusters that hold none
	Lost   int     `json:"lost,omitempty"` // its clusters that lie in none, which takes negative weights or --min-cluster-size
	Most   []holds `json:"most"`           // the clusters that hold the most, at most ten
}

// holds is the number of clusters of the smaller eps in a cluster.
type holds struct {
	Cluster int `json:"cluster"`
	Holds   int `json:"holds"`
}

// newMerges counts by the parents of the clusters of the smaller eps.
func newMerges(level int, parents []int32, clusters int) *merges {
	m := &merges{Level: level, Most: []holds{}}
	in := make([]int, clusters)
	for _, parent := range parents {
		if parent < 0 {
			m.Lost++
			continue
		}
		in[parent]++
	}
	for cluster, n := range in {
		switch n {
		case 0:
			m.New++
		case 1:
			m.Single++
		default:
			m.Into++
			m.Merged += n
			m.Most = append(m.Most, holds{cluster, n})
		}
	}
	slices.SortStableFunc(m.Most, func(a, b holds) int { return b.Holds - a.Holds })
	m.Most = m.Most[:min(10, len(m.Most))]
	return m
}

// String is for people, below a line of the smaller eps.
func (m *merges) String() string {
	var texts []string
	if m.Into > 0 {
		text := fmt.Sprintf("%s of %s merge into %s", grouped(m.Merged), grouped(m.Merged+m.Single+m.Lost), grouped(m.Into))
		if m.Into > 1 {
			text += fmt.Sprintf(" (%s into %d)", grouped(m.Most[0].Holds), m.Most[0].Cluster)
		}
		texts = append(texts, text)
	}
	for _, part := range []struct {
		number    int
		one, many string
	}{{m.Single, "stays apart", "stay apart"}, {m.New, "new", "new"}, {m.Lost, "falls apart", "fall apart"}} {
		if part.number > 0 {
			texts = append(texts, plural(part.number, part.one, part.many))
		}
	}
	return strings.Join(texts, ", ")
}

// describeLevels fills the summary and the report's counts.
func (c *clustering) describeLevels() {
	c.report.Counts = &levelsCounts{rowCounts: c.in.rowCounts(), Levels: c.levels}
	for _, w := range c.warnings {
		c.warn("eps %s: %s", strings.Join(w.eps, ", "), w.text)
	}
	var text strings.Builder
	writeCells(&text, c.levelCells(), 0)
	for i, line := range strings.Split(strings.TrimRight(text.String(), "\n"), "\n") {
		label := ""
		switch {
		case i == 0:
			label, line = "levels", line+"  clusters of the level above"
		case c.levels[c.order[i-1]].Merges != nil:
			line += "  " + c.levels[c.order[i-1]].Merges.String()
		}
		c.line(label, "%s", strings.TrimRight(line, " "))
	}
}

// levelCells is the table of levels, the smallest eps first.
func (c *clustering) levelCells() [][]string {
	small := c.opt.Arrange.MinSize > 1
	pairs := !slices.ContainsFunc(c.levels, func(l levelCounts) bool { return !l.PairsExact })
	lines := [][]string{{"level", "eps", "clusters", "core", "border", "noise", "largest"}}
	if small {
		lines[0] = append(lines[0], "too small")
	}
	if pairs {
		lines[0] = append(lines[0], "pairs")
	}
	for _, at := range c.order {
		l := &c.levels[at]
		largest := 0
		if len(l.Largest) > 0 {
			largest = l.Largest[0].Rows
		}
		cells := []string{
			grouped(l.Level), c.radii[at].String(), grouped(l.Clusters), grouped(l.Core), grouped(l.Border), grouped(l.Noise), grouped(largest),
		}
		if small {
			cells = append(cells, grouped(l.Small.Clusters))
		}
		if pairs {
			cells = append(cells, grouped(l.Pairs))
		}
		lines = append(lines, cells)
	}
	return lines
}
