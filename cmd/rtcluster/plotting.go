package main

import (
	"encoding/json"
	"regexp"
	"slices"

	"rtcluster/io/table"
)

// This file settles what `rtcluster plot` draws.

// plotting is one run of `rtcluster plot`.
type plotting struct {
	*job
	*pictured
	opt    *plotOptions
	params *parameters     // of the run that wrote the table; nil if that is not known
	counts json.RawMessage // of the same run, likewise
	what   string          // is drawn, for the summary
}

// checkPieces refuses to read columns piece by piece above --memory-limit.
func (p *plotting) checkPieces(columns []string) error {
	if !p.runOpt.MemoryLimit.limited() {
		return nil
	}
	m := &memoryNeed{}
	m.add(partProgram, programBytes)
	m.add(partReading, float64(p.table.ReadMemory(columns)))
	m.addDrawing(p.source, len(columns))
	return p.checkMemory(m)
}

// settle finds what was recorded, and which kind of picture there is to draw.
func (p *plotting) settle() error {
	if err := p.readRecord(); err != nil {
		return err
	}
	names := columnNames(p.table.Columns())
	for _, name := range []string{p.opt.X, p.opt.Y, p.opt.RA, p.opt.Dec, p.opt.Cluster, p.opt.Score} {
		if bare := bareName(names, name); name != "" && !slices.Contains(names, bare) {
			return unknownColumn(p.path, bare, names)
		}
	}
	if p.opt.Kind != "" {
		return nil
	}
	clusters, scores := p.found("cluster"), p.found("score")
	switch {
	case p.opt.Score == "" && (p.opt.Cluster != "" || len(clusters) > 0):
		p.opt.Kind = kindClusters
		if p.summaryTable() {
			p.opt.Kind = kindSizes
		} else if p.params != nil && p.params.metric().sky() {
			p.opt.Kind = kindSky
		}
	case p.opt.Score != "" || len(scores) > 0:
		p.opt.Kind = kindScores
	case slices.Contains(names, "distance"):
		p.opt.Kind = kindDistances
	default:
		return inputf(p.path, "it has no column cluster, score or distance, so it is no output of rtcluster: name one by --cluster or --score; columns are %s", listed(names))
	}
	return nil
}

// readRecord reads the parameters of the run that wrote the table. Pictures are drawn
// without them, too, so that what cannot be read counts as nothing unless it was named.
func (p *plotting) readRecord() error {
	if p.opt.Params == "" {
		text, found, err := p.table.KeyValue(keyParams)
		params := &parameters{}
		if err == nil && found && json.Unmarshal([]byte(text), params) == nil {
			p.params = params
		}
		p.counts = summaryCounts(p.table)
		return nil
	}
	report, err := openReport(p.opt.Params)
	if err != nil {
		return err
	}
	p.params, p.counts = &parameters{}, report.Counts
	if err := json.Unmarshal(report.Parameters, p.params); err != nil {
		return inputf(p.opt.Params, "the parameters, recorded by rtcluster %s, are damaged: %w", report.Version, jsonFault(err))
	}
	return nil
}

// summaryCounts are the counts in the metadata of a table; nil if there are none, or they
// cannot be read.
func summaryCounts(t *table.Table) json.RawMessage {
	var summary struct{ Counts json.RawMessage }
	if text, found, err := t.KeyValue(keySummary); err != nil || !found || json.Unmarshal([]byte(text), &summary) != nil {
		return nil
	}
	return summary.Counts
}

// summaryTable reports whether the table is one of dbscan --clusters: a row for each
// cluster.
func (p *plotting) summaryTable() bool {
	names := columnNames(p.table.Columns())
	return slices.Contains(names, "size") && slices.Contains(names, "core") && len(p.found("is_core")) == 0
}

// found are the columns of that name, or of several such as name_2, with the prefix
// that was recorded.
func (p *plotting) found(name string) []string {
	prefix := ""
	if p.params != nil {
		prefix = p.params.Prefix
	}
	several := regexp.MustCompile("^" + regexp.QuoteMeta(prefix+name) + `(_\w+)?$`)
	var all []string
	for _, c := range p.table.Columns() {
		if several.MatchString(c.Name) {
			all = append(all, c.Name)
		}
	}
	return all
}

// column is the column of clusters or scores: the one asked for, or the only one.
func (p *plotting) column(name, asked string) (string, error) {
	if asked != "" {
		return asked, nil
	}
	all := p.found(name)
	switch {
	case len(all) == 1:
		return all[0], nil
	case len(all) > 1:
		if slices.Contains(all, name) {
			return name, nil
		}
		return "", inputf(p.path, "it has %s: choose one by --%s", listed(all), name)
	}
	return "", inputf(p.path, "no column %q: name it by --%s; columns are %s", name, name, listed(columnNames(p.table.Columns())))
}

// coordinates are the columns that were clustered, or else those that may have been.
func (p *plotting) coordinates() ([]string, error) {
	cols := p.table.Columns()
	names := columnNames(cols)
	if p.params != nil && len(p.params.Columns) > 0 {
		for _, name := range p.params.Columns {
			if bare := bareName(names, name); !slices.Contains(names, bare) {
				return nil, inputf(p.path, "no column %q, which was clustered: choose the coordinates by -x and -y", bare)
			}
		}
		return p.params.Columns, nil
	}
	chosen, err := numericColumns(p.path, cols, labels(names))
	if err != nil {
		return nil, inputf(p.path, "no column is left for a coordinate: choose two by -x and -y")
	}
	p.log.Info("coordinates are all numeric columns but identifiers and what rtcluster adds: " + listed(chosen) + " (choose with -x and -y)")
	return chosen, nil
}

// position are the columns of a position on the sky, in degrees: those asked for, or
// recorded, or else found as for --metric haversine.
func (p *plotting) position() (ra, dec string, err error) {
	columns := []string{p.opt.RA, p.opt.Dec}
	if p.opt.RA == "" {
		if columns, err = p.foundPosition(); err != nil {
			return "", "", err
		}
	}
	return columns[0], columns[1], checkDegrees(p.path, p.table.Columns(), columns)
}

// foundPosition are the columns of a position where none was asked for.
func (p *plotting) foundPosition() ([]string, error) {
	if p.params != nil && p.params.metric().sky() && len(p.params.Columns) == 2 {
		return p.params.Columns, nil
	}
	found, _, err := findPosition(p.log, p.path, p.table.Columns(), nil)
	if err == nil && found == nil {
		err = inputf(p.path, "no columns that are right ascension and declination by their UCDs or names: name them by --ra and --dec")
	}
	return found, err
}

// cast is a column to be read as numbers: what is true or false as 1 or 0.
func cast(column string, cols []table.Column) string {
	for _, c := range cols {
		if c.Name == column && !c.Numeric {
			return column + ":double"
		}
	}
	return column
}
