package main

import (
	"context"

	"rtcluster/io/table"
	"rtcluster/join"
)

// This file shows how far engines are, and tables that are read and written.

// The stages in which tables are read and written.
const (
	stageRead     join.Stage = "read"
	stageNewRows  join.Stage = "new rows" // read piece by piece, with what is done to each
	stageWrite    join.Stage = "write"
	stagePlot     join.Stage = "plot"
	stageClusters join.Stage = "clusters"
)

// sharedDisplay is a display that is closed as often as it was asked for.
type sharedDisplay struct {
	display
	users int
}

func (d *sharedDisplay) close() {
	if d.users--; d.users == 0 {
		d.display.close()
	}
}

// display returns what shows how far the run is: one at a time, since rows may be read
// while an engine is at work.
func (j *job) display() display {
	if j.screen == nil || j.screen.users == 0 {
		j.screen = &sharedDisplay{display: j.newDisplay()}
	}
	j.screen.users++
	return j.screen
}

func (j *job) newDisplay() display {
	bars := j.runOpt.Progress == "auto" && !j.runOpt.Quiet && j.runOpt.LogFormat == "text" &&
		j.isTerminal(j.err) && j.barsWelcome()
	switch {
	case j.runOpt.Progress == "log":
		return newLogDisplay(j.log, j.now)
	case bars:
		return newBarDisplay(j.err)
	}
	return noDisplay{}
}

// watchEngine returns a context under which it is shown, until done is called, how far an
// engine is.
func (j *job) watchEngine(ctx context.Context) (_ context.Context, done func()) {
	show := j.display()
	return join.WithProgress(ctx, func(stage join.Stage, done, total int64) {
		j.clock.report(stage, done, total)
		show.report(stage, done, total)
	}), show.close
}

// watch returns a context under which it is shown, until done is called, how many rows of
// a table are read, or written, in a stage.
func (j *job) watch(ctx context.Context, stage join.Stage) (_ context.Context, done func()) {
	return j.watchAs(ctx, stage, stage)
}

// watchAs is watch for a stage that is shown under another name than it is timed.
func (j *job) watchAs(ctx context.Context, timed, shown join.Stage) (_ context.Context, done func()) {
	show := j.display()
	return table.WithProgress(ctx, func(rows, total int64) {
		j.clock.tell(timed, rows, total)
		show.report(shown, rows, total)
	}), show.close
}

// watchWriting is watch for the output. Rows that are printed on a terminal are seen there,
// and no place for a bar.
func (j *job) watchWriting(ctx context.Context) (_ context.Context, done func()) {
	if j.outputPath() == "-" && j.isTerminal(j.out) && j.runOpt.Progress != "log" {
		return table.WithProgress(ctx, func(rows, total int64) { j.clock.tell(stageWrite, rows, total) }), func() {}
	}
	return j.watch(ctx, stageWrite)
}
