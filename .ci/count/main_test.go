package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestCount(t *testing.T) {
	const header = "package x\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nvar _ = os.Exit\n\n"
	tests := []struct {
		name, source string
		want         totals
	}{
		{"two passes", "func TestA(t *testing.T) {}\nfunc TestB(t *testing.T) {}", totals{passed: 2}},
		{"subtests", `func TestA(t *testing.T) {
			t.Run("b", func(t *testing.T) { t.Run("c", func(t *testing.T) {}) })
			t.Run("d", func(t *testing.T) { t.Error("no") })
			t.Run("e", func(t *testing.T) { t.Skip("why") })
		}`, totals{passed: 1, failed: 1, skipped: 1}},
		{"a parent fails alone", `func TestA(t *testing.T) { t.Run("b", func(t *testing.T) {}); t.Error("no") }`, totals{passed: 1, failed: 1}},
		{"does not build", "func TestA(t *testing.T) { no }", totals{failed: 1}},
		{"panics", `func TestA(t *testing.T) {}
		func TestB(t *testing.T) { panic("no") }`, totals{passed: 1, failed: 1}},
		{"exits half-way", `func TestA(t *testing.T) {}
		func TestB(t *testing.T) { os.Exit(3) }`, totals{passed: 1, failed: 1}},
		{"no tests", "var _ = testing.Short", totals{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range map[string]string{"go.mod": "module x\n\ngo 1.26\n", "x_test.go": header + test.source} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.CommandContext(t.Context(), "go", "test", "-json", "./...")
			cmd.Dir = dir
			events, err := cmd.Output()
			if (err != nil) != (test.want.failed > 0) {
				t.Errorf("go test: %v", err)
			}
			got, err := count(strings.NewReader("make: a line\n"+string(events)), io.Discard)
			if err != nil || got != test.want {
				t.Errorf("got %v, %v, want %v\n%s", got, err, test.want, events)
			}
		})
	}
}
