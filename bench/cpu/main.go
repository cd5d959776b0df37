// Command cpu measures the CPU engine beside other programs and writes
// bench/cpu.md. From the root of the repository:
//
//	go run ./bench/cpu -peers peers.json -plots
//
// It makes the sets that the rows need in the folder -work, once. Each row is
// measured in turns: ours, each peer, ours, each peer, and so on; every turn of
// either is a process of its own, which loads the set, does the work -runs
// times and reports the seconds of each without loading.
//
// # Peers
//
// The file of -peers lists programs. It holds command lines by work, and each
// prints, as the last line on its output, a JSON object, or lines of key and
// value:
//
//	{"peers": [{
//	  "name": "scikit-learn", "exact": true, "turns": 2, "timeout": 600,
//	  "commands": {
//	    "dbscan": ["python3", "bench/cpu/sklearn_peer.py", "dbscan", "{file}", "{n}", "{d}",
//	               "{eps}", "{minpts}", "{k}", "{threads}", "{runs}"],
//	    "knn":    ["python3", "bench/cpu/sklearn_peer.py", "knn", "{file}", "{n}", "{d}",
//	               "{eps}", "{minpts}", "{k}", "{threads}", "{runs}"]}}]}
//
//	{"seconds": [5.41, 5.38], "clusters": 15553, "noise": 337148}
//
// The file {file} is n × d little-endian float64 values, row by row; {work} is the
// folder it is in. Type peer in peers.go has all fields of a peer, and type
// outcome in outcome.go all that it may print.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"runtime"

	"rtcluster/bench/internal/measure"
)

// options are what the command line says.
type options struct {
	Work    string // folder of sets and results
	Out     string // Markdown to write
	Peers   string // file of peers
	Rows    string // patterns of row names
	Job     string // JSON of a job: this process is the one that is measured
	Scale   float64
	Turns   int
	Runs    int
	Threads int
	Budget  float64 // seconds
	Plots   bool
	Add     bool
	Only    string // patterns of contenders
}

func main() { measure.Main("bench/cpu", run) }

func run(ctx context.Context, args []string) error {
	opt, err := parseOptions(args, os.Stderr)
	if err != nil {
		return err
	}
	if opt.Job != "" {
		return runJob(ctx, opt.Job, os.Stdout)
	}
	return measureAll(ctx, opt, log.New(os.Stderr, "", log.Ltime))
}

func parseOptions(args []string, usage io.Writer) (*options, error) {
	opt := &options{}
	fs := flag.NewFlagSet("cpu", flag.ContinueOnError)
	fs.SetOutput(usage)
	fs.StringVar(&opt.Work, "work", "bench/out/cpu", "`folder` of the sets and of results.json")
	fs.StringVar(&opt.Out, "out", "bench/cpu.md", "Markdown `file` to write; plots are written beside it")
	fs.StringVar(&opt.Peers, "peers", "", "JSON `file` of peers, see go doc ./bench/cpu")
	fs.StringVar(&opt.Rows, "rows", "*", "names of the rows to measure, as `patterns` with * and commas")
	fs.StringVar(&opt.Job, "job", "", "measure one `job`; this command calls itself so")
	fs.Float64Var(&opt.Scale, "scale", 1, "`share` of each set's rows to make")
	fs.IntVar(&opt.Turns, "turns", 5, "turns of ours and of each peer")
	fs.IntVar(&opt.Runs, "runs", 3, "times the work is done in a turn; the first counts only if it is the only one")
	fs.IntVar(&opt.Threads, "threads", runtime.NumCPU(), "threads of all")
	fs.Float64Var(&opt.Budget, "budget", 60, "`seconds` of one peer on one row after which it gets no further turn")
	fs.BoolVar(&opt.Plots, "plots", false, "measure and draw cost against n and ε too (minutes)")
	fs.BoolVar(&opt.Add, "add", false, "keep the results of earlier calls for the rows not measured now")
	fs.StringVar(&opt.Only, "only", "*", "names of those to measure, as `patterns`; ours is ours; with -add, the others of a row keep their times")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	return opt, opt.check(fs.Args())
}

func (opt *options) check(args []string) error {
	switch {
	case len(args) > 0:
		return fmt.Errorf("argument %q is not used: see -h", args[0])
	case opt.Turns < 1 || opt.Runs < 1 || opt.Threads < 1:
		return fmt.Errorf("-turns %d -runs %d -threads %d: each must be 1 or more", opt.Turns, opt.Runs, opt.Threads)
	case !(opt.Scale > 0 && opt.Scale <= 100):
		return fmt.Errorf("-scale %v: it must be above 0 and at most 100", opt.Scale)
	}
	for flag, patterns := range map[string]string{"-rows": opt.Rows, "-only": opt.Only} {
		if _, err := measure.Matches(patterns, ""); err != nil {
			return fmt.Errorf("%s %q: %w", flag, patterns, err)
		}
	}
	return nil
}
