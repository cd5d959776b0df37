package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rtcluster/gpu"
	"rtcluster/io/table"
	"rtcluster/join"
)

func TestExitCode(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want int
	}{
		{"none", nil, exitOK},
		{"any", errors.New("x"), exitInternal},
		{"verify", fmt.Errorf("dbscan: %w", join.ErrVerify), exitInternal},
		{"usage", fmt.Errorf("a: %w", usagef("x")), exitUsage},
		{"output exists", fmt.Errorf("a: %w", table.ErrExists), exitUsage},
		{"data", &table.DataError{Path: "a", Row: -1, Err: errors.New("x")}, exitData},
		{"input", inputf("a", "x"), exitData},
		{"missing input", readError("a", &fs.PathError{Op: "open", Path: "a", Err: fs.ErrNotExist}), exitData},
		{"disk full", fmt.Errorf("a: %w", &fs.PathError{Op: "write", Path: "a", Err: syscall.ENOSPC}), exitResource},
		{"disk full while spooling", readError("-", fmt.Errorf("copy: %w", syscall.ENOSPC)), exitResource},
		{"quota", fmt.Errorf("a: %w", syscall.EDQUOT), exitResource},
		{"memory", fmt.Errorf("a: %w", syscall.ENOMEM), exitResource},
		{"engine", engineError{errors.New("x")}, exitEngine},
		{"unsupported by the engine", fmt.Errorf("cuda: %w", errors.ErrUnsupported), exitEngine},
		{"memory of a card", fmt.Errorf("a: %w", gpu.ErrMemory), exitResource},
		{"failed card", fmt.Errorf("a: %w", gpu.ErrLost), exitEngine},
		{"no card", fmt.Errorf("a: %w", gpu.ErrMissing), exitEngine},
		{"closed pipe", fmt.Errorf("a: %w", &fs.PathError{Op: "write", Path: "a", Err: syscall.EPIPE}), exitPipe},
		{"interrupted", fmt.Errorf("a: %w", context.Canceled), exitInterrupted},
		{"interrupted while reading", readError("a", fmt.Errorf("a: %w", context.Canceled)), exitInterrupted},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := exitCode(test.err); got != test.want {
				t.Errorf("got %d for %v, want %d", got, test.err, test.want)
			}
		})
	}
}

// TestTerminal runs with a terminal as standard output: nothing but the summary
// and a hint, unless the table is asked for.
func TestTerminal(t *testing.T) {
	in := writeFile(t, "in.csv", "x\n0\n1\n")
	for _, args := range [][]string{
		{"dbscan", in, "-e", "1", "-m", "2"},
		{"outliers", in, "--method", "knn", "-k", "1"},
		{"join", in, "-e", "1"},
		{"join", in, "-e", "1", "--counts"},
	} {
		t.Run(strings.Join(args[:1], " "), func(t *testing.T) {
			a := newTestApp()
			a.isTerminal = func(stream any) bool { return stream == a.out }
			a.mustRun(t, exitOK, args...)
			if a.stdout.Len() != 0 {
				t.Errorf("got %q on the terminal, want nothing", a.stdout.String())
			}
			if !strings.Contains(a.stderr.String(), "-o FILE writes the table, -o - prints it here") {
				t.Errorf("no hint in %q", a.stderr.String())
			}
			a.mustRun(t, exitOK, append(args, "-o", "-")...)
			if a.stdout.Len() == 0 || strings.Contains(a.stderr.String(), "-o FILE writes") {
				t.Errorf("-o - printed %q and said %q", a.stdout.String(), a.stderr.String())
			}
		})
	}
	a := newTestApp()
	a.isTerminal = func(any) bool { return true }
	a.mustRun(t, exitUsage, "generate", "uniform")
}

// TestBar draws on what says that it is a terminal, and only there.
func TestBar(t *testing.T) {
	in := writeFile(t, "in.csv", "x\n0\n1\n")
	args := []string{"dbscan", in, "-e", "1", "-m", "2", "-o", "-"}
	tests := []struct {
		name     string
		terminal bool
		term, ci string
		more     []string
		want     bool
	}{
		{"terminal", true, "xterm", "", nil, true},
		{"pipe", false, "xterm", "", nil, false},
		{"dumb", true, "dumb", "", nil, false},
		{"build server", true, "xterm", "true", nil, false},
		{"no build server", true, "xterm", "false", nil, true},
		{"none", true, "xterm", "", []string{"--progress", "none"}, false},
		{"quiet", true, "xterm", "", []string{"-q"}, false},
		{"json", true, "xterm", "", []string{"--log-format", "json"}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := newTestApp()
			a.isTerminal = func(stream any) bool { return test.terminal && stream == a.err }
			a.getenv = func(name string) string { return map[string]string{"TERM": test.term, "CI": test.ci}[name] }
			j, err := a.start("dbscan", &runOptions{Engine: "cpu", Progress: "auto", LogFormat: "text"}, &outputOptions{})
			if err != nil {
				t.Fatal(err)
			}
			a.mustRun(t, exitOK, append(args, test.more...)...)
			if len(test.more) > 0 {
				return // the display depends on flags: only that it works is tested
			}
			show := j.newDisplay()
			defer show.close()
			if _, drawn := show.(*barDisplay); drawn != test.want {
				t.Errorf("got a %T, want a bar: %v", show, test.want)
			}
		})
	}
}

type panicEngine struct{ join.Engine }

func (panicEngine) Name() string { return "cpu" }
func (panicEngine) Index(context.Context, *join.Points) (join.Index, error) {
	panic("index out of range\ngoroutine 1 [running]")
}

// unsupportedEngine cannot do what is asked.
type unsupportedEngine struct{ join.Engine }

func (unsupportedEngine) Name() string { return "cpu" }
func (unsupportedEngine) Index(context.Context, *join.Points) (join.Index, error) {
	return nil, fmt.Errorf("metric: %w", errors.ErrUnsupported)
}

func TestFaults(t *testing.T) {
	in := writeFile(t, "in.csv", "x\n0\n1\n")
	out := filepath.Join(filepath.Dir(in), "out.csv")
	a := newTestApp(panicEngine{})
	a.mustRun(t, exitInternal, "dbscan", in, "-c", "x", "-e", "1", "-m", "2", "-o", out)
	want := "rtcluster: internal error: index out of range (a fault of rtcluster: please report it with the command line)\n"
	if got := a.stderr.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	newTestApp(unsupportedEngine{}).mustRun(t, exitEngine, "dbscan", in, "-e", "1", "-m", "2", "-o", out)
	if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a failed run left %s", out)
	}
}

// TestHelpFails writes help to where nothing can be written.
func TestHelpFails(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {}, {"dbscan", "--help"}, {"help"}, {"help", "join"}, {"help", "exit-codes"}, {"exit-codes"}, {"--version"}, {"version"}, {"completion", "bash"}, {"completion", "zsh"}} {
		for _, test := range []struct {
			err  error
			want int
		}{{syscall.ENOSPC, exitResource}, {syscall.EPIPE, exitPipe}} {
			a := newTestApp()
			a.out = fullWriter{test.err}
			if got := a.run(t.Context(), args); got != test.want {
				t.Errorf("%v, %v: got exit code %d, want %d; it said %q", args, test.err, got, test.want, a.stderr.String())
			}
		}
	}
}

// fullWriter writes nothing.
type fullWriter struct{ err error }

func (w fullWriter) Write([]byte) (int, error) { return 0, w.err }

// TestReportFails loses the folder of the report, the page and the plot while the run goes on: the
// result stands, and the run says what is missing.
func TestReportFails(t *testing.T) {
	in := writeFile(t, "in.csv", "x\n0\n1\n")
	out := filepath.Join(filepath.Dir(in), "out.csv")
	folder := filepath.Join(t.TempDir(), "reports")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	a := newTestApp()
	started := a.engine
	a.engine = func(name string, opt gpu.Options) engine { // asked once the flags are checked
		if err := os.Remove(folder); err != nil {
			t.Error(err)
		}
		return started(name, opt)
	}
	a.mustRun(t, exitInternal, "dbscan", in, "-e", "1", "-m", "2", "-o", out, "--report", filepath.Join(folder, "run.json"),
		"--plot", filepath.Join(folder, "a.svg"), "--html", filepath.Join(folder, "run.html"))
	for _, want := range []string{"rtcluster: the result is written, but not --plot: ", "; nor --report: ", "; nor --html: "} {
		if !strings.Contains(a.stderr.String(), want) {
			t.Errorf("no %q in %q", want, a.stderr.String())
		}
	}
	if _, err := os.Stat(out); err != nil {
		t.Errorf("the output is not there: %v", err)
	}
}
