package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The metrics, as --metric and reports name them.
const (
	metricEuclidean   = "euclidean"
	metricManhattan   = "manhattan"
	metricChebyshev   = "chebyshev"
	metricHaversine   = "haversine"
	metricCosine      = "cosine"
	metricMahalanobis = "mahalanobis"
)

// metricOptions say what the distance of two rows is.
type metricOptions struct {
	Metric  string // one of the metrics
	RA, Dec string
	Weights []float64 // a factor on each coordinate, nil for none
	Box     []float64 // the length of a periodic box along each coordinate, 0 for none; nil: none
	Cov     string    // file of a covariance, "" for that of the rows
}

func (o *metricOptions) define(cmd *cobra.Command) {
	addFlags(cmd, "Distance", func(fs *pflag.FlagSet) {
		fs.Var(newEnum(&o.Metric, metricEuclidean, metricEuclidean, metricManhattan, metricChebyshev, metricHaversine, metricCosine, metricMahalanobis), "metric",
			"how distance is measured: a straight line (euclidean), the sum of the differences (manhattan), the greatest (chebyshev), "+
				"a great circle on the sky (haversine: of right ascension and declination in degrees, found by UCDs or names unless --ra and --dec or --columns name them), "+
				"1 - cos of the angle between rows (cosine), a straight line in units of the spread of all rows, correlations taken out (mahalanobis)")
		fs.StringVar(&o.RA, "ra", "", "`COLUMN` of right ascension in degrees, implies --metric haversine")
		fs.StringVar(&o.Dec, "dec", "", "`COLUMN` of declination in degrees, -90 to 90")
		fs.Var(&numbersValue{target: &o.Weights}, "column-weights",
			"factor on each coordinate, in the order of --columns and after --scale, such as 1,1,0.1")
		fs.Var(&numbersValue{target: &o.Box}, "box",
			"lengths L of a periodic box, one for each coordinate, in 0 to below L, or 0 for one that does not wrap, such as 100,100,0 "+
				"(euclidean, manhattan, chebyshev)")
		fs.StringVar(&o.Cov, "cov", "",
			"`FILE` with the covariance for --metric mahalanobis: CSV, a row for each column, with or without a line of their names "+
				"(default: the sample covariance of the rows, divisor n - 1)")
	})
}

// sky reports whether distances are angles.
func (o *metricOptions) sky() bool { return o.Metric == metricHaversine }

// check also settles the metric where --ra and --dec imply it, and makes the
// two the columns of the input.
func (o *metricOptions) check(cmd *cobra.Command, in *inputOptions) error {
	named := o.RA != "" || o.Dec != ""
	switch {
	case named && (o.RA == "" || o.Dec == ""):
		return usagef("--ra and --dec go together: name both columns")
	case named && o.RA == o.Dec:
		return usagef("--ra and --dec name the same column %q", o.RA)
	case named && in.columnsGiven:
		return usagef("--columns and --ra/--dec both choose the coordinates: give one of them")
	case named && cmd.Flags().Changed("metric") && o.Metric != metricHaversine:
		return usagef("--ra and --dec are positions on the sky: leave out --metric %s", o.Metric)
	}
	if named {
		o.Metric = metricHaversine
		in.Columns = []string{o.RA, o.Dec}
	}
	if err := o.checkWeights(in); err != nil {
		return err
	}
	if cmd.Flags().Changed("cov") && (o.Cov == "" || o.Cov == "-" || o.Metric != metricMahalanobis) {
		return usagef("--cov wants the name of a file, and --metric mahalanobis")
	}
	if err := o.checkBox(in); err != nil {
		return err
	}
	switch o.Metric {
	case metricHaversine:
		in.sky = true
		return o.checkSky(in, named)
	case metricMahalanobis:
		if in.Scale != "none" || o.Weights != nil {
			return usagef("--metric mahalanobis scales by the covariance, whatever was done before: leave out --scale and --column-weights")
		}
	}
	return nil
}

func (o *metricOptions) checkSky(in *inputOptions, named bool) error {
	switch {
	case in.Scale != "none":
		return usagef("--scale %s would turn positions on the sky into something else: leave it out", in.Scale)
	case o.Weights != nil:
		return usagef("--column-weights would turn positions on the sky into something else: leave it out")
	case !named && len(in.Columns) != 2 && !slices.ContainsFunc(in.Columns, isPattern) && in.columnsGiven:
		return usagef("--metric haversine takes two columns, right ascension and declination, not %d", len(in.Columns))
	}
	return nil
}

// checkWeights finds what is wrong with weights whose columns may not be known
// yet.
func (o *metricOptions) checkWeights(in *inputOptions) error {
	if o.Weights == nil {
		return nil
	}
	if i := slices.IndexFunc(o.Weights, func(w float64) bool { return w < 0 }); i >= 0 {
		return usagef("--column-weights has %s: want 0, which leaves a column out of the distance, or more", exact(o.Weights[i]))
	}
	if slices.Max(o.Weights) == 0 {
		return usagef("--column-weights are all 0: no column is left to tell rows apart")
	}
	return checkNamed("--column-weights", len(o.Weights), in)
}

// checkBox finds what is wrong with a box whose columns may not be known yet.
func (o *metricOptions) checkBox(in *inputOptions) error {
	if o.Box == nil {
		return nil
	}
	if i := slices.IndexFunc(o.Box, func(length float64) bool { return length < 0 }); i >= 0 {
		return usagef("--box has %s: want a length, or 0 for a column that does not wrap", exact(o.Box[i]))
	}
	if _, ok := o.norm(); !ok {
		return usagef("--box is for the metrics euclidean, manhattan and chebyshev: leave it out with --metric %s", o.Metric)
	}
	if in.Scale != "none" {
		return usagef("--scale %s would change the length of the box: leave it out", in.Scale)
	}
	for i, w := range o.Weights {
		if i < len(o.Box) && o.Box[i] > 0 && w != 1 {
			return usagef("--column-weights %s would change the length %s of the box: give a column that wraps the weight 1", exact(w), exact(o.Box[i]))
		}
	}
	return checkNamed("--box", len(o.Box), in)
}

// checkNamed wants one number for each column, if the flags name them.
func checkNamed(flag string, numbers int, in *inputOptions) error {
	if len(in.Columns) == 0 || slices.ContainsFunc(in.Columns, isPattern) {
		return nil
	}
	if err := checkNumber(flag, numbers, in.Columns); err != nil {
		return usageError{err}
	}
	return nil
}

// checkNumber wants one number for each column.
func checkNumber(flag string, numbers int, columns []string) error {
	if numbers == len(columns) {
		return nil
	}
	return fmt.Errorf("%s has %s for %s: give one for each of %s",
		flag, plural(numbers, "number", "numbers"), plural(len(columns), "column", "columns"), listed(columns))
}

// checkColumns wants as many numbers as there are columns, now that they are
// known.
func (o *metricOptions) checkColumns(s *source) error {
	for _, list := range []struct {
		flag    string
		numbers []float64
	}{{"--column-weights", o.Weights}, {"--box", o.Box}} {
		if list.numbers == nil {
			continue
		}
		if err := checkNumber(list.flag, len(list.numbers), s.columns); err != nil {
			return inputf(s.path, "%w", err)
		}
	}
	return nil
}
