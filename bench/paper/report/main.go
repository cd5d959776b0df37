// Command report writes bench/paper.md from the results of `rtcluster bench`. From the root
// of the repository:
//
//	go run ./bench/paper/report
//
// Results are files in the folder -results, named after their experiments: what
//
//	rtcluster bench height -o bench/paper/results/height
//
// writes, and height-NAME.* for what another machine gave, such as height-h200.*. Beside each
// stands what the paper claims, and where ours differs and why (claims.go). A number in a
// summary is computed from the results.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rtcluster/bench/internal/measure"
	"rtcluster/bench/paper"
)

func main() { measure.Main("bench/paper/report", run) }

func run(_ context.Context, args []string) error {
	flags := flag.NewFlagSet("report", flag.ContinueOnError)
	results := flags.String("results", "bench/paper/results", "`folder` of results")
	out := flags.String("out", "bench/paper.md", "Markdown `file` to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	link, err := filepath.Rel(filepath.Dir(*out), *results)
	if err != nil {
		return err
	}
	text, err := report(*results, filepath.ToSlash(link))
	if err != nil {
		return err
	}
	return os.WriteFile(*out, text, 0o644)
}

// report is the text, in which pictures are found by way of link.
func report(results, link string) ([]byte, error) {
	var text bytes.Buffer
	text.WriteString(introduction)
	for _, e := range paper.Experiments() {
		what := e.Name
		if e.Paper != "" {
			what += ": " + e.Paper
		}
		fmt.Fprintf(&text, "\n## %s\n\n%s.\n", what, capital(e.Purpose))
		c := claims()[e.Name]
		if c.paper != "" {
			fmt.Fprintf(&text, "\n**The paper:** %s\n", c.paper)
		}
		files, err := resultsOf(results, e.Name)
		if err != nil {
			return nil, err
		}
		onCard := false
		for _, file := range files {
			card, err := writeResult(&text, c, file, link)
			if err != nil {
				return nil, err
			}
			onCard = onCard || card
		}
		if len(files) == 0 {
			text.WriteString("\nNot measured yet.\n")
		} else if !onCard && c.onCards {
			text.WriteString("\nOn a card: not measured.\n")
		}
		if c.ours != "" {
			fmt.Fprintf(&text, "\n**Ours:** %s\n", c.ours)
		}
	}
	return text.Bytes(), nil
}

// resultsOf are the tables of an experiment, without their ending.
func resultsOf(folder, name string) ([]string, error) {
	var files []string
	for _, pattern := range []string{name + ".csv", name + "-*.csv"} {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			files = append(files, strings.TrimSuffix(file, ".csv"))
		}
	}
	return files, nil
}

// writeResult writes the result of a machine, and reports whether it has a card.
func writeResult(text *bytes.Buffer, c claim, file, link string) (card bool, err error) {
	shown, err := os.ReadFile(file + ".txt")
	if err != nil {
		return false, err
	}
	table, err := readTable(file + ".csv")
	if err != nil {
		return false, err
	}
	name := filepath.Base(file)
	fmt.Fprintf(text, "\n%s.\n", table.machine())
	if c.summary.value != "" {
		lines, err := table.summary(c.summary)
		if err != nil {
			return false, fmt.Errorf("%s: %w", file, err)
		}
		fmt.Fprintf(text, "\n%s", lines)
	}
	fmt.Fprintf(text, "\n![%s](%s/%s.svg)\n", name, link, name)
	fmt.Fprintf(text, "\n<details><summary>%s.txt</summary>\n\n```text\n%s```\n\n</details>\n", name, shown)
	return table.header["card"] != "none", nil
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
