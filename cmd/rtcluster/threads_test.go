package main

import (
	"context"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"

	"rtcluster/join"
	"rtcluster/join/cpu"
)

// procsEngine notes how many threads the whole process may use while it is at work.
type procsEngine struct {
	join.Engine
	procs int
}

func (e *procsEngine) Index(ctx context.Context, pts *join.Points) (join.Index, error) {
	e.procs = runtime.GOMAXPROCS(0)
	return e.Engine.Index(ctx, pts)
}

// procsWriter notes the same while a table is written.
type procsWriter struct {
	io.Writer
	procs int
}

func (w *procsWriter) Write(p []byte) (int, error) {
	w.procs = runtime.GOMAXPROCS(0)
	return w.Writer.Write(p)
}

// TestThreadsKept has commands whose engine, writer and all else keep to the threads
// that the command line or the surroundings leave.
func TestThreadsKept(t *testing.T) {
	before := runtime.GOMAXPROCS(8)
	defer runtime.GOMAXPROCS(before)
	in := writeFile(t, "in.csv", "x\n0\n1\n3\n")
	dbscan := []string{"dbscan", in, "-c", "x", "-e", "1", "-m", "2", "-o", "-", "-q"}
	all := math.Inf(1)
	for _, test := range []struct {
		name string
		args []string
		env  map[string]string
		cpus float64
		want int
	}{
		{"all", dbscan, nil, all, 8},
		{"--threads", append(dbscan, "--threads", "3"), nil, all, 3},
		{"--threads above what there is", append(dbscan, "--threads", "11"), nil, 1, 11},
		{"Slurm", dbscan, map[string]string{"SLURM_CPUS_PER_TASK": "5"}, all, 5},
		{"Slurm gives more than there is", dbscan, map[string]string{"SLURM_CPUS_PER_TASK": "64"}, all, 8},
		{"--threads before Slurm", append(dbscan, "--threads", "6"), map[string]string{"SLURM_CPUS_PER_TASK": "5"}, all, 6},
		{"control group", dbscan, nil, 3.2, 4},
		{"small control group", dbscan, nil, 0.5, 2},
		{"control group after GOMAXPROCS", dbscan, map[string]string{"GOMAXPROCS": "8"}, 0.5, 8},
		{"control group and Slurm", dbscan, map[string]string{"SLURM_CPUS_PER_TASK": "5"}, 3, 3},
		{"Slurm and control group", dbscan, map[string]string{"SLURM_CPUS_PER_TASK": "1"}, 3, 1},
		{"a command without the flag", []string{"describe", in}, map[string]string{"SLURM_CPUS_PER_TASK": "5"}, all, 5},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := &procsEngine{Engine: cpu.New(cpu.Options{Threads: 1}), procs: test.want} // describe has no engine
			a := newTestApp(e)
			w := &procsWriter{Writer: &a.stdout}
			a.out, a.limits, a.getenv = w, limitedTo(test.cpus, math.Inf(1)), func(name string) string { return test.env[name] }
			a.mustRun(t, exitOK, test.args...)
			if e.procs != test.want || w.procs != test.want {
				t.Errorf("got %d threads for the engine and %d for the writer, want %d", e.procs, w.procs, test.want)
			}
			if got := runtime.GOMAXPROCS(0); got != 8 {
				t.Errorf("got %d after the run, want 8 as before", got)
			}
			if test.args[0] == "dbscan" && !strings.HasPrefix(a.stdout.String(), "x,cluster,is_core\n") {
				t.Errorf("got %q", a.stdout.String())
			}
		})
	}
}

// TestThreadsFrom has config say what bounds the threads.
func TestThreadsFrom(t *testing.T) {
	before := runtime.GOMAXPROCS(8)
	defer runtime.GOMAXPROCS(before)
	for _, test := range []struct {
		name  string
		slurm string
		cpus  float64
		want  string
	}{
		{"nothing", "", math.Inf(1), "0 default"},
		{"Slurm", "5", 7, "5 SLURM_CPUS_PER_TASK"},
		{"control group", "5", 2.5, "3 control group"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := newTestApp()
			a.limits, a.getenv = limitedTo(test.cpus, math.Inf(1)), func(name string) string {
				return map[string]string{"SLURM_CPUS_PER_TASK": test.slurm}[name]
			}
			a.mustRun(t, exitOK, "config", "dbscan")
			for line := range strings.SplitSeq(a.stdout.String(), "\n") {
				if words := strings.Fields(line); len(words) > 0 && words[0] == "threads" {
					if got := strings.Join(words[1:], " "); got != test.want {
						t.Errorf("got %q, want %q", got, test.want)
					}
				}
			}
		})
	}
}
