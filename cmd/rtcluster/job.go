package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"rtcluster/io/page"
	"rtcluster/io/table"
	"rtcluster/join"
)

// job is one run of a command that reads tables: what its steps share, and the
// account of what it did.
type job struct {
	*app
	runOpt *runOptions
	outOpt *outputOptions
	clock  *stopwatch
	screen *sharedDisplay // or nil
	engine engine
	report report
	lines  []summaryLine

	written atomic.Bool // the output is complete

	unwritten unwritten // beside it

	page page.Page // what --html shows beside the report

	outputs  []string // the files of an output that is a folder
	replaces bool     // an output takes the place of an input
	allNear  bool     // eps spans all rows, and a warning says so

	work      workload    // what the index is asked for, for --engine auto
	plan      plan        // what the command adds to the estimate of memory
	pieces    bool        // inputs are read piece by piece
	cores     *memoryNeed // of predict, for the core rows
	sortPairs int         // how many pairs --sort holds; 0: by itself
	dry       bool        // the run is only estimated
	estimate  *memoryNeed // of memory, of a dry run
	sparing   string      // how to take less memory, where it is by other flags than elsewhere
}

// summaryLine is a line of the summary for people.
type summaryLine struct{ label, text string }

// start checks all that can be checked before the input is read: that the
// outputs can be written, and that the engine is there.
func (a *app) start(command string, run *runOptions, out *outputOptions) (*job, error) {
	a.log = newLogger(a.err, run.LogFormat, run.level())
	j := &job{app: a, runOpt: run, outOpt: out, clock: newStopwatch(a.now)}
	a.job.Store(j)
	if err := a.checkOutput(out); err != nil {
		return nil, err
	}
	if err := j.checkAsides(); err != nil {
		return nil, err
	}
	var err error
	if j.engine, err = a.pickEngine(run); err != nil {
		return nil, err
	}
	run.MemoryLimit.apply(outsideBytes + j.engine.hostBytes())
	j.report = report{
		Schema: reportSchema, Version: version(), Command: command, Args: a.args, Settings: a.given(),
		Engine: j.engine.name, Device: j.engine.card.Name, Threads: threadCount(run.Threads), Warnings: []string{},
	}
	a.log.Debug(fmt.Sprintf("engine %s, %d threads", j.engine.text(), j.report.Threads))
	return j, nil
}

// checkNotInput refuses to replace an input by a file beside the output.
func (j *job) checkNotInput(t *table.Table) error {
	for _, f := range t.Files() {
		for _, to := range j.asides() {
			if sameFile(to.path, f.Path) {
				return usagef("%s %s is an input", to.flag, to.path)
			}
		}
	}
	return nil
}

// keepInput refuses to replace an input by an output that has not its rows: they
// would be lost, whatever --force says.
func (j *job) keepInput(t *table.Table) error {
	for _, f := range t.Files() {
		if out := j.outOpt.Path; out != "" && out != "-" && sameFile(out, f.Path) {
			return usagef("--output %s is an input, and would be lost: the output is another table: name another file", out)
		}
	}
	return nil
}

// addInput takes note of an input for the report.
func (j *job) addInput(name string, t *table.Table) {
	j.report.Inputs = append(j.report.Inputs, filesOf(t)...)
	j.lineInput("input", name, t)
	if _, over := j.overwritten(t); over {
		j.replaces = true
	}
}

// overwritten is the first output that takes the place of a file of the table, if one does,
// which --force allows where no row and no column of it is lost.
func (j *job) overwritten(t *table.Table) (path string, over bool) {
	for i, f := range t.Files() {
		path := j.outOpt.Path
		if i < len(j.outputs) { // each file has its own
			path = j.outputs[i]
		}
		if path != "" && path != "-" && sameFile(path, f.Path) {
			return path, true
		}
	}
	return "", false
}

// filesOf are the files of a table for the report.
func filesOf(t *table.Table) []reportInput {
	var list []reportInput
	for _, f := range t.Files() {
		in := reportInput{Path: f.Path, Rows: f.Rows}
		if info, err := os.Stat(f.Path); err == nil && f.Path != "-" {
			in.Bytes = info.Size()
		}
		list = append(list, in)
	}
	return list
}

// lineInput says what a table is, in the summary.
func (j *job) lineInput(label, name string, t *table.Table) {
	if files := len(t.Files()); files > 1 {
		name += ": " + plural(files, "file", "files")
	}
	j.line(label, "%s, %s", shown(name), plural(t.Rows(), "row", "rows"))
}

// withIndex runs work on an index over points, under a context in which the
// engine reports its progress.
func (j *job) withIndex(ctx context.Context, points *join.Points, work func(context.Context, join.Index) error) error {
	ctx, done := j.watchEngine(ctx)
	defer done()
	j.report.Effort = map[join.Stage]join.Effort{}
	ctx = join.WithEffort(ctx, func(stage join.Stage, effort join.Effort) {
		all := j.report.Effort[stage]
		all.Add(effort)
		j.report.Effort[stage] = all
	})
	if j.runOpt.Engine == "auto" {
		j.settleEngine(points)
	}
	idx, err := j.engine.join.Index(ctx, points)
	if err != nil {
		return j.advised(fmt.Errorf("engine %s: %w", j.engine.name, err))
	}
	err = j.advised(work(ctx, idx))
	if closed := idx.Close(); err == nil { // a card that has failed cannot be tidied up
		err = closed
	}
	return err
}

// verify runs a check of sampled rows, if --verify asks for one.
func (j *job) verify(rows int, check func(sample []int) error) error {
	if j.runOpt.Verify == 0 {
		return nil
	}
	j.clock.start("verify")
	defer j.clock.stop("verify")
	sample := j.sample(rows)
	if err := check(sample); err != nil {
		return err
	}
	j.report.Verified = len(sample)
	return nil
}

// silent reports whether the table goes nowhere: a terminal is no place for it
// unless it is asked for.
func (j *job) silent() bool { return j.outOpt.Path == "" && j.isTerminal(j.out) }

// outputPath is the path that table takes, for the output that was asked for.
func (j *job) outputPath() string {
	if j.outOpt.Path == "" {
		return "-"
	}
	return j.outOpt.Path
}

// line adds a line to the summary.
func (j *job) line(label, format string, args ...any) {
	j.lines = append(j.lines, summaryLine{label, fmt.Sprintf(format, args...)})
}

// warn takes note, once, for the end and the report, of what a person should look at.
func (j *job) warn(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(j.report.Warnings, text) {
		j.report.Warnings = append(j.report.Warnings, text)
	}
}

// finish writes the report, and says what came out.
func (j *job) finish() error {
	j.report.setSeconds(j.clock)
	j.report.Memory.settle()
	if j.outOpt.Path != "" {
		j.report.Output = j.outOpt.Path
	}
	var err error
	if j.report.ParamsSum, err = j.report.Parameters.sum(); err != nil {
		return err
	}
	if j.runOpt.Report != "" {
		j.missed("--report", j.report.write(j.runOpt.Report))
	}
	if j.runOpt.HTML != "" {
		j.missed("--html", j.writePage())
	}
	for _, text := range j.report.Warnings {
		j.log.Warn(text)
	}
	if j.runOpt.LogFormat == "json" {
		j.log.Info("summary", "report", &j.report)
	} else if !j.runOpt.Quiet {
		j.printSummary()
	}
	return j.allWritten()
}

// printSummary writes the summary for people on standard error.
func (j *job) printSummary() {
	if j.report.Verified > 0 {
		j.line("verified", "%s rows by brute force", grouped(j.report.Verified))
	}
	times := []string{}
	for _, s := range j.clock.stages() {
		times = append(times, s.name+" "+seconds(s.spent))
	}
	j.line("time", "%s: %s", seconds(j.clock.total()), strings.Join(times, ", "))
	switch {
	case j.silent():
		j.line("output", "none: -o FILE writes the table, -o - prints it here")
	case j.outOpt.Path != "" && j.outOpt.Path != "-":
		note := ""
		if j.replaces {
			note = " (replaces the input)"
		}
		j.line("output", "%s%s", j.outOpt.Path, note)
	}
	var text strings.Builder
	for _, l := range j.lines {
		fmt.Fprintf(&text, "%-11s %s\n", l.label, plainText(l.text))
	}
	// A summary that cannot be shown is no reason to fail: the work is done.
	_, _ = j.err.Write([]byte(text.String()))
}
