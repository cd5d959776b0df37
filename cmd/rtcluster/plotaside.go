package main

import (
	"context"
	"fmt"
	"math"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/io/chart"
)

// This file has --plot of dbscan and outliers, which draws what the run found.

// definePlot binds the flag.
func (o *outputOptions) definePlot(cmd *cobra.Command, what string) {
	addFlags(cmd, "Output", func(fs *pflag.FlagSet) {
		fs.StringVar(&o.Plot, "plot", "", "`FILE` to draw "+what+" into: .svg or .png (rtcluster plot draws more of an output)")
	})
}

// checkPlot finds what is wrong with the name of a plot.
func (o *outputOptions) checkPlot(cmd *cobra.Command) error {
	if f := cmd.Flags().Lookup("plot"); f == nil || !f.Changed {
		return nil
	}
	if _, err := chart.FormatOf(o.Plot); err != nil {
		return usagef("--plot %w", err)
	}
	return nil
}

// checkPlot refuses a picture of several clusterings.
func (o *dbscanOptions) checkPlot() error {
	if o.Output.Plot != "" && len(o.Eps) > 1 {
		return usagef("--plot draws one clustering, and --eps has %d: leave it out, and draw one of them by `rtcluster plot OUT --cluster cluster_2`, or all on a page by --html run.html", len(o.Eps))
	}
	return nil
}

// checkPlot refuses a picture of several scores.
func (o *outliersOptions) checkPlot() error {
	if scores := o.scores(); o.Output.Plot != "" && len(scores) > 1 {
		return usagef("--plot draws one score, and there are %d: leave it out, and draw one of them by `rtcluster plot OUT --score %s`, or all on a page by --html run.html", len(scores), scores[0].column)
	}
	return nil
}

// plot draws the clusters of each eps: on the sky, or over the coordinates. These are
// read again, since they became points.
func (c *clustering) plot(ctx context.Context) error {
	if !c.drawing() {
		return nil
	}
	c.clock.start("plot")
	defer c.clock.stop("plot")
	ctx, done := c.watch(ctx, stagePlot)
	defer done()
	for at := range c.radii[:min(len(c.radii), mostPictures)] {
		d, err := c.drawLevel(ctx, at)
		if ctx.Err() != nil {
			return err
		}
		if err != nil {
			c.undrawn(err)
			return nil
		}
		caption := fmt.Sprintf("%s, eps %s", d.text(), c.radii[at])
		if err := c.showPicture(d.picture, caption, "Rows of "+baseName(c.in.path)+": "+caption+"; clusters in colours, noise grey."); err != nil {
			return err
		}
		if at == 0 {
			c.savePlot(d.picture)
		}
	}
	return nil
}

// drawLevel draws the clusters of one eps.
func (c *clustering) drawLevel(ctx context.Context, at int) (*drawing, error) {
	labels, valid := c.columns[at][0].Values.([]int32), c.columns[at][0].Valid
	p := &pictured{source: c.in.source, label: "cluster", of: func(row int64) float64 {
		if valid != nil && !valid[row] {
			return math.NaN()
		}
		return float64(labels[row])
	}}
	params := c.in.params.atLevel(at)
	if columns := c.in.columns; c.opt.Metric.sky() && len(columns) == 2 {
		return p.onSky(ctx, columns[0], columns[1], params, chart.SkyOptions{Center: skyCenter})
	}
	return p.overColumns(ctx, c.in.columns, params, chart.ScatterOptions{})
}

// savePlot writes the picture of --plot, if there is one, and tells of it.
func (j *job) savePlot(picture *chart.Picture) {
	if picture == nil || j.outOpt.Plot == "" {
		return
	}
	if err := savePicture("--plot", j.outOpt.Plot, picture); err != nil {
		j.missed("--plot", err)
		return
	}
	j.line("plot", "%s", j.outOpt.Plot)
}

// plotScores draws the histograms of the scores, before they are written and given up;
// the first is that of --plot.
func (j *job) plotScores(cut *cutOptions, t *scoredTable) (first *chart.Picture, err error) {
	if !j.drawing() {
		return nil, nil
	}
	j.clock.start("plot")
	defer j.clock.stop("plot")
	for i, score := range t.scores[:min(len(t.scores), mostPictures)] {
		picture, err := j.plotScore(cut, t, score)
		if err != nil {
			j.undrawn(err)
			return nil, nil
		}
		if i == 0 {
			first = picture
		}
		caption := "scores of " + plural(len(score.Scores), "row", "rows") + ", column " + j.outOpt.Prefix + score.column
		if err := j.showPicture(picture, caption, "Histogram: "+caption+"; rows that are flagged in another colour."); err != nil {
			return nil, err
		}
	}
	return first, nil
}

// plotScore draws one of them.
func (j *job) plotScore(cut *cutOptions, t *scoredTable, score *scored) (*chart.Picture, error) {
	return scoresPicture(t.path, j.outOpt.Prefix+score.column, score.limitLine(cut), func(do func(score float64, flagged bool)) error {
		for i, x := range score.Scores {
			do(x, score.flags != nil && score.flags.Outlier[i])
		}
		return nil
	})
}
