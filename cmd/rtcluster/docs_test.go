package main

import (
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// TestDocs runs the commands of README.md and of the pages below docs: those of a page in
// one folder, each block in a shell of its own. What stands behind the language says how:
//
//	```sh              runs, and must succeed
//	```sh exit=3       must end with that exit code
//	```sh file=NAME    becomes a file NAME, which later blocks may run; likewise toml
//	```sh norun        is parsed alone: it needs what a test has not
//	```cron            lines of a crontab: each has five fields and a command
//	```text            below sh: its output, where … stands for any text, and a line … for any lines
func TestDocs(t *testing.T) {
	if raceEnabled || runtime.GOOS == "windows" {
		t.Skip("the same programs run in other tests, and these commands are those of a Unix shell")
	}
	for _, page := range docsPages(t) {
		t.Run(page.name, func(t *testing.T) {
			shell := newDocsShell(t)
			runDocs(t, shell, page.name, page.blocks)
			checkPictures(t, shell, &page)
		})
	}
}

func runDocs(t *testing.T, shell *docsShell, page string, blocks []docsBlock) {
	t.Helper()
	for _, block := range blocks {
		where := fmt.Sprintf("%s:%d", page, block.line)
		switch block.lang {
		case "cron":
			for _, problem := range crontabProblems(block.text) {
				t.Errorf("%s: %s", where, problem)
			}
			continue
		case "bash", "shell", "console", "":
			t.Errorf("%s: the language is %q: commands are sh, output is text", where, block.lang)
			continue
		case "sh":
		case "toml":
			if file, isFile := block.note("file"); isFile {
				shell.write(t, file, block.text)
			}
			continue
		default:
			continue
		}
		if _, err := syntax.NewParser().Parse(strings.NewReader(block.text), page); err != nil {
			t.Errorf("%s: %v", where, err)
			continue
		}
		file, isFile := block.note("file")
		switch {
		case isFile:
			shell.write(t, file, block.text)
		case slices.Contains(block.notes, "norun"):
		default:
			shell.check(t, where, &block)
		}
	}
}

// docsPattern is what the output must match that a page shows.
func docsPattern(shown string) *regexp.Regexp {
	pattern := "^"
	for line := range strings.Lines(shown) {
		if strings.TrimSpace(line) == "…" {
			pattern += `(?:.*\n)*?`
			continue
		}
		pattern += strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*")
	}
	return regexp.MustCompile(pattern + "$")
}

// TestDocsPattern sees that output that differs is found.
func TestDocsPattern(t *testing.T) {
	tests := []struct {
		name, shown, output string
		match               bool
	}{
		{"equal", "a\nb\n", "a\nb\n", true},
		{"other number", "3 rows\n", "4 rows\n", false},
		{"a line more", "a\n", "a\nb\n", false},
		{"any text", "time …\n", "time 0.1 s\n", true},
		{"any text keeps to its line", "time …\nb\n", "time 0.1 s\nc\nb\n", false},
		{"any lines", "…\nb\n…\n", "a\na\nb\n", true},
		{"no line", "a\n…\nb\n", "a\nb\n", true},
		{"signs are no pattern", "a.b\n", "axb\n", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := docsPattern(test.shown).MatchString(test.output); got != test.match {
				t.Errorf("matches: %v, want %v", got, test.match)
			}
		})
	}
}
