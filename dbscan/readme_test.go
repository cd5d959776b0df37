package dbscan_test

import (
	"os"
	"strings"
	"testing"
)

// TestReadme sees that the Go code of the README is that of an example, which is
// compiled and run.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_rows_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, code, found := strings.Cut(string(readme), "```go\n")
	code, _, closed := strings.Cut(code, "```\n")
	if !found || !closed {
		t.Fatal("README.md has no Go code")
	}
	if code == "" || !strings.Contains(string(example), code) {
		t.Errorf("this code of README.md is in no example:\n%s", code)
	}
}
