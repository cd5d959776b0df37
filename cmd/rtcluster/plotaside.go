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
		return usagef("--plot draws one clustering, and --eps has %d: leave it out, and draw one of them by `rtcluster plot OUT --cluster cluster_2`", len(o.Eps))
	}
	return nil
}

// checkPlot refuses a picture of several scores.
func (o *outliersOptions) checkPlot() error {
	if scores := o.scores(); o.Output.Plot != "" && len(scores) > 1 {
		return usagef("--plot draws one score, and there are %d: leave it out, and draw one of them by `rtcluster plot OUT --score %s`", len(scores), scores[0].column)
	}
	return nil
}

// plot draws the clusters: on the sky, or over the coordinates. These are read again,
// since they became points.
func (c *clustering) plot(ctx context.Context) error {
	if c.outOpt.Plot == "" {
		return nil
	}
	c.clock.start("plot")
	defer c.clock.stop("plot")
	labels, valid := c.columns[0][0].Values.([]int32), c.columns[0][0].Valid
	p := &pictured{source: c.in.source, label: "cluster", of: func(row int64) float64 {
		if valid != nil && !valid[row] {
			return math.NaN()
		}
		return float64(labels[row])
	}}
	var d *drawing
	var err error
	if columns := c.in.columns; c.opt.Metric.sky() && len(columns) == 2 {
		d, err = p.onSky(ctx, columns[0], columns[1], c.in.params, chart.SkyOptions{Center: skyCenter})
	} else {
		d, err = p.overColumns(ctx, columns, c.in.params)
	}
	if err != nil {
		return fmt.Errorf("the result is written, but not --plot: %w", err)
	}
	return c.savePlot(d.picture)
}

// savePlot writes the picture of --plot, if there is one, and tells of it.
func (j *job) savePlot(picture *chart.Picture) error {
	if picture == nil {
		return nil
	}
	if err := savePicture("--plot", j.outOpt.Plot, picture); err != nil {
		return fmt.Errorf("the result is written, but %w", err)
	}
	j.line("plot", "%s", j.outOpt.Plot)
	return nil
}

// plotScores draws the histogram of the score, before it is written and given up.
func (j *job) plotScores(cut *cutOptions, t *scoredTable) (*chart.Picture, error) {
	if j.outOpt.Plot == "" {
		return nil, nil
	}
	j.clock.start("plot")
	defer j.clock.stop("plot")
	score, threshold := t.scores[0], math.NaN()
	if cut.given() && score.flags != nil && !notFinite(score.limit.Score) {
		threshold = score.limit.Score
	}
	return scoresPicture(t.path, j.outOpt.Prefix+score.column, threshold, func(do func(score float64, flagged bool)) error {
		for i, x := range score.Scores {
			do(x, score.flags != nil && score.flags.Outlier[i])
		}
		return nil
	})
}
