package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/io/table"
	"rtcluster/join/synth"
)

// generateOptions are what the command line of `rtcluster generate` says.
type generateOptions struct {
	Shape  string
	Rows   int
	Dim    int
	Seed   uint64
	Output outputOptions
	Run    runOptions
}

// The shapes that are catalogs of stars, whose columns are given.
const (
	catalogShape = "catalog"
	gaiaShape    = "gaia"
)

func shapeNames() []string { return append(synth.Shapes(), catalogShape, gaiaShape) }

// stars reports whether the shape is a catalog of stars.
func (o *generateOptions) stars() bool { return o.Shape == catalogShape || o.Shape == gaiaShape }

func newGenerateCmd(a *app, run func(context.Context, *app, *generateOptions) error) *cobra.Command {
	opt := &generateOptions{}
	cmd := &cobra.Command{
		Use:   "generate SHAPE -n N [-d D] [--seed S] [-o OUT]",
		Short: "Write a synthetic table, to try things on",
		Long: `Write a synthetic table with the columns x1 to xd and, for shapes that have groups, the
true group (-1 is background). The same seed gives the same table.

SHAPE is ` + strings.Join(synth.Shapes(), ", ") + `,
or one of these catalogs of made-up stars:

  catalog  within 100 pc, three clusters: source_id, name, ra, dec, parallax, gmag,
           x_pc, y_pc, z_pc, cluster_true
  gaia     within 150 pc, the Hyades (cluster_true 0) and the Pleiades (1) where they are
           and as they move: source_id, ra, dec, parallax, pmra, pmdec, phot_g_mean_mag,
           x_pc, y_pc, z_pc, cluster_true`,
		Example: `  rtcluster generate blobs -n 100000 -d 3 -o blobs.parquet
  rtcluster generate catalog -n 5000 --seed 7 -o stars.csv`,
		Args:      shapeArg,
		ValidArgs: shapeNames(),
		RunE: func(cmd *cobra.Command, args []string) error {
			opt.Shape = args[0]
			if err := opt.check(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), a, opt)
		},
	}
	addFlags(cmd, "Table", func(fs *pflag.FlagSet) {
		fs.VarP(newWhole(&opt.Rows, 1000, 0), "rows", "n", "number of rows")
		fs.VarP(newWhole(&opt.Dim, 2, 1), "dim", "d", "number of coordinates, x1 to xd")
		fs.Uint64Var(&opt.Seed, "seed", 1, "`NUMBER` that the random numbers start from")
	})
	opt.Output.define(cmd, false)
	opt.Run.defineGeneral(cmd, false)
	return cmd
}

func shapeArg(_ *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return usagef("no shape: name one of %s", strings.Join(shapeNames(), ", "))
	case len(args) > 1:
		return usagef("unexpected argument %q: generate takes one shape", args[1])
	case !slices.Contains(shapeNames(), args[0]):
		return usagef("unknown shape %q%s; want one of %s", args[0], didYouMean(args[0], shapeNames()), strings.Join(shapeNames(), ", "))
	}
	return nil
}

func (o *generateOptions) check(cmd *cobra.Command) error {
	if o.stars() && cmd.Flags().Changed("dim") {
		return usagef("--dim: the columns of a catalog are given, leave it out")
	}
	if err := o.Output.check(cmd); err != nil {
		return err
	}
	if o.Output.folder() {
		return usagef("--output %s is a folder: name a file", o.Output.Path)
	}
	return o.Run.check(cmd)
}

func runGenerate(ctx context.Context, a *app, opt *generateOptions) error {
	a.log = newLogger(a.err, opt.Run.LogFormat, opt.Run.level())
	if err := a.checkWritable("--output", opt.Output.Path, opt.Output.Force); err != nil {
		return err
	}
	path := opt.Output.Path
	if path == "" {
		if path = "-"; a.isTerminal(a.out) {
			return usagef("standard output is a terminal: -o FILE writes the table, -o - prints it here")
		}
	}
	a.log.Debug(fmt.Sprintf("shape %s, %s rows, seed %d", opt.Shape, grouped(opt.Rows), opt.Seed))
	made := make(chan generated, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				made <- generated{err: fmt.Errorf("the table cannot be made: %v", p)}
			}
		}()
		made <- opt.table()
	}()
	var t generated
	select {
	case t = <-made:
	case <-ctx.Done(): // a large table takes a while, and the process ends now
		return ctx.Err()
	}
	if t.err != nil {
		return usageError{t.err}
	}
	w, err := table.Create(path, t.fields, table.WriteOptions{
		Compression: opt.Output.Compression, Force: opt.Output.Force, Stdout: a.out,
		Metadata: map[string]string{keyVersion: version(), keyParams: opt.params()},
	})
	if err != nil {
		return writeError(path, err)
	}
	defer w.Abort()
	const rows = 1 << 16 // a batch
	for from := 0; from < opt.Rows; from += rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.Write(t.batch(from, min(from+rows, opt.Rows))...); err != nil {
			return writeError(path, err)
		}
	}
	if err := w.Commit(); err != nil {
		return writeError(path, err)
	}
	if path != "-" {
		a.log.Info(fmt.Sprintf("wrote %s rows of %d columns to %s", grouped(opt.Rows), len(t.fields), path),
			"rows", opt.Rows, "columns", len(t.fields), "output", path)
	}
	return nil
}

// params is the command as the metadata of Parquet holds it.
func (o *generateOptions) params() string {
	dim := fmt.Sprintf(`,"dim":%d`, o.Dim)
	if o.stars() {
		dim = ""
	}
	return fmt.Sprintf(`{"command":"generate","shape":%q,"rows":%d%s,"seed":%d}`, o.Shape, o.Rows, dim, o.Seed)
}

// generated is a table in memory: its columns, and what gives rows from..to−1
// of each.
type generated struct {
	fields []table.Field
	batch  func(from, to int) []any
	err    error
}

func (o *generateOptions) table() generated {
	const starBytes = 144
	width := 8 * float64(o.Dim)
	if o.stars() {
		width = starBytes
	}
	if err := needMemory("the table", float64(o.Rows), width); err != nil {
		return generated{err: err}
	}
	switch o.Shape {
	case catalogShape:
		stars := synth.Catalog(o.Rows, o.Seed)
		return generated{starFields(), func(from, to int) []any { return starColumns(stars[from:to]) }, nil}
	case gaiaShape:
		stars := synth.OpenClusters(o.Rows, o.Seed)
		return generated{gaiaFields(), func(from, to int) []any { return gaiaColumns(stars[from:to]) }, nil}
	}
	set, err := synth.Make(o.Shape, o.Rows, o.Dim, o.Seed)
	if err != nil {
		return generated{err: err}
	}
	var fields []table.Field
	for k := range o.Dim {
		fields = append(fields, table.Field{Name: fmt.Sprintf("x%d", k+1), Type: table.Float64})
	}
	if set.Labels != nil {
		fields = append(fields, table.Field{Name: "group", Type: table.Int64})
	}
	return generated{fields, func(from, to int) []any { return setColumns(set, from, to) }, nil}
}

func setColumns(set *synth.Set, from, to int) []any {
	var columns []any
	for k := range set.Dim {
		x := make([]float64, to-from)
		for i := range x {
			x[i] = set.Data[(from+i)*set.Dim+k]
		}
		columns = append(columns, x)
	}
	if set.Labels != nil {
		labels := make([]int64, to-from)
		for i, label := range set.Labels[from:to] {
			labels[i] = int64(label)
		}
		columns = append(columns, labels)
	}
	return columns
}
