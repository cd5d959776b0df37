package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestDocsFlags wants every flag that a page names to be one of the program, and behind a
// command's name one of that command. Commands that run prove it themselves; this finds
// flags in prose, and in blocks that no test can run.
func TestDocsFlags(t *testing.T) {
	flags := map[string]map[string]bool{"": {}}
	collectFlags(newTestApp().newRootCmd(), flags)
	for _, page := range docsPages(t) {
		text := page.text
		for _, block := range page.blocks {
			if code, _ := block.note("exit"); code == "2" { // a wrong flag may be what it shows
				text = strings.ReplaceAll(strings.ReplaceAll(text, block.text, ""), block.shown, "")
			}
		}
		for _, problem := range unknownFlags(flags, text) {
			t.Errorf("%s: %s", page.name, problem)
		}
	}
}

// collectFlags notes the flags of each command by its name, and all of them under "".
func collectFlags(cmd *cobra.Command, flags map[string]map[string]bool) {
	name := cmd.Name()
	if flags[name] == nil {
		flags[name] = map[string]bool{}
	}
	add := func(f *pflag.Flag) {
		for _, text := range []string{"--" + f.Name, "-" + f.Shorthand} {
			flags[name][text], flags[""][text] = true, true
		}
	}
	cmd.InitDefaultHelpFlag()
	cmd.Flags().VisitAll(add)
	cmd.PersistentFlags().VisitAll(add)
	for _, sub := range cmd.Commands() {
		collectFlags(sub, flags)
	}
}

// unknownFlags says which flags of a text no command has. A command ends where its line
// does, unless that ends in a backslash, or at a backquote, a pipe or the like.
func unknownFlags(flags map[string]map[string]bool, text string) []string {
	text = strings.ReplaceAll(text, "\\\n", " ")
	var problems []string
	word := regexp.MustCompile(`(?:^|[\s"'(` + "`" + `\[])(--?[a-zA-Z][-a-zA-Z]*)`)
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#SBATCH") { // those of Slurm
			continue
		}
		rest := line
		for _, call := range regexp.MustCompile("rtcluster (?:config )?([a-z]+)([^`|;&>]*)").FindAllStringSubmatch(line, -1) {
			if flags[call[1]] == nil {
				continue
			}
			for _, match := range word.FindAllStringSubmatch(call[2], -1) {
				if !flags[call[1]][match[1]] {
					problems = append(problems, fmt.Sprintf("rtcluster %s has no flag %s", call[1], match[1]))
				}
			}
			rest = strings.ReplaceAll(rest, call[0], "")
		}
		for _, match := range word.FindAllStringSubmatch(rest, -1) {
			if strings.HasPrefix(match[1], "--") && !flags[""][match[1]] {
				problems = append(problems, "no command has a flag "+match[1])
			}
		}
	}
	return problems
}

// TestUnknownFlags sees that wrong flags are found.
func TestUnknownFlags(t *testing.T) {
	flags := map[string]map[string]bool{"": {"--eps": true, "--plot": true, "-m": true}, "dbscan": {"--eps": true, "-m": true}, "eps": {"--plot": true}}
	tests := []struct {
		name, text string
		want       int
	}{
		{"known", "`rtcluster dbscan a.csv --eps 3 -m 4`, or --plot", 0},
		{"of another command", "rtcluster dbscan a.csv --plot f.svg\n", 1},
		{"of none", "with `--epsilon 3`\n", 1},
		{"of none, behind a command", "rtcluster dbscan a.csv --epsilon 3 -q\n", 2},
		{"on the next line", "rtcluster dbscan a.csv \\\n  --plot f.svg\n", 1},
		{"behind a pipe", "rtcluster dbscan a.csv | rtcluster eps - --plot f\n", 0},
		{"a dash in prose", "core–border - and a-b\n", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := unknownFlags(flags, test.text); len(got) != test.want {
				t.Errorf("got %q, want %d", got, test.want)
			}
		})
	}
}
