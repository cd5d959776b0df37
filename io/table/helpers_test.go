package table_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rtcluster/io/table"
)

// shared is where data made by others may lie, beside the repository.
const shared = "../../../shared/data"

// sharedFile returns the path of such a file, and skips the test without it.
func sharedFile(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(shared, name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("test data is not there: %v", err)
	}
	return path
}

// writeFile writes a file in a folder of its own and returns its path.
func writeFile(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens a table that is closed with the test.
func open(t testing.TB, path string, opt table.ReadOptions) *table.Table {
	t.Helper()
	tab, err := table.Open(t.Context(), path, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tab.Close(); err != nil {
			t.Error(err)
		}
	})
	return tab
}

// openText opens CSV text.
func openText(t testing.TB, text string) *table.Table {
	t.Helper()
	return open(t, writeFile(t, "in.csv", text), table.ReadOptions{})
}

// write writes a table into a new file of the given name and returns its path.
func write(t testing.TB, tab *table.Table, name string, keep []string, added []table.Added) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := tab.WriteWith(t.Context(), path, keep, added, table.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	return path
}

// writeText writes a table as CSV to standard output and returns it.
func writeText(t testing.TB, tab *table.Table, keep []string, added []table.Added) string {
	t.Helper()
	var out bytes.Buffer
	if err := tab.WriteWith(t.Context(), "-", keep, added, table.WriteOptions{Stdout: &out}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// readFile returns the content of a file.
func readFile(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// columnNames lists the columns as name:type, with a * if numeric.
func columnNames(tab *table.Table) string {
	var list []string
	for _, c := range tab.Columns() {
		s := c.Name + ":" + c.Type
		if c.Numeric {
			s += "*"
		}
		list = append(list, s)
	}
	return strings.Join(list, " ")
}

// loudNotes returns the notes that people should know without asking.
func loudNotes(tab *table.Table) string {
	var list []string
	for _, n := range tab.Notes() {
		if n.Loud {
			list = append(list, n.Text)
		}
	}
	return strings.Join(list, "\n")
}

// wantDataError checks that err is a DataError whose text holds want.
func wantDataError(t testing.TB, err error, want string) {
	t.Helper()
	var bad *table.DataError
	if !errors.As(err, &bad) {
		t.Fatalf("got error %v, want a DataError with %q", err, want)
	}
	if !strings.Contains(err.Error(), want) {
		t.Errorf("got error %q, want one with %q", err, want)
	}
}

// onlyFile checks that a folder holds no file but the one named, if any.
func onlyFile(t testing.TB, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("folder holds %q, want %q", got, want)
	}
}
