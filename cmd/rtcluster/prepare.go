package main

import (
	"context"
	"errors"
	"math"
	"strings"
)

// prepared is an input that is ready to be computed on and written again.
type prepared struct {
	*source
	keep   []string // columns of the input to write, nil for all
	params *parameters
}

// read opens the input of a command that adds the named columns to it, and
// makes its coordinates points. What can be refused is refused before the
// coordinates are read.
func (j *job) read(ctx context.Context, names []string, in *inputOptions, metric *metricOptions, added []string) (*prepared, error) {
	j.clock.start("read")
	defer j.clock.stop("read")
	s, err := openSource(ctx, j, names, in, nil)
	if err != nil {
		return nil, err
	}
	p := &prepared{source: s}
	if err := p.prepare(ctx, j, in, metric, added); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return p, nil
}

func (p *prepared) prepare(ctx context.Context, j *job, in *inputOptions, metric *metricOptions, added []string) (err error) {
	if err := checkSky(p.source, metric); err != nil {
		return err
	}
	if p.keep, err = j.kept(p.source, added); err != nil {
		return err
	}
	p.params, err = j.load(ctx, in, metric, p.source)
	return err
}

// load reads the coordinates of the sources, which share their columns' names,
// and makes them points.
func (j *job) load(ctx context.Context, in *inputOptions, metric *metricOptions, sources ...*source) (*parameters, error) {
	steps, err := newTransform(in, metric, sources)
	if err != nil {
		return nil, err
	}
	if err := j.estimateMemory(in, metric, sources); err != nil {
		return nil, err
	}
	for _, s := range sources {
		if err := j.loadSource(ctx, s, in); err != nil {
			return nil, err
		}
	}
	j.warnCoordinates(sources[0], in, metric)
	if err := steps.fit(sources); err != nil {
		return nil, err
	}
	columns := sources[0].columns
	j.line("columns", "%s%s", columnsText(columns, in, metric), sources[0].found)
	for _, s := range sources {
		j.lineDropped(s, s.rowCounts().Dropped)
	}
	return j.setParameters(in, columns, steps), nil
}

// loadSource reads the coordinates of a source.
func (j *job) loadSource(ctx context.Context, s *source, in *inputOptions) error {
	ctx, done := j.watch(ctx, stageRead)
	defer done()
	if err := s.load(ctx, in); err != nil {
		return err
	}
	s.sample = s.sampled()
	return nil
}

// lineDropped says how many rows are not used, and why, if there are such rows.
func (j *job) lineDropped(s *source, rows int64) {
	if len(s.bad) == 0 {
		return
	}
	why := make([]string, len(s.bad))
	for i, b := range s.bad {
		why[i] = b.Column + " has " + badText(b)
	}
	j.line("dropped", "%s of %s: %s", plural(rows, "row", "rows"), shown(s.path), strings.Join(why, "; "))
}

func columnsText(columns []string, in *inputOptions, metric *metricOptions) string {
	text := listed(columns)
	switch {
	case metric.sky():
		text += " (right ascension, declination; great-circle distance)"
	case in.Scale != "none":
		text += " (scaled: " + in.Scale + ")"
	}
	if metric.Weights != nil {
		text += ", times " + (&numbersValue{&metric.Weights}).String()
	}
	if metric.Box != nil {
		text += ", in a periodic box of " + (&numbersValue{&metric.Box}).String()
	}
	if metric.Metric != metricEuclidean && !metric.sky() {
		text += ", " + metric.Metric + " distance"
	}
	if in.Weight != "" {
		text += ", weight " + in.Weight
	}
	return text
}

// checkSky wants two columns where they are positions on the sky.
func checkSky(s *source, metric *metricOptions) error {
	if metric.sky() && len(s.columns) > 2 && s.table.Rows() == 0 {
		s.columns = s.columns[:2] // no value says which columns hold numbers
	}
	if metric.sky() && len(s.columns) != 2 {
		return inputf(s.path, "--metric haversine takes two columns, right ascension and declination, but %d are chosen (%s): name them by --ra and --dec",
			len(s.columns), listed(s.columns))
	}
	return nil
}

// rowCounts tells how many rows of the table take part.
func (s *source) rowCounts() rowCounts {
	total := s.table.Rows()
	used := int64(s.used(int(total)))
	counts := rowCounts{Rows: total, Used: used, Dropped: total - used}
	for _, b := range s.bad {
		counts.DroppedFor = append(counts.DroppedFor, badCounts{Column: b.Column, Missing: b.Nulls, NaN: b.NaNs, Infinite: b.Infs})
	}
	return counts
}

// enoughRows wants more rows than k, in a table that has rows; asker is what
// asks for them.
func (s *source) enoughRows(k int, asker string) error {
	counts := s.rowCounts()
	if counts.Rows == 0 || counts.Used > int64(k) {
		return nil
	}
	return inputf(s.path, "%s needs at least %s rows, there are %s", asker, grouped(k+1), grouped(counts.Used))
}

func notFinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }
