// Count reads the output of "go test -json" from standard input, prints a line
// for each package and the output of tests that failed, and at the end
//
//	N passed, M failed, K skipped
//
// Tests without subtests count one each; a test with subtests counts only if
// it failed and none of its subtests did. A package that does not build or
// stops half-way counts as one failure if none of its tests failed. With -append
// FILE it also appends the line to FILE. It exits with 1 if anything failed.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	file := flag.String("append", "", "append the last line to this `file`")
	flag.Parse()
	t, err := count(os.Stdin, os.Stdout)
	if err == nil && *file != "" {
		err = appendLine(*file, t.String())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "count:", err)
		os.Exit(1)
	}
	if t.failed > 0 {
		os.Exit(1)
	}
}

func appendLine(path, line string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(f, line); err != nil {
		return err
	}
	return f.Close()
}

// totals are numbers of tests.
type totals struct{ passed, failed, skipped int }

func (t totals) String() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", t.passed, t.failed, t.skipped)
}

// event is a line of go test -json, see "go doc cmd/test2json".
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

// counter knows what has been heard of each test, by package and name.
type counter struct {
	totals
	out      io.Writer
	output   map[string]*strings.Builder
	parent   map[string]bool // has subtests
	culprits map[string]bool // has a failed test, or subtest, below it
}

func count(in io.Reader, out io.Writer) (totals, error) {
	c := &counter{out: out, output: map[string]*strings.Builder{}, parent: map[string]bool{}, culprits: map[string]bool{}}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Action == "" {
			fmt.Fprintln(out, lines.Text()) // not an event: make's own words, or a tool's
			continue
		}
		c.take(e)
	}
	fmt.Fprintln(out, c.totals)
	return c.totals, lines.Err()
}

func (c *counter) take(e event) {
	id := e.Package + "\x00" + e.Test
	above := e.Package + "\x00"
	if slash := strings.LastIndex(e.Test, "/"); slash >= 0 {
		above += e.Test[:slash]
	}
	switch e.Action {
	case "run":
		c.parent[above] = true
	case "output":
		if c.output[id] == nil {
			c.output[id] = &strings.Builder{}
		}
		c.output[id].WriteString(e.Output)
	case "build-output":
		fmt.Fprint(c.out, e.Output)
	case "pass", "fail", "skip":
		c.end(e, id, above)
	}
}

func (c *counter) end(e event, id, above string) {
	if e.Test == "" {
		fmt.Fprintf(c.out, "%-4s %s %.1fs\n", e.Action, e.Package, e.Elapsed)
	}
	switch {
	case e.Action == "fail":
		if !c.culprits[id] {
			c.failed++
		}
		c.culprits[above] = true
		if c.output[id] != nil {
			fmt.Fprint(c.out, c.output[id])
		}
	case e.Test == "" || c.parent[id]:
	case e.Action == "pass":
		c.passed++
	default:
		c.skipped++
	}
	delete(c.output, id)
}
