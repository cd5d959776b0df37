package dbscan_test

import (
	"os"
	"strings"
	"testing"
)

// TestLibraryPage sees that the Go code of docs/library.md is that of an example, which is
// compiled and run.
func TestLibraryPage(t *testing.T) {
	page, err := os.ReadFile("../docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_rows_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, code, found := strings.Cut(string(page), "```go\n")
	code, _, closed := strings.Cut(code, "```\n")
	if !found || !closed {
		t.Fatal("docs/library.md has no Go code")
	}
	if code == "" || !strings.Contains(string(example), code) {
		t.Errorf("this code of docs/library.md is in no example:\n%s", code)
	}
}
