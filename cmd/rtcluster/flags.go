package main

import (
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/gpu"
	"rtcluster/io/table"
)

// This file holds the groups of flags that commands share. Each group has a
// method define, which binds it, and a method check, which finds what flags
// alone can tell is wrong.

// inputOptions say which table and columns to read, and how.
type inputOptions struct {
	Columns   []string // names and patterns; nil: see defaultColumns
	ID        string
	Weight    string
	Labels    string // a column that is no coordinate, if it is there
	NaN       string // error, drop
	Scale     string // none, standard, minmax, robust
	Format    string // auto, parquet, csv, tsv, fits, votable, ecsv
	Header    string // auto, yes, no
	Delimiter rune   // 0: by format
	CSV       csvOptions
	Set       setOptions

	columnsGiven bool
	sky          bool                     // columns are positions, see metricOptions
	load         func(column string) bool // see table.ReadOptions
	stream       bool                     // see table.ReadOptions
}

func (o *inputOptions) define(cmd *cobra.Command, weighted bool) {
	but, bad := "--id", "coordinate"
	if weighted {
		but, bad = "--id and --weight", "coordinate or weight"
	}
	addFlags(cmd, "Input", func(fs *pflag.FlagSet) {
		o.defineColumns(fs, but)
		if weighted {
			fs.StringVar(&o.Weight, "weight", "", "`COLUMN` of weights, 0 and negative ones too: --min-samples is then a sum of weights, not of rows")
		}
		fs.Var(newEnum(&o.NaN, "error", "error", "drop"), "nan",
			"what a missing, NaN or infinite "+bad+" means: an error, or drop the row from the computation and write null for it")
		fs.Var(newEnum(&o.Scale, "none", "none", "standard", "minmax", "robust"), "scale",
			"scale each coordinate: standard (mean 0, deviation 1), minmax (0 to 1), robust (median 0, quartile range 1)")
	})
	o.defineFormat(cmd)
}

// defineColumns binds the flags that choose the coordinates.
func (o *inputOptions) defineColumns(fs *pflag.FlagSet, but string) {
	fs.VarP(&columnsValue{target: &o.Columns, given: &o.columnsGiven}, "columns", "c",
		"coordinates: names such as x,y,z or patterns such as 'f*'; price:double casts decimals, seen:epoch timestamps "+
			"to seconds since 1970, and times of day to those since midnight (default: every numeric column but "+but+", and but identifiers and labels, by their names)")
	fs.StringVar(&o.ID, "id", "", "`COLUMN` that names the rows, where some are listed; no coordinate unless --columns names it")
}

// defineFormat binds the flags that say how files are read.
func (o *inputOptions) defineFormat(cmd *cobra.Command) {
	addFlags(cmd, "Input", func(fs *pflag.FlagSet) {
		fs.Var(newEnum(&o.Format, "auto", "auto", "parquet", "csv", "tsv", "fits", "votable", "ecsv"), "format", "format of the input")
		fs.Var(runeValue{&o.Delimiter}, "delimiter", "what separates the fields of CSV, such as ';' or '\\t' (default: found out)")
		fs.Var(newEnum(&o.Header, "auto", "auto", "yes", "no", "comment"), "header",
			"whether CSV begins with a line of names, or has them in the last comment before the rows; without them the columns are c1, c2, ...")
	})
	o.CSV.define(cmd)
	o.Set.define(cmd)
}

// read is what package table is told of them.
func (o *inputOptions) read(stdin io.Reader) table.ReadOptions {
	opt := table.ReadOptions{Format: o.Format, Header: o.Header, Delimiter: o.Delimiter, Stdin: stdin, Load: o.load, Stream: o.stream}
	o.CSV.apply(&opt)
	return opt
}

func (o *inputOptions) check() error {
	switch {
	case o.columnsGiven && len(o.Columns) == 0, slices.Contains(o.Columns, ""):
		return usagef("--columns has an empty name: give names such as x,y,z, with no blank behind a comma")
	case !mayBeCSV(o.Format) && o.Delimiter != 0:
		return usagef("--delimiter is for CSV: leave it out with --format %s", o.Format)
	case !mayBeCSV(o.Format) && o.Header != "auto":
		return usagef("--header is for CSV: leave it out with --format %s", o.Format)
	}
	if err := o.CSV.check(o.Format); err != nil {
		return err
	}
	for i, name := range o.Columns {
		if !isPattern(name) && slices.Contains(o.Columns[:i], name) {
			return usagef("--columns names %q twice", name)
		}
		if err := checkPattern(name); isPattern(name) && err != nil {
			return usagef("--columns %q is not a pattern: a [ lacks its ]", name)
		}
	}
	return nil
}

// outputOptions say what to write and where.
type outputOptions struct {
	Path        string // "": standard output, and nothing on a terminal
	Keep        []string
	Prefix      string
	Compression string // "": zstd, but for what is copied as it is
	Force       bool
	Clusters    string // file for a table of the clusters, "" for none
	Plot        string // file for a plot, "" for none
}

// define binds the flags; passing says that the output holds the columns of an
// input.
func (o *outputOptions) define(cmd *cobra.Command, passing bool) {
	addFlags(cmd, "Output", func(fs *pflag.FlagSet) {
		each, copied := "", ""
		if passing {
			copied = "; columns of Parquet that can be copied as they are keep theirs"
			each = "; DIR/ for one file per input, named and made like it"
		}
		fs.StringVarP(&o.Path, "output", "o", "",
			"`FILE` to write, by its ending .parquet, .csv, .tsv or .fits; - for CSV on standard output (the default, but a terminal then gets the summary only)"+each)
		if passing {
			o.Keep = []string{"all"}
			fs.Var(&columnsValue{target: &o.Keep, words: "all|none|COLUMNS"}, "keep",
				"columns of the input to write beside the added ones: all, none, or names and patterns")
			fs.StringVar(&o.Prefix, "prefix", "", "`TEXT` before the names of the added columns")
		}
		fs.Var(newEnum(&o.Compression, "", "zstd", "snappy", "gzip", "none"), "compression", "compression of Parquet (default zstd"+copied+")")
		fs.BoolVar(&o.Force, "force", false, "overwrite FILE if it is there")
	})
}

func (o *outputOptions) check(cmd *cobra.Command) error {
	format, known := outputFormat(o.Path)
	switch {
	case cmd.Flags().Changed("output") && o.Path == "":
		return usagef("--output is empty: name a file, or - for standard output")
	case !known && !o.folder():
		return usagef("--output %s: end its name in .parquet, .csv, .tsv or .fits, which says what to write", o.Path)
	case o.Compression != "" && format != "parquet" && !o.folder():
		return usagef("--compression is for Parquet: name the output FILE.parquet, or leave it out")
	case slices.Contains(o.Keep, "") || cmd.Flags().Changed("keep") && len(o.Keep) == 0:
		return usagef("--keep has an empty name: give all, none, or names such as id,x,y")
	}
	if err := o.checkPlot(cmd); err != nil {
		return err
	}
	return o.checkClusters(cmd)
}

// mayBeCSV reports whether a format that was asked for can turn out to be CSV.
func mayBeCSV(format string) bool {
	return format == "" || format == "auto" || format == "csv" || format == "tsv"
}

// outputFormat is the format that a name of an output asks for.
func outputFormat(path string) (format string, known bool) {
	if path == "" || path == "-" {
		return "csv", true
	}
	name := strings.ToLower(path)
	switch filepath.Ext(name) {
	case ".parquet", ".pq":
		return "parquet", true
	case ".gz", ".zst":
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	switch filepath.Ext(name) {
	case ".csv":
		return "csv", true
	case ".tsv":
		return "tsv", true
	case ".fits", ".fit", ".fts":
		return "fits", true
	}
	return "", false
}

// runOptions say how to run.
type runOptions struct {
	Engine  string
	Device  []int // numbers of cards; nil: 0
	Threads int

	MemoryLimit memoryLimit

	Verify    int
	Seed      uint64
	Report    string
	HTML      string
	Progress  string // auto, none, log
	Quiet     bool
	Verbose   bool
	LogFormat string // text, json
}

func (o *runOptions) define(cmd *cobra.Command) {
	addFlags(cmd, "Engine", func(fs *pflag.FlagSet) {
		o.defineEngine(fs)
		fs.Var(newWhole(&o.Verify, 0, 0), "verify", "recompute `N` random rows by brute force, and fail (exit 1) if one differs")
		fs.Uint64Var(&o.Seed, "seed", 1, "`NUMBER` that picks the random rows of --verify")
	})
	o.defineGeneral(cmd, true)
}

// defineEngine binds the flags that choose what computes.
func (o *runOptions) defineEngine(fs *pflag.FlagSet) {
	fs.Var(newEnum(&o.Engine, "auto", append([]string{"auto"}, engineNames()...)...), "engine", "what computes; every engine gives the same results (see rtcluster devices); auto is the cpu, or a card where that is estimated to be much faster; optix is cuda with a search by OptiX, which has not been run on a card yet")
	o.defineDevice(fs)
	o.defineMemory(fs)
}

// defineDevice binds the flags that choose what an engine runs on.
func (o *runOptions) defineDevice(fs *pflag.FlagSet) {
	fs.Var(&wholesValue{target: &o.Device, least: 0}, "device", "number of the card to use, as rtcluster devices has it (default 0)")
	fs.Var(newWhole(&o.Threads, 0, 0), "threads", "processor threads to use, 0 for all")
}

// defineProgress binds the flag of commands whose work takes a while.
func (o *runOptions) defineProgress(fs *pflag.FlagSet) {
	fs.Var(newEnum(&o.Progress, "auto", "auto", "none", "log"), "progress",
		"auto draws a bar on a terminal, log writes a line now and then")
}

// defineGeneral binds the flags that any command with work to do has.
func (o *runOptions) defineGeneral(cmd *cobra.Command, reporting bool) {
	addFlags(cmd, "General", func(fs *pflag.FlagSet) {
		if reporting {
			fs.StringVar(&o.Report, "report", "", "`FILE` to write an account of the run to, as JSON: parameters, counts, warnings and times, rows counted from 0, infinities as texts such as +Inf; a run that fails writes none")
			fs.StringVar(&o.HTML, "html", "", "`FILE` to write the same account to as a page for a browser, with pictures and tables that sort: one file, which needs no network")
			o.defineProgress(fs)
		}
		fs.BoolVarP(&o.Quiet, "quiet", "q", false, "say nothing but errors")
		fs.BoolVarP(&o.Verbose, "verbose", "v", false, "say more")
		fs.Var(newEnum(&o.LogFormat, "text", "text", "json"), "log-format", "messages as text for people, or one JSON object a line")
	})
}

func (o *runOptions) check(cmd *cobra.Command) error {
	switch {
	case o.Quiet && o.Verbose:
		return usagef("--quiet and --verbose exclude each other")
	case cmd.Flags().Changed("report") && o.Report == "", o.Report == "-":
		return usagef("--report wants the name of a file, such as run.json")
	case cmd.Flags().Changed("html") && o.HTML == "", o.HTML == "-":
		return usagef("--html wants the name of a file, such as run.html")
	case len(o.Device) > 1:
		return usagef("--device %s names %d cards: a run takes one card so far, so name one", &wholesValue{target: &o.Device}, len(o.Device))
	case len(o.Device) > 0 && o.Engine == "cpu":
		return usagef("--device %d is a card, and --engine cpu takes none: leave one of them out", o.Device[0])
	}
	return nil
}

// cardOptions are those of engines that run on a card: --memory-limit is that of the
// card as well, a share being of the card's memory.
func (o *runOptions) cardOptions(getenv func(string) string) gpu.Options {
	opt := gpu.Options{Threads: o.Threads, Synchronous: getenv(envSynchronous) != ""}
	if len(o.Device) > 0 {
		opt.Device = o.Device[0]
	}
	if opt.Share = o.MemoryLimit.Share; opt.Share == 0 {
		opt.Budget = int64(o.MemoryLimit.Bytes)
	}
	return opt
}

func (o *runOptions) level() slog.Level {
	switch {
	case o.Quiet:
		return slog.LevelError
	case o.Verbose:
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// checkShared checks the groups of flags that commands share.
func checkShared(cmd *cobra.Command, in *inputOptions, metric *metricOptions, out *outputOptions, run *runOptions) error {
	for _, name := range []string{"id", "weight", "ra", "dec"} { // an unset variable, likely
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			return usagef("--%s is empty: name a column, or leave it out", name)
		}
	}
	for _, err := range []error{in.check(), metric.check(cmd, in), out.check(cmd), run.check(cmd)} {
		if err != nil {
			return err
		}
	}
	return nil
}
