// Command gpu measures the CUDA engine, and writes bench/gpu.md and, with all that was
// measured, bench/gpu.json. From the root of the repository, on a machine with a card:
//
//	python3 bench/gpu/shapes.py . S2
//	gpu/_toolchain/tools.sh with go run -tags cuda ./bench/gpu -set S2:S2.f32:90:0.26776:130632580
//
// A set is a file of little-endian float32, row by row, or rows of `rtcluster generate
// latent` (-latent), or such rows as integers from 0 to 255 (-bytes), as descriptors of
// images are. With the sum of all counts as its last part, the rows themselves
// included, a set's totals are compared with that; without, the counts of 1,000 rows are
// compared with brute force over all.
//
// For each set, after one run to warm up, each work is done -runs times over data that lie
// in the host's memory as float64: an index and then counts, pairs (all lists given to the
// host), DBSCAN, and counts of values that are no float32 numbers. Then it is done once more
// with each of its stages waited for, which gives their times.
//
// With -add, the sets of earlier calls are kept, and peers whose results -peers names are
// compared with ours. Without a set nothing is measured, and the Markdown is written anew.
// Arguments are JSON files of other calls, whose sets and peers are taken in first.
//
// # Peers
//
// The file of -peers has what other programs did, on the same card and data:
//
//	[{"Name": "…", "Set": "S2", "Seconds": 5.83, "Total": 130632668, "Floor": 200, "PairsFloor": 100, "Note": "…"}]
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"

	"rtcluster/bench/internal/measure"
)

// options are what the command line says.
type options struct {
	Sets    []source
	Others  []string // files of other calls
	Out     string   // Markdown to write
	JSON    string   // all that was measured
	Peers   string
	Commit  string
	Works   string // patterns of work names
	Runs    int
	Budget  float64 // seconds
	Samples int
	Add     bool
}

func main() { measure.Main("bench/gpu", run) }

func run(ctx context.Context, args []string) error {
	opt, err := parseOptions(args, os.Stderr)
	if err != nil {
		return err
	}
	return measureAll(ctx, opt, openCard, log.New(os.Stderr, "", log.Ltime))
}

func parseOptions(args []string, usage io.Writer) (*options, error) {
	opt := &options{}
	fs := flag.NewFlagSet("gpu", flag.ContinueOnError)
	fs.SetOutput(usage)
	add := func(parse func(string) (source, error)) func(string) error {
		return func(text string) error {
			s, err := parse(text)
			opt.Sets = append(opt.Sets, s)
			return err
		}
	}
	fs.Func("set", "a file to measure, `NAME:FILE:DIM:EPS[:TOTAL]`; may come again", add(parseFile))
	fs.Func("latent", "generated rows to measure, `ROWS:DIM[:NEIGHBORS]`: ε gives the typical row so many (256); may come again", add(parseLatent))
	fs.Func("bytes", "the same rows, `ROWS:DIM[:NEIGHBORS]`, as integers from 0 to 255; may come again", add(parseBytes))
	fs.StringVar(&opt.Out, "out", "bench/gpu.md", "Markdown `file` to write")
	fs.StringVar(&opt.JSON, "json", "bench/gpu.json", "`file` of all that was measured")
	fs.StringVar(&opt.Peers, "peers", "", "JSON `file` of what peers did, see go doc ./bench/gpu")
	fs.StringVar(&opt.Commit, "commit", "", "`name` of the commit, if neither git nor the binary tells")
	fs.StringVar(&opt.Works, "works", "*", "what to measure, as `patterns` with * and commas: "+workNames())
	fs.IntVar(&opt.Runs, "runs", 5, "times each work is done, after one to warm up")
	fs.Float64Var(&opt.Budget, "budget", 20, "`seconds` of one work on one set after which it is not done again")
	fs.IntVar(&opt.Samples, "samples", 1000, "rows to compare with brute force where a set has no total")
	fs.BoolVar(&opt.Add, "add", false, "keep the sets of earlier calls that are not measured now")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	opt.Others = fs.Args()
	if opt.Runs < 1 || opt.Samples < 1 {
		return nil, fmt.Errorf("-runs %d -samples %d: each must be 1 or more", opt.Runs, opt.Samples)
	}
	if _, err := measure.Matches(opt.Works, ""); err != nil {
		return nil, fmt.Errorf("-works %q: %w", opt.Works, err)
	}
	return opt, nil
}
