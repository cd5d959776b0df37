package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/io/chart"
)

// The kinds of pictures.
const (
	kindClusters  = "clusters"
	kindSky       = "sky"
	kindDistances = "distances"
	kindScores    = "scores"
	kindSizes     = "sizes"
)

// plotOptions are what the command line of `rtcluster plot` says.
type plotOptions struct {
	Paths   []string
	Kind    string // "": by what the table holds
	X, Y    string // columns; "": those that were clustered, or their principal axes
	Cluster string // column of labels; "": found by its name
	Score   string // likewise
	Params  string // a run report
	RA, Dec string
	Axes    chart.ScatterOptions
	Sky     chart.SkyOptions
	Input   inputOptions
	Output  outputOptions
	Run     runOptions

	projection string
}

func newPlotCmd(a *app, run func(context.Context, *app, *plotOptions) error) *cobra.Command {
	opt := &plotOptions{}
	cmd := &cobra.Command{
		Use:   "plot OUTPUT... -o FILE [--kind KIND] [-x COLUMN -y COLUMN]",
		Short: "Draw the clusters, scores or distances of an output",
		Long: `Draw an output of dbscan, predict, outliers or join as a picture, SVG or PNG.

  clusters   rows over two columns, by the colour of their cluster: -x and -y, or the two
             that were clustered, or the first two principal axes of those that were; axes
             of one unit have one scale
  sky        rows on the sky, right ascension growing to the left, with a grid of degrees;
             rows in a part of it fill the picture, around their middle or a pole
  distances  sorted distances to the k-th nearest row, and the eps that was taken: of a
             clustering (k is min-samples - 1), a score by knn, or a column distance
  scores     how many rows have which score, and the limit by which they were flagged; where
             that is not recorded, the least score that is flagged
  sizes      the sizes of clusters

Without --kind, the columns and what Parquet records of the run decide. Clusters have the
colours of their places by size, which people tell apart whatever their colour vision;
noise is grey. Up to ` + grouped(mostDots) + ` rows of a colour are dots, and more a raster, darker where there
are more rows. The table is read twice or thrice, and never in memory as a whole but for the
coordinates of a clustering whose distances are drawn.

` + inputsHelp,
		Example: `  rtcluster plot clusters.parquet -o clusters.png
  rtcluster plot clusters.csv -x colour -y magnitude --yflip -o diagram.svg
  rtcluster plot groups.parquet --kind sky --projection aitoff -o sky.svg
  rtcluster plot clusters.parquet --kind distances -o kdist.svg`,
		Args: inputArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			opt.Paths = args
			if err := opt.check(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), a, opt)
		},
	}
	opt.define(cmd)
	opt.Input.defineFormat(cmd)
	addFlags(cmd, "Output", func(fs *pflag.FlagSet) {
		fs.StringVarP(&opt.Output.Path, "output", "o", "", "`FILE` to draw into: .svg or .png")
		fs.BoolVar(&opt.Output.Force, "force", false, "overwrite FILE if it is there")
	})
	addFlags(cmd, "Engine", opt.Run.defineEngine)
	opt.Run.defineGeneral(cmd, false)
	opt.Input.completeColumns(cmd)
	return cmd
}

// skyCenter is the right ascension in the middle of a whole sky, so that it runs from
// 360 to 0 degrees.
const skyCenter = 180

// mostDots is how many rows of a colour are dots, see package chart.
const mostDots = chart.MostDots

func (o *plotOptions) define(cmd *cobra.Command) {
	addFlags(cmd, "Picture", func(fs *pflag.FlagSet) {
		fs.Var(newEnum(&o.Kind, "", kindClusters, kindSky, kindDistances, kindScores, kindSizes), "kind", "what to draw (default: by the columns)")
		fs.StringVarP(&o.X, "x", "x", "", "`COLUMN` along the picture (clusters)")
		fs.StringVarP(&o.Y, "y", "y", "", "`COLUMN` up the picture (clusters)")
		fs.BoolVar(&o.Axes.FlipX, "xflip", false, "let values grow to the left (clusters)")
		fs.BoolVar(&o.Axes.FlipY, "yflip", false, "let values grow downwards, as magnitudes do (clusters)")
		fs.BoolVar(&o.Axes.LogX, "xlog", false, "make the axis of -x logarithmic (clusters)")
		fs.BoolVar(&o.Axes.LogY, "ylog", false, "make the axis of -y logarithmic (clusters)")
		fs.StringVar(&o.RA, "ra", "", "`COLUMN` of right ascension in degrees (sky; default: as recorded, or by its UCD or name)")
		fs.StringVar(&o.Dec, "dec", "", "`COLUMN` of declination in degrees")
		fs.Var(newEnum(&o.projection, "", string(chart.Mollweide), string(chart.Aitoff)), "projection", "draw the whole sky, and how the sphere becomes flat (default: "+string(chart.Mollweide)+", where rows are not in a part of it)")
		fs.Float64Var(&o.Sky.Center, "center", skyCenter, "draw the whole sky, around this right ascension in `DEGREES`")
		fs.BoolVar(&o.Sky.Whole, "whole-sky", false, "draw the whole sky, also where the rows are in a part of it")
		fs.StringVar(&o.Cluster, "cluster", "", "`COLUMN` of the clusters, such as cluster_2 of several eps (default: found by its name)")
		fs.StringVar(&o.Score, "score", "", "`COLUMN` of the scores or distances, such as score_lof_20 of several (default: found by its name)")
		fs.StringVar(&o.Params, "params", "", "`FILE` with the run report of an output that is CSV (default: the metadata of Parquet)")
	})
}

func (o *plotOptions) check(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	for _, name := range []string{"x", "y", "ra", "dec", "cluster", "score", "params"} { // an unset variable, likely
		if given(name) && cmd.Flags().Lookup(name).Value.String() == "" {
			return usagef("--%s is empty: name a column or file, or leave it out", name)
		}
	}
	if o.Output.Path == "" {
		return usagef("--output is missing: name the file to draw into, such as -o clusters.png")
	}
	if _, err := chart.FormatOf(o.Output.Path); err != nil {
		return usagef("--output %w", err)
	}
	sky := given("ra") || given("dec")
	switch {
	case given("x") != given("y"):
		return usagef("-x and -y go together: name both columns")
	case (o.Axes.LogX || o.Axes.LogY) && o.X == "":
		return usagef("--xlog and --ylog want columns with values above 0: name two by -x and -y")
	case o.X != "" && o.X == o.Y:
		return usagef("-x and -y name the same column %q", o.X)
	case given("ra") != given("dec"):
		return usagef("--ra and --dec go together: name both columns")
	case sky && o.RA == o.Dec:
		return usagef("--ra and --dec name the same column %q", o.RA)
	case sky && o.X != "":
		return usagef("-x/-y and --ra/--dec both choose the coordinates: give one of them")
	case !(o.Sky.Center >= -360 && o.Sky.Center <= 360):
		return usagef("--center %s: want degrees, -360 to 360", exact(o.Sky.Center))
	}
	if err := o.settleKind(given); err != nil {
		return err
	}
	o.Sky.Projection = chart.Projection(o.projection)
	o.Sky.Whole = o.Sky.Whole || given("projection") || given("center")
	return errors.Join(o.Input.check(), o.Run.check(cmd))
}

// settleKind sets the kind that flags are for, and refuses those of another kind.
func (o *plotOptions) settleKind(given func(name string) bool) error {
	by := ""
	for _, f := range []struct{ name, kind string }{
		{"x", kindClusters},
		{"xlog", kindClusters},
		{"ylog", kindClusters},
		{"xflip", kindClusters},
		{"yflip", kindClusters},
		{"ra", kindSky},
		{"projection", kindSky},
		{"center", kindSky},
		{"whole-sky", kindSky},
	} {
		switch flag := dashed(f.name); {
		case !given(f.name):
		case o.Kind == "":
			o.Kind, by = f.kind, flag
		case o.Kind != f.kind && by != "":
			return usagef("%s is for --kind %s, and %s for --kind %s: leave one of them out", flag, f.kind, by, o.Kind)
		case o.Kind != f.kind:
			return usagef("%s is for --kind %s", flag, f.kind)
		}
	}
	return nil
}

// dashed is a flag as it is typed.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

func runPlot(ctx context.Context, a *app, opt *plotOptions) (err error) {
	j, err := a.start("plot", &opt.Run, &opt.Output)
	if err != nil {
		return err
	}
	j.work.cpu = "cards are no faster at nearest rows"
	j.pieces, j.sparing = true, "leave it out"
	t, err := openInputs(ctx, j, opt.Paths, &opt.Input)
	if err != nil {
		return err
	}
	s := &source{path: tableName(opt.Paths, t), table: t}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := j.keepInput(t); err != nil {
		return err
	}
	j.addInput(s.path, t)
	p := &plotting{job: j, opt: opt, pictured: &pictured{source: s}}
	p.check = p.checkPieces
	if err := p.settle(); err != nil {
		return err
	}
	j.clock.start("plot")
	watched, done := j.watch(ctx, stagePlot)
	picture, err := p.draw(watched)
	done()
	j.clock.stop("plot")
	if err != nil {
		return err
	}
	if err := savePicture("--output", opt.Output.Path, picture); err != nil {
		return fmt.Errorf("--output is not written: %w", err)
	}
	j.line("picture", "%s, %s", opt.Output.Path, p.what)
	return j.finish()
}
