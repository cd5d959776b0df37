package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/io/table"
	"rtcluster/join"
)

// joinOptions are what the command line of `rtcluster join` says.
type joinOptions struct {
	A, B   string // B is empty for a self-join
	Eps    radius
	Counts bool
	Sort   bool
	Input  inputOptions
	Metric metricOptions
	Output outputOptions
	Run    runOptions
	Dry    dryOptions

	eps string
}

func newJoinCmd(a *app, run func(context.Context, *app, *joinOptions) error) *cobra.Command {
	opt := &joinOptions{}
	cmd := &cobra.Command{
		Use:   "join A [B] --eps E [-o OUT]",
		Short: "List or count all pairs of rows within a distance",
		Long: `List all pairs of rows within eps of each other: of one table A, each pair once with
left < right and no row with itself; or of a row of A and a row of B.

A and B are files, folders, patterns in quotes or @FILE for a list of them, as in rtcluster
dbscan, each taken as one table; one of them may be - for standard input. The output has
the columns left and right (row numbers from 0, over all rows of the tables) and distance
(in degrees on the sky; rounded, so that only a slightly greater --eps finds the pair for
certain). With --counts it is the table A with n_neighbors added: the other
rows of A, or the rows of B, within eps. Pairs are never all in memory.`,
		Example: `  rtcluster join stars.csv -c x_pc,y_pc,z_pc --eps 0.5 -o pairs.parquet
  rtcluster join survey.parquet reference.parquet --ra ra --dec dec --eps 2arcsec -o matches.csv`,
		Args: joinArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			opt.A = args[0]
			if len(args) > 1 {
				opt.B = args[1]
			}
			if err := opt.check(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), a, opt)
		},
	}
	addFlags(cmd, "Join", func(fs *pflag.FlagSet) {
		fs.StringVarP(&opt.eps, "eps", "e", "",
			"greatest `DISTANCE` of a pair, in the unit of the coordinates; on the sky "+unitsHelp)
		fs.BoolVar(&opt.Counts, "counts", false, "write A with n_neighbors instead of the pairs")
		fs.BoolVar(&opt.Sort, "sort", false, "order pairs by left, then right (slower; without it their order is left open)")
	})
	opt.Input.define(cmd, false)
	opt.Metric.define(cmd)
	opt.Output.define(cmd, true)
	opt.Run.define(cmd)
	opt.Dry.define(cmd)
	opt.Input.completeColumns(cmd)
	return cmd
}

func joinArgs(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return usagef("no input: name one table for its own pairs, or two")
	case len(args) > 2:
		return usagef("%d inputs: join takes one table or two", len(args))
	case len(args) == 2 && args[0] == "-" && args[1] == "-":
		return usagef("standard input can be one of the tables, not both")
	}
	return checkInputs(args...)
}

func (o *joinOptions) check(cmd *cobra.Command) (err error) {
	if err := checkShared(cmd, &o.Input, &o.Metric, &o.Output, &o.Run); err != nil {
		return err
	}
	if err := o.Dry.check(); err != nil {
		return err
	}
	if o.Eps, err = eps(cmd, o.eps, &o.Metric); err != nil {
		return err
	}
	switch {
	case o.Counts && o.Sort:
		return usagef("--sort orders pairs; with --counts the rows of A stay in order anyway")
	case !o.Counts && cmd.Flags().Changed("keep"):
		return usagef("--keep chooses columns of A, which only --counts writes")
	case !o.Counts && o.Output.folder():
		return usagef("--output %s: pairs go to one file, only --counts writes one per input", o.Output.Path)
	case !o.Counts && cmd.Flags().Changed("prefix"):
		return usagef("--prefix is for the column that --counts adds to A")
	}
	return nil
}

// joinCounts is what a report counts.
type joinCounts struct {
	rowCounts
	B     *rowCounts `json:"b,omitempty"` // of the second table
	Pairs int64      `json:"pairs"`       // of a self-join, unordered
}

// joinInputs are the tables of a join; b is nil for a self-join.
type joinInputs struct {
	a, b *source
	keep []string // columns of a to write, for --counts
}

// indexed is the source whose points are indexed; queries is nil for a
// self-join.
func (in *joinInputs) indexed() *source {
	if in.b != nil {
		return in.b
	}
	return in.a
}

func (in *joinInputs) queries() *join.Points {
	if in.b != nil {
		return in.a.points
	}
	return nil
}

func (in *joinInputs) close() error {
	var err error
	for _, s := range []*source{in.a, in.b} {
		if s != nil {
			err = errors.Join(err, s.close())
		}
	}
	return err
}

func runJoin(ctx context.Context, a *app, opt *joinOptions) (err error) {
	j, err := a.start("join", &opt.Run, &opt.Output)
	if err != nil {
		return err
	}
	j.plan, j.dry = j.planJoin(opt), opt.Dry.Run
	in := &joinInputs{}
	defer func() { err = errors.Join(err, in.close()) }()
	if err := j.readBoth(ctx, opt, in); err != nil {
		return err
	}
	j.line("parameters", "eps %s", opt.Eps)
	j.work = workload{eps: []float64{opt.Eps.join()}}
	if in.b != nil {
		j.work.rows = int64(in.a.points.Rows())
	}
	if opt.Dry.Run {
		return j.dryJoin(ctx, opt, in)
	}
	work := j.joinPairs
	if opt.Counts {
		work = j.joinCounts
	}
	if err := work(ctx, opt, in); err != nil {
		return err
	}
	return j.finish()
}

// readBoth reads A, and B by the same columns if there is one.
func (j *job) readBoth(ctx context.Context, opt *joinOptions, in *joinInputs) (err error) {
	j.clock.start("read")
	defer j.clock.stop("read")
	if in.a, err = openSource(ctx, j, []string{opt.A}, &opt.Input, nil); err != nil {
		return err
	}
	if err := checkSky(in.a, &opt.Metric); err != nil {
		return err
	}
	if opt.Counts {
		if in.keep, err = j.kept(in.a, []string{"n_neighbors"}); err != nil {
			return err
		}
	}
	sources := []*source{in.a}
	if opt.B != "" {
		like := in.a
		if in.a.table.Rows() == 0 && len(opt.Input.Columns) == 0 {
			like = nil // no value of A says which columns hold numbers
		}
		if in.b, err = openSource(ctx, j, []string{opt.B}, &opt.Input, like); err != nil {
			return err
		}
		if like == nil {
			in.a.columns = in.b.columns
		}
		sources = append(sources, in.b)
	}
	for i, s := range sources {
		if i == 0 && opt.Counts {
			continue // A comes out again, with a column more
		}
		if err := j.keepInput(s.table); err != nil {
			return err
		}
	}
	params, err := j.load(ctx, &opt.Input, &opt.Metric, sources...)
	if err != nil {
		return err
	}
	j.warnEps(opt.Eps, &opt.Input, &opt.Metric, sources...)
	params.setEps(opt.Eps)
	params.Counts, params.Sort = opt.Counts, opt.Sort
	return nil
}

// count settles the totals for the summary, the report and the metadata.
func (j *job) count(in *joinInputs, pairs int64) {
	counts := &joinCounts{rowCounts: in.a.rowCounts(), Pairs: pairs}
	if in.b != nil {
		b := in.b.rowCounts()
		counts.B = &b
		j.line("pairs", "%s", grouped(pairs))
	} else {
		j.line("pairs", "%s (%s ordered)", grouped(pairs), grouped(2*pairs))
	}
	j.report.Counts = counts
}

// joinCounts writes A with the number of neighbours of each row.
func (j *job) joinCounts(ctx context.Context, opt *joinOptions, in *joinInputs) error {
	counts := make([]int32, in.a.points.Rows())
	err := j.withIndex(ctx, in.indexed().points, func(ctx context.Context, idx join.Index) error {
		return idx.Counts(ctx, in.queries(), opt.Eps.join(), 0, counts)
	})
	if err != nil {
		return err
	}
	var pairs int64
	for i := range counts {
		if in.b == nil {
			counts[i]-- // the row itself
		}
		pairs += int64(counts[i])
	}
	if in.b == nil {
		pairs /= 2
	}
	err = j.verify(len(counts), func(sample []int) error { return verifyCounts(ctx, in, opt.Eps.join(), counts, sample) })
	if err != nil {
		return err
	}
	j.count(in, pairs)
	return j.writeTable(ctx, in.a, in.keep, []table.Added{{
		Name:   "n_neighbors",
		Values: scatter(counts, in.a.rows, in.a.table.Rows(), 0),
		Valid:  in.a.valid(opt.Input.NaN),
	}})
}

// verifyCounts compares the counts of sampled rows with a scan of all rows.
func verifyCounts(ctx context.Context, in *joinInputs, eps float64, counts []int32, sample []int) error {
	for _, row := range sample {
		if err := ctx.Err(); err != nil {
			return err
		}
		var want int32
		join.Scan(in.indexed().points, in.a.points.Row(row), in.a.points.Metric().Bound(eps), func(other int, _ float64) {
			if in.b != nil || other != row {
				want++
			}
		})
		if counts[row] != want {
			return fmt.Errorf("%w: row %d has %d neighbours, counted %d", join.ErrVerify, in.a.tableRow(row), want, counts[row])
		}
	}
	return nil
}
