package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/bench/paper"
	"rtcluster/io/chart"
	"rtcluster/io/table"
)

// benchOptions are what the command line of `rtcluster bench` says.
type benchOptions struct {
	Name        string // of the experiment, "" to list them
	Sets        []string
	Data        string // folder of files, "" for synthetic sets
	Fraction    float64
	Eps         []float64
	Selectivity []float64
	Engines     []string
	Runs        int
	Timeout     time.Duration
	Values      map[string]string // of parameters of experiments
	Prefix      string            // "": text on standard output
	Force       bool
	Run         runOptions
}

const (
	benchFraction = 0.01 // of synthetic sets, so that any machine is done in minutes
	benchTimeout  = 10 * time.Minute
)

func newBenchCmd(a *app, run func(context.Context, *app, *benchOptions) error) *cobra.Command {
	opt := &benchOptions{Values: map[string]string{}}
	cmd := &cobra.Command{
		Use:   "bench [EXPERIMENT] [--fraction F] [-o DIR/PREFIX]",
		Short: "Run the experiments of the RT-HiSS paper on this machine",
		Long: `Run an experiment of the RT-HiSS paper on this machine, and print what came out as a table,
below the host, the card, the commit and the parameters. Without EXPERIMENT, list them:

` + experimentList() + `
Sets are synthetic, of the sizes of the paper's times --fraction, or files of --data. Their
names are ` + listed(paper.SetNames()) + `. With --data, the
published numbers of pairs are compared with what was found.

Response time is all but reading the disk: from rows in memory to the result in memory, the
index included. Eps is searched for, with a sample of rows, so that a row has on average as
many others within eps as --selectivity says, itself not counted.`,
		Example:   "  " + strings.Join(experimentExamples(), "\n  "),
		Args:      experimentArg,
		ValidArgs: paper.Names(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				opt.Name = args[0]
			}
			if err := opt.check(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), a, opt)
		},
	}
	opt.define(cmd)
	return cmd
}

// experimentList is a line or more for each experiment.
func experimentList() string {
	var text strings.Builder
	for _, e := range paper.Experiments() {
		what := e.Purpose
		if e.Paper != "" {
			what += " (" + e.Paper + ")"
		}
		for i, line := range wrapWords(what, helpWidth-13) {
			name := ""
			if i == 0 {
				name = e.Name
			}
			fmt.Fprintf(&text, "  %-9s  %s\n", name, line)
		}
	}
	return text.String()
}

func experimentExamples() []string {
	var lines []string
	for _, e := range paper.Experiments() {
		lines = append(lines, e.Examples...)
	}
	return lines
}

func experimentArg(_ *cobra.Command, args []string) error {
	switch names := paper.Names(); {
	case len(args) == 0:
		return nil
	case len(args) > 1:
		return usagef("unexpected argument %q: bench takes one experiment", args[1])
	case !slices.Contains(names, args[0]):
		return usagef("unknown experiment %q%s; want one of %s", args[0], didYouMean(args[0], names), strings.Join(names, ", "))
	}
	return nil
}

func (o *benchOptions) define(cmd *cobra.Command) {
	addFlags(cmd, "Data", func(fs *pflag.FlagSet) {
		fs.Var(&columnsValue{target: &o.Sets, words: "NAMES"}, "set", "data sets, with commas between (default: those of the experiment; with --data, those that are there)")
		fs.Float64Var(&o.Fraction, "fraction", 0, "take this `SHARE` of the rows of each set, above 0 and at most 1 (default 0.01 of synthetic sets, 1 of --data)")
		fs.StringVar(&o.Data, "data", "", "`DIR` with the real sets, a file for each with its name, such as wec.csv or susy.parquet: numbers alone, which are scaled to 0 to 1")
		fs.Var(&numbersValue{target: &o.Eps}, "eps", "neighbor distances, with commas between, for all sets")
		fs.Var(&numbersValue{target: &o.Selectivity}, "selectivity", "mean numbers of other rows within eps, for which eps is searched (default 256,1024,4096; with --data, the published eps)")
	})
	addFlags(cmd, "Experiment", func(fs *pflag.FlagSet) {
		fs.Var(newWhole(&o.Runs, 1, 1), "runs", "runs of each measurement, of which the median is taken")
		fs.DurationVar(&o.Timeout, "timeout", benchTimeout, "`TIME` after which a run is cut off, such as 90s or 2h; ratios are bounds then, such as > 12")
		for _, p := range paper.Params() {
			fs.Var(&paramValue{p, o.Values}, p.Name, p.Usage)
		}
		fs.Uint64Var(&o.Run.Seed, "seed", 1, "`NUMBER` that random numbers start from: of synthetic sets, and of samples")
	})
	addFlags(cmd, "Output", func(fs *pflag.FlagSet) {
		fs.StringVarP(&o.Prefix, "output", "o", "", "`DIR/PREFIX` of files to write: PREFIX.txt, PREFIX.csv and PREFIX.svg (default: the text on standard output)")
		fs.BoolVar(&o.Force, "force", false, "overwrite files that are there")
	})
	addFlags(cmd, "Engine", func(fs *pflag.FlagSet) {
		fs.Var(&wordsValue{target: &o.Engines, allowed: engineNames(), words: "ENGINES"}, "engine", "engines to measure, with commas between (default: all that are there)")
		o.Run.defineDevice(fs)
	})
	addFlags(cmd, "General", o.Run.defineProgress)
	o.Run.defineGeneral(cmd, false)
	// The flags are there and are registered once, so no error is possible.
	_ = cmd.RegisterFlagCompletionFunc("set", cobra.FixedCompletions(paper.SetNames(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("data", cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs))
	for _, p := range paper.Params() {
		if words := strings.Split(p.Word, "|"); len(words) > 1 {
			_ = cmd.RegisterFlagCompletionFunc(p.Name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
		}
	}
	_ = cmd.Flags().SetAnnotation("programs", cobra.BashCompFilenameExt, []string{"toml"})
}

func (o *benchOptions) check(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	switch {
	case given("output") && (o.Prefix == "" || o.Prefix == "-" || strings.HasSuffix(o.Prefix, "/")):
		return usagef("--output wants the beginning of file names, such as -o results/height")
	case given("data") && o.Data == "":
		return usagef("--data is empty: name a folder, or leave it out for synthetic sets")
	case given("fraction") && !(o.Fraction > 0 && o.Fraction <= 1):
		return usagef("--fraction %s: want a share above 0, at most 1", exact(o.Fraction))
	case given("eps") && given("selectivity"):
		return usagef("--eps and --selectivity both choose eps: give one of them")
	case o.Timeout < 0:
		return usagef("--timeout %v: want 0, for none, or more", o.Timeout)
	case slices.ContainsFunc(o.Eps, func(x float64) bool { return !(x > 0) }):
		return usagef("--eps: want numbers above 0")
	case slices.ContainsFunc(o.Selectivity, func(x float64) bool { return !(x > 0) }):
		return usagef("--selectivity: want numbers above 0")
	case slices.Contains(o.Sets, "") || given("set") && len(o.Sets) == 0:
		return usagef("--set has an empty name: give names such as wec,susy")
	}
	for _, name := range o.Sets {
		if names := paper.SetNames(); o.Data == "" && !slices.Contains(names, name) {
			return usagef("--set %s: there is no such set%s; want some of %s, or a file of --data", name, didYouMean(name, names), listed(names))
		}
	}
	if e, found := paper.Find(o.Name); found {
		for _, p := range paper.Params() {
			if given(p.Name) && !e.Takes(p.Name) {
				return usagef("--%s is not for experiment %s: leave it out", p.Name, o.Name)
			}
		}
	}
	if o.Fraction == 0 {
		if o.Fraction = benchFraction; o.Data != "" {
			o.Fraction = 1
		}
	}
	return o.Run.check(cmd)
}

// paramValue accepts the value of a parameter of experiments.
type paramValue struct {
	paper.Param
	values map[string]string
}

func (v *paramValue) String() string {
	if text, given := v.values[v.Name]; given {
		return text
	}
	return v.Default
}

func (v *paramValue) Type() string { return v.Word }

func (v *paramValue) Set(text string) error {
	if err := v.Check(text); err != nil {
		return err
	}
	v.values[v.Name] = text
	return nil
}

func runBench(ctx context.Context, a *app, opt *benchOptions) error {
	a.log = newLogger(a.err, opt.Run.LogFormat, opt.Run.level())
	if opt.Name == "" {
		_, err := io.WriteString(a.out, experimentList()+"\n`rtcluster bench EXPERIMENT` runs one of them, `rtcluster bench --help` says how.\n")
		return writeError("-", err)
	}
	e, _ := paper.Find(opt.Name) // its name was checked
	b := &benchRun{app: a, opt: opt, experiment: &e}
	if err := b.checkOutputs(); err != nil {
		return err
	}
	opt.Run.Engine = "cpu"
	j, err := a.start("bench", &opt.Run, &outputOptions{})
	if err != nil {
		return err
	}
	b.job = j
	if opt.Prefix != "" {
		j.outOpt.Path = opt.Prefix
	}
	setting, err := b.setting(ctx)
	if err != nil {
		return err
	}
	watched, done := j.watchEngine(ctx)
	defer done()
	t, picture, err := e.Run(watched, setting)
	if err != nil {
		return benchError(err)
	}
	return b.write(t, picture, setting)
}

// benchError tells what kind of fault an experiment has met.
func benchError(err error) error {
	var setting *paper.SettingError
	var data *paper.DataError
	switch {
	case errors.As(err, &setting):
		return usageError{err}
	case errors.As(err, &data):
		return inputError{err}
	}
	return err
}

// benchRun is one run of an experiment.
type benchRun struct {
	*app
	job        *job
	opt        *benchOptions
	experiment *paper.Experiment
}

// outputs are the files to write: for people, for programs, and the picture.
func (b *benchRun) outputs() []string {
	if b.opt.Prefix == "" {
		return nil
	}
	return []string{b.opt.Prefix + ".txt", b.opt.Prefix + ".csv", b.opt.Prefix + ".svg"}
}

func (b *benchRun) checkOutputs() error {
	for _, path := range b.outputs() {
		if err := b.checkWritable("--output", path, b.opt.Force); err != nil {
			return err
		}
	}
	return nil
}

// setting is what the experiment is given.
func (b *benchRun) setting(ctx context.Context) (*paper.Setting, error) {
	o := b.opt
	s := &paper.Setting{
		Asked: o.Engines != nil, Threads: threadCount(o.Run.Threads),
		Fraction: o.Fraction, Sets: o.Sets, Eps: o.Eps, Selectivity: o.Selectivity,
		Runs: o.Runs, Timeout: o.Timeout, Seed: o.Run.Seed, Values: o.Values,
		Host: paper.ThisHost(), Say: func(line string) { b.log.Info(line) },
	}
	if path, err := exec.LookPath("ncu"); err == nil {
		s.Profiler, s.Again = path, b.again
	}
	s.Host.Date = b.now().UTC().Format(time.DateOnly)
	names := o.Engines
	if names == nil {
		names = engineNames()
	}
	for _, name := range names {
		e := b.engine(name, o.Run.cardOptions(b.getenv))
		if e.join == nil && s.Asked {
			return nil, engineError{fmt.Errorf("engine %s is not there: %w", name, e.missing)}
		}
		s.Engines = append(s.Engines, paper.Engine{Name: name, Join: e.join, Missing: e.missing})
		if e.card.Name != "" {
			s.Card = e.card.String()
		}
	}
	if o.Data != "" {
		return s, b.findSets(ctx, s)
	}
	return s, nil
}

// again is the command line of this program for another experiment on the same rows.
func (b *benchRun) again(args ...string) []string {
	program, err := os.Executable()
	if err != nil {
		program = os.Args[0]
	}
	line := append([]string{program, "bench"}, args...)
	line = append(line, "--fraction", exact(b.opt.Fraction), "--seed", strconv.FormatUint(b.opt.Run.Seed, 10))
	if b.opt.Data != "" {
		line = append(line, "--data", b.opt.Data)
	}
	if len(b.opt.Run.Device) > 0 {
		line = append(line, "--device", strconv.Itoa(b.opt.Run.Device[0]))
	}
	return line
}

// write writes what came out.
func (b *benchRun) write(t *paper.Table, picture *chart.Picture, s *paper.Setting) error {
	h := paper.NewHeader(b.experiment, s)
	if b.opt.Prefix == "" {
		return writeError("-", t.WriteText(b.out, h))
	}
	var text, numbers bytes.Buffer
	if err := errors.Join(t.WriteText(&text, h), t.WriteCSV(&numbers, h)); err != nil {
		return err
	}
	drawn, err := picture.Encode(chart.SVG)
	if err != nil {
		return err
	}
	for i, content := range [][]byte{text.Bytes(), numbers.Bytes(), drawn} {
		if err := table.ReplaceFile(b.outputs()[i], content); err != nil {
			return writeError(b.outputs()[i], err)
		}
	}
	b.job.written.Store(true)
	b.log.Info("wrote " + listed(b.outputs()))
	return nil
}
