package main

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"rtcluster/io/chart"
	"rtcluster/io/table"
)

// This file draws tables: it reads their rows as often as a picture takes, piece by
// piece.

// pictured is a table whose rows are drawn. Each has a label: its cluster, or its score.
type pictured struct {
	*source
	label string                  // column of the labels, unless
	of    func(row int64) float64 // they are in memory

	check func(columns []string) error // nil, or refuses to read columns that there is no memory for

	unplaced int64 // rows that are not drawn, since a coordinate is missing
}

// each calls do with the values of columns and the label of each row. The values are
// do's until it returns.
func (p *pictured) each(ctx context.Context, columns []string, do func(row int64, values []float64, label float64) error) error {
	read := columns
	if p.of == nil && p.label != "" {
		read = append(slices.Clone(columns), p.label)
	}
	if p.check != nil {
		if err := p.check(read); err != nil {
			return err
		}
	}
	if len(read) == 0 {
		for row := range p.table.Rows() {
			if err := do(row, nil, p.of(row)); err != nil {
				return err
			}
		}
		return nil
	}
	return p.eachPiece(ctx, read, func(first int64, f *table.Floats) error {
		for i := range f.Rows {
			values, row, label := f.Data[i*f.Cols:(i+1)*f.Cols], first+int64(i), math.NaN()
			switch {
			case p.of != nil:
				label = p.of(row)
			case p.label != "":
				label = values[len(columns)]
			}
			if err := do(row, values[:len(columns)], label); err != nil {
				return err
			}
		}
		return nil
	})
}

// countLabel is tally.Add for a row of the table.
func (p *pictured) countLabel(t *chart.Tally, row int64, label float64) error {
	if err := t.Add(label); err != nil {
		return inputf(p.path, "column %s, %s: %w: name the column of clusters by --cluster", p.label, p.place(row), err)
	}
	return nil
}

// place2 are the coordinates of a row in the plane of a picture.
type place2 func(row int64, values []float64) (x, y float64)

// drawRows draws rows over two coordinates, which a function makes of the values of
// columns.
func (p *pictured) drawRows(ctx context.Context, columns []string, at place2, opt chart.ScatterOptions) (*chart.Scatter, *chart.Tally, error) {
	var x, y chart.Range
	tally := &chart.Tally{}
	err := p.each(ctx, columns, func(row int64, values []float64, label float64) error {
		if !math.IsNaN(label) {
			u, v := at(row, values)
			if notFinite(u) || notFinite(v) || opt.LogX && u <= 0 || opt.LogY && v <= 0 {
				p.unplaced++
				label = math.NaN()
			} else {
				x.Add(u)
				y.Add(v)
			}
		}
		return p.countLabel(tally, row, label)
	})
	if err != nil {
		return nil, nil, err
	}
	if err := p.somePlaced(columns, tally, p.otherColumns()); err != nil {
		return nil, nil, err
	}
	for _, r := range []*chart.Range{&x, &y} {
		if err := r.Check(); err != nil {
			return nil, nil, inputf(p.path, "%w: %s", err, p.otherColumns())
		}
	}
	scatter := chart.NewScatter(x, y, tally, opt)
	err = p.each(ctx, columns, func(row int64, values []float64, label float64) error {
		u, v := at(row, values)
		scatter.Add(u, v, label)
		return nil
	})
	return scatter, tally, err
}

// otherColumns says how to draw other columns, by the flags that there are: labels that are
// in memory are of a run that draws beside its result.
func (p *pictured) otherColumns() string {
	if p.of != nil {
		return "rtcluster plot draws other columns of the output, by -x and -y"
	}
	return "choose other columns by -x and -y"
}

// somePlaced wants a row that can be drawn, if any has a label.
func (p *pictured) somePlaced(columns []string, t *chart.Tally, advice string) error {
	if p.unplaced == 0 || t.Rows() > 0 {
		return nil
	}
	return inputf(p.path, "nothing to draw: no row that has a cluster has a finite number in each of %s: %s", listed(columns), advice)
}

// drawSky draws rows on the sky.
func (p *pictured) drawSky(ctx context.Context, ra, dec string, opt chart.SkyOptions) (*chart.Sky, *chart.Tally, error) {
	columns := []string{ra, dec}
	extent, tally := &chart.Extent{}, &chart.Tally{}
	err := p.each(ctx, columns, func(row int64, values []float64, label float64) error {
		if math.IsNaN(label) {
			return tally.Add(label)
		}
		if slices.ContainsFunc(values, math.IsNaN) {
			p.unplaced++
			return tally.Add(math.NaN())
		}
		if !extent.Add(values[0], values[1]) {
			return inputf(p.path, "columns %s and %s are %s and %s in %s: want right ascension and declination in degrees, -90 to 90",
				ra, dec, exact(values[0]), exact(values[1]), p.place(row))
		}
		return p.countLabel(tally, row, label)
	})
	if err != nil {
		return nil, nil, err
	}
	if err := p.somePlaced(columns, tally, "choose other columns by --ra and --dec"); err != nil {
		return nil, nil, err
	}
	sky := chart.NewSky(extent, tally, opt)
	err = p.each(ctx, columns, func(_ int64, values []float64, label float64) error {
		sky.Add(values[0], values[1], label)
		return nil
	})
	return sky, tally, err
}

// drawing is a picture of clusters, and what is told of it.
type drawing struct {
	picture *chart.Picture
	tally   *chart.Tally
	over    string // what they are drawn over
}

// text says in words what the picture shows.
func (d *drawing) text() string {
	return fmt.Sprintf("%s and %s over %s", plural(d.tally.Clusters(), "cluster", "clusters"), plural(d.tally.Noise(), "noise row", "noise rows"), d.over)
}

// overColumns draws clusters over columns, or over principal axes of more than two.
func (p *pictured) overColumns(ctx context.Context, columns []string, params *parameters, opt chart.ScatterOptions) (*drawing, error) {
	plane, err := p.plane(ctx, columns, params)
	if err != nil {
		return nil, err
	}
	opt.Equal = plane.equal
	scatter, tally, err := p.drawRows(ctx, columns, plane.at, opt)
	if err != nil {
		return nil, err
	}
	return &drawing{scatter.Picture(clustersTitle(p.path, tally, params), plane.x, plane.y), tally, plane.x + " and " + plane.y}, nil
}

// onSky draws clusters on the sky.
func (p *pictured) onSky(ctx context.Context, ra, dec string, params *parameters, opt chart.SkyOptions) (*drawing, error) {
	sky, tally, err := p.drawSky(ctx, ra, dec, opt)
	if err != nil {
		return nil, err
	}
	return &drawing{sky.Picture(clustersTitle(p.path, tally, params)), tally, "the sky"}, nil
}

// savePicture writes a picture by the ending of its name.
func savePicture(flag, path string, p *chart.Picture) error {
	format, err := chart.FormatOf(path)
	if err != nil {
		return usagef("%s %w", flag, err)
	}
	content, err := p.Encode(format)
	if err != nil {
		return err
	}
	return table.ReplaceFile(path, content)
}

// baseName is what a picture calls an input.
func baseName(path string) string {
	if path == "-" {
		return shown(path)
	}
	return filepath.Base(path)
}

// clustersTitle is a title for clusters, with how they were found if that is known.
func clustersTitle(path string, t *chart.Tally, params *parameters) string {
	title := fmt.Sprintf("%s: %s", baseName(path), plural(t.Clusters(), "cluster", "clusters"))
	if params == nil || params.MinSamples == 0 || params.Eps == nil {
		return title
	}
	title += "\neps " + strings.TrimSuffix(params.radius().String(), cosineUnit) + ", min-samples " + grouped(params.MinSamples)
	if params.MinClusterSize > 1 {
		title += ", min-cluster-size " + grouped(params.MinClusterSize)
	}
	return title
}
