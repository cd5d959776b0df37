package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestHelpWidth wants lines of help that a terminal of 100 columns holds, and texts of flags
// that are not squeezed into a few columns beside a flag with many words.
func TestHelpWidth(t *testing.T) {
	for _, command := range []string{"dbscan", "outliers", "predict", "eps", "join", "plot", "describe", "generate", "config"} {
		t.Run(command, func(t *testing.T) {
			a := newTestApp()
			a.mustRun(t, exitOK, command, "--help")
			_, flags, _ := strings.Cut(a.stdout.String(), "\nExamples:\n")
			_, flags, _ = strings.Cut(flags, "\n\n")
			for line := range strings.Lines(flags) {
				line = strings.TrimRight(line, "\n")
				if width := utf8.RuneCountInString(line); width > helpWidth && !strings.HasPrefix(strings.TrimSpace(line), "--") {
					t.Errorf("%d columns: %s", width, line)
				}
				if indent := len(line) - len(strings.TrimLeft(line, " ")); indent > helpIndent {
					t.Errorf("the text begins in column %d: %s", indent, line)
				}
			}
		})
	}
}
