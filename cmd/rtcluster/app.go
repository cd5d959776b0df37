package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/term"

	"rtcluster/cmd/rtcluster/internal/cgroup"
	"rtcluster/cmd/rtcluster/internal/settings"
	"rtcluster/gpu"
)

// app is everything outside itself that a command may touch; tests build their
// own.
type app struct {
	in       io.Reader
	out, err io.Writer

	isTerminal func(stream any) bool
	getenv     func(string) string
	environ    func() []string // NAME=value
	now        func() time.Time
	limits     func() cgroup.Limits // of the control groups
	engine     func(name string, opt gpu.Options) engine
	cards      func() ([]gpu.Card, error)
	optix      func() error // why there is none
	cardLikely func() bool
	cardStart  func() float64 // seconds until a card begins

	args     []string               // as given, for the run report
	job      atomic.Pointer[job]    // at work, nil if it is none of those that have one
	halted   atomic.Pointer[string] // at what it was when a signal came
	began    bool                   // the command line was understood, and a command runs
	config   string                 // --config
	settings []settings.Value       // of the command at work
	log      *slog.Logger           // messages on err; commands set it by their flags
}

func newApp() *app {
	a := &app{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		isTerminal: isTerminal, getenv: os.Getenv, environ: os.Environ, now: time.Now,
		limits: sync.OnceValue(func() cgroup.Limits { return cgroup.Read("/") }), // their bounds, not what is free
		engine: findEngine, cards: gpu.Cards, optix: gpu.OptiX, cardLikely: gpu.Likely, cardStart: gpu.StartSeconds,
	}
	a.log = newLogger(a.err, "text", slog.LevelInfo)
	return a
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// patience is how long an interrupted run may take to tidy up.
const patience = 800 * time.Millisecond

// interruptible runs the app and cancels its work on SIGINT, SIGTERM and SIGHUP.
// A second signal ends the process as it would any other, and so does waiting
// for a pipe that nobody reads or for memory: what is left then is a temporary
// file at most. A pipe that nobody reads any more, of messages perhaps, must not
// end it before it has tidied up.
func interruptible(a *app, args []string) int {
	signal.Ignore(syscall.SIGPIPE)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals, ended := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer close(ended)
	go func() {
		select {
		case <-ended:
			return
		case <-signals:
		}
		signal.Stop(signals)
		a.halt() // before the run stops
		cancel()
		select {
		case <-ended:
		case <-time.After(patience):
			a.log.Error(a.interrupted(false))
			os.Exit(exitInterrupted)
		}
	}()
	return a.run(ctx, args)
}

// checked remembers the first error of a writer for cobra, which drops those of help.
type checked struct {
	w   io.Writer
	err error
}

func (c *checked) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if c.err == nil {
		c.err = err
	}
	return n, err
}

// run executes one command line and returns the exit code. All that went wrong
// is said in plain lines on a.err, never as a stack trace.
func (a *app) run(ctx context.Context, args []string) (code int) {
	a.log = newLogger(a.err, a.askedLogFormat(args), slog.LevelInfo)
	defer func() {
		if fault := recover(); fault != nil {
			what, _, _ := strings.Cut(fmt.Sprint(fault), "\n")
			a.log.Error("internal error: " + what + " (a fault of rtcluster: please report it with the command line)")
			code = exitInternal
		}
	}()
	a.args = args
	a.job.Store(nil)
	a.halted.Store(nil)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1)) // --memory-limit is for this run,
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))      // and so is --threads
	a.keepMemory()
	root, help := a.newRootCmd(), &checked{w: a.out}
	root.SetOut(help)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		err = writeError("-", help.err)
	}
	if err != nil && !a.began {
		err = usageError{err}
	}
	err = a.sourced(cmd, err)
	switch {
	case err == nil:
	case exitCode(err) == exitPipe: // the reader has seen enough: others say nothing either
	case errors.Is(err, context.Canceled):
		a.log.Error(a.interrupted(true))
	default:
		a.log.Error(err.Error())
	}
	return exitCode(err)
}
