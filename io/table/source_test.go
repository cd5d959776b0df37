package table_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"rtcluster/io/table"
)

// onlyReader hides that a reader can seek.
type onlyReader struct{ io.Reader }

func TestStdin(t *testing.T) {
	csv := "id,x\n007,1.5\n"
	pq := readFile(t, write(t, openText(t, csv), "in.parquet", nil, nil))
	for _, c := range []struct{ name, content string }{{"csv", csv}, {"parquet", pq}} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			tab, err := table.Open(t.Context(), "-", table.ReadOptions{Stdin: onlyReader{strings.NewReader(c.content)}, TempDir: dir})
			if err != nil {
				t.Fatal(err)
			}
			if got := writeText(t, tab, nil, nil); got != csv {
				t.Errorf("got %q, want %q", got, csv)
			}
			f, err := tab.Floats(t.Context(), []string{"x"})
			if err != nil || f.Data[0] != 1.5 {
				t.Errorf("got %v %v", f, err)
			}
			if tab.Spooled() == "" {
				onlyFile(t, dir) // it has no name any more
			}
			if err := tab.Close(); err != nil {
				t.Error(err)
			}
			onlyFile(t, dir)
		})
	}
}

func TestStdinRefused(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ name, content, want string }{
		{"empty", "", "standard input: is empty"},
		{"bad csv", "a,b\n1\n", "standard input: line 2"},
		{"bad parquet", "PAR1PAR1", "standard input: is too short"},
	} {
		_, err := table.Open(t.Context(), "-", table.ReadOptions{Stdin: onlyReader{strings.NewReader(c.content)}, TempDir: dir})
		wantDataError(t, err, c.want)
		onlyFile(t, dir)
	}
	if _, err := table.Open(t.Context(), "-", table.ReadOptions{}); err == nil {
		t.Error("no standard input: got no error")
	}
	opt := table.ReadOptions{Stdin: onlyReader{strings.NewReader("x\n1\n")}, TempDir: filepath.Join(dir, "none")}
	if _, err := table.Open(t.Context(), "-", opt); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no temporary folder: got error %v", err)
	}
}

func TestStdinIsFile(t *testing.T) {
	f, err := os.Open(writeFile(t, "in.csv", "x\n1\n"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	tab := open(t, "-", table.ReadOptions{Stdin: f, TempDir: "/none"}) // needs no copy
	if got := writeText(t, tab, nil, nil); got != "x\n1\n" {
		t.Errorf("got %q", got)
	}
}

// TestStdinBlocks has nothing ever come: the context ends the wait.
func TestStdinBlocks(t *testing.T) {
	r, w := io.Pipe()
	t.Cleanup(func() { _ = w.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	dir := t.TempDir()
	_, err := table.Open(ctx, "-", table.ReadOptions{Stdin: r, TempDir: dir})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got error %v", err)
	}
	onlyFile(t, dir)
}

// TestPipe reads from a path that is no regular file.
func TestPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	path := filepath.Join("/dev/fd", strconv.Itoa(int(r.Fd())))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no such paths here: %v", err)
	}
	if _, err := w.WriteString("x,y\n1,2\n"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	tab := open(t, path, table.ReadOptions{})
	if got := writeText(t, tab, nil, nil); got != "x,y\n1,2\n" {
		t.Errorf("got %q", got)
	}
}
