//go:build unix

package main

import (
	"context"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"rtcluster/join"
	"rtcluster/join/cpu"
)

// slowEngine stops in the middle of a stage until it is told to go on.
type slowEngine struct {
	join.Engine
	wait func()
}

func (e *slowEngine) Index(ctx context.Context, pts *join.Points) (join.Index, error) {
	report := join.ReportTo(ctx)
	report("slow", 0, 2000)
	report("slow", 500, 2000)
	e.wait()
	report("slow", 2000, 2000)
	return e.Engine.Index(ctx, pts)
}

// TestBarOnTerminal runs the command on a terminal: there is a bar with its stage, rate and
// time left, which is wiped out before the summary. It has no colour.
func TestBarOnTerminal(t *testing.T) {
	screen, terminal, err := pty.Open()
	if err != nil {
		t.Skipf("this system has no terminals: %v", err)
	}
	defer func() { _, _ = screen.Close(), terminal.Close() }() // nothing is lost with them
	if err := pty.Setsize(terminal, &pty.Winsize{Rows: 24, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	shown := &watched{}
	go func() { _, _ = io.Copy(shown, screen) }() // until it is closed
	a := newTestApp(&slowEngine{cpu.New(cpu.Options{Threads: 1}), func() { shown.await(t, " left") }})
	a.err, a.isTerminal, a.now = terminal, isTerminal, time.Now
	a.mustRun(t, exitOK, "dbscan", writeFile(t, "in.csv", "x\n0\n1\n"), "-c", "x", "-e", "1", "-m", "2", "-o", "-")
	shown.await(t, "\ntime  ")
	got := shown.String()
	if !regexp.MustCompile(`slow +\[=+>-+\] +25 %  [0-9,]+ rows/s  [0-9hms]+ left`).MatchString(got) {
		t.Errorf("got %q, want a bar", got)
	}
	if regexp.MustCompile("\x1b\\[[0-9;]*m").MatchString(got) {
		t.Errorf("got colours: %q", got)
	}
	bar, summary := strings.LastIndex(got, "rows/s"), strings.Index(got, "input  ")
	if wiped := strings.LastIndex(got, "\x1b[J"); !(bar < wiped && wiped < summary) {
		t.Errorf("got %q, want the bar wiped out before the summary", got)
	}
}
