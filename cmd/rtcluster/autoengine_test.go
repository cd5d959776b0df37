package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rtcluster/gpu"
	"rtcluster/join"
	"rtcluster/join/cpu"
)

// fakeCard is the CPU engine by another name, with a card, which may fail in a method.
type fakeCard struct {
	join.Engine
	fails string // a method, "" for none
	err   error
}

func (fakeCard) Name() string { return "cuda" }

func (fakeCard) Device() gpu.Card {
	return gpu.Card{Name: "NVIDIA Fake", Memory: 80 << 30, Free: 79 << 30, Capability: "9.0", Driver: "12.4", Rate: 1e12}
}

func (f fakeCard) Index(ctx context.Context, pts *join.Points) (join.Index, error) {
	if f.fails == "Index" {
		return nil, f.fault()
	}
	idx, err := f.Engine.Index(ctx, pts)
	return fakeIndex{idx, f}, err
}

func (f fakeCard) fault() error { return fmt.Errorf("cuda: %s: %w", f.fails, f.err) }

type fakeIndex struct {
	join.Index
	fakeCard
}

func (x fakeIndex) Counts(ctx context.Context, q *join.Points, eps float64, limit int32, dst []int32) error {
	if x.fails == "Counts" {
		return x.fault()
	}
	return x.Index.Counts(ctx, q, eps, limit, dst)
}

func (x fakeIndex) Pairs(ctx context.Context, q *join.Points, eps float64, emit func([]join.Pair) error) error {
	return x.Index.Pairs(ctx, q, eps, func(pairs []join.Pair) error {
		if err := emit(pairs); err != nil {
			return err
		}
		if x.fails == "Pairs" {
			return x.fault()
		}
		return nil
	})
}

// newCardApp is an app on a machine with a card.
func newCardApp(fails string, err error) *testApp {
	good := cpu.New(cpu.Options{Threads: 2})
	a := newTestApp(good, fakeCard{good, fails, err})
	a.cardLikely = func() bool { return true }
	a.cardStart = func() float64 { return 1e-3 } // so that small tables will do
	return a
}

// dense makes a table for which such a card pays.
func dense(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "dense.parquet")
	newTestApp().mustRun(t, exitOK, "generate", "uniform", "-n", "8000", "-d", "3", "-o", path)
	return path
}

// TestAuto has runs for which a card pays, and others.
func TestAuto(t *testing.T) {
	in := dense(t)
	tests := []struct {
		name string
		args string
		want string // of the line about the engine with -v
	}{
		{"counts", "join IN -e 0.5 --counts", "rtcluster: engine cuda (NVIDIA Fake): estimated to take "},
		{"dbscan with counts", "dbscan IN -e 0.5 -m 5 --counts", "rtcluster: engine cuda (NVIDIA Fake): estimated to take "},
		{"several eps", "dbscan IN -e 0.4,0.5 -m 5 --counts", "rtcluster: engine cuda (NVIDIA Fake): estimated to take "},
		{"outliers by counts", "outliers IN --method count -e 0.5", "rtcluster: engine cuda (NVIDIA Fake): estimated to take "},
		{"limit", "dbscan IN -e 0.5 -m 5", "rtcluster: engine cpu stays: about "},
		{"small eps", "join IN -e 0.001 --counts", "rtcluster: engine cpu stays: about "},
		{"metric", "join IN -e 0.5 --counts --metric manhattan", "rtcluster: engine cpu stays: cards have no metric but the Euclidean"},
		{"box", "join IN -e 0.1 --counts --box 1,1,1", "rtcluster: engine cpu stays: cards have no metric but the Euclidean"},
		{"weights", "dbscan IN -c x1,x2 -e 0.5 -m 5 --weight x3", "rtcluster: engine cpu stays: cards add up no weights"},
		{"nearest rows", "outliers IN --method knn -k 2", "rtcluster: engine cpu stays: cards are no faster at nearest rows"},
		{"found eps", "dbscan IN -e auto -m 5", "rtcluster: engine cpu stays: --eps auto looks for nearest rows"},
		{"empty", "join EMPTY -e 0.5 --counts", "rtcluster: engine cpu stays: "},
	}
	empty := writeFile(t, "empty.csv", "x,y\n")
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := newCardApp("", nil)
			report := filepath.Join(t.TempDir(), "run.json")
			args := strings.Fields(strings.NewReplacer("IN", in, "EMPTY", empty).Replace(test.args))
			a.mustRun(t, exitOK, append(args, "-v", "--report", report, "--threads", "1", "--keep", "none", "-o", filepath.Join(t.TempDir(), "out.csv"))...)
			if !strings.Contains(a.stderr.String(), test.want) {
				t.Errorf("no %q in\n%s", test.want, a.stderr.String())
			}
			got := engineReport(t, report)
			if taken := strings.Contains(test.want, "cuda"); taken != (got.Engine == "cuda") || taken != (got.Device == "NVIDIA Fake") || taken != (got.EngineWhy != "") {
				t.Errorf("the report says engine %q, device %q, %q", got.Engine, got.Device, got.EngineWhy)
			}
		})
	}
}

func engineReport(t *testing.T, path string) (r struct {
	Engine    string `json:"engine"`
	Device    string `json:"device"`
	EngineWhy string `json:"engine_reason"`
},
) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestAutoQuiet says nothing under -q, and only the choice without -v.
func TestAutoQuiet(t *testing.T) {
	args := []string{"join", dense(t), "-e", "0.5", "--counts", "--threads", "1", "-o", filepath.Join(t.TempDir(), "out.csv"), "--force"}
	a := newCardApp("", nil)
	a.mustRun(t, exitOK, append(args, "-q")...)
	if a.stderr.Len() > 0 {
		t.Errorf("-q says %q", a.stderr.String())
	}
	a.mustRun(t, exitOK, args...)
	if got := strings.Count(a.stderr.String(), "rtcluster: engine"); got != 1 {
		t.Errorf("%d lines about the engine, want 1:\n%s", got, a.stderr.String())
	}
	a.cardLikely = func() bool { return false }
	a.engine = func(name string, _ gpu.Options) engine {
		if name != "cpu" {
			t.Errorf("engine %s is asked for where no card is likely", name)
		}
		return newEngine(cpu.New(cpu.Options{}))
	}
	a.mustRun(t, exitOK, args...)
	if strings.Contains(a.stderr.String(), "engine") {
		t.Errorf("without a card it says %q", a.stderr.String())
	}
}

// TestFallback has cards that fail: under auto the CPU engine ends the run with the same
// output, under cuda the run fails with a line.
func TestFallback(t *testing.T) {
	in := dense(t)
	run := func(t *testing.T, a *testApp, code int, args string) string {
		t.Helper()
		out := filepath.Join(t.TempDir(), "out.csv")
		a.mustRun(t, code, append(strings.Fields(strings.ReplaceAll(args, "IN", in)), "--threads", "1", "-o", out)...)
		text, err := os.ReadFile(out)
		if (err == nil) != (code == exitOK) {
			t.Errorf("exit code %d, and the output: %v", code, err)
		}
		return string(text)
	}
	const counts, pairs = "join IN -e 0.5 --counts", "join IN -e 0.3"
	want := run(t, newTestApp(), exitOK, counts+" --engine cpu")
	for _, test := range []struct {
		fails string
		err   error
		code  int
	}{
		{"Index", gpu.ErrMemory, exitResource},
		{"Index", gpu.ErrMissing, exitEngine},
		{"Counts", gpu.ErrMemory, exitResource},
		{"Counts", gpu.ErrLost, exitEngine},
	} {
		t.Run(fmt.Sprintf("%s: %v", test.fails, test.err), func(t *testing.T) {
			a := newCardApp(test.fails, test.err)
			report := filepath.Join(t.TempDir(), "run.json")
			if got := run(t, a, exitOK, counts+" --report "+report); got != want {
				t.Error("the output is another than that of the cpu engine")
			}
			line := fmt.Sprintf("rtcluster: warning: engine cuda failed, and the cpu engine does the work: cuda: %s: %v\n", test.fails, test.err)
			if got := strings.Count(a.stderr.String(), line); got != 1 {
				t.Errorf("%d times %q in\n%s", got, line, a.stderr.String())
			}
			if got := engineReport(t, report); got.Engine != "cpu" || got.Device != "" || !strings.HasPrefix(got.EngineWhy, "engine cuda failed: cuda: ") {
				t.Errorf("the report says %+v", got)
			}
			a = newCardApp(test.fails, test.err)
			run(t, a, test.code, counts+" --engine cuda -q")
			if got := a.stderr.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, test.err.Error()) || !strings.Contains(got, "--engine cpu") {
				t.Errorf("got %q, want one line that says what to do", got)
			}
		})
	}
	t.Run("pairs were written", func(t *testing.T) {
		a := newCardApp("Pairs", gpu.ErrLost)
		run(t, a, exitEngine, pairs+" -q")
		if got := a.stderr.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "pairs were handed on before") {
			t.Errorf("got %q", got)
		}
	})
}

// TestCardLimits hands --device and --memory-limit on to the card.
func TestCardLimits(t *testing.T) {
	in := writeFile(t, "in.csv", "x\n0\n1\n")
	tests := []struct {
		args string
		want gpu.Options
	}{
		{"--threads 3", gpu.Options{Threads: 3}},
		{"--device 2", gpu.Options{Device: 2}},
		{"--memory-limit 1GiB", gpu.Options{Budget: 1 << 30}},
		{"--memory-limit 50%", gpu.Options{Share: 0.5}},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			a := newCardApp("", nil)
			a.getenv = func(name string) string { return map[string]string{"RTCLUSTER_CUDA_SYNCHRONOUS": "1"}[name] }
			find, asked := a.engine, gpu.Options{}
			a.engine = func(name string, opt gpu.Options) engine {
				asked = opt
				return find(name, opt)
			}
			a.mustRun(t, exitOK, append(strings.Fields(test.args), "join", in, "-e", "1", "--engine", "cuda", "-o", "-")...)
			if test.want.Synchronous = true; asked != test.want {
				t.Errorf("got %+v, want %+v", asked, test.want)
			}
		})
	}
}

// TestNoSuchCard is an error even under auto: the number is a mistake.
func TestNoSuchCard(t *testing.T) {
	in := writeFile(t, "in.csv", "x\n0\n1\n")
	a := newCardApp("", nil)
	find := a.engine
	a.engine = func(name string, opt gpu.Options) engine {
		if name == "cuda" && opt.Device > 0 {
			return engine{name: name, missing: &gpu.NumberError{Number: opt.Device, Cards: []string{"0 (NVIDIA Fake)"}}}
		}
		return find(name, opt)
	}
	for _, name := range []string{"auto", "cuda"} {
		a.mustRun(t, exitEngine, "join", in, "-e", "1", "--engine", name, "--device", "3")
		if got := a.stderr.String(); !strings.HasSuffix(got, "no GPU to use: there is no card 3, only 0 (NVIDIA Fake)\n") {
			t.Errorf("%s: got %q", name, got)
		}
	}
	a.mustRun(t, exitOK, "join", in, "-e", "1", "--device", "0")
	none := newTestApp() // and no build with cards: auto goes on
	none.mustRun(t, exitOK, "join", in, "-e", "1", "--device", "3")
}

// TestAutoHidden does not ask for a card that CUDA_VISIBLE_DEVICES hides.
func TestAutoHidden(t *testing.T) {
	args := []string{"join", dense(t), "-e", "0.5", "--counts", "--threads", "1", "-v", "-o", filepath.Join(t.TempDir(), "out.csv"), "--force"}
	for _, test := range []struct {
		variable string
		hidden   bool
	}{
		{"CUDA_VISIBLE_DEVICES=", true},
		{"CUDA_VISIBLE_DEVICES=-1", true},
		{"CUDA_VISIBLE_DEVICES=-1,0", true},
		{"CUDA_VISIBLE_DEVICES=NoDevFiles", true},
		{"CUDA_VISIBLE_DEVICES=0", false},
		{"CUDA_VISIBLE_DEVICES=1,-1", false},
		{"CUDA_VISIBLE_DEVICES=GPU-8932f937", false},
		{"CUDA_DEVICE_ORDER=", false},
	} {
		t.Run(test.variable, func(t *testing.T) {
			a := newCardApp("", nil)
			a.environ = func() []string { return []string{"HOME=/", test.variable} }
			a.mustRun(t, exitOK, args...)
			if got := strings.Contains(a.stderr.String(), "rtcluster: engine cpu stays: CUDA_VISIBLE_DEVICES hides the cards\n"); got != test.hidden {
				t.Errorf("hidden: %v, want %v\n%s", got, test.hidden, a.stderr.String())
			}
		})
	}
}
