// Command outliers measures the outlier scores beside other programs and writes
// bench/outliers.md. From the root of the repository:
//
//	go run ./bench/outliers -peers peers.json
//
// It makes its sets in the folder -work, once. Ours and the peers take turns; every turn
// is a process of its own that loads the set, does the work and says how long that took
// without loading, and the greatest memory of the process. -rows measures some rows only;
// what was measured before is kept in -work.
//
// # Peers
//
// The file of -peers has command lines by the names of rows without their set, of which
// {file}, {n}, {d}, {k}, {eps} and {threads} are filled in. Each prints one JSON object on
// its last line:
//
//	{"peers": [{
//	  "name": "scikit-learn",
//	  "commands": {
//	    "lof": ["python3", "bench/outliers/peer.py", "lof", "{file}", "{n}", "{d}", "{k}", "{eps}", "{threads}"]}}]}
//
//	{"seconds": 17.2, "mean": 1.0382, "peak_mib": 900}
//
// The file {file} is n × d little-endian float64 values, row by row. The mean is that of
// the scores; a peer whose mean is not ours is marked.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path"
	"runtime"

	"rtcluster/bench/internal/measure"
)

// options are what the command line says.
type options struct {
	work    string  // folder of sets and results
	out     string  // Markdown to write
	peers   string  // file of peers
	rows    string  // pattern of row names
	job     string  // JSON of a job: this process is the one that is measured
	scale   float64 // share of each set's rows
	turns   int
	threads int
	limit   float64 // seconds a turn of a peer may take
	budget  float64 // seconds of a peer on a row after which it gets no further turn
	log     *log.Logger
}

func main() { measure.Main("bench/outliers", run) }

func run(ctx context.Context, args []string) error {
	opt := &options{log: log.New(os.Stderr, "", log.Ltime)}
	fs := flag.NewFlagSet("outliers", flag.ContinueOnError)
	fs.StringVar(&opt.work, "work", "bench/out/outliers", "`folder` of the sets and of results.json")
	fs.StringVar(&opt.out, "out", "bench/outliers.md", "Markdown `file` to write")
	fs.StringVar(&opt.peers, "peers", "", "JSON `file` of peers, see go doc ./bench/outliers")
	fs.StringVar(&opt.rows, "rows", "*", "names of the rows to measure, a `pattern` with *")
	fs.StringVar(&opt.job, "job", "", "measure one `job`; this command calls itself so")
	fs.Float64Var(&opt.scale, "scale", 1, "`share` of each set's rows to make")
	fs.IntVar(&opt.turns, "turns", 3, "turns of ours and of each peer")
	fs.IntVar(&opt.threads, "threads", runtime.NumCPU(), "threads of all")
	fs.Float64Var(&opt.limit, "limit", 120, "`seconds` a turn of a peer may take")
	fs.Float64Var(&opt.budget, "budget", 10, "`seconds` of a peer on a row after which it gets no further turn")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if _, err := path.Match(opt.rows, ""); err != nil {
		return fmt.Errorf("-rows %q: %w", opt.rows, err)
	}
	switch {
	case fs.NArg() > 0:
		return fmt.Errorf("argument %q is not used: see -h", fs.Arg(0))
	case opt.turns < 1 || opt.threads < 1:
		return fmt.Errorf("-turns %d -threads %d: each must be 1 or more", opt.turns, opt.threads)
	case !(opt.scale > 0 && opt.scale <= 100):
		return fmt.Errorf("-scale %v: it must be above 0 and at most 100", opt.scale)
	case opt.job != "":
		return runJob(ctx, opt.job, os.Stdout)
	}
	return measureAll(ctx, opt)
}
