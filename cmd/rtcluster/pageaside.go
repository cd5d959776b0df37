package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"rtcluster/io/chart"
	"rtcluster/io/page"
	"rtcluster/io/table"
)

// This file has --html: the run report as a page, with pictures and tables.

const (
	mostPictures = 12   // on a page, of several eps or scores
	mostTabled   = 1000 // clusters in its table
)

// drawing reports whether a picture of the result is wanted.
func (j *job) drawing() bool { return j.outOpt.Plot != "" || j.runOpt.HTML != "" }

// showPicture puts a picture on the page of --html, if there is one.
func (j *job) showPicture(p *chart.Picture, caption, alt string) error {
	if j.runOpt.HTML == "" || p == nil {
		return nil
	}
	svg, err := p.Encode(chart.SVG)
	if err != nil {
		return err
	}
	j.page.Pictures = append(j.page.Pictures, page.Picture{SVG: svg, Caption: caption, Alt: alt})
	return nil
}

// tabulate puts the clusters of each eps on the page of --html, the largest first.
func (c *clustering) tabulate() {
	if c.runOpt.HTML == "" {
		return
	}
	for at := range c.radii[:min(len(c.radii), mostPictures)] {
		c.page.Tables = append(c.page.Tables, c.clustersOf(at))
	}
}

// clustersOf is the table of the clusters of one eps.
func (c *clustering) clustersOf(at int) page.Table {
	m := c.membersOf(at)
	size, core := m.sizes()
	all := make([]int, m.clusters)
	for i := range all {
		all[i] = i
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(size[b], size[a]) })
	shown := all[:min(len(all), mostTabled)]
	t := page.Table{Header: []string{"cluster", "rows", "core", "border"}, Instead: "largest_clusters"}
	t.Caption = fmt.Sprintf("clusters, eps %s", c.radii[at])
	if len(shown) < len(all) {
		t.Caption += fmt.Sprintf("; the largest %s of %s", grouped(len(shown)), grouped(len(all)))
	}
	for _, i := range shown {
		t.Rows = append(t.Rows, []page.Cell{
			page.Number(int64(i)), page.Number(size[i]), page.Number(core[i]), page.Number(size[i] - core[i]),
		})
	}
	return t
}

// writePage writes the page of --html.
func (j *job) writePage() error {
	var err error
	if j.page.Report, err = json.Marshal(&j.report); err != nil {
		return fmt.Errorf("report as JSON: %w", err)
	}
	j.page.Title, j.page.Command = "rtcluster "+j.report.Command, commandLine(j.report.Args)
	if len(j.report.Inputs) > 0 {
		j.page.Title += ": " + baseName(j.report.Inputs[0].Path)
	}
	if more := len(j.report.Inputs) - 1; more > 0 {
		j.page.Title += " and " + plural(more, "more file", "more files")
	}
	html, err := j.page.Render()
	if err == nil {
		err = table.ReplaceFile(j.runOpt.HTML, html)
	}
	if err != nil {
		return err
	}
	j.line("page", "%s", j.runOpt.HTML)
	return nil
}

// commandLine is a command as a POSIX shell takes it.
func commandLine(args []string) string {
	plain := regexp.MustCompile(`^[\w@%+=:,./-]+$`)
	line := "rtcluster"
	for _, arg := range args {
		if !plain.MatchString(arg) {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		line += " " + arg
	}
	return line
}
