package main

import (
	"bytes"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"rtcluster/cmd/rtcluster/internal/cgroup"
	"rtcluster/gpu"
	"rtcluster/join"
	"rtcluster/join/cpu"
)

// testApp is an app with everything in memory, and what it wrote.
type testApp struct {
	*app
	stdout, stderr bytes.Buffer
}

func newTestApp(engines ...join.Engine) *testApp {
	if len(engines) == 0 {
		engines = []join.Engine{cpu.New(cpu.Options{Threads: 2})}
	}
	t := &testApp{app: newApp()}
	t.in, t.out, t.err = strings.NewReader(""), &t.stdout, &t.stderr
	t.log = newLogger(t.err, "text", slog.LevelInfo)
	t.isTerminal = func(any) bool { return false }
	t.getenv = func(string) string { return "" }
	t.environ = func() []string { return nil }
	t.limits = unlimited
	begun := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var mu sync.Mutex // engines report from several goroutines
	t.now = func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		begun = begun.Add(time.Millisecond)
		return begun
	}
	t.engine = func(name string, _ gpu.Options) engine {
		for _, e := range engines {
			if e.Name() == name {
				return newEngine(e)
			}
		}
		return engine{name: name, missing: gpu.ErrNotBuilt}
	}
	t.cards = func() ([]gpu.Card, error) { return nil, gpu.ErrNotBuilt }
	t.optix = func() error { return gpu.ErrNotBuilt }
	t.cardLikely = func() bool { return false }
	return t
}

// unlimited is a system without control groups.
func unlimited() cgroup.Limits {
	return cgroup.Limits{Memory: math.Inf(1), Free: math.Inf(1), CPUs: math.Inf(1)}
}

// limitedTo is one with control groups that leave so much.
func limitedTo(cpus, memory float64) func() cgroup.Limits {
	return func() cgroup.Limits { return cgroup.Limits{Memory: memory, Free: memory, CPUs: cpus} }
}

// mustRun runs a command line and wants an exit code.
func (a *testApp) mustRun(t *testing.T, code int, args ...string) {
	t.Helper()
	a.stdout.Reset()
	a.stderr.Reset()
	a.began = false
	if got := a.run(t.Context(), args); got != code {
		t.Fatalf("rtcluster %s: got exit code %d, want %d\n%s", strings.Join(args, " "), got, code, a.stderr.String())
	}
	if err := checkReport(args, a.getenv); code == exitOK && err != nil {
		t.Fatalf("rtcluster %s: %v", strings.Join(args, " "), err)
	}
}

// writeFile writes a file into a folder of the test's own and returns its path.
func writeFile(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// watched gathers what a process writes, and can be asked meanwhile.
type watched struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// await waits until a text is among what was written.
func (w *watched) await(t *testing.T, text string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !strings.Contains(w.String(), text); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no %q after 30 s: %q", text, w)
		}
	}
}

// reset forgets what was written.
func (w *watched) reset() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text.Reset()
}
